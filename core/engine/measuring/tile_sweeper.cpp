// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measuring/tile_sweeper.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/model/measurement/conditions.h"
#include "core/model/measurement/shape_choice.h"
#include "core/source/program_text.h"

#include <QDateTime>
#include <algorithm>

namespace tilewright {
namespace {

constexpr std::size_t largestProgram = 1 << 20; ///< bytes

Result<void> checkAxis(const SweepAxis& axis, const Tunables& known)
{
    if (!known.contains(axis.name)) {
        std::string names;
        for (const auto& [name, value] : known)
            names += (names.empty() ? "" : ", ") + name;
        return fail("sweep/tunable", "the program has no tunable '" + axis.name + "'",
            names.empty() ? "mark one by // tune:" : "it has " + names);
    }
    if (axis.values.empty() || axis.values.size() > longestAxis)
        return fail("sweep/axis", axis.name + " needs 1 to " + std::to_string(longestAxis) + " values");
    auto sorted = axis.values;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
        return fail("sweep/axis", "a value of " + axis.name + " stands twice");
    return {};
}

std::unique_ptr<OneEvaluation> screened(const SweepOrder& order, std::string source, const EvaluationWatch& watch)
{
    return evaluated({order.pack, std::move(source), order.device, Purpose::Screen, {}, {}}, watch);
}

SweepCell cellOf(int row, int column, const EvaluationResult& result)
{
    SweepCell cell{row, column, 0, 0, {}, {}, {}};
    if (result.outcome != Outcome::Ranked || result.shapes.empty() || !result.score) {
        cell.rule = result.rule.empty() ? nameOf(result.outcome) : result.rule;
        cell.text = result.text;
        return cell;
    }
    cell.ns = result.shapes.front().candidateNs;
    cell.samples = result.shapes.front().samples;
    cell.ratio = result.score;
    return cell;
}

} // namespace

Result<std::string> tileProgram(const Task& task)
{
    const auto path
        = sharedFolder() / "kernels/examples" / task.name / (task.target == Target::Cuda ? "tiles.cu" : "tiles.cpp");
    if (!std::filesystem::exists(path))
        return fail("sweep/program", "there is no program with the explorer's tiles for the task " + task.name,
            "name a program with --program");
    return readTextFile(path, largestProgram);
}

Shape usualSweepShape(Target target)
{
    // Large enough for all three levels of blocks, small enough for a sample to take milliseconds.
    return target == Target::Cuda ? Shape{4096, 4096, 1024} : Shape{512, 1024, 512};
}

Result<BegunSweep> begunSweep(const TaskPack& pack, const SweepWords& words)
{
    const Tunables known = valuesOf(tunablesOf(words.text));
    for (const SweepAxis* axis : {&words.rows, &words.columns})
        if (const auto good = checkAxis(*axis, known); !good)
            return std::unexpected(good.error());
    if (words.rows.name == words.columns.name)
        return fail("sweep/tunable", "both axes are " + words.rows.name);
    BegunSweep begun;
    TileSweep& sweep = begun.sweep;
    sweep.reference = known;
    for (const auto& [name, value] : words.reference) {
        if (const auto good = checkAxis({name, {value}}, known); !good)
            return std::unexpected(good.error());
        sweep.reference[name] = value;
    }
    sweep.shape = words.shape.empty() ? usualSweepShape(pack.task.target) : words.shape;
    auto on = packOn(pack, std::vector<Shape>{sweep.shape});
    if (!on)
        return std::unexpected(on.error());
    const std::string reference = withTunables(words.text, sweep.reference);
    on->files[on->task.sources.front()] = reference;
    sweep.task = pack.task.name;
    sweep.program = sha256(words.text).hex();
    sweep.flops = pack.task.flopsOf(sweep.shape);
    sweep.rows = words.rows;
    sweep.columns = words.columns;
    sweep.protocol = measurementProtocol;
    begun.order = {std::move(*on), words.text, words.device};
    return begun;
}

Result<void> runSweep(const SweepOrder& order, TileSweep& sweep, const SweepWatch& watch)
{
    // The reference first: it is the seed of the order's task, and a seed is not checked beside a candidate.
    const auto reference = screened(order, order.pack.seed(), watch.evaluation);
    if (reference->error())
        return std::unexpected(*reference->error());
    if (reference->result().outcome != Outcome::Ranked)
        return fail("sweep/reference",
            "the starting tile is refused by " + reference->result().rule + ": " + reference->result().text,
            "choose another one", reference->result().evidence);
    const HelloReply::Device& device = reference->device();
    if (!sweep.cells.empty() && sweep.deviceId != device.id)
        return fail("sweep/device", "what is there was measured on " + sweep.device, "write another file");
    if (sweep.cells.empty())
        sweep.date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    sweep.deviceId = device.id;
    sweep.device = device.name;
    sweep.environment = reference->result().environment;
    if (watch.begun)
        watch.begun(sweep);
    const Constraints constraints(order.text);
    for (int row = 0; row < static_cast<int>(sweep.rows.values.size()); ++row)
        for (int column = 0; column < static_cast<int>(sweep.columns.values.size()); ++column) {
            if (sweep.at(row, column))
                continue;
            const Tunables values = sweep.tunablesAt(row, column);
            const auto broken = constraints.broken(values);
            if (!broken)
                return std::unexpected(broken.error());
            SweepCell cell{row, column, 0, 0, {}, "tune/constraint", *broken};
            if (broken->empty()) {
                const auto evaluation = screened(order, withTunables(order.text, values), watch.evaluation);
                if (evaluation->error())
                    return std::unexpected(*evaluation->error());
                cell = cellOf(row, column, evaluation->result());
            }
            sweep.cells.push_back(cell);
            if (watch.done)
                watch.done(sweep, cell);
        }
    return {};
}

} // namespace tilewright
