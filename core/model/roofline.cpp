// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/roofline.h"

#include "core/model/run_state.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

double numberAt(const nlohmann::json& facts, const std::string& key)
{
    const auto found = facts.find(key);
    return found != facts.end() && found->is_number() ? found->get<double>() : 0;
}

} // namespace

nlohmann::json deviceFactsOf(const RunState& state)
{
    nlohmann::json facts = state.deviceFacts.is_object() ? state.deviceFacts : nlohmann::json::object();
    for (const char* key : {"measured_gflops", "measured_memory_gb_s"})
        for (const Evaluation& evaluation : state.evaluations) {
            const nlohmann::json& environment = evaluation.result.environment;
            // A re-run may have been measured on another device.
            if (facts.contains(key) || evaluation.result.purpose == Purpose::Rerun || !environment.is_object()
                || !environment.contains(key))
                continue;
            facts[key] = environment[key];
            break;
        }
    return facts;
}

DeviceLimits limitsOf(const nlohmann::json& facts, const Task& task)
{
    DeviceLimits limits;
    if (!facts.is_object())
        return limits;
    if (task.target == Target::Cuda) {
        const Dtype in = task.tensors.empty() ? Dtype::Fp32 : task.tensors.front().dtype;
        const std::string format = nameOf(in == Dtype::Fp16 ? Dtype::Bf16 : in); // tensor cores take both at one rate
        return {numberAt(facts, format + "_flops_per_s") / 1e9, numberAt(facts, "bandwidth_bytes_per_s") / 1e9, false};
    }
    if (const auto rates = facts.find("measured_gflops"); rates != facts.end() && rates->is_object())
        limits.gigaflopsPerSecond = numberAt(*rates, nameOf(task.numeric.accumulate));
    limits.gigabytesPerSecond = numberAt(facts, "measured_memory_gb_s");
    return limits;
}

std::vector<RooflinePoint> rooflineOf(const EvaluationResult& result, const Task& task, const DeviceLimits& limits)
{
    std::vector<RooflinePoint> points;
    if (limits.gigaflopsPerSecond <= 0 || limits.gigabytesPerSecond <= 0)
        return points;
    for (const ShapeResult& shape : result.shapes) {
        if (shape.split != ShapeSplit::Train || shape.candidateNs <= 0)
            continue;
        const double computing = task.flopsOf(shape.shape) / limits.gigaflopsPerSecond; // ns
        const double moving = task.bytesOf(shape.shape) / limits.gigabytesPerSecond;
        if (std::max(computing, moving) > 0)
            points.push_back({shape.shape, std::max(computing, moving) / shape.candidateNs, moving > computing});
    }
    return points;
}

double meanShare(const std::vector<RooflinePoint>& points)
{
    double sum = 0;
    for (const RooflinePoint& point : points)
        sum += std::log(point.share);
    return points.empty() ? 0 : std::exp(sum / static_cast<double>(points.size()));
}

} // namespace tilewright
