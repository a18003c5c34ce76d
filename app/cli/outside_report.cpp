// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outside_report.h"

#include "app/cli/progress.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/measurement/dispute.h"
#include "core/model/measurement/evidence.h"
#include "core/model/requests/model_request.h"
#include "core/model/requests/steering_progress.h"
#include "core/prompt/prompt_statistics.h"

#include <cstdio>
#include <set>

namespace tilewright::cli {
namespace {

using Json = nlohmann::json;

/// Dollars; null where nothing but unknown prices came together.
Json dollarsJson(std::int64_t microUsd, std::int64_t unpriced)
{
    return microUsd == 0 && unpriced > 0 ? Json(nullptr) : Json(static_cast<double>(microUsd) * 1e-6);
}

/// Fewer ranked ones say nothing of a mean.
bool tellsGain(const PromptStatistics& group) { return group.meanGain && group.ranked >= enoughForAMean; }

Json groupJson(const PromptStatistics& group)
{
    Json json{{"proposals", group.proposals}, {"applied", group.applied}, {"duplicates", group.duplicates},
        {"built", group.built}, {"ranked", group.ranked}, {"acceptance_rate", nullptr}, {"build_rate", nullptr},
        {"mean_gain", tellsGain(group) ? group.meanGain->json() : Json(nullptr)}, {"asked", group.asked},
        {"unanswered", group.unanswered}, {"tokens", toJson(group.tokens)},
        {"cost_usd", dollarsJson(group.costMicroUsd, group.unpriced)}, {"unpriced", group.unpriced}};
    if (group.proposals > 0)
        json["acceptance_rate"] = group.acceptanceRate();
    if (group.applied > 0)
        json["build_rate"] = group.buildRate();
    return json;
}

std::string percent(double share, bool isKnown) { return isKnown ? fixedText(share * 100, 0) + " %" : "-"; }

std::string gainOf(const PromptStatistics& group)
{
    if (!tellsGain(group))
        return "-";
    return scoreText(*group.meanGain);
}

std::string rowOf(const std::string& name, const PromptStatistics& group)
{
    char line[256];
    const std::string cost
        = (group.unpriced > 0 ? "at least " : "") + fixedText(static_cast<double>(group.costMicroUsd) * 1e-6, 4) + " $";
    std::snprintf(line, sizeof line, "%-24s %6d %10d %8s %6s  %-22s %12lld  %s\n", name.c_str(), group.asked,
        group.proposals, percent(group.acceptanceRate(), group.proposals > 0).c_str(),
        percent(group.buildRate(), group.applied > 0).c_str(), gainOf(group).c_str(),
        static_cast<long long>(group.tokens.total()),
        group.unpriced > 0 && group.costMicroUsd == 0 ? "unknown" : cost.c_str());
    return line;
}

} // namespace

namespace {

/// What the calls of one purpose came to.
struct PurposeSums {
    std::int64_t asked = 0, failed = 0, tokens = 0, microUsd = 0, unpriced = 0;
};

std::map<CallPurpose, PurposeSums> sumsByPurpose(const RunState& state)
{
    std::map<CallPurpose, PurposeSums> all;
    for (const ModelRequest& modelRequest : state.modelRequests) {
        PurposeSums& sums = all[purposeOf(modelRequest)];
        ++sums.asked;
        if (modelRequest.state == ModelRequestState::Open)
            continue;
        sums.failed += modelRequest.hasFailed() ? 1 : 0;
        sums.tokens += modelRequest.answer.tokens.total();
        sums.microUsd += modelRequest.cost().value_or(0);
        sums.unpriced += modelRequest.cost() ? 0 : 1;
    }
    return all;
}

Json purposesJson(const RunState& state)
{
    Json json = Json::object();
    for (const auto& [purpose, sums] : sumsByPurpose(state))
        json[nameOf(purpose)] = {{"asked", sums.asked}, {"failed", sums.failed}, {"tokens", sums.tokens},
            {"cost_usd", dollarsJson(sums.microUsd, sums.unpriced)}, {"unpriced", sums.unpriced}};
    return json;
}

std::string purposesText(const RunState& state)
{
    std::vector<std::string> parts;
    for (const auto& [purpose, sums] : sumsByPurpose(state))
        parts.push_back(nameOf(purpose) + " " + std::to_string(sums.asked)
            + (sums.failed > 0 ? " (" + std::to_string(sums.failed) + " failed)" : ""));
    return joined(parts, ", ");
}

} // namespace

Json modelRequestsJson(const RunState& state)
{
    std::map<ModelRequestState, std::int64_t> counts;
    std::int64_t repeated = 0, withdrawn = 0;
    for (const ModelRequest& modelRequest : state.modelRequests) {
        ++(modelRequest.answer.wasWithdrawn() ? withdrawn : counts[modelRequest.state]);
        repeated += modelRequest.repeats ? 1 : 0;
    }
    return {{"asked", state.modelRequests.size()}, {"open", counts[ModelRequestState::Open]},
        {"complete", counts[ModelRequestState::Complete]}, {"incomplete", counts[ModelRequestState::Incomplete]},
        {"failed", counts[ModelRequestState::Failed]}, {"lost", state.lost}, {"withdrawn", withdrawn},
        {"repeated", repeated}, {"tokens", state.tokensSpent}, {"tokens_guessed", state.tokensGuessed},
        {"tokens_doubtful", state.doubtfulTokens}, {"cost_usd", dollarsJson(state.costMicroUsd, state.unpriced)},
        {"unpriced", state.unpriced}, {"cost_usd_doubtful", static_cast<double>(state.doubtfulMicroUsd) * 1e-6},
        {"by_purpose", purposesJson(state)}, {"at_least", state.unpriced > 0 || state.doubtfulTokens > 0}};
}

Json ensembleJson(const RunState& state)
{
    std::map<std::string, std::int64_t> picks;
    for (const ModelRequest& modelRequest : state.modelRequests)
        if (!modelRequest.model.empty())
            ++picks[modelRequest.model];
    Json models = Json::object();
    for (const auto& [name, count] : picks)
        models[name] = toJson(ModelStatistics{});
    for (const auto& [name, statistics] : state.statisticsByModel)
        models[name] = toJson(statistics);
    for (auto& [name, model] : models.items()) {
        const auto statistics = state.statisticsByModel.find(name);
        model["picks"] = picks[name];
        model["mean_reward"] = statistics != state.statisticsByModel.end() && statistics->second.asked > 0
            ? Json(statistics->second.meanReward())
            : Json(nullptr);
    }
    return models;
}

Json statisticsJson(const RunState& state)
{
    const RunStatistics statistics = runStatistics(state);
    Json byTemplate = Json::array(), byModel = Json::array();
    for (const PromptStatistics& group : statistics.byTemplate) {
        byTemplate.push_back(groupJson(group));
        byTemplate.back()["template"] = group.templateName;
        byTemplate.back()["version"] = group.templateVersion.isNull() ? "" : group.templateVersion.hex();
    }
    for (const PromptStatistics& group : statistics.byModel) {
        byModel.push_back(groupJson(group));
        byModel.back()["model"] = group.model;
    }
    return {{"by_template", std::move(byTemplate)}, {"by_model", std::move(byModel)}};
}

Json insightsJson(const RunState& state, const std::function<std::string(const Hash&)>& textOf)
{
    Json notes = Json::array();
    for (const InsightNote& note : state.insights)
        notes.push_back({{"number", note.number}, {"author", note.author}, {"evaluations", note.evaluations},
            {"text", note.text.isNull() ? std::string() : textOf(note.text)}});
    return notes;
}

Json templatesJson(const RunState& state)
{
    Json versions = Json::array();
    for (const TemplateVersion& version : state.templates)
        versions.push_back({{"template", version.name}, {"island", version.island ? islandLetter(version.island) : "*"},
            {"version", version.held()}, {"again", version.again != 0},
            {"text", version.text.isNull() ? "" : version.text.hex()}, {"note", version.note},
            {"evaluations", version.evaluations}});
    return versions;
}

std::string outsideText(const RunState& state)
{
    if (state.modelRequests.empty())
        return {};
    const Json counts = modelRequestsJson(state);
    std::string text = "\nrequests     " + dumped(counts["asked"]) + ": complete " + dumped(counts["complete"])
        + ", incomplete " + dumped(counts["incomplete"]) + ", failed " + dumped(counts["failed"]) + " (lost "
        + dumped(counts["lost"]) + "), withdrawn " + dumped(counts["withdrawn"]) + ", open " + dumped(counts["open"])
        + "\nfor          " + purposesText(state) + "\ntokens       " + (state.doubtfulTokens > 0 ? "at least " : "")
        + std::to_string(state.tokensSpent)
        + (state.tokensGuessed > 0 ? ", of which estimated " + std::to_string(state.tokensGuessed) : "")
        + (state.doubtfulTokens > 0
                ? "; requests without reported usage may have used " + std::to_string(state.doubtfulTokens) + " more"
                : "")
        + "\ncost         " + costText(state) + "\n";
    const char* const heading = "  asked  proposals  applied  built  mean gain                    tokens  cost\n";
    const RunStatistics statistics = runStatistics(state);
    text += "\nmodel                  " + std::string(heading);
    for (const PromptStatistics& group : statistics.byModel)
        text += rowOf(group.model, group);
    text += "\ntemplate               " + std::string(heading);
    for (const PromptStatistics& group : statistics.byTemplate)
        text += rowOf(
            group.templateName + (group.templateVersion.isNull() ? "" : " " + group.templateVersion.hex().substr(0, 8)),
            group);
    for (const auto& [name, model] : state.statisticsByModel) {
        if (!model.pausedBecause.empty())
            text += "model " + name + " is paused: " + model.pausedBecause + "\n";
        else if (model.failuresInRow > 0)
            text += "model " + name + ": " + std::to_string(model.failuresInRow)
                + " failures in a row: " + model.lastError + "\n";
    }
    return text;
}

using Json = nlohmann::json;

Json marksJson(const Marks& marks)
{
    return {{"starred", marks.starred}, {"pinned", marks.pinned}, {"banned", marks.banned}, {"boost", marks.boost},
        {"tags", marks.tags}, {"note", marks.note}};
}

Json steeringRequestsJson(const RunState& state)
{
    Json steeringRequests = Json::array();
    for (const SteeringRequest& steering : state.steeringRequests) {
        const SteeringProgress progress = progressOf(state, steering);
        steeringRequests.push_back({{"parent", candidateName(steering.parent)}, {"count", steering.count},
            {"granted", steering.granted}, {"idea", steering.idea}, {"withdrawn", steering.withdrawn},
            {"template", steering.prompt.templateName}, {"changed", steering.prompt.changed},
            {"text", steering.prompt.text.isNull() ? "" : steering.prompt.text.hex()}, {"progress", progress.words},
            {"made", progress.made ? Json(candidateName(progress.made)) : Json(nullptr)}});
    }
    return steeringRequests;
}

Json judgementsJson(const RunState& state)
{
    Json judgements = Json::array();
    for (const Judgement& judgement : state.judgements) {
        const ModelRequest& asked = *state.modelRequest(judgement.modelRequest);
        judgements.push_back({{"candidate", candidateName(judgement.candidate)}, {"verdict", nameOf(judgement.verdict)},
            {"of", judgement.of ? Json(candidateName(judgement.of)) : Json(nullptr)}, {"reason", judgement.reason},
            {"expected_ratio", judgement.expectedRatio > 0 ? Json(judgement.expectedRatio) : Json(nullptr)},
            {"model", asked.answer.model.empty() ? asked.model : asked.answer.model},
            {"template_version", asked.promptVersion.hex()}, {"tokens", toJson(asked.answer.tokens)},
            {"cost_usd",
                asked.answer.costMicroUsd ? Json(static_cast<double>(*asked.answer.costMicroUsd) * 1e-6)
                                          : Json(nullptr)}});
    }
    return judgements;
}

Json placementsJson(const RunState& state)
{
    Json placements = Json::array();
    for (const Placement& placement : state.placements)
        placements.push_back({{"from", candidateName(placement.from)}, {"copy", candidateName(placement.copy)},
            {"placing", nameOf(placement.placing)}, {"undone", placement.undone}});
    return placements;
}

namespace {

/// Held-out shapes only of confirmed candidates.
Json shapesJson(const Evaluation& evaluation, const Candidate* candidate)
{
    Json all = evaluation.result.json()["shapes"], shown = Json::array();
    const bool isConfirmed = candidate && candidate->confirmed;
    for (std::size_t i = 0; i < evaluation.result.shapes.size(); ++i)
        if (isConfirmed || evaluation.result.shapes[i].split != ShapeSplit::Heldout)
            shown.push_back(all[i]);
    return shown;
}

} // namespace

Json rerunsJson(const RunState& state)
{
    Json reruns = Json::array();
    for (const Rerun& rerun : state.reruns) {
        const Evaluation* evaluation = state.evaluation(rerun.evaluation);
        Json json{{"candidate", candidateName(rerun.candidate)}, {"repeats", rerun.repeats},
            {"against", rerun.against ? Json(candidateName(rerun.against)) : Json(nullptr)}, {"shapes", rerun.shapes},
            {"device", rerun.device.empty() ? Json(nullptr) : Json(rerun.device)}, {"withdrawn", rerun.withdrawn},
            {"evaluation", nullptr}};
        const auto ofEnvironment = [&](const char* key) {
            const Json& environment = evaluation->result.environment;
            return environment.is_object() ? environment.value(key, Json(nullptr)) : Json(nullptr);
        };
        if (evaluation) {
            json["evaluation"] = {{"counters", ofEnvironment("counters")},
                {"not_checked", ofEnvironment("not_checked")}, {"number", evaluation->id.value},
                {"against", candidateName(evaluation->against)}, {"outcome", nameOf(evaluation->result.outcome)},
                {"rule", evaluation->result.rule}, {"device", evaluation->device},
                {"shapes", shapesJson(*evaluation, state.candidate(rerun.candidate))},
                {"score", evaluation->result.score ? evaluation->result.score->json() : Json(nullptr)}};
        }
        reruns.push_back(std::move(json));
    }
    return reruns;
}

namespace {

std::string figure(const std::optional<Interval>& value) { return value ? fixedText(value->value, 3) : "-"; }

std::string newIn(const BestStep& step)
{
    std::vector<std::string> words;
    for (const std::string& move : step.added)
        words.push_back("+" + move);
    for (const std::string& move : step.removed)
        words.push_back("-" + move);
    std::string text = joined(words, " ");
    if (!step.constants.empty())
        text += (text.empty() ? "" : "; ") + joined(step.constants, ", ");
    return text.empty() ? "-" : text;
}

} // namespace

nlohmann::json traceJson(const RunState& state, const std::vector<BestStep>& steps)
{
    const auto value = [](const std::optional<Interval>& figure) {
        return figure ? nlohmann::json(figure->value) : nlohmann::json(nullptr);
    };
    nlohmann::json json = nlohmann::json::array();
    for (const BestStep& step : steps) {
        const Candidate& best = *step.best;
        json.push_back({{"evaluations", step.evaluations}, {"candidate", candidateName(best.id)},
            {"evaluation", best.evaluationNumber}, {"confirmed", best.confirmed}, {"score", value(best.score)},
            {"interval",
                best.score ? nlohmann::json::array({best.score->lo, best.score->hi}) : nlohmann::json(nullptr)},
            {"vs_vendor", value(best.vsVendor)}, {"heldout_vs_vendor", value(best.heldoutVsVendor)},
            {"vendor_library", toJson(vendorLibraryOf(state, best))}, {"moves_added", step.added},
            {"moves_removed", step.removed}, {"constants", step.constants}});
    }
    return json;
}

std::string traceText(const RunState& state, const std::vector<BestStep>& steps)
{
    std::set<std::string> libraries; ///< that were named
    std::string text = "evaluations  best      evaluated  by             score  vs vendor  new in it\n";
    for (const BestStep& step : steps) {
        char line[128];
        std::snprintf(line, sizeof line, "%11lld  %-8s  %9lld  %-12s  %6s  %9s  ",
            static_cast<long long>(step.evaluations), candidateName(step.best->id).c_str(),
            static_cast<long long>(step.best->evaluationNumber), step.best->confirmed ? "confirmation" : "screening",
            figure(step.best->score).c_str(), figure(step.best->vsVendor).c_str());
        text += line + newIn(step) + "\n";
        if (const std::string library = vendorWordsOf(state, *step.best);
            step.best->vsVendor && libraries.insert(library).second)
            text += "                       vs vendor: " + library + "\n";
    }
    return text;
}

} // namespace tilewright::cli
