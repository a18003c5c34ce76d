// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lever_report.h"

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
    for (const Wish& wish : state.wishes)
        wishes.push_back({{"parent", candidateName(wish.parent)}, {"count", wish.count}, {"granted", wish.granted},
            {"idea", wish.idea}, {"withdrawn", wish.withdrawn}});
    return wishes;
}

Json placementsJson(const RunState& state)
{
    Json placements = Json::array();
    for (const Placement& placement : state.placements)
        placements.push_back({{"from", candidateName(placement.from)}, {"copy", candidateName(placement.copy)},
            {"placing", nameOf(placement.placing)}, {"undone", placement.undone}});
    return placements;
}

Json rerunsJson(const RunState& state)
{
    Json reruns = Json::array();
    for (const Rerun& rerun : state.reruns) {
        const Evaluation* evaluation = state.evaluation(rerun.evaluation);
        Json json{{"candidate", candidateName(rerun.candidate)}, {"repeats", rerun.repeats},
            {"against", rerun.against ? Json(candidateName(rerun.against)) : Json(nullptr)},
            {"withdrawn", rerun.withdrawn}, {"evaluation", nullptr}};
        if (evaluation)
            json["evaluation"] = {{"number", evaluation->id.value}, {"against", candidateName(evaluation->against)},
                {"outcome", nameOf(evaluation->result.outcome)}, {"rule", evaluation->result.rule},
                {"score", evaluation->result.score ? evaluation->result.score->json() : Json(nullptr)}};
        reruns.push_back(std::move(json));
    }
    return reruns;
}

} // namespace tilewright::cli
