// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lever_report.h"

#include "core/model/wish_progress.h"

namespace tilewright::cli {

using Json = nlohmann::json;

Json marksJson(const Marks& marks)
{
    return {{"starred", marks.starred}, {"pinned", marks.pinned}, {"banned", marks.banned}, {"boost", marks.boost},
        {"tags", marks.tags}, {"note", marks.note}};
}

Json wishesJson(const RunState& state)
{
    Json wishes = Json::array();
    for (const Wish& wish : state.wishes) {
        const WishProgress progress = progressOf(state, wish);
        wishes.push_back({{"parent", candidateName(wish.parent)}, {"count", wish.count}, {"granted", wish.granted},
            {"idea", wish.idea}, {"withdrawn", wish.withdrawn}, {"template", wish.prompt.templateName},
            {"changed", wish.prompt.changed}, {"text", wish.prompt.text.isNull() ? "" : wish.prompt.text.hex()},
            {"progress", progress.words},
            {"made", progress.made ? Json(candidateName(progress.made)) : Json(nullptr)}});
    }
    return wishes;
}

Json judgementsJson(const RunState& state)
{
    Json judgements = Json::array();
    for (const Judgement& judgement : state.judgements) {
        const Inquiry& asked = *state.inquiry(judgement.inquiry);
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

} // namespace tilewright::cli
