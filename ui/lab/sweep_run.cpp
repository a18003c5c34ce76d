// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/sweep_run.h"

#include "core/model/measurement/progress_stages.h"
#include "ui/models/display_text.h"

#include <QFutureWatcher>
#include <QMetaObject>
#include <QtConcurrent>

namespace tilewright::ui {

SweepRun::SweepRun(QObject* parent)
    : QObject(parent)
{
    m_threads.setMaxThreadCount(1);
}

SweepRun::~SweepRun()
{
    cancel();
    m_threads.waitForDone();
}

void SweepRun::cancel()
{
    if (m_isCancelled)
        *m_isCancelled = true;
}

void SweepRun::take(const std::function<void()>& what)
{
    QMetaObject::invokeMethod(
        this,
        [this, what] {
            if (!m_isRunning)
                return;
            what();
            Q_EMIT changed();
        },
        Qt::QueuedConnection);
}

void SweepRun::start(const std::string& task, SweepWords words, std::optional<TileSweep> before)
{
    if (m_isRunning)
        return;
    m_isRunning = true;
    m_isCancelled = std::make_shared<std::atomic<bool>>(false);
    m_sweep.reset();
    m_words = tr("building and checking the starting tile");
    const auto work = [this, task, words = std::move(words), before = std::move(before),
                          isCancelled = m_isCancelled]() mutable -> Result<void> {
        const auto pack = findTaskPack(task);
        if (!pack)
            return std::unexpected(pack.error());
        auto program = tileProgram(pack->task);
        if (!program)
            return std::unexpected(program.error());
        words.text = std::move(*program);
        auto begun = begunSweep(*pack, words);
        if (!begun)
            return std::unexpected(begun.error());
        if (before && before->asksTheSame(begun->sweep))
            begun->sweep = std::move(*before);
        SweepWatch watch;
        watch.evaluation.isCancelled = [isCancelled] { return isCancelled->load(); };
        watch.evaluation.say = [this](const std::string& what) { take([this, what] { m_words = text(what); }); };
        watch.evaluation.progressed = [this](const Progress& progress) {
            if (progress.stage != waitingStage)
                take([this] { m_words.clear(); });
        };
        watch.begun = [this](const TileSweep& now) { take([this, now] { m_sweep = now; }); };
        watch.done = [this](const TileSweep& now, const SweepCell&) {
            take([this, now] {
                m_sweep = now;
                Q_EMIT measured();
            });
        };
        return runSweep(begun->order, begun->sweep, watch);
    };
    // A thread that gives way would hand its low priority down to the node, and to what is measured.
    auto* watcher = new QFutureWatcher<Result<void>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        const Result<void> done = watcher->result();
        m_isRunning = false;
        m_words.clear();
        Q_EMIT changed();
        if (!done && done.error().code != "cancelled")
            Q_EMIT failed(text(done.error().line()));
        else
            Q_EMIT ended();
    });
    watcher->setFuture(QtConcurrent::run(&m_threads, work));
    Q_EMIT changed();
}

} // namespace tilewright::ui
