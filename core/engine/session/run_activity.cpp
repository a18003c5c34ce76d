// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/session/run_activity.h"

#include "core/base/names.h"
#include "core/base/text.h"
#include "core/model/reviews/review_queue.h"

namespace tilewright {
namespace {

constexpr NameTable<Activity, 9> activityNames{
    {{Activity::None, "none"}, {Activity::Created, "created"}, {Activity::Running, "running"},
        {Activity::Waiting, "waiting"}, {Activity::Blocked, "blocked"}, {Activity::Pausing, "pausing"},
        {Activity::Paused, "paused"}, {Activity::Finished, "finished"}, {Activity::Stopped, "stopped"}}};
constexpr NameTable<Awaited, 7> awaitedNames{{{Awaited::Nothing, "nothing"}, {Awaited::Prompts, "prompts"},
    {Awaited::Replies, "replies"}, {Awaited::Reviews, "reviews"}, {Awaited::Machine, "machine"},
    {Awaited::Device, "device"}, {Awaited::Node, "node"}}};

Activity restOf(events::Phase phase)
{
    switch (phase) {
    case events::Phase::Created:
        return Activity::Created;
    case events::Phase::Running:
        return Activity::Running;
    case events::Phase::Paused:
        return Activity::Paused;
    case events::Phase::Finished:
        return Activity::Finished;
    case events::Phase::Stopped:
        return Activity::Stopped;
    }
    return Activity::None;
}

Awaited awaitedFor(const std::string& code)
{
    return code == "device/taken" ? Awaited::Device : code == "node/lost" ? Awaited::Node : Awaited::Machine;
}

} // namespace

std::string nameOf(Activity activity) { return nameIn(activityNames, activity); }
std::string nameOf(Awaited awaited) { return nameIn(awaitedNames, awaited); }

RunActivity activityOf(const Snapshot& snapshot)
{
    const EngineStatus& status = snapshot.status;
    const bool isElsewhere = status.readOnly && status.phase == events::Phase::Running;
    if (!status.sessionOpen || isElsewhere)
        return {};
    if (status.phase != events::Phase::Running)
        return {restOf(status.phase), Awaited::Nothing, 0};
    if (status.pausing)
        return {Activity::Pausing, Awaited::Nothing, 0};
    const std::string& code = status.waitingCode;
    const RunActivity blocked{Activity::Blocked, Awaited::Reviews, snapshot.run.waitingReviews};
    if (code == "reviews")
        return blocked;
    const auto out = static_cast<std::int64_t>(status.openModelRequests.size());
    const bool isIdle = status.building + status.checking + status.measuring + status.queued == 0;
    if (out > 0 && (isIdle || code == "replies"))
        return blocked.count > 0 && everyIslandWaits(snapshot.run)
            ? blocked
            : RunActivity{Activity::Waiting, status.answersByHand ? Awaited::Prompts : Awaited::Replies, out};
    return code.empty() ? RunActivity{Activity::Running, Awaited::Nothing, 0}
                        : RunActivity{Activity::Waiting, awaitedFor(code), 0};
}

std::string describe(const RunActivity& activity)
{
    const std::string state = nameOf(activity.activity);
    const std::int64_t count = activity.count;
    switch (activity.awaits) {
    case Awaited::Nothing:
        return state;
    case Awaited::Prompts:
        return state + ": " + counted(count, "prompt", "prompts");
    case Awaited::Replies:
        return state + ": " + counted(count, "reply", "replies");
    case Awaited::Reviews:
        return state + ": " + counted(count, "review", "reviews");
    case Awaited::Machine:
    case Awaited::Device:
    case Awaited::Node:
        return state + " for the " + nameOf(activity.awaits);
    }
    return state;
}

nlohmann::json toJson(const RunActivity& activity)
{
    return {{"state", nameOf(activity.activity)}, {"waits_for", nameOf(activity.awaits)}, {"count", activity.count},
        {"text", describe(activity)}};
}

std::string wordsOfRecovery(const RunState& state)
{
    std::int64_t unmeasured = 0, unconfirmed = 0;
    for (const Candidate& candidate : state.candidates) {
        if (candidate.evaluationNumber == 0 || candidate.isOver() || candidate.stage == Stage::Review)
            continue;
        ++(candidate.outcome == Outcome::None ? unmeasured : unconfirmed); // one with a result is counted already
    }
    if (unmeasured + unconfirmed == 0)
        return {};
    std::string words = "Recovered " + counted(state.evaluationsDone, "evaluation", "evaluations");
    if (unmeasured > 0)
        words += ", " + std::to_string(unmeasured) + (unmeasured == 1 ? " was incomplete" : " were incomplete");
    if (unconfirmed > 0)
        words += ", " + std::to_string(unconfirmed) + (unconfirmed == 1 ? " of them is" : " of them are")
            + " still to be confirmed";
    return words + ".";
}

} // namespace tilewright
