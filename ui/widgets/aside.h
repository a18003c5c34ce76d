// SPDX-License-Identifier: GPL-3.0-or-later
// Work on another thread whose result is taken on this one, as long as somebody is there to take it. In place of
// QFuture::then(context, …), which in Qt 6.4 posts the result to a context that this thread may be destroying just
// then. GUI thread.
#pragma once

#include <QFutureWatcher>
#include <QThreadPool>
#include <QtConcurrent>
#include <type_traits>
#include <utility>

namespace tilewright::ui {

/// `take` is called on the thread of `taker`, with what `work` gave; never once that is gone.
template <typename Work, typename Take>
void doAside(QObject* taker, Work work, Take take, QThreadPool* threads = QThreadPool::globalInstance())
{
    using Made = std::invoke_result_t<Work>;
    auto* watcher = new QFutureWatcher<Made>(taker); // its destructor waits for whoever is about to post to it
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, [watcher, take = std::move(take)]() mutable {
        watcher->deleteLater();
        if (!watcher->isCanceled()) // an exception of the work, or the end of the program
            take(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(threads, std::move(work)));
}

} // namespace tilewright::ui
