// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/measured.h"

#include "core/base/text.h"
#include "core/model/measurement/gpu_counters.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/resource_figures.h"
#include "core/model/measurement/roofline.h"
#include "core/prompt/attempts.h"
#include "core/prompt/examples.h"
#include "core/tiling/tile_tunables.h"

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

/// "1.002 ±0.4": without the units, which stand above the table.
std::string cellText(const Interval& ratio)
{
    std::string text = withMargin(ratio);
    for (const std::string_view unit : {"×", " %"})
        if (const std::size_t at = text.find(unit); at != std::string::npos)
            text.erase(at, unit.size());
    return text;
}

std::string words(std::string name) // "text_bytes" → "text bytes"
{
    std::ranges::replace(name, '_', ' ');
    return name;
}

/// Less of the memory bandwidth limits nothing.
constexpr double muchTraffic = 0.5;
/// Less on every shape is not worth telling.
constexpr double muchPadding = 0.05;
/// Machine code of less misses no instruction cache.
constexpr double fewCodeBytes = 16 * 1024;

void addResources(const nlohmann::json& json, const std::string& prefix, std::vector<std::string>& parts)
{
    const bool hasKernels = json.contains("kernels");
    for (const auto& [key, value] : json.items()) {
        if (key == "hot_loop")
            continue; // in words of its own
        if (hasKernels && (key == "registers" || key == "spill_bytes" || key == "cubin_bytes"))
            continue; // kernelText() and bottlenecks() tell of the kernel that matters
        if (value.is_object()) {
            addResources(value, prefix + words(key) + ": ", parts);
            continue;
        }
        if (!value.is_number())
            continue;
        const auto number = value.get<double>();
        const bool isBytes = key.ends_with("_bytes");
        if (key == "code_bytes" || key == "rodata_bytes")
            continue; // the program's text tells
        if (key == "text_bytes") {
            if (number >= fewCodeBytes)
                parts.push_back(prefix + bytesText(number) + " of machine code");
        } else
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

/// "; 24.9 flop per cycle at 3.69 GHz, 0.778 multiply-adds of a whole vector": at the highest clock seen.
std::string cyclesText(double rate, const Measured& measured, const Task& task, const nlohmann::json& facts)
{
    if (task.target != Target::Cpp || measured.gigahertz <= 0)
        return {};
    const double perCycle = rate / measured.gigahertz;
    const int lanes = vectorLanes(facts, task.numeric.accumulate);
    return "; " + numberText(perCycle) + " flop per cycle at " + numberText(measured.gigahertz) + " GHz"
        + (lanes > 1 ? ", " + numberText(perCycle / (2 * lanes)) + " multiply-adds of a whole vector" : std::string());
}

std::string vendorRateText(const Measured& measured)
{
    const VendorRate vendor = vendorRate(measured);
    return vendor.gigaflopsPerSecond <= 0
        ? std::string()
        : std::string(" The vendor library reaches at most ") + (vendor.timed ? "" : "≈ ")
            + numberText(vendor.gigaflopsPerSecond) + " (" + shapeText(vendor.shape) + ").";
}

/// A program's tile of the result: rows and columns.
struct Tile {
    std::int64_t rows = 1, columns = 1;
};

/// As its constants tell; none where they do not, or where the program chooses among several tiles.
std::optional<Tile> tileOf(const Tunables& tunables, const Task& task)
{
    const bool hasSeveral
        = std::ranges::any_of(tunables, [](const auto& tunable) { return tunable.first.starts_with("SMALL_"); });
    if (task.numeric.bound != NumericBound::Product || hasSeveral)
        return std::nullopt;
    if (task.target == Target::Cuda) {
        const auto tile = gpuTileIn(tunables, {});
        return tile ? std::optional(Tile{tile->bm, tile->bn}) : std::nullopt;
    }
    CpuTile single;
    single.mr = single.nr = 1;
    const auto tile = cpuTileIn(tunables, single);
    return tile ? std::optional(Tile{tile->mr, tile->nr}) : std::nullopt;
}

/// Where the rows and columns of a product's result stand among the task's dimensions.
struct ResultDims {
    std::size_t rows = 0, columns = 0;
};
std::optional<ResultDims> resultDims(const Task& task)
{
    const auto result = std::ranges::find(task.tensors, TensorRole::Output, &Tensor::role);
    if (result == task.tensors.end() || result->shape.size() != 2)
        return std::nullopt;
    const auto row = std::ranges::find(task.dims, result->shape[0], &Dimension::name);
    const auto column = std::ranges::find(task.dims, result->shape[1], &Dimension::name);
    if (row == task.dims.end() || column == task.dims.end())
        return std::nullopt;
    return ResultDims{
        static_cast<std::size_t>(row - task.dims.begin()), static_cast<std::size_t>(column - task.dims.begin())};
}

void addPadding(Measured& measured, const Tunables& tunables, const Task& task)
{
    const auto tile = tileOf(tunables, task);
    const auto dims = resultDims(task);
    if (!tile || !dims)
        return;
    const auto whole
        = [](std::int64_t length, std::int64_t size) { return static_cast<double>((length + size - 1) / size * size); };
    bool isSome = false;
    for (MeasuredShape& line : measured.shapes) {
        const std::int64_t rows = line.shape.at(dims->rows), columns = line.shape.at(dims->columns);
        line.padding = 1
            - static_cast<double>(rows) * static_cast<double>(columns)
                / (whole(rows, tile->rows) * whole(columns, tile->columns));
        isSome |= line.padding >= muchPadding;
    }
    if (isSome)
        measured.tile = std::to_string(tile->rows) + "×" + std::to_string(tile->columns);
}

/// The rate beside what the device can do at most.
std::string peakText(double rate, const Measured& measured, const Task& task, const nlohmann::json& facts)
{
    const DeviceLimits limits = limitsOf(facts, task);
    if (limits.gigaflopsPerSecond <= 0)
        return "; the device's peak rate of arithmetic was not measured" + cyclesText(rate, measured, task, facts) + "."
            + vendorRateText(measured);
    return ", " + shareText(rate / limits.gigaflopsPerSecond) + " of the peak.";
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
        if (candidate && best && candidate != best)
            line.versusBest = sideBySide(state, *candidate, best->id, &shape);
        measured.shapes.push_back(std::move(line));
    }
    if (candidate)
        addPadding(measured, candidate->tunables, task);
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

std::string timesTable(
    const Measured& measured, const Task& task, CandidateId beside, const std::vector<ShapeSpeed>& speeds)
{
    if (!measured.any())
        return {};
    /// A figure of each shape; left out where no shape has it.
    struct Column {
        std::string head;
        std::vector<std::string> cells;
        bool isKnown = false;
    };
    std::vector<Column> columns;
    const auto add = [&](std::string head, auto&& cellOf) {
        Column column{std::move(head), {}, false};
        for (const MeasuredShape& shape : measured.shapes) {
            column.cells.push_back(cellOf(shape));
            column.isKnown |= !column.cells.back().empty();
        }
        if (column.isKnown)
            columns.push_back(std::move(column));
    };
    const auto estimate = [](double ratio) { return ratio > 0 ? "≈ " + numberText(ratio) : std::string(); };
    const auto ratioOr = [&](const std::optional<Interval>& ratio, double otherwise) {
        return ratio ? cellText(*ratio) : estimate(otherwise);
    };
    std::string names;
    for (const Dimension& dim : task.dims)
        names += (names.empty() ? "" : "×") + dim.name;
    add(names, [](const MeasuredShape& shape) { return shapeText(shape.shape); });
    const bool hasRates
        = std::ranges::any_of(measured.shapes, [](const MeasuredShape& shape) { return shape.flops > 0; });
    // Beside another program's table only ratios: its times are of another hour.
    if (hasRates && !beside)
        add("GFLOP/s", [](const MeasuredShape& shape) {
            return shape.ns > 0 ? numberText(shape.gigaflopsPerSecond()) : std::string();
        });
    else if (!beside)
        add("time", [](const MeasuredShape& shape) { return shape.ns > 0 ? durationText(shape.ns) : std::string(); });
    const bool isPaired = measured.pairedWith && measured.pairedWith != measured.candidate;
    if (isPaired && measured.pairedWith != beside)
        add("vs " + candidateName(measured.pairedWith),
            [&](const MeasuredShape& shape) { return ratioOr(shape.versusPaired, 0); });
    if (measured.best && measured.best != measured.pairedWith && measured.best != beside)
        add("vs best, " + candidateName(measured.best),
            [&](const MeasuredShape& shape) { return ratioOr(shape.versusBest, shape.ofBest); });
    if (beside)
        add("vs " + candidateName(beside), [&](const MeasuredShape& shape) {
            const auto known = std::ranges::find(speeds, shape.shape, &ShapeSpeed::shape);
            if (known == speeds.end())
                return std::string();
            return known->paired && shape.versusPaired ? cellText(*shape.versusPaired) : estimate(known->ratio);
        });
    add("vs vendor", [&](const MeasuredShape& shape) { return ratioOr(shape.versusVendor, shape.ofVendor()); });
    if (!measured.tile.empty() && !beside)
        add("padding", [](const MeasuredShape& shape) { return numberText(100 * shape.padding); });
    std::vector<std::vector<std::string>> rows(measured.shapes.size() + 1);
    for (const Column& column : columns) {
        rows.front().push_back(column.head);
        for (std::size_t i = 0; i < column.cells.size(); ++i)
            rows[i + 1].push_back(column.cells[i].empty() ? "–" : column.cells[i]);
    }
    return tableText(rows);
}

std::string resourcesText(const Measured& measured)
{
    std::vector<std::string> parts;
    if (measured.resources.is_object())
        addResources(measured.resources, "", parts);
    if (const ResourceFigures figures = resourceFigures(measured.resources); !figures.kernel.empty())
        parts.push_back(kernelText(figures));
    if (boundSentences(measured.profile).empty()) // else they hold the figures
        for (const std::string& line : profileLines(measured.profile))
            parts.push_back("counted in " + line);
    if (const std::string loop = hotLoopWords(resourceFigures(measured.resources)); !loop.empty())
        parts.push_back(loop);
    return parts.empty() ? std::string() : joined(parts, "; ") + ".";
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
    for (const Shape& shape : task.train) {
        const auto paired = sideBySide(state, *candidate, overId, &shape);
        const double ratio = paired ? paired->value : speedOver(state, candidate, over, shape);
        if (ratio > 0)
            speeds.push_back({shape, ratio, paired.has_value()});
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
    const std::string text = "Geometric mean " + numberText(rate) + " GFLOP/s" + peakText(rate, measured, task, facts);
    const auto busiest = std::ranges::max_element(measured.shapes, {}, &MeasuredShape::gigabytesPerSecond);
    const double traffic = busiest->gigabytesPerSecond();
    if (traffic <= 0)
        return text;
    if (limits.gigabytesPerSecond <= 0)
        return text;
    return traffic < muchTraffic * limits.gigabytesPerSecond
        ? text
        : text + " Least traffic: at most " + shareText(traffic / limits.gigabytesPerSecond)
            + " of the memory bandwidth (" + shapeText(busiest->shape) + ").";
}

} // namespace tilewright
