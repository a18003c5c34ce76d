// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/first_result.h"

#include "core/model/measurement/session_shapes.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double secondNs = 1e9;

bool wasProposed(const Candidate& candidate) { return !candidate.parents.empty() && !candidate.migrated; }

/// How long the seed takes, and on what this stands.
struct Expectation {
    std::int64_t takesNs = 0;
    QString source;
};

/// The median over the earlier sessions that are like this one; none where none is.
std::optional<Expectation> expectationOf(const Snapshot& snapshot, const std::vector<SessionStart>& earlier)
{
    const SessionStart now = snapshot.pack ? startOf(snapshot.run, snapshot.pack->task) : SessionStart{};
    const auto isLike = [&now](const SessionStart& session) {
        return !now.device.empty() && session.task == now.task && session.device == now.device
            && session.host == now.host && session.shapes == now.shapes;
    };
    std::vector<std::int64_t> all;
    for (const SessionStart& session : earlier)
        if (isLike(session) && session.seedNs > 0)
            all.push_back(session.seedNs);
    if (all.empty())
        return std::nullopt;
    std::ranges::sort(all);
    return Expectation{all[all.size() / 2],
        counted(static_cast<std::int64_t>(all.size()), tr("as in %1 earlier session on this device"),
            tr("as in %1 earlier sessions on this device"))};
}

/// What is being done for the seed now, as the node or, before it told, the record says; none: nothing yet.
const WorkSpan* seedsWork(const Snapshot& snapshot)
{
    const auto isSeeds = [](const WorkSpan& span) { return span.candidate == CandidateId{1}; };
    const std::vector<WorkSpan>& live = snapshot.status.work;
    if (const auto now = std::ranges::find_if(live, isSeeds); now != live.end())
        return &*now;
    const auto open = snapshot.run.work.open.find(CandidateId{1});
    return open == snapshot.run.work.open.end() ? nullptr : &open->second;
}

QString wordsOf(Work work)
{
    switch (work) {
    case Work::Build:
        return tr("Building the seed");
    case Work::Check:
    case Work::CheckAll:
        return tr("Checking the seed");
    case Work::Screen:
    case Work::Confirm:
        return tr("Measuring the seed");
    case Work::Noise:
        break;
    }
    return tr("Measuring the noise floor with the seed");
}

/// What a candidate is in by the record, which does not hold since when: all that a window has that looks on while
/// another program runs the session.
std::optional<Work> workAt(Stage stage)
{
    switch (stage) {
    case Stage::Building:
        return Work::Build;
    case Stage::Checking:
        return Work::Check;
    case Stage::Screening:
        return Work::Screen;
    case Stage::Confirming:
        return Work::Confirm;
    default:
        return std::nullopt;
    }
}

/// Nothing is known of how long it takes: what goes on, and since when.
QString whatGoesOn(const Snapshot& snapshot)
{
    if (!snapshot.status.waiting.empty())
        return text(snapshot.status.waiting);
    const WorkSpan* work = seedsWork(snapshot);
    const Candidate* seed = snapshot.run.candidate(CandidateId{1});
    if (const auto begun = !work && seed && snapshot.status.readOnly ? workAt(seed->stage) : std::nullopt)
        return wordsOf(*begun) + u'\n' + tr("the time on this device is not known yet");
    if (!work)
        return tr("The first result is that of the seed,\nwhich waits for a build");
    const std::int64_t lasts = std::max<std::int64_t>(0, snapshot.status.runNs - work->startedNs);
    return tr("%1, for %2 s").arg(wordsOf(work->work)).arg(lasts / static_cast<std::int64_t>(secondNs)) + u'\n'
        + tr("the time on this device is not known yet");
}

/// In steps that nobody minds, so that the words do not change with every second of a long wait.
QString aboutWords(double seconds)
{
    if (seconds <= 10)
        return tr("%1 s").arg(std::ceil(seconds), 0, 'f', 0);
    if (seconds < 60)
        return tr("%1 s").arg(std::ceil(seconds / 5) * 5, 0, 'f', 0);
    return tr("%1 min").arg(std::ceil(seconds / 60), 0, 'f', 0);
}

} // namespace

SessionStart startOf(const RunState& run, const Task& task)
{
    const std::string& proposer = run.settings.proposer;
    SessionStart start{run.settings.taskName,
        run.deviceFacts.is_object() ? run.deviceFacts.value("name", run.device) : run.device, // a name, not an id
        listWords(shapesOf(task)), proposer.substr(0, proposer.find(':')), 0, 0, run.host};
    for (const Candidate& candidate : run.candidates) {
        if (!candidate.isRanked())
            continue;
        if (candidate.parents.empty())
            start.seedNs = candidate.finishedNs;
        else if (wasProposed(candidate) && (start.firstNs == 0 || candidate.finishedNs < start.firstNs))
            start.firstNs = candidate.finishedNs;
    }
    return start;
}

bool isBeforeFirstResult(const RunState& run)
{
    return std::ranges::none_of(run.candidates, [](const Candidate& candidate) { return candidate.isRanked(); });
}

QString firstResultIn(const Snapshot& snapshot, const std::vector<SessionStart>& earlier)
{
    if (snapshot.status.phase != events::Phase::Running || !isBeforeFirstResult(snapshot.run))
        return {};
    const auto expected = expectationOf(snapshot, earlier);
    const std::int64_t left = expected ? expected->takesNs - snapshot.status.runNs : 0;
    return left > 0 ? tr("First result in about %1").arg(aboutWords(static_cast<double>(left) / secondNs)) + u'\n'
            + expected->source
                    : QString();
}

QString firstResultWords(const Snapshot& snapshot, const std::vector<SessionStart>& earlier)
{
    if (snapshot.status.phase != events::Phase::Running || !isBeforeFirstResult(snapshot.run))
        return {};
    const QString when = firstResultIn(snapshot, earlier);
    return when.isEmpty() ? whatGoesOn(snapshot) : when;
}

} // namespace tilewright::ui
