// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/measured.h"

#include "core/base/text.h"
#include "core/prompt/figures.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

const ShapeResult* resultFor(const Evaluation* evaluation, const Shape& shape)
{
    if (!evaluation)
        return nullptr;
    for (const ShapeResult& result : evaluation->result.shapes)
        if (result.split == ShapeSplit::Train && result.shape == shape)
            return &result;
    return nullptr;
}

/// Newest time of the shape that the member holds; 0 if nobody measured it.
double newest(const RunState& state, const Shape& shape, std::optional<double> ShapeResult::*member)
{
    for (std::size_t i = state.evaluations.size(); i-- > 0;)
        if (const ShapeResult* result = resultFor(&state.evaluations[i], shape); result && result->*member)
            return *(result->*member);
    return 0;
}

double geometricMean(const Measured& measured, double (MeasuredShape::*figure)() const)
{
    double sum = 0;
    int count = 0;
    for (const MeasuredShape& shape : measured.shapes)
        if (const double value = (shape.*figure)(); value > 0) {
            sum += std::log(value);
            ++count;
        }
    return count > 0 ? std::exp(sum / count) : 0;
}

std::string words(std::string name) // "text_bytes" → "text bytes"
{
    std::ranges::replace(name, '_', ' ');
    return name;
}

void addResources(const nlohmann::json& json, const std::string& prefix, std::vector<std::string>& parts)
{
    for (const auto& [key, value] : json.items()) {
        if (value.is_object()) {
            addResources(value, prefix + words(key) + ": ", parts);
            continue;
        }
        if (!value.is_number())
            continue;
        const auto number = value.get<double>();
        const bool isBytes = key.ends_with("_bytes") || key == "smem" || key == "spill";
        if (key == "code_bytes")
            parts.push_back(prefix + bytesText(number) + " of source without comments");
        else if (key == "text_bytes")
            parts.push_back(prefix + bytesText(number) + " of machine code");
        else if (key == "rodata_bytes")
            parts.push_back(prefix + bytesText(number) + " of constants");
        else if (key == "occupancy")
            parts.push_back(prefix + "occupancy " + numberText(100 * number) + " %");
        else
            parts.push_back(prefix + words(isBytes && key.ends_with("_bytes") ? key.substr(0, key.size() - 6) : key)
                + " " + (isBytes ? bytesText(number) : numberText(number)));
    }
}

} // namespace

double MeasuredShape::ofVendor() const
{
    if (versusVendor)
        return versusVendor->value;
    return ns > 0 && vendorNs > 0 ? vendorNs / ns : 0;
}

bool Measured::any() const
{
    return std::ranges::any_of(shapes, [](const MeasuredShape& shape) { return shape.ns > 0; });
}

Measured measuredOf(const RunState& state, const Task& task, CandidateId id)
{
    Measured measured;
    measured.candidate = id;
    measured.best = state.incumbent;
    measured.noiseFloor = state.noiseFloor;
    const Candidate* candidate = state.candidate(id);
    const Candidate* best = state.candidate(state.incumbent);
    const Evaluation* own = candidate ? state.evaluation(candidate->latest) : nullptr;
    const Evaluation* bests = best ? state.evaluation(best->latest) : nullptr;
    if (own) {
        measured.pairedWith = own->against;
        measured.resources = own->result.resources;
        const nlohmann::json& environment = own->result.environment;
        if (environment.is_object() && environment.contains("profile"))
            measured.profile = environment["profile"];
        if (environment.is_object() && environment.contains("mhz") && environment["mhz"].is_array())
            for (const nlohmann::json& mhz : environment["mhz"])
                if (mhz.is_number())
                    measured.gigahertz = std::max(measured.gigahertz, mhz.get<double>() / 1000);
    }
    for (const Shape& shape : task.train) {
        MeasuredShape line;
        line.shape = shape;
        line.flops = task.flopsOf(shape);
        line.bytes = task.bytesOf(shape);
        if (const ShapeResult* result = resultFor(own, shape)) {
            line.ns = result->candidateNs;
            line.versusPaired = result->versusIncumbent;
            line.versusVendor = result->versusVendor;
            line.vendorNs = result->vendorNs.value_or(0);
            line.baselineNs = result->baselineNs.value_or(0);
        }
        if (const ShapeResult* result = resultFor(bests, shape))
            line.bestNs = result->candidateNs;
        if (line.vendorNs <= 0)
            line.vendorNs = newest(state, shape, &ShapeResult::vendorNs);
        if (line.baselineNs <= 0)
            line.baselineNs = newest(state, shape, &ShapeResult::baselineNs);
        measured.shapes.push_back(std::move(line));
    }
    return measured;
}

int vectorLanes(const nlohmann::json& facts, Dtype dtype)
{
    const auto has = [&](const char* feature) {
        return facts.is_object() && facts.contains("features") && facts["features"].is_array()
            && std::ranges::find(facts["features"], nlohmann::json(feature)) != facts["features"].end();
    };
    const int bytes = has("avx512f") ? 64 : has("avx") ? 32 : has("sse4_2") || has("asimd") ? 16 : 0;
    const auto width = static_cast<int>(bytesOf(dtype));
    return bytes > 0 && width > 0 ? bytes / width : 1;
}

std::string timesTable(const Measured& measured, const Task& task)
{
    if (!measured.any())
        return {};
    std::string names;
    for (const Dimension& dim : task.dims)
        names += (names.empty() ? "" : "×") + dim.name;
    const bool isBest = measured.candidate == measured.best;
    std::vector<std::vector<std::string>> rows{{names, "time", "GFLOP/s"}};
    auto& head = rows.front();
    const bool paired = measured.pairedWith && measured.pairedWith != measured.candidate;
    if (paired)
        head.push_back("speed vs " + candidateName(measured.pairedWith) + " (paired)");
    if (!isBest)
        head.push_back("best " + candidateName(measured.best));
    head.insert(head.end(), {"baseline", "vendor", "speed vs vendor"});
    for (const MeasuredShape& shape : measured.shapes) {
        std::vector<std::string> row{shapeText(shape.shape), durationText(shape.ns),
            shape.ns > 0 ? numberText(shape.gigaflopsPerSecond()) : "–"};
        if (paired)
            row.push_back(shape.versusPaired ? ratioText(*shape.versusPaired) : "–");
        if (!isBest)
            row.push_back(durationText(shape.bestNs));
        row.insert(row.end(), {durationText(shape.baselineNs), durationText(shape.vendorNs)});
        row.push_back(shape.versusVendor ? ratioText(*shape.versusVendor)
                : shape.ofVendor() > 0   ? "≈ " + numberText(shape.ofVendor()) + "×"
                                         : "–");
        rows.push_back(std::move(row));
    }
    return tableText(rows);
}

std::string resourcesText(const Measured& measured)
{
    std::vector<std::string> parts;
    if (measured.resources.is_object())
        addResources(measured.resources, "", parts);
    if (measured.profile.is_object())
        addResources(measured.profile, "profile: ", parts);
    return joined(parts, ", ");
}

std::string rooflineText(const Measured& measured, const Task& task, const nlohmann::json& facts)
{
    const double rate = geometricMean(measured, &MeasuredShape::gigaflopsPerSecond);
    if (rate <= 0)
        return {};
    std::string text = "Geometric mean " + numberText(rate) + " GFLOP/s";
    const int lanes = vectorLanes(facts, task.numeric.accumulate);
    if (task.target == Target::Cpp && measured.gigahertz > 0) {
        text += ": " + numberText(rate / measured.gigahertz) + " flop per cycle at " + numberText(measured.gigahertz)
            + " GHz, the highest clock seen while it was timed.";
        if (lanes > 1)
            text += " One fused multiply-add unit with " + std::to_string(lanes) + " lanes of "
                + nameOf(task.numeric.accumulate) + " does " + std::to_string(2 * lanes) + " flop per cycle, two do "
                + std::to_string(4 * lanes) + ".";
    } else {
        text += '.';
    }
    const auto [least, most] = std::ranges::minmax_element(measured.shapes, {}, &MeasuredShape::flopsPerByte);
    if (least->flopsPerByte() > 0)
        text += "\nArithmetic intensity by least traffic: from " + numberText(least->flopsPerByte())
            + " flop per byte (" + shapeText(least->shape) + ") to " + numberText(most->flopsPerByte()) + " ("
            + shapeText(most->shape) + ").";
    const auto busiest = std::ranges::max_element(measured.shapes, {}, &MeasuredShape::gigabytesPerSecond);
    text += " Highest rate of least traffic: " + numberText(busiest->gigabytesPerSecond()) + " GB/s ("
        + shapeText(busiest->shape) + ").";
    return text;
}

} // namespace tilewright
