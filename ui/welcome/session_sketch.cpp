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
        {"best", best ? best->json() : nlohmann::json()}, {"curve", std::move(points)}, {"task_name", taskName},
        {"proposer", proposer}, {"devices", devices}, {"run_ns", runNs}, {"tokens", tokens},
        {"cost_micro_usd", costMicroUsd ? nlohmann::json(*costMicroUsd) : nlohmann::json()}, {"bytes", bytes},
        {"shapes", shapes}, {"seed_ns", seedNs}, {"first_ns", firstNs}, {"host", host}, {"began", beganUtc}};
}

std::optional<SessionSketch> SessionSketch::fromJson(const nlohmann::json& json)
{
    try {
        SessionSketch sketch{json.at("task").get<std::string>(), json.at("device").get<std::string>(),
            json.at("at").get<std::string>(), json.at("evaluations").get<std::int64_t>(),
            Interval::fromJson(json.at("best")), {}, json.at("task_name").get<std::string>(),
            json.at("proposer").get<std::string>(), json.at("devices").get<int>(),
            json.at("run_ns").get<std::int64_t>(), json.at("tokens").get<std::int64_t>(), std::nullopt,
            json.at("bytes").get<std::int64_t>(), json.at("shapes").get<std::string>(),
            json.at("seed_ns").get<std::int64_t>(), json.at("first_ns").get<std::int64_t>(),
            json.at("host").get<std::string>(), json.at("began").get<std::string>()};
        if (const nlohmann::json& cost = json.at("cost_micro_usd"); !cost.is_null())
            sketch.costMicroUsd = cost.get<std::int64_t>();
        for (const nlohmann::json& point : json.at("curve"))
            sketch.curve.emplace_back(point.at(0).get<std::int64_t>(), point.at(1).get<double>());
        return sketch;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

SessionSketch sketchOf(const RunState& run, const Task& task, const std::string& lastEventUtc)
{
    const Candidate* best = run.best();
    SessionStart start = startOf(run, task);
    return {task.title, start.device, lastEventUtc, run.evaluationsDone, best ? best->score : std::nullopt,
        run.bestTrace, start.task, start.proposer, 1 + static_cast<int>(run.otherDevices.size()), run.runNs,
        run.tokensSpent, run.unpriced == 0 && run.lost == 0 ? std::optional(run.costMicroUsd) : std::nullopt, 0,
        start.shapes, start.seedNs, start.firstNs, start.host, run.log.empty() ? "" : run.log[0].atUtc};
}

} // namespace tilewright::ui
