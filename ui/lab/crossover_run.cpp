// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/crossover_run.h"

#include "core/base/hash.h"
#include "core/model/measurement/conditions.h"
#include "core/model/measurement/progress_stages.h"
#include "core/pack/scheme_task.h"
#include "core/tensor/measures.h"
#include "ui/models/display_text.h"
#include "ui/widgets/elided_label.h"

#include <QFutureWatcher>
#include <QMetaObject>
#include <QtConcurrent>
#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr int measuredCutoff = 64; ///< far below all sizes: these decide, not the cut-off

struct BegunCrossover {
    CrossoverOrder order;
    CrossoverSweep sweep;
};

/// Errors: those of findTaskPack() and schemeTask().
Result<BegunCrossover> begunCrossover(
    const tensor::Scheme& scheme, int levels, const SchemeLeaf& leaf, const std::vector<std::int64_t>& sizes)
{
    const auto from = findTaskPack(usualSchemeTask);
    if (!from)
        return std::unexpected(from.error());
    SchemeTaskOptions options{"crossover", {}, {}};
    options.code.levels = levels;
    options.code.cutoff = measuredCutoff;
    const bool isLoop = leaf.text.empty();
    options.code.leaf = isLoop ? from->seed() : leaf.text;
    options.code.leafName = isLoop ? "the task's seed" : leaf.name;
    for (const std::int64_t size : sizes)
        options.train.push_back({size, size, size});
    auto pack = schemeTask(scheme, *from, options);
    if (!pack)
        return std::unexpected(pack.error());
    BegunCrossover begun;
    CrossoverSweep& sweep = begun.sweep;
    sweep.task = from->task.name;
    sweep.scheme = scheme.name;
    sweep.format = tensor::textOf(scheme.format);
    sweep.rank = scheme.rank();
    sweep.levels = levels;
    sweep.coefficients = tensor::fingerprintOf(scheme);
    sweep.leaf = options.code.leafName;
    sweep.leafProgram = sha256(options.code.leaf).hex();
    sweep.sizes = sizes;
    sweep.protocol = measurementProtocol;
    begun.order.program = pack->seed();
    begun.order.leaf = options.code.leaf;
    begun.order.device = "cpu";
    begun.order.pack = std::move(*pack);
    return begun;
}

} // namespace

CrossoverRun::CrossoverRun(QObject* parent)
    : QObject(parent)
    , m_kept(keptCrossovers())
{
    m_threads.setMaxThreadCount(1);
}

CrossoverRun::~CrossoverRun()
{
    cancel();
    m_threads.waitForDone();
}

void CrossoverRun::cancel()
{
    if (m_isRunning && !isCancelled()) {
        *m_isCancelled = true;
        Q_EMIT changed();
    }
}

void CrossoverRun::take(const std::function<void()>& what)
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

void CrossoverRun::keep(const CrossoverSweep& sweep)
{
    m_done = sweep.cells.size();
    const auto kept = keepCrossover(sweep);
    m_problem = kept ? QString() : text(kept.error().line());
    if (kept) {
        m_kept = keptCrossovers();
        return;
    }
    // It is shown although it could not be kept.
    std::erase_if(
        m_kept, [&](const KeptCrossover& each) { return each.isOfThisMachine && each.sweep.asksTheSame(sweep); });
    m_kept.insert(m_kept.begin(), {sweep, true});
}

void CrossoverRun::start(
    const tensor::Scheme& scheme, int levels, const SchemeLeaf& leaf, const std::vector<std::int64_t>& sizes)
{
    if (m_isRunning)
        return;
    m_isRunning = true;
    m_isCancelled = std::make_shared<std::atomic<bool>>(false);
    m_problem.clear();
    m_size = 0;
    m_done = 0;
    m_of = sizes.size();
    m_words = tr("writing the program");
    std::vector<CrossoverSweep> before;
    for (const KeptCrossover& each : m_kept)
        if (each.isOfThisMachine && !each.sweep.isComplete())
            before.push_back(each.sweep);
    const auto work = [this, scheme, levels, leaf, sizes, before, isCancelled = m_isCancelled]() -> Result<void> {
        auto begun = begunCrossover(scheme, levels, leaf, sizes);
        if (!begun)
            return std::unexpected(begun.error());
        const auto same
            = std::ranges::find_if(before, [&](const CrossoverSweep& each) { return each.asksTheSame(begun->sweep); });
        if (same != before.end())
            begun->sweep = *same;
        CrossoverWatch watch;
        watch.evaluation.isCancelled = [isCancelled] { return isCancelled->load(); };
        watch.evaluation.say = [this](const std::string& what) { take([this, what] { m_words = text(what); }); };
        watch.evaluation.progressed = [this](const Progress& progress) {
            if (progress.stage == waitingStage)
                return;
            const QString stage = text(progress.stage);
            const QString words
                = progress.of > 0 ? tr("%1, %2").arg(stage, percent(progress.done / progress.of)) : stage;
            take([this, words] { m_words = words; });
        };
        watch.begun = [this](const CrossoverSweep& now, std::int64_t size) {
            take([this, done = now.cells.size(), size] {
                m_done = done;
                m_size = size;
                m_words = tr("building");
            });
        };
        watch.done = [this](const CrossoverSweep& now) { take([this, now] { keep(now); }); };
        return runCrossover(begun->order, begun->sweep, watch);
    };
    // A thread that gives way would hand its low priority down to the node, and to what is measured.
    auto* watcher = new QFutureWatcher<Result<void>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        const Result<void> done = watcher->result();
        m_isRunning = false;
        m_words.clear();
        if (!done && done.error().code != "cancelled")
            m_problem = asSentences(text(done.error().text), text(done.error().hint)).simplified();
        Q_EMIT changed();
    });
    watcher->setFuture(QtConcurrent::run(&m_threads, work));
    Q_EMIT changed();
}

const KeptCrossover* CrossoverRun::of(const tensor::Scheme& scheme) const
{
    const std::string coefficients = tensor::fingerprintOf(scheme);
    const auto found = std::ranges::find_if(m_kept, [&](const KeptCrossover& each) {
        return each.sweep.coefficients == coefficients && !each.sweep.points().empty();
    });
    return found == m_kept.end() ? nullptr : &*found;
}

QString CrossoverRun::progressWords() const
{
    if (!m_isRunning)
        return {};
    if (isCancelled())
        return tr("stopping");
    return m_size == 0 ? m_words : tr("size %1, %2 of %3: %4").arg(m_size).arg(m_done + 1).arg(m_of).arg(m_words);
}

} // namespace tilewright::ui
