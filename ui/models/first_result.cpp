// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/first_result.h"

#include "core/engine/proposing.h"
#include "core/model/session_shapes.h"
#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double secondNs = 1e9;

bool wasProposed(const Candidate& candidate) { return !candidate.parents.empty() && !candidate.migrated; }

/// What is expected, since when it runs, and on what it stands.
struct Expectation {
    std::int64_t takesNs = 0, sinceNs = 0;
    QString source;
};

/// The median over the earlier sessions that are like this one of what it takes; none where none is.
template <typename Takes>
std::optional<Expectation> fromEarlier(const std::vector<SessionStart>& earlier, std::int64_t sinceNs, Takes takes)
{
    std::vector<std::int64_t> all;
    for (const SessionStart& session : earlier)
        if (const std::int64_t ns = takes(session); ns > 0)
            all.push_back(ns);
    if (all.empty())
        return std::nullopt;
    std::ranges::sort(all);
    return Expectation{all[all.size() / 2], sinceNs,
        counted(static_cast<std::int64_t>(all.size()), tr("as in %1 earlier session on this device"),
            tr("as in %1 earlier sessions on this device"))};
}

/// What the seed's build, checks and timing took: all that a candidate goes through, where nobody is waited for.
std::optional<Expectation> fromSeed(const RunState& run, std::int64_t sinceNs)
{
    std::int64_t took = 0;
    bool isBuilt = false;
    for (const WorkSpan& span : run.work.spans) {
        if (span.startedNs > sinceNs)
            break;
        if (span.candidate != CandidateId{1} || span.work == Work::Noise || !span.rule.empty())
            continue;
        took += span.durationNs();
        isBuilt = isBuilt || span.work == Work::Build;
    }
    if (!isBuilt || readsPrompts(run.settings.proposer))
        return std::nullopt;
    return Expectation{took, sinceNs, tr("as long as the seed's build, check and timing took")};
}

std::optional<Expectation> expectationOf(const Snapshot& snapshot, const std::vector<SessionStart>& earlier)
{
    const RunState& run = snapshot.run;
    const SessionStart now = snapshot.pack ? startOf(run, snapshot.pack->task) : SessionStart{};
    const auto isLike = [&now](const SessionStart& session) {
        return !now.device.empty() && session.task == now.task && session.device == now.device
            && session.shapes == now.shapes;
    };
    if (now.seedNs == 0)
        return fromEarlier(
            earlier, 0, [&](const SessionStart& session) { return isLike(session) ? session.seedNs : 0; });
    const auto known = fromEarlier(earlier, now.seedNs, [&](const SessionStart& session) {
        return isLike(session) && session.proposer == now.proposer ? session.firstNs - session.seedNs : 0;
    });
    return known ? known : fromSeed(run, now.seedNs);
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
        listWords(shapesOf(task)), proposer.substr(0, proposer.find(':'))};
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

bool isFirstGeneration(const RunState& run)
{
    return std::ranges::none_of(
        run.candidates, [](const Candidate& candidate) { return wasProposed(candidate) && candidate.isRanked(); });
}

QString firstResultWords(const Snapshot& snapshot, const std::vector<SessionStart>& earlier)
{
    if (snapshot.status.phase != events::Phase::Running || !isFirstGeneration(snapshot.run))
        return {};
    if (const auto expected = expectationOf(snapshot, earlier)) {
        const std::int64_t left = expected->takesNs - (snapshot.status.runNs - expected->sinceNs);
        if (left > 0)
            return tr("First result in about %1").arg(aboutWords(static_cast<double>(left) / secondNs)) + u'\n'
                + expected->source;
    }
    return tr("First result when the first candidate\nis built, checked and timed");
}

} // namespace tilewright::ui
