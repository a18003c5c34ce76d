// SPDX-License-Identifier: GPL-3.0-or-later
// Work on another thread whose result is taken on this one, as long as somebody is there to take it. In place of
// QFuture::then(context, …), which in Qt 6.4 posts the result to a context that this thread may be destroying just
// then. GUI thread.
#pragma once

#include "core/base/last_resort.h"

#include <QFutureWatcher>
#include <QThread>
#include <QThreadPool>
#include <QtConcurrent>
#include <algorithm>
#include <type_traits>
#include <utility>

namespace tilewright::ui {

/// Threads for work that nobody waits for: they leave one processor to the window's thread, and what they share they
/// get after it. Not the global pool: Qt paints large areas with its threads, and waits for them while they are busy.
inline QThreadPool& asideThreads()
{
    struct Threads : QThreadPool {
        Threads() { setMaxThreadCount(std::max(1, QThread::idealThreadCount() - 1)); }
    };
    static Threads threads;
    return threads;
}

/// For what a user waits for: it stands behind none of that work.
inline QThreadPool& awaitedThreads()
{
    static QThreadPool threads;
    return threads;
}

template <typename Work> auto runAside(Work work, QThreadPool& threads = asideThreads())
{
    return QtConcurrent::run(&threads, [work = std::move(work), givesWay = &threads != &awaitedThreads()]() mutable {
        if (givesWay)
            giveWay();
        return work();
    });
}

/// `take` is called on the thread of `taker`, with what `work` gave; never once that is gone.
template <typename Work, typename Take>
void doAside(QObject* taker, Work work, Take take, QThreadPool& threads = asideThreads())
{
    using Made = std::invoke_result_t<Work>;
    auto* watcher = new QFutureWatcher<Made>(taker); // its destructor waits for whoever is about to post to it
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, [watcher, take = std::move(take)]() mutable {
        watcher->deleteLater();
        if (watcher->isCanceled()) // an exception of the work goes on from here; the end of the program throws none
            watcher->waitForFinished();
        else
            take(watcher->result());
    });
    watcher->setFuture(runAside(std::move(work), threads));
}

} // namespace tilewright::ui
