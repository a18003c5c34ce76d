// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tiling/tile_sweep.h"

#include "core/base/json_members.h"
#include "core/model/measurement/conditions.h"
#include "core/model/measurement/evaluation_members.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

template <> struct JsonMembers<SweepAxis> {
    static constexpr std::tuple list{required("name", &SweepAxis::name), required("values", &SweepAxis::values)};
};

template <> struct JsonMembers<SweepCell> {
    static constexpr std::tuple list{required("row", &SweepCell::row), required("column", &SweepCell::column),
        rare("ns", &SweepCell::ns), rare("samples", &SweepCell::samples), rare("ratio", &SweepCell::ratio),
        rare("rule", &SweepCell::rule), rare("text", &SweepCell::text)};
};

template <> struct JsonMembers<TileSweep> {
    static constexpr std::tuple list{required("task", &TileSweep::task), required("program", &TileSweep::program),
        required("shape", &TileSweep::shape), required("flops", &TileSweep::flops),
        required("reference", &TileSweep::reference), required("rows", &TileSweep::rows),
        required("columns", &TileSweep::columns), required("device", &TileSweep::device),
        required("device_id", &TileSweep::deviceId), required("date", &TileSweep::date),
        required("protocol", &TileSweep::protocol), always("environment", &TileSweep::environment),
        required("cells", &TileSweep::cells)};
};

namespace {

constexpr int sweepFormat = 1;

/// "" where it is whole.
std::string flawOf(const TileSweep& sweep)
{
    for (const SweepAxis* axis : {&sweep.rows, &sweep.columns})
        if (axis->name.empty() || axis->values.empty() || axis->values.size() > longestAxis)
            return "an axis has no name, or not between 1 and " + std::to_string(longestAxis) + " values";
    if (sweep.rows.name == sweep.columns.name)
        return "both axes are " + sweep.rows.name;
    if (!(sweep.flops > 0) || !std::isfinite(sweep.flops))
        return "flops is no positive number";
    if (sweep.device.empty() || sweep.date.empty())
        return "device or date is missing";
    std::vector<char> seen(sweep.rows.values.size() * sweep.columns.values.size());
    for (const SweepCell& cell : sweep.cells) {
        const auto rows = static_cast<int>(sweep.rows.values.size()),
                   columns = static_cast<int>(sweep.columns.values.size());
        if (cell.row < 0 || cell.column < 0 || cell.row >= rows || cell.column >= columns)
            return "a cell lies outside of the axes";
        if (std::exchange(seen[static_cast<std::size_t>(cell.row * columns + cell.column)], 1))
            return "a cell stands twice";
        if (!cell.isMeasured() && cell.rule.empty())
            return "a cell has neither a figure nor a reason";
        if (cell.isMeasured()
            && !(std::isfinite(cell.ns) && std::isfinite(cell.ratio->value) && cell.ratio->lo > 0
                && cell.ratio->lo <= cell.ratio->value && cell.ratio->value <= cell.ratio->hi
                && std::isfinite(cell.ratio->hi) && cell.samples > 0))
            return "a cell's figure is no measurement";
    }
    return {};
}

} // namespace

const SweepCell* TileSweep::at(int row, int column) const
{
    const auto found
        = std::ranges::find_if(cells, [&](const SweepCell& cell) { return cell.row == row && cell.column == column; });
    return found == cells.end() ? nullptr : &*found;
}

Tunables TileSweep::tunablesAt(int row, int column) const
{
    Tunables values = reference;
    values[rows.name] = rows.values.at(static_cast<std::size_t>(row));
    values[columns.name] = columns.values.at(static_cast<std::size_t>(column));
    return values;
}

bool TileSweep::asksTheSame(const TileSweep& other) const
{
    return task == other.task && program == other.program && shape == other.shape && reference == other.reference
        && rows == other.rows && columns == other.columns && protocol == other.protocol;
}

std::string sweepJson(const TileSweep& sweep)
{
    nlohmann::json json = jsonOf(sweep);
    json["sweep"] = sweepFormat;
    return dumped(json, 1) + "\n";
}

Result<TileSweep> sweepFrom(std::string_view json)
{
    const nlohmann::json read = parsedJson(json);
    if (!read.is_object() || read.value("sweep", nlohmann::json()) != sweepFormat)
        return fail("sweep/file", "this is no sweep of tiles", "'tilewright-cli tiling sweep' writes one");
    TileSweep sweep;
    try {
        sweep = fromJson<TileSweep>(read);
    } catch (const std::exception& problem) {
        return fail("sweep/file", std::string("the sweep is damaged: ") + problem.what());
    }
    if (const std::string flaw = flawOf(sweep); !flaw.empty())
        return fail("sweep/file", "the sweep is damaged: " + flaw);
    if (sweep.protocol != measurementProtocol)
        return fail("sweep/protocol",
            "the sweep was measured by version " + std::to_string(sweep.protocol)
                + " of the protocol, this program has " + std::to_string(measurementProtocol),
            "measure it again");
    return sweep;
}

} // namespace tilewright
