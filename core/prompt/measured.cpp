// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/measured.h"

#include "core/base/text.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/resource_figures.h"
#include "core/model/measurement/roofline.h"
#include "core/prompt/attempts.h"
#include "core/prompt/examples.h"

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

/// The other side's time over the candidate's, as measured side by side, else through the program it was paired with
/// and that one's pairs; 0 if no chain of pairs leads there.
double chained(
    const RunState& state, const Candidate* candidate, const Shape& shape, std::optional<Interval> ShapeResult::*side)
{
    double ratio = 1;
    for (int steps = 0; candidate && steps < 32; ++steps) {
        const Evaluation* evaluation = state.evaluation(candidate->latest);
        const ShapeResult* result = resultFor(evaluation, shape);
        if (!result)
            return 0;
        if (result->*side)
            return ratio * (result->*side)->value;
        if (!result->versusIncumbent || evaluation->against == candidate->id)
            return 0;
        ratio *= result->versusIncumbent->value;
        candidate = state.candidate(evaluation->against);
    }
    return 0;
}

/// Speed of one over another, both measured against a third that both chains of pairs reach; 0 unknown.
double speedOver(const RunState& state, const Candidate* candidate, const Candidate* other, const Shape& shape)
{
    for (const auto side : {&ShapeResult::versusVendor, &ShapeResult::versusBaseline}) {
        const double own = chained(state, candidate, shape, side), others = chained(state, other, shape, side);
        if (own > 0 && others > 0)
            return own / others;
    }
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
        if (key == "hot_loop")
            continue; // in words of its own
        if (value.is_object()) {
            addResources(value, prefix + words(key) + ": ", parts);
            continue;
        }
        if (!value.is_number())
            continue;
        const auto number = value.get<double>();
        const bool isBytes = key.ends_with("_bytes");
        if (key == "code_bytes")
            parts.push_back(prefix + bytesText(number) + " of source without comments");
        else if (key == "text_bytes")
            parts.push_back(prefix + bytesText(number) + " of machine code");
        else if (key == "rodata_bytes")
            parts.push_back(prefix + bytesText(number) + " of constants");
        else
            parts.push_back(prefix + words(isBytes ? key.substr(0, key.size() - 6) : key) + " "
                + (isBytes ? bytesText(number) : numberText(number)));
    }
}

/// Of the kernel that leaves the least room beside it.
std::string kernelText(const ResourceFigures& figures)
{
    std::string text = (figures.kernels > 1 ? "the most demanding of " + std::to_string(figures.kernels) + " kernels, "
                                   + figures.kernel
                                            : figures.kernel)
        + ": " + std::to_string(figures.threads) + " threads a block";
    if (figures.registers)
        text += ", " + std::to_string(*figures.registers) + " registers a thread";
    if (figures.sharedBytes)
        text += ", " + bytesText(static_cast<double>(*figures.sharedBytes)) + " of shared memory a block";
    if (figures.occupancy)
        text += ", occupancy " + numberText(100 * *figures.occupancy) + " % (" + std::to_string(figures.blocks)
            + " blocks a multiprocessor, limited by " + figures.limitedBy + ")";
    return text;
}

/// Flop per cycle, and how many whole vectors of multiply-adds that is.
std::string cyclesText(double rate, const Measured& measured, const Task& task, const nlohmann::json& facts)
{
    if (task.target != Target::Cpp || measured.gigahertz <= 0)
        return {};
    const double perCycle = rate / measured.gigahertz;
    const int lanes = vectorLanes(facts, task.numeric.accumulate);
    std::string text = " That is " + numberText(perCycle) + " flop per cycle at " + numberText(measured.gigahertz)
        + " GHz, the highest clock seen while it was timed";
    if (lanes > 1)
        text += ": " + numberText(perCycle / (2 * lanes)) + " fused multiply-adds of a whole vector ("
            + std::to_string(lanes) + " " + nameOf(task.numeric.accumulate) + ") per cycle";
    return text + ".";
}

/// The rate beside what the device can do at most.
std::string limitsText(double rate, const Measured& measured, const DeviceLimits& limits)
{
    std::string text;
    if (limits.gigaflopsPerSecond > 0)
        text += std::string(limits.measured ? "\nMeasured peak of the device: "
                                            : "\nPeak of the device by its units and clock: ")
            + numberText(limits.gigaflopsPerSecond) + " GFLOP/s; this is " + shareText(rate / limits.gigaflopsPerSecond)
            + " of it.";
    else
        text += "\nThe device's peak rate of arithmetic was not measured, so how near this is to it is unknown.";
    if (const VendorRate vendor = vendorRate(measured); vendor.gigaflopsPerSecond > 0)
        text += std::string(" The vendor's library reaches ") + (vendor.timed ? "" : "≈ ")
            + numberText(vendor.gigaflopsPerSecond) + " GFLOP/s on " + shapeText(vendor.shape)
            + (limits.gigaflopsPerSecond > 0 ? ", " + shareText(vendor.gigaflopsPerSecond / limits.gigaflopsPerSecond)
                                             : std::string(": the device can do at least that"))
            + ".";
    return text;
}

} // namespace

double MeasuredShape::ofVendor() const
{
    if (versusVendor)
        return versusVendor->value;
    return ns > 0 && vendorNs > 0 ? vendorNs / ns : ofVendorByChain;
}

bool Measured::any() const
{
    return std::ranges::any_of(shapes, [](const MeasuredShape& shape) { return shape.ns > 0; });
}

Measured measuredOf(const RunState& state, const Task& task, CandidateId id)
{
    Measured measured;
    measured.candidate = id;
    measured.best = originOf(state, state.incumbent);
    measured.noiseFloor = state.noiseFloor;
    const Candidate* candidate = state.candidate(id);
    const Candidate* best = state.candidate(state.incumbent);
    const Evaluation* own = candidate ? state.evaluation(candidate->latest) : nullptr;
    if (own) {
        measured.pairedWith = originOf(state, own->against);
        measured.resources = own->result.resources;
        measured.profile = countersOf(state, id);
        const nlohmann::json& environment = own->result.environment;
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
        line.ofVendorByChain = chained(state, candidate, shape, &ShapeResult::versusVendor);
        if (candidate != best)
            line.ofBest = speedOver(state, candidate, best, shape);
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
    const auto anyShape = [&](auto&& has) { return std::ranges::any_of(measured.shapes, has); };
    const bool hasTimes = anyShape([](const MeasuredShape& s) { return s.vendorNs > 0 || s.baselineNs > 0; });
    const bool hasBest = anyShape([](const MeasuredShape& s) { return s.ofBest > 0; });
    const bool hasVendor = anyShape([](const MeasuredShape& s) { return s.ofVendor() > 0; });
    const bool paired = measured.pairedWith && measured.pairedWith != measured.candidate;
    const auto estimate = [](double ratio) { return ratio > 0 ? "≈ " + numberText(ratio) + "×" : std::string("–"); };
    std::vector<std::vector<std::string>> rows;
    const auto addRow = [&](std::vector<std::string> row, const std::string& pair, const std::string& best,
                            const std::vector<std::string>& times, const std::string& vendor) {
        if (paired)
            row.push_back(pair);
        if (hasBest)
            row.push_back(best);
        if (hasTimes)
            row.insert(row.end(), times.begin(), times.end());
        if (hasVendor)
            row.push_back(vendor);
        rows.push_back(std::move(row));
    };
    addRow({names, "time", "GFLOP/s"}, "speed vs " + candidateName(measured.pairedWith) + " (paired)",
        "speed vs best " + candidateName(measured.best), {"baseline", "vendor"}, "speed vs vendor");
    for (const MeasuredShape& shape : measured.shapes)
        addRow({shapeText(shape.shape), durationText(shape.ns),
                   shape.ns > 0 ? numberText(shape.gigaflopsPerSecond()) : "–"},
            shape.versusPaired ? ratioText(*shape.versusPaired) : "–", estimate(shape.ofBest),
            {durationText(shape.baselineNs), durationText(shape.vendorNs)},
            shape.versusVendor ? ratioText(*shape.versusVendor) : estimate(shape.ofVendor()));
    return tableText(rows);
}

std::string resourcesText(const Measured& measured)
{
    std::vector<std::string> parts;
    if (measured.resources.is_object())
        addResources(measured.resources, "", parts);
    if (const ResourceFigures figures = resourceFigures(measured.resources); !figures.kernel.empty())
        parts.push_back(kernelText(figures));
    for (const std::string& line : profileLines(measured.profile))
        parts.push_back("counted in " + line);
    std::string text = joined(parts, ", ");
    if (const std::string loop = hotLoopWords(resourceFigures(measured.resources)); !loop.empty())
        text += "\nMachine code: " + loop + ".";
    return text;
}

VendorRate vendorRate(const Measured& measured)
{
    VendorRate best;
    for (const MeasuredShape& shape : measured.shapes) {
        // From the time that the table shows, where it shows one.
        const double chained = shape.ofVendor() > 0 ? shape.gigaflopsPerSecond() / shape.ofVendor() : 0;
        const double rate = shape.vendorNs > 0 ? shape.flops / shape.vendorNs : chained;
        if (rate > best.gigaflopsPerSecond)
            best = {rate, shape.shape, shape.vendorNs > 0};
    }
    return best;
}

std::vector<ShapeSpeed> speedsByShape(const RunState& state, const Task& task, CandidateId id, CandidateId overId)
{
    const Candidate *candidate = state.candidate(id), *over = state.candidate(overId);
    const Evaluation* own = candidate ? state.evaluation(candidate->latest) : nullptr;
    std::vector<ShapeSpeed> speeds;
    if (!own || !over)
        return speeds;
    const bool isPaired = originOf(state, own->against) == originOf(state, overId);
    for (const Shape& shape : task.train) {
        const ShapeResult* result = resultFor(own, shape);
        const bool paired = isPaired && result && result->versusIncumbent;
        const double ratio = paired ? result->versusIncumbent->value : speedOver(state, candidate, over, shape);
        if (ratio > 0)
            speeds.push_back({shape, ratio, paired});
    }
    std::ranges::stable_sort(speeds, {}, &ShapeSpeed::ratio);
    return speeds;
}

std::string rooflineText(const Measured& measured, const Task& task, const nlohmann::json& facts)
{
    const double rate = geometricMean(measured, &MeasuredShape::gigaflopsPerSecond);
    if (rate <= 0)
        return {};
    const DeviceLimits limits = limitsOf(facts, task);
    std::string text = "Geometric mean " + numberText(rate) + " GFLOP/s." + cyclesText(rate, measured, task, facts)
        + limitsText(rate, measured, limits);
    const auto [least, most] = std::ranges::minmax_element(measured.shapes, {}, &MeasuredShape::flopsPerByte);
    if (least->flopsPerByte() > 0)
        text += "\nArithmetic intensity by least traffic: from " + numberText(least->flopsPerByte())
            + " flop per byte (" + shapeText(least->shape) + ") to " + numberText(most->flopsPerByte()) + " ("
            + shapeText(most->shape) + ").";
    const auto busiest = std::ranges::max_element(measured.shapes, {}, &MeasuredShape::gigabytesPerSecond);
    text += " Highest rate of least traffic: " + numberText(busiest->gigabytesPerSecond()) + " GB/s ("
        + shapeText(busiest->shape) + ")";
    if (limits.gigabytesPerSecond > 0)
        text += ", " + shareText(busiest->gigabytesPerSecond() / limits.gigabytesPerSecond)
            + (limits.measured ? " of the measured memory bandwidth of " : " of the memory's bandwidth of ")
            + numberText(limits.gigabytesPerSecond) + " GB/s.";
    else
        text += "; the memory bandwidth was not measured.";
    if (limits.gigabytesPerSecond > 0 && limits.gigaflopsPerSecond > 0)
        text += " Below " + numberText(limits.gigaflopsPerSecond / limits.gigabytesPerSecond)
            + " flop per byte memory would be the limit, above it arithmetic.";
    return text;
}

} // namespace tilewright
