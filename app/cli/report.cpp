// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report.h"

#include "app/cli/outside_report.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/best.h"
#include "core/model/measurement/conditions.h"
#include "core/model/measurement/evidence.h"
#include "core/model/measurement/overfitting.h"
#include "core/model/measurement/steadiness.h"
#include "core/model/parent_change.h"
#include "core/model/requests/reply_outcome.h"
#include "core/model/reviews/review_queue.h"
#include "core/model/tuning_record.h"

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <map>

namespace tilewright::cli {
namespace {

using Json = nlohmann::json;

Json valueJson(const std::optional<Interval>& figure) { return figure ? Json(figure->value) : Json(nullptr); }
Json boundsJson(const std::optional<Interval>& figure)
{
    return figure ? Json::array({figure->lo, figure->hi}) : Json(nullptr);
}
Json wholeJson(const std::optional<Interval>& figure) { return figure ? figure->json() : Json(nullptr); }

Json traceJson(const std::vector<std::pair<std::int64_t, double>>& trace)
{
    Json points = Json::array();
    for (const auto& [evaluations, score] : trace)
        points.push_back({{"evaluations", evaluations}, {"score", score}});
    return points;
}

Json bestJson(const RunState& state, const Candidate* best)
{
    if (!best)
        return nullptr;
    return {{"id", candidateName(best->id)}, {"score", valueJson(best->score)}, {"interval", boundsJson(best->score)},
        {"vs_vendor", valueJson(best->vsVendor)}, {"heldout_score", valueJson(best->heldoutScore)},
        {"heldout_vs_vendor", valueJson(best->heldoutVsVendor)},
        {"vendor_library", toJson(vendorLibraryOf(state, *best))}, {"confirmed", best->confirmed}};
}

/// A floor that was not measured is none, and not 0.
Json knownNoise(double floor) { return floor > 0 ? Json(floor) : Json(nullptr); }

Json outcomesJson(const RunState& state)
{
    Json outcomes = Json::object();
    for (const auto& [name, count] : state.outcomes)
        if (count > 0)
            outcomes[name] = count;
    return outcomes;
}

Json namesJson(const std::vector<CandidateId>& ids)
{
    Json names = Json::array();
    for (const CandidateId id : ids)
        names.push_back(candidateName(id));
    return names;
}

Json nameJson(CandidateId id) { return id ? Json(candidateName(id)) : Json(nullptr); }

Json parentJson(const RunState& state, const Candidate& candidate)
{
    const std::optional<ParentChange> change = versusParent(state, candidate);
    if (!change)
        return nullptr;
    return {{"parent", candidateName(change->parent)}, {"ratio", change->ratio.json()}, {"paired", change->paired},
        {"pairs", change->pairs}, {"noise_floor", change->noise}, {"noise_assumed", change->assumed},
        {"within_noise", change->isWithinNoise()}};
}

/// "5 min 12 s later", of its two timings.
std::string whenAgain(const ScoreDrift& drift)
{
    return drift.apartNs > 0 ? elapsedText(std::chrono::nanoseconds(drift.apartNs)) + " later" : "at another time";
}

Json scoreDriftJson(const RunState& state)
{
    const std::optional<ScoreDrift> drift = scoreDriftOf(state);
    if (!drift)
        return nullptr;
    return {{"candidate", candidateName(drift->program)}, {"confirmed", drift->confirmed}, {"again", drift->again},
        {"beside", candidateName(drift->beside)}};
}

/// Null where the record does not tell: sessions of older versions.
Json rulesPassed(const EvaluationResult& result)
{
    return result.environment.is_object() ? result.environment.value("rules_passed", Json(nullptr)) : Json(nullptr);
}

/// The evaluation that a candidate's figures come from. Held-out shapes only once it is confirmed.
Json latestJson(const RunState& state, const Candidate& candidate)
{
    const Evaluation* evaluation = state.evaluation(candidate.latest);
    if (!evaluation)
        return nullptr;
    const EvaluationResult& result = evaluation->result;
    Json all = result.json(), shapes = Json::array();
    int samples = 0;
    for (std::size_t i = 0; i < result.shapes.size(); ++i) {
        samples += result.shapes[i].samples;
        if (candidate.confirmed || result.shapes[i].split == ShapeSplit::Train)
            shapes.push_back(all["shapes"][i]);
    }
    return {{"number", evaluation->id.value}, {"purpose", nameOf(result.purpose)},
        {"against", candidateName(evaluation->against)}, {"noise_floor", knownNoise(result.noiseFloor)},
        {"samples", samples}, {"evidence", result.evidence}, {"rules_passed", rulesPassed(result)},
        {"environment", result.environment}, {"resources", result.resources},
        {"wall_s", static_cast<double>(result.wallNs) * 1e-9}, {"shapes", std::move(shapes)}};
}

/// Null for what was not tuned before it was judged.
Json tuningJson(const RunState& state, const Candidate& c)
{
    if (!isTunedFirst(state, c))
        return nullptr;
    const TuningRecord record = tuningOf(state, c.id);
    return {{"versions", record.tried}, {"waiting", record.waiting}, {"best", candidateName(record.best)}};
}

Json candidateJson(const RunState& state, const Candidate& c)
{
    const Proposal* proposal = state.proposal(c.proposal);
    return {{"id", candidateName(c.id)}, {"island", islandLetter(c.island)}, {"generation", c.generation},
        {"parents", namesJson(c.parents)}, {"proposer", proposal ? Json(proposal->proposer) : Json(nullptr)},
        {"focus", proposal ? Json(nameOf(proposal->focus)) : Json(nullptr)},
        {"why", proposal ? Json(proposal->why) : Json(nullptr)}, {"program", c.program.hex()}, {"moves", c.moves},
        {"repairs", c.repairs}, {"tunables", c.tunables},
        {"tuned_from", c.tunedFrom ? Json(candidateName(c.tunedFrom)) : Json(nullptr)},
        {"tuning", tuningJson(state, c)}, {"cell", c.cell}, {"migrated", c.migrated}, {"taken_back", c.takenBack},
        {"stage", nameOf(c.stage)}, {"outcome", nameOf(c.outcome)}, {"rule", c.rule}, {"text", c.text},
        {"verdict", nameOf(c.verdict)}, {"versus_incumbent", wholeJson(c.versusIncumbent)},
        {"score", valueJson(c.score)}, {"interval", boundsJson(c.score)}, {"vs_vendor", valueJson(c.vsVendor)},
        {"heldout_score", valueJson(c.heldoutScore)}, {"heldout_vs_vendor", valueJson(c.heldoutVsVendor)},
        {"vendor_library", toJson(vendorLibraryOf(state, c))}, {"confirmed", c.confirmed}, {"audited", c.audited},
        {"evaluation", c.evaluationNumber}, {"result", c.resultNumber}, {"versus_parent", parentJson(state, c)},
        {"latest", latestJson(state, c)}, {"marks", marksJson(state.marksOf(c.id))}, {"disputed", c.disputed},
        {"edited_into", nameJson(editedInto(state, c))}, {"edited_from", nameJson(editedFrom(state, c))}};
}

/// What came to no candidate, with the rule and its words; for a duplicate the candidate that was first.
Json refusedProposals(const RunState& state)
{
    Json refused = Json::array();
    for (const Proposal& each : state.proposals)
        if (each.state == ProposalState::Refused || each.state == ProposalState::Duplicate)
            refused.push_back(
                {{"id", each.id.value}, {"state", nameOf(each.state)}, {"island", islandLetter(each.island)},
                    {"proposer", each.proposer}, {"focus", nameOf(each.focus)}, {"parents", namesJson(each.parents)},
                    {"model_request", each.modelRequest ? Json(each.modelRequest.value) : Json(nullptr)},
                    {"repair_of", each.repairOf ? Json(each.repairOf.value) : Json(nullptr)}, {"title", each.title},
                    {"rule", each.rule}, {"text", each.detail}});
    return refused;
}

Json reviewsJson(const RunState& state)
{
    Json reviews = Json::array();
    for (const Review& r : state.reviews)
        reviews.push_back({{"id", r.id.value}, {"candidate", candidateName(r.candidate)}, {"risks", r.risks},
            {"decision", nameOf(r.decision)}, {"by", r.by}, {"reason", r.reason},
            {"edited", r.edited ? Json(candidateName(r.edited)) : Json(nullptr)}, {"undone", r.undone},
            {"decided_by_event", r.decidedSeq ? Json(r.decidedSeq) : Json(nullptr)}});
    return reviews;
}

/// How the replies of each proposer applied: its clean-patch rate and what it is made of.
Json patchesJson(const RunState& state)
{
    Json proposers = Json::object();
    for (const auto& [proposer, tally] : patchTallies(state)) {
        const std::optional<double> rate = tally.cleanRate();
        proposers[proposer] = {{"clean", tally.clean}, {"mended", tally.mended}, {"refused", tally.refused},
            {"clean_rate", rate ? Json(*rate) : Json(nullptr)}};
    }
    return proposers;
}

Json islandsJson(const RunState& state)
{
    std::map<IslandId, std::map<std::string, std::int64_t>> offered;
    for (const Proposal& proposal : state.proposals)
        ++offered[proposal.island][proposal.proposer];
    Json islands = Json::array();
    for (const Island& island : state.islands) {
        Json niches = Json::object();
        for (const auto& [cell, elite] : island.niches)
            niches[cell] = candidateName(elite);
        const Candidate* best = state.candidate(island.best);
        const Candidate* shown = shownBest(state, island);
        islands.push_back({{"id", islandLetter(island.id)}, {"name", island.name}, {"strategy", island.strategy},
            {"focus", nameOf(island.focus)}, {"proposals", island.proposals}, {"proposers", offered[island.id]},
            {"last_migration", island.lastMigration}, {"admissions", island.admissions},
            {"members", island.members.size()}, {"niches", std::move(niches)},
            {"best", best ? Json(candidateName(best->id)) : Json(nullptr)},
            {"best_score", best ? valueJson(best->score) : Json(nullptr)},
            {"shown_best", shown ? Json(candidateName(shown->id)) : Json(nullptr)},
            {"shown_best_score", shown ? valueJson(shown->score) : Json(nullptr)},
            {"trace", traceJson(island.bestTrace)}, {"standing", nameOf(island.standing)},
            {"aim", wordsOfAim(island.steering)},
            {"merged_into", island.mergedInto ? Json(islandLetter(island.mergedInto)) : Json(nullptr)},
            {"proposer_mix", island.steering.proposers}, {"selection_temperature", island.steering.selection},
            {"repair_turns", island.steering.repairTurns}, {"stagnation", island.steering.stagnation},
            {"sampling_temperature", island.steering.sampling ? Json(*island.steering.sampling) : Json(nullptr)}});
    }
    return islands;
}

/// What was seen of the devices beside each measurement. What was not reported is null.
Json conditionsJson(const RunState& state)
{
    const auto ends = [](const std::optional<Readings>& readings) {
        return readings ? Json::array({readings->lo, readings->hi}) : Json(nullptr);
    };
    Json all = Json::array();
    for (const Conditions& seen : state.work.conditions)
        all.push_back({{"run_ns", seen.runNs}, {"evaluation", seen.evaluation.value},
            {"candidate", candidateName(seen.candidate)}, {"device", seen.device}, {"mhz", ends(seen.mhz)},
            {"temp_c", ends(seen.celsius)}, {"power_w", ends(seen.watts)},
            {"throttling", seen.throttling ? Json(*seen.throttling) : Json(nullptr)}, {"blocks", seen.blocks}});
    return all;
}

/// What the machines did: by kind of work how often, how long, how often for nothing; and what befell them.
Json workJson(const RunState& state)
{
    Json kinds = Json::object();
    for (const WorkSpan& span : state.work.spans) {
        Json& kind = kinds[nameOf(span.work)];
        if (kind.is_null())
            kind = {{"count", 0}, {"failed", 0}, {"cancelled", 0}, {"ns", 0}, {"derived", 0}};
        kind["count"] = kind["count"].get<std::int64_t>() + 1;
        kind["failed"] = kind["failed"].get<std::int64_t>() + (span.rule.empty() || span.isCancelled() ? 0 : 1);
        kind["cancelled"] = kind["cancelled"].get<std::int64_t>() + (span.isCancelled() ? 1 : 0);
        kind["ns"] = kind["ns"].get<std::int64_t>() + span.durationNs();
        kind["derived"] = kind["derived"].get<std::int64_t>() + (span.derived ? 1 : 0);
    }
    Json noise = Json::array(), ends = Json::array();
    for (const NoisePoint& point : state.work.noise) {
        noise.push_back({{"run_ns", point.runNs}, {"floor", point.floor}, {"blocks", point.blocks}});
        if (point.device >= 0 && !state.otherDevices.empty())
            noise.back()["device"] = state.work.devices[static_cast<std::size_t>(point.device)].id;
    }
    for (const NodeEnd& end : state.work.nodeEnds)
        ends.push_back({{"run_ns", end.runNs}, {"reason", end.reason}});
    return {{"kinds", std::move(kinds)}, {"noise_floor", std::move(noise)}, {"conditions", conditionsJson(state)},
        {"node_ends", std::move(ends)}};
}

/// What a user changed in the run, in its order.
Json changesJson(const RunState& state)
{
    Json changes = Json::array();
    for (const RunChange& change : state.changes)
        changes.push_back({{"at", change.atUtc}, {"result", change.evaluations}, // the last one before it
            {"island", change.island ? Json(islandLetter(change.island)) : Json(nullptr)}, {"what", change.what},
            {"from", change.from}, {"to", change.to}});
    return changes;
}

__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...)
{
    char line[512];
    va_list values;
    va_start(values, pattern);
    std::vsnprintf(line, sizeof line, pattern, values);
    va_end(values);
    return line;
}

} // namespace

std::vector<const Candidate*> topOf(const RunState& state, std::size_t top)
{
    std::vector<const Candidate*> all;
    for (const Candidate& candidate : state.candidates)
        if (!candidate.migrated)
            all.push_back(&candidate);
    const Candidate* best = state.best();
    const auto rank = [&](const Candidate* candidate) {
        return std::pair(candidate == best, candidate->isRanked() ? candidate->score->value : -1);
    };
    std::ranges::stable_sort(all, std::greater(), rank);
    all.resize(std::min(all.size(), top));
    return all;
}

std::vector<const Candidate*> allOf(const RunState& state)
{
    std::vector<const Candidate*> all;
    for (const Candidate& candidate : state.candidates)
        all.push_back(&candidate);
    return all;
}

Json runJson(const std::string& session, const RunState& state)
{
    return {{"session", session}, {"task", state.settings.taskName}, {"evaluations", state.evaluationsDone},
        {"wall_s", static_cast<double>(state.runNs) * 1e-9}, {"outcomes", outcomesJson(state)},
        {"best", bestJson(state, state.best())}, {"trace", traceJson(state.bestTrace)}};
}

Json showJson(const std::string& session, const RunState& state, const std::vector<const Candidate*>& listed,
    const std::function<std::string(const Hash&)>& textOf)
{
    Json json = runJson(session, state);
    json["phase"] = nameOf(state.phase);
    json["phase_reason"] = state.phaseReason;
    json["evaluations_begun"] = state.evaluationsStarted; // more than have a result where some are under way, or wait
    const RunSettings& s = state.settings;
    json["settings"] = {{"seed", s.seed}, {"proposer", s.proposer}, {"device", s.device}, {"islands", s.islands},
        {"budget",
            {{"evaluations", s.budget.evaluations}, {"wall_s", s.budget.wallSeconds}, {"tokens", s.budget.tokens},
                {"cost_usd", static_cast<double>(s.budget.costMicroUsd) * 1e-6}, {"no_gain", s.budget.noGain},
                {"replies", s.budget.replies}}},
        {"tuning", s.tuning}, {"recombinations", s.recombinations}};
    json["device"] = {{"id", state.device}, {"host", state.host}, {"facts", state.deviceFacts},
        {"noise_floor", knownNoise(state.noiseFloor)}, {"noise_blocks", state.noiseBlocks},
        {"score_drift", scoreDriftJson(state)}};
    for (const std::string& other : state.otherDevices)
        json["device"]["others"].push_back(other);
    json["work"] = workJson(state);
    json["incumbent"] = state.incumbent ? Json(candidateName(state.incumbent)) : Json(nullptr);
    json["proposals"] = state.proposals.size();
    json["refused_proposals"] = refusedProposals(state);
    json["candidate_count"] = state.candidates.size();
    json["candidates_taken_back"] = std::ranges::count_if(state.candidates, &Candidate::takenBack);
    json["events"] = state.lastSeq;
    json["log_lines"] = state.log.size();
    json["islands"] = islandsJson(state);
    json["niche_grid"] = {{"scales_log2", Json::array()}, {"cut_after_results", state.grid.evaluations}};
    for (const NicheScale& scale : state.grid.scales)
        json["niche_grid"]["scales_log2"].push_back({scale.lo, scale.hi});
    json["overfitting"] = toJson(overfittingOf(state), state.noiseFloor);
    json["migration"] = wordsOf(state.settings.migration);
    json["changes"] = changesJson(state);
    json["patches"] = patchesJson(state);
    json["model_requests"] = json["inquiries"] = modelRequestsJson(state); // the second is the name of before
    json["models"] = ensembleJson(state);
    json["statistics"] = statisticsJson(state);
    json["insights"] = insightsJson(state, textOf);
    json["templates"] = templatesJson(state);
    json["hints"] = nlohmann::json::object();
    for (const auto& [island, text] : s.hints)
        json["hints"][island ? islandLetter(island) : "*"] = text;
    json["review"] = {{"waiting", state.waitingReviews}, {"limit", s.reviewLimit}, {"policy", Json::object()},
        {"reviews", reviewsJson(state)}};
    for (const auto& [island, policies] : s.review) {
        const std::string whose = island ? islandLetter(island) : "*";
        json["review"]["policy"][whose] = describe(policies);
        for (const ProposerKind kind : proposerKinds)
            json["review"]["by_proposer"][whose][nameOf(kind)] = nameOf(policies.of(kind));
    }
    json["steering_requests"] = json["wishes"] = steeringRequestsJson(state); // likewise
    json["judgements"] = judgementsJson(state);
    json["placements"] = placementsJson(state);
    json["reruns"] = rerunsJson(state);
    Json candidates = Json::array();
    for (const Candidate* candidate : listed)
        candidates.push_back(candidateJson(state, *candidate));
    json["candidates"] = std::move(candidates);
    return json;
}

std::string runText(const std::string& session, const RunState& state)
{
    const std::int64_t begun = state.evaluationsStarted - state.evaluationsDone;
    std::string text = format("session      %s\ntask         %s\nstate        %s%s%s\nevaluations  %lld%s in %s\n",
        session.c_str(), state.settings.taskName.c_str(), nameOf(state.phase).c_str(),
        state.phaseReason.empty() ? "" : ": ", state.phaseReason.c_str(), static_cast<long long>(state.evaluationsDone),
        begun > 0 ? (" (" + std::to_string(begun) + " more in progress)").c_str() : "",
        elapsedText(std::chrono::nanoseconds(state.runNs)).c_str());
    text += "outcomes    ";
    for (const auto& [name, count] : state.outcomes)
        if (count > 0)
            text += format(" %s %lld", name.c_str(), static_cast<long long>(count));
    text += "\n";
    const Candidate* best = state.best();
    if (!best || !best->score)
        return text + "best         none confirmed yet\n";
    text += "best         " + candidateName(best->id) + "  " + fixedText(best->score->value, 3) + "× baseline ["
        + fixedText(best->score->lo, 3) + ", " + fixedText(best->score->hi, 3) + "]";
    if (best->vsVendor)
        text += "  " + fixedText(best->vsVendor->value, 3) + "× " + vendorWordsOf(state, *best);
    if (best->heldoutVsVendor)
        text += "  held-out " + fixedText(best->heldoutVsVendor->value, 3) + "×";
    text += best->disputed ? "  disputed\n" : "\n";
    if (const OverfittingMeter meter = overfittingOf(state); meter.all.isClear(state.noiseFloor))
        text += "overfitting  " + overfittingWords(meter.all) + "\n";
    if (const auto drift = scoreDriftOf(state))
        text += "drift        " + candidateName(drift->program) + " had " + fixedText(drift->confirmed, 2)
            + "× when it was confirmed, " + fixedText(drift->again, 2) + "× with " + candidateName(drift->beside) + ", "
            + whenAgain(*drift) + ": the baseline changed its speed; compare by pairs\n";
    return text;
}

/// Which library the column "vs vendor" is about, by candidate where there were several; "" where it is empty.
std::string vendorNote(const RunState& state, const std::vector<const Candidate*>& listed)
{
    std::map<std::string, std::string> names;
    for (const Candidate* c : listed)
        if (c->vsVendor) {
            std::string& whose = names[vendorWordsOf(state, *c)];
            whose += (whose.empty() ? "" : " ") + candidateName(c->id);
        }
    std::string text;
    for (const auto& [library, whose] : names)
        text += "vs vendor: " + library + (names.size() > 1 ? " of " + whose : "") + "\n";
    return text;
}

/// "c-0122 (neutral beside c-0035)": why it is not the best though it has a higher score.
std::string notBestWords(const RunState& state, const Candidate& candidate)
{
    const auto found = whyNotBest(state, candidate);
    if (!found)
        return {};
    const std::string name = candidateName(candidate.id);
    switch (found->why) {
    case NotBest::Why::Banned:
        return name + " (banned)";
    case NotBest::Why::SameProgram:
        return name + " (the same program)";
    case NotBest::Why::Overtaken:
        return name + " (until another was proven faster side by side)";
    case NotBest::Why::NotProven:
        break;
    }
    return name + " (" + nameOf(found->verdict) + " beside " + candidateName(found->against)
        + (found->ratio ? ", " + timesText(*found->ratio) : std::string()) + ")";
}

/// Of those that are confirmed with a higher score than the best; "" where none of them is listed.
std::string higherScoresNote(const RunState& state, const std::vector<const Candidate*>& listed)
{
    const Candidate* best = state.best();
    std::vector<std::string> names;
    for (const Candidate* c : listed)
        if (best && best->score && c->confirmed && !c->migrated && c->score && c->score->value > best->score->value)
            if (std::string words = notBestWords(state, *c); !words.empty())
                names.push_back(std::move(words));
    return names.empty() ? ""
                         : "confirmed with a higher score than the best: " + joined(names, ", ")
            + "; the direct comparison with the best of that time decides, scores of different times are not "
              "comparable\n";
}

std::string showText(const std::string& session, const RunState& state, const std::vector<const Candidate*>& listed)
{
    std::string text = runText(session, state);
    text += "\nisland  name          proposals  admitted  members  best     score\n";
    for (const Island& island : state.islands) {
        const Candidate* best = shownBest(state, island);
        text += format("%-7s %-13s %9lld %9lld %8zu  %-8s %s\n", islandLetter(island.id).c_str(), island.name.c_str(),
            static_cast<long long>(island.proposals), static_cast<long long>(island.admissions), island.members.size(),
            best ? candidateName(best->id).c_str() : "-",
            best && best->score ? fixedText(best->score->value, 3).c_str() : "-");
    }
    text += outsideText(state);
    text += "\ncandidate  island  gen  outcome        score    vs vendor  moves\n";
    for (const Candidate* c : listed) {
        std::string moves;
        for (const std::string& move : c->moves)
            moves += (moves.empty() ? "" : " ") + move;
        if (const std::string edit = wordsOfEdit(state, *c); !edit.empty())
            moves += (moves.empty() ? "" : "  ") + edit;
        text += format("%-10s %-7s %3d  %-13s %7s%s  %8s  %s\n", candidateName(c->id).c_str(),
            islandLetter(c->island).c_str(), c->generation,
            isEditedByPerson(*c)              ? "edited"
                : c->disputed                 ? "disputed"
                : c->outcome == Outcome::None ? nameOf(c->stage).c_str()
                                              : nameOf(c->outcome).c_str(),
            c->score ? fixedText(c->score->value, 3).c_str() : "-", c->score && !c->confirmed ? "~" : " ",
            c->vsVendor ? fixedText(c->vsVendor->value, 3).c_str() : "-", moves.c_str());
    }
    text += vendorNote(state, listed);
    if (std::ranges::any_of(listed, [](const Candidate* c) { return c->score && !c->confirmed; }))
        text += "~: one screening, against the best of that time; such pairs choose the best, so a higher score from "
                "another time does not replace it\n";
    text += higherScoresNote(state, listed);
    if (std::ranges::any_of(listed, &Candidate::disputed))
        text += "disputed: a re-run contradicts the figures; 'show FILE --evidence C' names it and what decides\n";
    return text;
}

} // namespace tilewright::cli
