// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/roofline.h"

#include "core/model/run_state.h"

#include <algorithm>
#include <cmath>
#include <vector>

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
    for (const char* key : {"measured_gflops", "measured_memory_gb_s", "measured_outer_gb_s"})
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
        const double computing = task.leastFlopsOf(shape.shape) / limits.gigaflopsPerSecond; // ns
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

namespace {

/// Whether it measured all training shapes beside the baseline and the vendor, as the run's confirmations do.
bool isConfirmation(const EvaluationResult& result)
{
    return result.outcome == Outcome::Ranked
        && (result.purpose == Purpose::Confirm || result.purpose == Purpose::Audit);
}

template <typename Measured> std::optional<RepeatedFigure> repeated(const RunState& run, const Measured& measured)
{
    std::vector<Interval> all;
    for (const Evaluation& evaluation : run.evaluations)
        if (isConfirmation(evaluation.result))
            if (const std::optional<Interval> one = measured(evaluation.result))
                all.push_back(*one);
    if (all.empty())
        return std::nullopt;
    RepeatedFigure figure{{0, std::ranges::min(all, {}, &Interval::lo).lo, std::ranges::max(all, {}, &Interval::hi).hi},
        static_cast<int>(all.size())};
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::ranges::nth_element(all, middle, {}, &Interval::value);
    figure.value.value = middle->value;
    return figure;
}

/// one / other, the variances added.
std::optional<Interval> quotient(const std::optional<Interval>& one, const std::optional<Interval>& other)
{
    if (!one || !other || one->lo <= 0 || other->lo <= 0)
        return std::nullopt;
    const double ratio = one->value / other->value;
    const double below = std::hypot(std::log(one->value / one->lo), std::log(other->hi / other->value));
    const double above = std::hypot(std::log(one->hi / one->value), std::log(other->value / other->lo));
    return Interval{ratio, ratio * std::exp(-below), ratio * std::exp(above)};
}

std::optional<RepeatedFigure> repeatedTime(const RunState& run, std::optional<double> (*timeOf)(const ShapeResult&))
{
    return repeated(run, [timeOf](const EvaluationResult& result) -> std::optional<Interval> {
        const std::optional<double> ns = meanTime(result, timeOf);
        return ns ? std::optional(Interval{*ns, *ns, *ns}) : std::nullopt;
    });
}

} // namespace

std::optional<RepeatedFigure> vendorScore(const RunState& run)
{
    return repeated(run, [](const EvaluationResult& result) { return quotient(result.score, result.vsVendor); });
}

std::optional<RepeatedFigure> baselineVersusVendor(const RunState& run)
{
    return repeated(run, [](const EvaluationResult& result) { return quotient(result.vsVendor, result.score); });
}

std::optional<RepeatedFigure> baselineTime(const RunState& run)
{
    return repeatedTime(run, [](const ShapeResult& shape) { return shape.baselineNs; });
}

std::optional<RepeatedFigure> vendorTime(const RunState& run)
{
    return repeatedTime(run, [](const ShapeResult& shape) { return shape.vendorNs; });
}

std::optional<double> meanTime(const EvaluationResult& result, std::optional<double> (*timeOf)(const ShapeResult&))
{
    double logs = 0;
    int shapes = 0;
    for (const ShapeResult& shape : result.shapes) {
        if (shape.split != ShapeSplit::Train)
            continue;
        const std::optional<double> ns = timeOf(shape);
        if (!ns || *ns <= 0)
            return std::nullopt;
        logs += std::log(*ns);
        ++shapes;
    }
    return shapes ? std::optional(std::exp(logs / shapes)) : std::nullopt;
}

} // namespace tilewright
