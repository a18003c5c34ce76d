// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scheme_task_run.h"

#include "core/engine/measuring/seed_run.h"
#include "core/model/measurement/progress_stages.h"
#include "ui/models/display_text.h"

#include <QFutureWatcher>
#include <QMetaObject>
#include <QtConcurrent>

namespace tilewright::ui {

SchemeTaskRun::SchemeTaskRun(QObject* parent)
    : QObject(parent)
{
    m_threads.setMaxThreadCount(1);
}

SchemeTaskRun::~SchemeTaskRun()
{
    cancel();
    m_threads.waitForDone();
}

void SchemeTaskRun::cancel()
{
    if (m_isCancelled)
        *m_isCancelled = true;
}

void SchemeTaskRun::start(const SchemeTaskOrder& order)
{
    if (m_isRunning)
        return;
    m_isRunning = true;
    m_isCancelled = std::make_shared<std::atomic<bool>>(false);
    const auto say = [this](const QString& words) {
        QMetaObject::invokeMethod(
            this,
            [this, words] {
                if (m_isRunning)
                    Q_EMIT progressed(words);
            },
            Qt::QueuedConnection);
    };
    const auto work = [order, say, isCancelled = m_isCancelled]() -> Result<void> {
        if (const auto possible = checkTaskFolder(order.options.name, order.folder); !possible)
            return possible;
        const auto pack = schemeTask(order.scheme, order.from, order.options);
        if (!pack)
            return std::unexpected(pack.error());
        say(tr("Building the program…"));
        SeedWatch watch;
        watch.isCancelled = [isCancelled] { return isCancelled->load(); };
        watch.progressed = [say](const Progress& progress) {
            if (progress.stage == waitingStage)
                say(tr("Waiting for the device, which another process uses…"));
            else if (progress.of > 0)
                say(tr("Checking the program: %1…").arg(percent(progress.done / progress.of)));
        };
        if (const auto passed = runSeed(*pack, SeedGates::Few, watch); !passed)
            return std::unexpected(passed.error());
        if (*isCancelled)
            return fail("cancelled", "cancelled");
        return writeTaskFolder(*pack, order.folder);
    };
    // A thread that gives way would hand its low priority down to the node.
    auto* watcher = new QFutureWatcher<Result<void>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, folder = text(order.folder)] {
        watcher->deleteLater();
        const Result<void> done = watcher->result();
        m_isRunning = false;
        if (done)
            Q_EMIT written(folder);
        else
            Q_EMIT failed(done.error());
    });
    watcher->setFuture(QtConcurrent::run(&m_threads, work));
}

} // namespace tilewright::ui
