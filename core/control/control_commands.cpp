// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/control_commands.h"

#include "core/base/json_text.h"
#include "core/control/candidate_requests.h"
#include "core/control/command_form.h"
#include "core/control/edit_command.h"
#include "core/control/island_requests.h"
#include "core/engine/proposals/proposing.h"
#include "core/engine/session/run_activity.h"
#include "core/engine/session/undo_history.h"
#include "core/model/islands/living_islands.h"
#include "core/model/measurement/evidence.h"
#include "core/model/reviews/review_queue.h"
#include "core/model/spent_budget.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

namespace tilewright {
namespace {

using Json = nlohmann::json;

Result<void> done(Engine& engine, const Command& command)
{
    const Receipt receipt = engine.execute(command);
    return receipt.isDone() ? Result<void>() : std::unexpected(receipt.error);
}

Json refusal(const Error& error)
{
    return {{"ok", false}, {"code", error.code}, {"text", error.text}, {"hint", error.hint}};
}

Json answerOf(const Result<void>& done) { return done ? Json{{"ok", true}} : refusal(done.error()); }

/// With what a user should know of an order that was carried out, if there is anything.
Json withNote(Json answer, const std::function<std::string()>& noteOf)
{
    if (!answer.value("ok", false))
        return answer;
    if (const std::string note = noteOf(); !note.empty())
        answer["note"] = note;
    return answer;
}

/// The island of a request; id 0, all of them, where none is named.
Result<IslandId> islandOf(Engine& engine, const Json& request)
{
    const std::string letter = textAt(request, "island");
    if (letter.empty() || letter == "*")
        return IslandId{};
    const IslandId island = islandFromLetter(letter);
    if (island && island.value <= engine.snapshot()->run.islandCount())
        return island;
    return fail("island/unknown", "the run has no island " + letter);
}

/// One candidate after the other; what was refused does not keep the others from it, and says for which it was done.
Json forEachCandidate(const Json& request, const std::function<Result<void>(CandidateId)>& work)
{
    const Json names = request.value("candidates", Json::array());
    if (!names.is_array() || names.empty())
        return refusal(usageError("no candidates given; use names such as c-0012"));
    Json failed = Json::array(), carriedOut = Json::array();
    std::string doneFor;
    std::optional<Error> first;
    std::set<CandidateId> named;
    for (const Json& name : names) {
        const CandidateId id = name.is_string() ? candidateFromName(name.get<std::string>()) : CandidateId{};
        if (id && !named.insert(id).second)
            continue; // once is enough
        const Result<void> done = id ? work(id) : fail("review/unknown", dumped(name) + " is not a candidate's name");
        if (done) {
            carriedOut.push_back(name);
            doneFor += (doneFor.empty() ? "" : ", ") + candidateName(id);
            continue;
        }
        failed.push_back({{"candidate", name}, {"code", done.error().code}, {"text", done.error().text}});
        if (!first)
            first = done.error();
    }
    if (!first)
        return {{"ok", true}};
    if (!doneFor.empty())
        first->text += "; it was executed for " + doneFor;
    Json answer = refusal(*first);
    answer["failed"] = std::move(failed);
    answer["carried_out"] = std::move(carriedOut);
    return answer;
}

/// The request with the names of all that wait in the place of the word "all".
Json onAllThatWait(Engine& engine, Json request)
{
    Json& names = request["candidates"];
    if (names != Json::array({"all"}))
        return request;
    names = Json::array();
    for (const Review& review : engine.snapshot()->run.reviews)
        if (review.isWaiting() && !review.undone)
            names.push_back(candidateName(review.candidate));
    return request;
}

Json decided(Engine& engine, const Json& request, Decision decision)
{
    const std::string reason = textAt(request, "reason");
    const Json meant = onAllThatWait(engine, request);
    if (request.value("candidates", Json()) == Json::array({"all"}) && meant["candidates"].empty())
        return refusal(
            {"review/none", "no candidate is pending review", "'reviews' lists pending candidates", nullptr});
    return forEachCandidate(meant, [&](CandidateId candidate) {
        return done(engine, commands::Decide{{candidate}, decision, reason});
    });
}

Json judgementJson(const RunState& run, CandidateId candidate)
{
    const std::string words = wordsOf(run, judgementOf(run, candidate));
    return words.empty() ? Json(nullptr) : Json(words);
}

Json reviewJson(const RunState& run, const Review& review)
{
    const Candidate& candidate = *run.candidate(review.candidate);
    const Proposal* proposal = run.proposal(candidate.proposal);
    return {{"candidate", candidateName(candidate.id)}, {"island", islandLetter(candidate.island)},
        {"decision", nameOf(review.decision)}, {"risks", review.risks},
        {"proposer", proposal ? proposal->proposer : ""}, {"reasoning", proposal ? proposal->reasoning : ""},
        {"claim", proposal ? proposal->claim : ""}, {"patch", candidate.patch.hex()},
        {"judgement", judgementJson(run, candidate.id)}};
}

Json reviews(Engine& engine, const Json&)
{
    const SnapshotPtr now = engine.snapshot();
    Json waiting = Json::array();
    for (const Review* review : reviewsInOrder(now->run)) // as the window lists them
        waiting.push_back(reviewJson(now->run, *review));
    return {{"ok", true}, {"reviews", std::move(waiting)}};
}

/// Each model as it is now, with what its server told of its limits.
Json modelsJson(const std::vector<ModelStatus>& models)
{
    Json list = Json::array();
    for (const ModelStatus& model : models) {
        Json limits = Json::array();
        for (const ServerLimit& limit : model.limits) {
            limits.push_back(toJson(limit));
            limits.back()["words"] = wordsOf(limit);
        }
        list.push_back({{"name", model.name}, {"endpoint", model.endpoint}, {"condition", nameOf(model.condition)},
            {"text", model.text}, {"in_flight", model.inFlight}, {"limits", std::move(limits)}});
    }
    return list;
}

Json troubleJson(const std::map<IslandId, std::string>& troubles)
{
    Json islands = Json::object();
    for (const auto& [island, words] : troubles)
        islands[islandLetter(island)] = words;
    return islands;
}

Json status(Engine& engine, const Json&)
{
    const SnapshotPtr now = engine.snapshot();
    const RunState& run = now->run;
    const Candidate* best = run.best();
    return {{"ok", true}, {"session", now->status.sessionPath}, {"task", run.settings.taskName},
        {"proposer", run.settings.proposer}, {"phase", nameOf(run.phase)}, {"phase_reason", run.phaseReason},
        {"activity", toJson(activityOf(*now))}, {"pausing", now->status.pausing}, {"waiting", now->status.waiting},
        {"trouble", now->status.trouble}, {"evaluations", run.evaluationsDone},
        {"evaluations_begun", run.evaluationsStarted}, {"evaluations_budget", run.settings.budget.evaluations},
        {"reviews_waiting", run.waitingReviews}, {"review_limit", run.settings.reviewLimit},
        {"best", best ? Json(candidateName(best->id)) : Json(nullptr)},
        {"score", best && best->score ? best->score->json() : Json(nullptr)},
        {"vs_vendor", best && best->vsVendor ? best->vsVendor->json() : Json(nullptr)},
        {"vendor_library", toJson(best ? vendorLibraryOf(run, *best) : std::nullopt)},
        {"island_trouble", troubleJson(now->status.islandTrouble)}, {"per_minute", now->status.evaluationsPerMinute},
        {"models", modelsJson(now->status.models)}};
}

Json carriedOut(Engine& engine, const Command& command) { return answerOf(done(engine, command)); }

/// Goes on, with a word where the budget is used up: it would end at once, and nobody would know why.
Json goneOn(Engine& engine, const Command& command)
{
    const auto before = engine.snapshot();
    const std::string spent = spentAlready(spentBy(before->run, before->status.runNs), before->run.settings.budget);
    if (!spent.empty() && before->run.phase == events::Phase::Finished && hasNothingLeft(before->run))
        return refusal(
            {"run/budget", "the run is finished: " + before->run.phaseReason, "'budget' extends it", nullptr});
    return withNote(carriedOut(engine, command), [&] { return spent; });
}

/// A run that goes on takes no step: it is told, not dropped.
Json stepped(Engine& engine, const Command& command)
{
    const auto now = engine.snapshot();
    if (now->status.phase == events::Phase::Running && !now->status.pausing)
        return refusal({"run/running", "the run is already running and takes no single step",
            "pause it first; a step ends by itself", nullptr});
    return goneOn(engine, command);
}

Json edited(Engine& engine, const Json& request)
{
    const std::string text = textAt(request, "text");
    const std::string reason = textAt(request, "reason");
    if (text.empty() || request.value("candidates", Json::array()).size() != 1)
        return refusal(usageError("an edit takes one candidate and a source file"));
    return forEachCandidate(request, [&](CandidateId candidate) {
        return done(engine, commands::ApproveEdited{candidate, text, reason});
    });
}

Json policySet(Engine& engine, const Json& request)
{
    const auto wanted = policyChangesIn(textAt(request, "policy"));
    const auto island = islandOf(engine, request);
    if (!wanted || !island)
        return refusal(
            wanted ? island.error() : usageError("the policy is one of automatic, risky, every, by-proposer"));
    const std::string named = textAt(request, "proposer");
    const auto proposer = proposerKindFromName(named);
    if (!named.empty() && !proposer)
        return refusal(usageError(
            "unknown proposer '" + named + "' for policy; use mutator, tuner, random, model, manual or replay"));
    const WhatWaits waiting = request.value("from_now_on", false) ? WhatWaits::Stays : WhatWaits::Approved;
    std::vector<events::ReviewPolicyChanged> changes = *wanted;
    for (events::ReviewPolicyChanged& change : changes) {
        change.island = *island;
        change.proposer = change.proposer ? change.proposer : proposer;
    }
    if (changes.size() > 1) { // only what differs: on the way no edit is approved that waits in the end as well
        const SnapshotPtr now = engine.snapshot();
        const RunState& run = now->run;
        IslandPolicies policies = run.settings.review;
        for (const events::ReviewPolicyChanged& change : changes)
            setPolicy(policies, change.scope(), change.policy);
        changes = changesBetween(run.settings.review, policies, run.islandCount());
    }
    return carriedOut(engine, commands::SetReviewPolicies{std::move(changes), waiting});
}

Json reviewLimitSet(Engine& engine, const Json& request)
{
    if (!request.contains("limit"))
        return refusal(usageError("no review limit given; use a number of edits per island, 0 for no limit"));
    const auto limit = request.at("limit").get<std::int64_t>();
    const auto asked = static_cast<int>(std::clamp<std::int64_t>(limit, -1, maxReviewLimit + 1));
    return withNote(carriedOut(engine, commands::SetReviewLimit{asked}),
        [&engine] { return wordsOfLowerLimit(engine.snapshot()->run); });
}

Json hinted(Engine& engine, const Json& request)
{
    const auto island = islandOf(engine, request);
    if (!island)
        return refusal(island.error());
    const std::string text = textAt(request, "text");
    return withNote(carriedOut(engine, commands::SetHints{*island, text}),
        [&] { return text.empty() ? std::string() : wordsOfUnreadHints(engine.snapshot()->run.settings.proposer); });
}

Json remembered(Engine& engine, const Json& request)
{
    const std::string text = textAt(request, "text");
    return withNote(carriedOut(engine, commands::WriteInsights{text}), [&] {
        return text.empty() ? std::string() : wordsOfUnread("insights", engine.snapshot()->run.settings.proposer);
    });
}

Json budgeted(Engine& engine, const Json& request)
{
    const Json wanted = request.value("budget", Json::object());
    if (!wanted.is_object() || wanted.empty())
        return refusal(usageError(
            "no budget given; use --evaluations, --wall-time, --tokens, --cost-usd, --no-gain or --replies"));
    Budget budget = engine.snapshot()->run.settings.budget;
    budget.evaluations = wanted.value("evaluations", budget.evaluations);
    if (wanted.contains("more_evaluations")) { // than have begun: only here is it known how many have
        const std::int64_t begun = engine.snapshot()->run.evaluationsStarted;
        const auto more = wanted.at("more_evaluations").get<std::int64_t>();
        if (more < 0)
            return refusal(usageError("more evaluations take a number from 0 on"));
        budget.evaluations = begun + std::min(more, std::numeric_limits<std::int64_t>::max() - begun);
    }
    budget.wallSeconds = wanted.value("wall_s", budget.wallSeconds);
    if (!(budget.wallSeconds >= 0 && budget.wallSeconds <= mostWallSeconds))
        return refusal(usageError("the wall time must be a number of seconds up to "
            + std::to_string(std::llround(mostWallSeconds)) + "; 0: no limit"));
    budget.tokens = wanted.value("tokens", budget.tokens);
    budget.costMicroUsd = wanted.value("cost_micro_usd", budget.costMicroUsd);
    budget.noGain = wanted.value("no_gain", budget.noGain);
    budget.replies = wanted.value("replies", budget.replies);
    return withNote(carriedOut(engine, commands::SetBudget{budget}), [&] {
        const auto now = engine.snapshot();
        const std::string spent = spentAlready(spentBy(now->run, now->status.runNs), budget);
        const std::string unpriced
            = budget.costMicroUsd > 0 ? whyNoMoneyLimit(now->run.settings.proposer) : std::string();
        return spent + (spent.empty() || unpriced.empty() ? "" : "; ") + unpriced;
    });
}

Json proposerSet(Engine& engine, const Json& request)
{
    const std::string wanted = textAt(request, "proposer");
    if (wanted.empty())
        return refusal(usageError("no proposer given; use mutator, tuner, model:FILE or manual:DIR"));
    Json answer = carriedOut(engine, commands::SetProposer{wanted});
    if (answer.value("ok", false) && wanted == "manual")
        answer["note"]
            = "prompts wait in the window that has the session open; without a window, use a folder: manual:DIR";
    return answer;
}

Json modelResumed(Engine& engine, const Json& request)
{
    const std::string name = textAt(request, "name");
    const auto now = engine.snapshot();
    const auto model = std::ranges::find(now->status.models, name, &ModelStatus::name);
    if (model == now->status.models.end())
        return refusal({"model/unknown", "the run uses no model '" + name + "'", "'status' lists them", nullptr});
    if (model->condition != ModelCondition::Paused)
        return refusal({"model/not-paused", "the model '" + name + "' is not paused", "", nullptr});
    return carriedOut(engine, commands::ResumeModel{name});
}

Json templateSaved(Engine& engine, const Json& request)
{
    const auto island = islandOf(engine, request);
    if (!island)
        return refusal(island.error());
    const std::string source = textAt(request, "text");
    if (source.empty())
        return refusal(usageError("the template is read from --source FILE, which is missing or empty"));
    return carriedOut(
        engine, commands::SaveTemplate{{*island, textAt(request, "name"), source, {}}, textAt(request, "reason")});
}

Json templateTakenAway(Engine& engine, const Json& request)
{
    const auto island = islandOf(engine, request);
    if (!island)
        return refusal(island.error());
    return carriedOut(
        engine, commands::SaveTemplate{{*island, textAt(request, "name"), {}, {}}, textAt(request, "reason")});
}

Json onIslands(Engine& engine, const Result<IslandCommand>& command)
{
    return command ? carriedOut(engine, *command) : refusal(command.error());
}

/// Carries a command out on each candidate that is named; on none in particular where none has to be.
Json onCandidates(Engine& engine, const Json& request, const CandidateRequest& kind)
{
    const auto onNone = kind.command(request, engine.snapshot()->run, {});
    if (!onNone)
        return refusal(onNone.error());
    if (!kind.needsCandidate && request.value("candidates", Json::array()).empty())
        return carriedOut(engine, *onNone);
    return forEachCandidate(request, [&](CandidateId candidate) -> Result<void> {
        const auto command = kind.command(request, engine.snapshot()->run, candidate);
        return command ? done(engine, *command) : std::unexpected(command.error());
    });
}

/// The newest command that can be undone, or the one whose event is named.
Json undone(Engine& engine, const Json& request)
{
    if (!request.value("candidates", Json::array()).empty())
        return forEachCandidate(
            request, [&](CandidateId candidate) { return done(engine, commands::UndoReview{{candidate}}); });
    const SnapshotPtr now = engine.snapshot();
    std::int64_t seq = request.value("event", std::int64_t(0));
    const std::vector<UndoEntry> history = undoHistory(now->run);
    if (const auto newest = std::ranges::find(history, "", &UndoEntry::blocked); seq == 0 && newest != history.end())
        seq = newest->seq;
    if (seq == 0)
        return refusal({"undo/none", "no command can be undone", "'history' lists the commands of this run", nullptr});
    const Receipt receipt = engine.execute(commands::Undo{{seq}});
    return receipt.isDone() ? Json{{"ok", true}, {"undone", receipt.description}, {"event", seq}}
                            : refusal(receipt.error);
}

Json history(Engine& engine, const Json&)
{
    const SnapshotPtr now = engine.snapshot();
    Json entries = Json::array();
    for (const UndoEntry& entry : undoHistory(now->run))
        if (!entry.isFinal)
            entries.push_back({{"event", entry.seq}, {"description", entry.description}, {"blocked", entry.blocked}});
    return {{"ok", true}, {"history", std::move(entries)}};
}

struct Entry {
    ControlCommand command;
    std::function<Json(Engine&, const Json&)> work;
};

std::vector<Entry> allEntries()
{
    std::vector<Entry> table{
        {{"status", "", "show the state of the run"}, status},
        {{"run", "", "start or resume the run"}, [](Engine& e, const Json&) { return goneOn(e, commands::Run{}); }},
        {{"pause", "",
             "pause after in-flight work; --cancel: pause now, cancel in-flight work; its candidates wait for their "
             "turn again",
             "--cancel"},
            [](Engine& e, const Json& r) {
                return carriedOut(e, r.value("cancel", false) ? Command(commands::PauseNow{}) : commands::Pause{});
            }},
        {{"step", "", "run one candidate, then pause"},
            [](Engine& e, const Json&) { return stepped(e, commands::Step{}); }},
        {{"step-islands", "", "run until each island has admitted one more candidate, then pause"},
            [](Engine& e, const Json&) { return stepped(e, commands::StepIslands{}); }},
        {{"stop", "", "stop now, cancel in-flight work; the run can be resumed"},
            [](Engine& e, const Json&) { return carriedOut(e, commands::Stop{}); }},
        {{"budget", "",
             "set budgets: --evaluations N (+N: more than have started), --wall-time S, --tokens N, --cost-usd X, "
             "--no-gain N, --replies N",
             "--evaluations --wall-time --tokens --cost-usd --no-gain --replies"},
            budgeted},
        {{"proposer", "PROPOSER",
             "change what generates edits: mutator, tuner, model (--models FILE), manual:DIR or manual", "--models"},
            proposerSet},
        {{"resume-model", "MODEL", "use a model again that was paused because its requests failed"}, modelResumed},
        {{"policy", "POLICY",
             "set which candidates need a review: automatic, risky or every; pending candidates that no longer need "
             "one are approved, or stay with --from-now-on; --island B for one island, --proposer model for one kind "
             "of proposer (mutator, tuner, random, model, manual, replay)",
             "--island --proposer --from-now-on"},
            policySet},
        {{"review-limit", "N",
             "set the number of pending reviews at which an island requests no more edits; 0 for no limit. With every, "
             "pending reviews take at most a quarter of the remaining evaluations, but one on each island"},
            reviewLimitSet},
        {{"reviews", "", "list the candidates pending review, with reasons"}, reviews},
        {{"approve", "CANDIDATE...", "queue their measurement; all: all pending; one with --source FILE: like edit",
             "--reason --source"},
            [](Engine& e, const Json& r) { return isEdit(r) ? edited(e, r) : decided(e, r, Decision::Approved); }},
        {{"edit", "CANDIDATE", "approve the text of --source FILE in its place, once it builds", "--source --reason"},
            edited},
        {{"reject", "CANDIDATE...", "end them; prompts contain --reason TEXT", "--reason"},
            [](Engine& e, const Json& r) { return decided(e, r, Decision::Rejected); }},
        {{"defer", "CANDIDATE...", "move them to the end of the queue", "--reason"},
            [](Engine& e, const Json& r) { return decided(e, r, Decision::Deferred); }},
        {{"undo", "[CANDIDATE]...",
             "undo the decision on them, until their measurement starts; without a candidate the newest command that "
             "can be undone, or the one of --event N",
             "--event"},
            undone},
        {{"history", "", "list the commands of this run that can be undone, newest first, with their events"}, history},
        {{"hint", "TEXT", "set a text for every prompt; --island B for one island; \"\" removes it", "--island"},
            hinted},
        {{"insights", "TEXT", "set your insights; \"\" removes them"}, remembered},
        {{"template", "NAME", "use --source FILE as the prompt template from now on; --island B for one island",
             "--source --island --reason"},
            templateSaved},
        {{"template-reset", "NAME", "delete its newest version; the one before becomes active", "--island --reason"},
            templateTakenAway},
        {{"islands", "", "show the islands, their steering and the migration plan"},
            [](Engine& e, const Json&) { return islandsAnswer(e.snapshot()->run); }},
        {{"island", "WHAT [B] [WORD]",
             "pause B, resume B, clone B, merge B C, add FOCUS [NAME], reset B|weakest [best], undo; focus B FOCUS, "
             "mix B explore=2,tune=1 (or strategy), mix B mutator=1,tuner=1,model:NAME=2 (proposers; or session), "
             "selection B T (parents), temperature B T|none (sent to models), repairs B N (times that a failed program "
             "is sent back to its model), stagnation B N (candidates without improvement before a restart from the "
             "best of the run)"},
            [](Engine& e, const Json& r) { return onIslands(e, islandCommandOf(e.snapshot()->run, r)); }},
        {{"migration", "[WAYS]",
             "set migration: ring, off, or 'A>B,B>C'; --interval N new members between two migrations", "--interval"},
            [](Engine& e, const Json& r) { return onIslands(e, migrationCommandOf(e.snapshot()->run, r)); }},
    };
    for (const CandidateRequest& kind : candidateRequests())
        table.push_back({kind.form, [&kind](Engine& e, const Json& r) { return onCandidates(e, r, kind); }});
    return table;
}

const std::vector<Entry>& entries()
{
    static const std::vector<Entry> table = allEntries();
    return table;
}

} // namespace

const std::vector<ControlCommand>& controlCommands()
{
    static const std::vector<ControlCommand> commands = [] {
        std::vector<ControlCommand> all;
        for (const Entry& entry : entries())
            all.push_back(entry.command);
        return all;
    }();
    return commands;
}

Json obey(Engine& engine, const Json& request)
{
    std::string name = request.is_object() ? textAt(request, "do") : std::string();
    if (name == "unwish") // its name until 2026
        name = "cancel-request";
    for (const Entry& entry : entries())
        if (name == entry.command.name)
            try {
                Json answer = entry.work(engine, request);
                // What an answer calls done is in the file by then: a snapshot is of nothing else.
                if (engine.snapshot()->status.unsaved)
                    answer["note"] = "the session file cannot be written now; the command is tried again";
                return answer;
            } catch (const Json::exception& problem) {
                return refusal(usageError(std::string("a field has the wrong type: ") + problem.what()));
            }
    return refusal(usageError("unknown command '" + name + "'"));
}

} // namespace tilewright
