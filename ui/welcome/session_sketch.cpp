// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/session_sketch.h"

#include <nlohmann/json.hpp>

namespace tilewright::ui {

nlohmann::json SessionSketch::json() const
{
    nlohmann::json points = nlohmann::json::array();
    for (const auto& [evaluation, score] : curve)
        points.push_back({evaluation, score});
    return {{"task", task}, {"device", device}, {"at", lastEventUtc}, {"evaluations", evaluations},
        {"best", best ? best->json() : nlohmann::json()}, {"curve", std::move(points)}};
}

std::optional<SessionSketch> SessionSketch::fromJson(const nlohmann::json& json)
{
    try {
        SessionSketch sketch{json.at("task").get<std::string>(), json.at("device").get<std::string>(),
            json.at("at").get<std::string>(), json.at("evaluations").get<std::int64_t>(),
            Interval::fromJson(json.at("best")), {}};
        for (const nlohmann::json& point : json.at("curve"))
            sketch.curve.emplace_back(point.at(0).get<std::int64_t>(), point.at(1).get<double>());
        return sketch;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

SessionSketch sketchOf(const RunState& run, const std::string& task, const std::string& lastEventUtc)
{
    const Candidate* best = run.best();
    const std::string device
        = run.deviceFacts.is_object() ? run.deviceFacts.value("name", run.device) : run.device; // a name, not an id
    return {task, device, lastEventUtc, run.evaluationsDone, best ? best->score : std::nullopt, run.bestTrace};
}

} // namespace tilewright::ui
