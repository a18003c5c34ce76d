// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/measuring/crossover_measurer.h"

#include "core/model/measurement/shape_choice.h"

#include <QDateTime>

namespace tilewright {
namespace {

CrossoverCell crossoverCellOf(std::int64_t size, const EvaluationResult& result)
{
    CrossoverCell cell;
    cell.size = size;
    if (result.outcome != Outcome::Ranked || result.shapes.empty() || !result.shapes.front().versusIncumbent) {
        cell.rule = result.rule.empty() ? nameOf(result.outcome) : result.rule;
        cell.text = result.text;
        return cell;
    }
    const ShapeResult& shape = result.shapes.front();
    cell.ratio = shape.versusIncumbent;
    cell.programNs = shape.candidateNs;
    cell.leafNs = shape.incumbentNs.value_or(shape.candidateNs * cell.ratio->value);
    cell.samples = shape.samples;
    return cell;
}

} // namespace

Result<void> runCrossover(const CrossoverOrder& order, CrossoverSweep& sweep, const CrossoverWatch& watch)
{
    for (const std::int64_t size : sweep.sizes) {
        if (sweep.at(size))
            continue;
        if (watch.evaluation.isCancelled && watch.evaluation.isCancelled())
            return fail("cancelled", "cancelled");
        auto pack = packOn(order.pack, std::vector<Shape>{{size, size, size}});
        if (!pack)
            return std::unexpected(pack.error());
        pack->files[pack->task.sources.front()] = order.leaf; // the baseline, too: nothing else is timed beside it
        if (watch.begun)
            watch.begun(sweep, size);
        const auto knowsDevice = [&sweep](const HelloReply::Device& device) -> Result<void> {
            if (!sweep.cells.empty() && sweep.deviceId != device.id)
                return fail("crossover/device", "what is there was measured on " + sweep.device, "measure it anew");
            return {};
        };
        const auto evaluation
            = evaluated({std::move(*pack), order.program, order.device, Purpose::Screen, order.leaf, knowsDevice},
                watch.evaluation);
        if (evaluation->error())
            return std::unexpected(*evaluation->error());
        if (sweep.cells.empty()) {
            sweep.date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
            sweep.deviceId = evaluation->device().id;
            sweep.device = evaluation->device().name;
            sweep.environment = evaluation->result().environment;
        }
        sweep.cells.push_back(crossoverCellOf(size, evaluation->result()));
        if (watch.done)
            watch.done(sweep);
    }
    return {};
}

} // namespace tilewright
