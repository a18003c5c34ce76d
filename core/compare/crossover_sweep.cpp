// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/crossover_sweep.h"

#include "core/base/json_members.h"
#include "core/base/json_text.h"
#include "core/model/measurement/conditions.h"
#include "core/model/measurement/evaluation_members.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

template <> struct JsonMembers<CrossoverCell> {
    static constexpr std::tuple list{required("size", &CrossoverCell::size), rare("ns", &CrossoverCell::programNs),
        rare("leaf_ns", &CrossoverCell::leafNs), rare("samples", &CrossoverCell::samples),
        rare("ratio", &CrossoverCell::ratio), rare("rule", &CrossoverCell::rule), rare("text", &CrossoverCell::text)};
};

template <> struct JsonMembers<CrossoverSweep> {
    static constexpr std::tuple list{required("task", &CrossoverSweep::task),
        required("scheme", &CrossoverSweep::scheme), required("format", &CrossoverSweep::format),
        required("rank", &CrossoverSweep::rank), required("levels", &CrossoverSweep::levels),
        required("coefficients", &CrossoverSweep::coefficients), required("leaf", &CrossoverSweep::leaf),
        required("leaf_program", &CrossoverSweep::leafProgram), required("sizes", &CrossoverSweep::sizes),
        required("device", &CrossoverSweep::device), required("device_id", &CrossoverSweep::deviceId),
        required("date", &CrossoverSweep::date), required("protocol", &CrossoverSweep::protocol),
        always("environment", &CrossoverSweep::environment), required("cells", &CrossoverSweep::cells)};
};

namespace {

constexpr int crossoverFormat = 1;

bool isFigure(const CrossoverCell& cell)
{
    const Interval& ratio = *cell.ratio;
    return ratio.lo > 0 && ratio.lo <= ratio.value && ratio.value <= ratio.hi && std::isfinite(ratio.hi)
        && cell.programNs >= 0 && std::isfinite(cell.programNs) && cell.leafNs >= 0 && std::isfinite(cell.leafNs)
        && cell.samples >= 0;
}

/// "" where it is whole.
std::string flawOfCrossover(const CrossoverSweep& sweep)
{
    if (sweep.sizes.empty() || sweep.sizes.size() > mostCrossoverSizes || sweep.sizes.front() < 1
        || std::ranges::adjacent_find(sweep.sizes, std::ranges::greater_equal()) != sweep.sizes.end())
        return "sizes must be between 1 and " + std::to_string(mostCrossoverSizes) + " numbers that rise";
    if (sweep.device.empty() || sweep.date.empty())
        return "device or date is missing";
    for (std::size_t at = 0; at < sweep.cells.size(); ++at) {
        const CrossoverCell& cell = sweep.cells[at];
        if (std::ranges::find(sweep.sizes, cell.size) == sweep.sizes.end())
            return "a measured size is none of its sizes";
        if (sweep.at(cell.size) != &cell)
            return "a size stands twice";
        if (cell.ratio ? !isFigure(cell) : cell.rule.empty())
            return cell.ratio ? "a size's figure is no measurement" : "a size has neither a figure nor a reason";
    }
    return {};
}

} // namespace

const CrossoverCell* CrossoverSweep::at(std::int64_t size) const
{
    const auto found = std::ranges::find(cells, size, &CrossoverCell::size);
    return found == cells.end() ? nullptr : &*found;
}

std::vector<CrossoverPoint> CrossoverSweep::points() const
{
    std::vector<CrossoverPoint> made;
    for (const CrossoverCell& cell : cells)
        if (cell.ratio)
            made.push_back({cell.size, *cell.ratio});
    return made;
}

bool CrossoverSweep::asksTheSame(const CrossoverSweep& other) const
{
    return task == other.task && format == other.format && rank == other.rank && levels == other.levels
        && coefficients == other.coefficients && leafProgram == other.leafProgram && sizes == other.sizes
        && protocol == other.protocol;
}

std::string crossoverJson(const CrossoverSweep& sweep)
{
    nlohmann::json json = jsonOf(sweep);
    json["crossover"] = crossoverFormat;
    return dumped(json, 1) + "\n";
}

Result<CrossoverSweep> crossoverFrom(std::string_view json)
{
    const nlohmann::json read = parsedJson(json);
    if (!read.is_object() || read.value("crossover", nlohmann::json()) != crossoverFormat)
        return fail("crossover/file", "this is no measured crossover");
    CrossoverSweep sweep;
    try {
        sweep = fromJson<CrossoverSweep>(read);
    } catch (const std::exception& problem) {
        return fail("crossover/file", std::string("the measured crossover is damaged: ") + problem.what());
    }
    if (const std::string flaw = flawOfCrossover(sweep); !flaw.empty())
        return fail("crossover/file", "the measured crossover is damaged: " + flaw);
    if (sweep.protocol != measurementProtocol)
        return fail("crossover/protocol",
            "the crossover was measured by version " + std::to_string(sweep.protocol)
                + " of the protocol, this program has " + std::to_string(measurementProtocol),
            "measure it again");
    return sweep;
}

} // namespace tilewright
