// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/scenes.h"

#include "core/base/format.h"
#include "core/model/measurement/energy.h"
#include "core/model/measurement/evidence.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/measurement/resource_figures.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"
#include "ui/widgets/elided_label.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using Kind = ComparedProgram::Kind;

namespace {

std::optional<double> geometricMean(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) {
        if (!(value > 0))
            return std::nullopt;
        sum += std::log(value);
    }
    return values.empty() ? std::nullopt : std::optional(std::exp(sum / static_cast<double>(values.size())));
}

QString gflops(double rate)
{
    return rate >= 1000 ? u"%1 TFLOP/s"_s.arg(ui::rate(rate / 1000)) : u"%1 GFLOP/s"_s.arg(ui::rate(rate));
}

QString intervalWords(const Interval& figure)
{
    return tr("95 % interval %1 to %2").arg(signedPercent(figure.lo), signedPercent(figure.hi));
}

} // namespace

std::optional<double> meanTimeOf(const Comparison& comparison, std::size_t program)
{
    std::vector<double> times;
    for (const ComparedShape& shape : comparison.shapes)
        if (shape.split == ShapeSplit::Train)
            times.push_back(shape.figures[program].ns);
    return geometricMean(times);
}

std::optional<double> meanRateOf(const Comparison& comparison, std::size_t program, ShapeSplit split)
{
    std::vector<double> rates;
    for (const ComparedShape& shape : comparison.shapes)
        if (shape.split == split)
            rates.push_back(shape.figures[program].ns > 0 ? shape.flops / shape.figures[program].ns : 0);
    return geometricMean(rates);
}

PointScene rooflineScene(
    const Comparison& comparison, const std::vector<ComparedLook>& looks, const Task& task, const DeviceLimits& limits)
{
    PointScene scene;
    scene.x = {tr("arithmetic intensity from the task's least traffic (FLOP/B)"), true};
    scene.y = {tr("GFLOP/s"), true};
    scene.headings = {tr("Program"), tr("Shape"), tr("FLOP/B"), tr("GFLOP/s"), tr("Of the roofline")};
    scene.figures = {2, 3, 4};
    const double peak = limits.gigaflopsPerSecond, memory = limits.gigabytesPerSecond;
    const auto roofAt = [&](double intensity) { return std::min(peak, intensity * memory); };
    double highest = peak;
    for (const ComparedShape& shape : comparison.shapes)
        for (const ComparedFigure& figure : shape.figures)
            if (figure.ns > 0)
                highest = std::max(highest, shape.flops / figure.ns);
    const double unit = highest >= 1000 ? 1000 : 1; // GFLOP/s
    scene.y.title = unit > 1 ? tr("TFLOP/s") : tr("GFLOP/s");
    scene.headings[3] = scene.y.title;
    double lowX = 1e300, highX = 0, lowY = 1e300, highY = peak;
    for (std::size_t program = 0; program < comparison.programs.size(); ++program) {
        std::vector<double> intensities, rates;
        for (const ComparedShape& shape : comparison.shapes) {
            const double ns = shape.figures[program].ns, traffic = task.bytesOf(shape.shape);
            if (ns <= 0 || traffic <= 0)
                continue;
            const double intensity = shape.flops / traffic, rate = shape.flops / ns;
            const bool isTrain = shape.split == ShapeSplit::Train;
            if (isTrain) {
                intensities.push_back(intensity);
                rates.push_back(rate);
            }
            const QString name = text(shapeText(shape.shape));
            const QString roof = peak > 0 && memory > 0 ? text(shareText(rate / roofAt(intensity))) : QString();
            PointMark mark{{intensity, rate / unit}, looks[program].marker, PointMark::Size::Small};
            mark.name = looks[program].name;
            mark.aside = isTrain ? name : tr("%1, held out").arg(name);
            mark.lines = {gflops(rate), tr("%1 FLOP/B").arg(text(numberText(intensity)))};
            if (!roof.isEmpty())
                mark.lines << tr("%1 of the roofline").arg(roof);
            mark.candidate = looks[program].candidate;
            scene.marks.push_back(mark);
            scene.rows.push_back({looks[program].name, mark.aside, text(numberText(intensity)), ui::rate(rate / unit),
                roof.isEmpty() ? u"–"_s : roof});
            lowX = std::min(lowX, intensity), highX = std::max(highX, intensity);
            lowY = std::min(lowY, rate), highY = std::max(highY, rate);
        }
        const auto intensity = geometricMean(intensities), rate = geometricMean(rates);
        if (!intensity || !rate)
            continue;
        PointMark mark{{*intensity, *rate / unit}, looks[program].marker, PointMark::Size::Large};
        mark.name = looks[program].name;
        mark.aside = tr("geometric mean, train shapes");
        mark.lines = {gflops(*rate), tr("%1 FLOP/B").arg(text(numberText(*intensity)))};
        mark.candidate = looks[program].candidate;
        scene.marks.push_back(mark);
        scene.legend.push_back({looks[program].marker, looks[program].name, gflops(*rate)});
    }
    if (scene.marks.empty()) {
        scene.nothing = tr("None of these programs was timed.");
        return scene;
    }
    if (peak > 0 && memory > 0) {
        const double ridge = peak / memory;
        lowX = std::min(lowX, ridge), highX = std::max(highX, ridge);
        const double from = lowX / 3, to = highX * 2;
        const QString how = limits.measured ? tr("measured") : tr("from units and clock");
        scene.lines.push_back({{{from, from * memory / unit}, {ridge, peak / unit}}, PointLine::Tone::Roof, {}, false,
            true, tr("%1 GB/s").arg(ui::rate(memory))});
        scene.lines.push_back({{{ridge, peak / unit}, {to, peak / unit}}, PointLine::Tone::Roof, {}, false, true,
            tr("peak %1, %2").arg(gflops(peak), how)});
        lowY = std::min(lowY, roofAt(from));
        scene.lines.push_back({{{ridge, peak / unit}, {ridge, lowY / 1.4 / unit}}, PointLine::Tone::Quiet, {}, true,
            false, tr("ridge %1 FLOP/B").arg(text(numberText(ridge)))});
        scene.x.range = {from, to};
        scene.summary = tr("large: geometric mean of the train shapes, small: each shape; memory %1 GB/s, %2")
                            .arg(ui::rate(memory), how);
    } else {
        scene.x.range = {lowX / 2, highX * 2};
        scene.summary = tr("the limits of the device are not recorded in this session");
    }
    scene.y.range = {lowY / 1.4 / unit, highY * 1.6 / unit};
    return scene;
}

QString words(Cost cost)
{
    switch (cost) {
    case Cost::Registers:
        return tr("registers");
    case Cost::SharedMemory:
        return tr("shared memory");
    case Cost::MachineCode:
        return tr("machine code");
    case Cost::Energy:
        return tr("energy");
    case Cost::Error:
        break;
    }
    return tr("error");
}

namespace {

QString titleOf(Cost cost)
{
    switch (cost) {
    case Cost::Registers:
        return tr("registers per thread");
    case Cost::SharedMemory:
        return tr("shared memory per block (B)");
    case Cost::MachineCode:
        return tr("machine code (B)");
    case Cost::Energy:
        return tr("energy per launch (J)");
    case Cost::Error:
        break;
    }
    return tr("largest error (% of its limit)");
}

QString costWords(Cost cost, double value)
{
    switch (cost) {
    case Cost::Registers:
        return tr("%1 registers").arg(std::llround(value));
    case Cost::SharedMemory:
        return tr("%1 of shared memory").arg(bytes(value));
    case Cost::MachineCode:
        return tr("%1 of machine code").arg(bytes(value));
    case Cost::Energy:
        return tr("%1 a launch").arg(text(jouleText(value)));
    case Cost::Error:
        break;
    }
    return tr("error at %1 % of its limit").arg(text(numberText(value)));
}

std::optional<double> timeOn(
    const EvaluationResult& result, const Comparison& comparison, std::optional<std::size_t> shape)
{
    std::vector<double> times;
    for (std::size_t i = 0; i < comparison.shapes.size(); ++i) {
        if (shape ? i != *shape : comparison.shapes[i].split != ShapeSplit::Train)
            continue;
        const auto found = std::ranges::find(result.shapes, comparison.shapes[i].shape, &ShapeResult::shape);
        if (found == result.shapes.end())
            return std::nullopt;
        times.push_back(found->candidateNs);
    }
    return geometricMean(times);
}

} // namespace

std::optional<double> costOf(const EvaluationResult& result, Cost cost)
{
    if (cost == Cost::Error) {
        const auto largest = evidenceOf(result, nullptr).largestError;
        return largest && largest->measured && largest->limit && *largest->limit > 0
            ? std::optional(100 * *largest->measured / *largest->limit)
            : std::nullopt;
    }
    if (cost == Cost::Energy) {
        const auto energy = energyOf(result.environment);
        return energy ? std::optional(energy->candidate.joules) : std::nullopt;
    }
    const ResourceFigures figures = resourceFigures(result.resources);
    const auto value = cost == Cost::Registers ? figures.registers
        : cost == Cost::SharedMemory           ? figures.sharedBytes
                                               : figures.machineCodeBytes;
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::vector<Cost> costsOf(const RunState& run)
{
    std::vector<Cost> costs;
    for (const Cost cost : {Cost::Registers, Cost::SharedMemory, Cost::MachineCode, Cost::Error, Cost::Energy})
        for (const Candidate& candidate : run.candidates) {
            const Evaluation* latest = candidate.isRanked() ? run.evaluation(candidate.latest) : nullptr;
            if (latest && costOf(latest->result, cost)) {
                costs.push_back(cost);
                break;
            }
        }
    return costs;
}

PointScene tradeOffScene(const Comparison& comparison, const std::vector<ComparedLook>& looks, const RunState& run,
    Cost cost, std::optional<std::size_t> shape)
{
    PointScene scene;
    const QString where
        = shape ? text(shapeText(comparison.shapes[*shape].shape)) : tr("geometric mean of the train shapes");
    scene.y = {titleOf(cost), false, cost != Cost::Error};
    scene.headings = {tr("Program"), tr("Time"), titleOf(cost), tr("Pareto front")};
    scene.figures = {1, 2};
    std::vector<std::pair<double, double>> all; // ns and cost
    const auto add = [&](double ns, double value, PointMark mark) {
        mark.at = {ns, value};
        mark.lines = {shortTime(ns), costWords(cost, value)};
        all.emplace_back(ns, value);
        scene.marks.push_back(std::move(mark));
    };
    std::vector<CandidateId> compared;
    for (const ComparedLook& look : looks)
        if (look.candidate)
            compared.push_back(look.candidate);
    for (const Candidate& candidate : run.candidates) {
        const Evaluation* latest = candidate.isRanked() ? run.evaluation(candidate.latest) : nullptr;
        if (!latest || originOf(run, candidate.id) != candidate.id || candidate.id == CandidateId{1}
            || std::ranges::find(compared, candidate.id) != compared.end())
            continue;
        const auto ns = timeOn(latest->result, comparison, shape), value = costOf(latest->result, cost);
        if (ns && value)
            add(*ns, *value,
                {{}, otherMarker, PointMark::Size::Quiet, {}, nameOfCandidate(candidate.id), {}, {}, {}, candidate.id});
    }
    QStringList without;
    for (std::size_t i = 0; i < comparison.programs.size(); ++i) {
        const ComparedProgram& program = comparison.programs[i];
        const auto ns = shape ? std::optional(comparison.shapes[*shape].figures[i].ns) : meanTimeOf(comparison, i);
        std::optional<double> value;
        if (program.kind == Kind::Baseline) { // it is the seed's program
            const Candidate* seed = run.candidate(CandidateId{1});
            const Evaluation* latest
                = seed && looks[i].marker == baselineMarker ? run.evaluation(seed->latest) : nullptr;
            value = latest ? costOf(latest->result, cost) : std::nullopt;
        } else if (program.kind != Kind::Vendor && program.result) {
            value = costOf(*program.result, cost);
        }
        if (!ns || *ns <= 0 || !value) {
            without << looks[i].name;
            continue;
        }
        add(*ns, *value,
            {{}, looks[i].marker, PointMark::Size::Large, {}, looks[i].name, {}, {}, looks[i].name,
                looks[i].candidate});
    }
    if (all.empty()) {
        scene.nothing = tr("No measurement of these programs has this figure.");
        return scene;
    }
    // Microseconds, or milliseconds where all are long.
    const double shortest = std::ranges::min(all).first;
    const double unit = shortest >= 1e6 ? 1e6 : 1e3;
    std::ranges::sort(all);
    constexpr double wide = 5; // times that differ by more stand on a logarithmic axis
    scene.x = {tr("time, %1 (%2)").arg(where, unit > 1e5 ? u"ms"_s : u"µs"_s), all.back().first > wide * shortest};
    PointLine front;
    front.tone = PointLine::Tone::Front;
    front.label = tr("Pareto front");
    std::vector<std::pair<double, double>> best;
    for (const auto& [ns, value] : all)
        if (best.empty() || value < best.back().second)
            best.emplace_back(ns, value);
    for (PointMark& mark : scene.marks) {
        const bool isOnFront = std::ranges::find(best, std::pair(mark.at.x(), mark.at.y())) != best.end();
        if (isOnFront)
            mark.aside = tr("Pareto front");
        scene.rows.push_back(
            {mark.name, shortTime(mark.at.x()), text(numberText(mark.at.y())), isOnFront ? tr("yes") : QString()});
        mark.at.setX(mark.at.x() / unit);
    }
    std::ranges::reverse(scene.rows); // compared ones first
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (i > 0)
            front.points << QPointF(best[i].first / unit, best[i - 1].second);
        front.points << QPointF(best[i].first / unit, best[i].second);
    }
    const double longest = all.back().first / unit;
    if (front.points.last().x() < longest)
        front.points << QPointF(longest, front.points.last().y());
    if (front.points.size() > 1)
        scene.lines.push_back(front);
    const auto others
        = static_cast<std::int64_t>(std::ranges::count(scene.marks, PointMark::Size::Quiet, &PointMark::size));
    scene.summary = tr("grey: %1 other candidates").arg(others);
    if (!without.isEmpty())
        scene.summary += u" · "_s + tr("not recorded: %1").arg(without.join(u", "_s));
    return scene;
}

PointScene spreadScene(const Comparison& comparison, const std::vector<ComparedLook>& looks, std::size_t shape)
{
    PointScene scene;
    scene.headings = {tr("Program"), tr("Median"), tr("5 %"), tr("25 %"), tr("75 %"), tr("95 %"), tr("Samples")};
    scene.figures = {1, 2, 3, 4, 5, 6};
    if (shape >= comparison.shapes.size()) {
        scene.nothing = tr("The task has no shapes.");
        return scene;
    }
    const ComparedShape& row = comparison.shapes[shape];
    double lowest = 1e300;
    for (const ComparedFigure& figure : row.figures)
        if (figure.ns > 0)
            lowest = std::min(lowest, figure.ns);
    const double unit = lowest >= 1e6 ? 1e6 : 1e3;
    scene.x = {tr("time per launch, %1 (%2)").arg(text(shapeText(row.shape)), unit > 1e5 ? u"ms"_s : u"µs"_s)};
    scene.y = {tr("share of the timings (%)"), false, false, std::pair(0.0, 100.0)};
    bool anyQuantiles = false;
    std::vector<std::pair<double, double>> medians;
    for (std::size_t i = 0; i < comparison.programs.size(); ++i) {
        const ComparedProgram& program = comparison.programs[i];
        const double ns = row.figures[i].ns;
        const bool isOwn = program.kind == Kind::Candidate || program.kind == Kind::File;
        const ShapeResult* measured = nullptr;
        if (program.result && isOwn)
            for (const ShapeResult& each : program.result->shapes)
                if (each.shape == row.shape && (each.split == ShapeSplit::Train || program.confirmed))
                    measured = &each;
        const auto time = [](double value) { return shortTime(value); };
        if (measured && measured->quantilesNs.size() >= 3) {
            anyQuantiles = true;
            const auto& quantiles = measured->quantilesNs;
            const auto at = [&](double part) {
                const double place = part * static_cast<double>(quantiles.size() - 1);
                return quantiles[static_cast<std::size_t>(std::llround(place))];
            };
            PointLine line;
            line.tone = PointLine::Tone::Program;
            line.marker = looks[i].marker;
            for (std::size_t q = 0; q < quantiles.size(); ++q)
                line.points << QPointF(
                    quantiles[q] / unit, 100 * static_cast<double>(q) / static_cast<double>(quantiles.size() - 1));
            scene.lines.push_back(line);
            PointMark mark{{at(0.5) / unit, 50}, looks[i].marker};
            mark.name = looks[i].name;
            mark.aside = tr("median %1").arg(time(at(0.5)));
            mark.lines = {tr("5 % to 95 %: %1 to %2").arg(time(at(0.05)), time(at(0.95))),
                tr("%1 samples").arg(measured->samples)};
            mark.candidate = looks[i].candidate;
            scene.marks.push_back(mark);
            for (const double end : {quantiles.front(), quantiles.back()})
                medians.emplace_back(end / unit, 0);
            scene.legend.push_back({looks[i].marker, looks[i].name, time(at(0.5))});
            scene.rows.push_back({looks[i].name, time(at(0.5)), time(at(0.05)), time(at(0.25)), time(at(0.75)),
                time(at(0.95)), QString::number(measured->samples)});
        } else if (ns > 0) {
            PointMark mark{{ns / unit, 50}, looks[i].marker};
            mark.name = looks[i].name;
            mark.aside = tr("median %1").arg(time(ns));
            mark.lines = {tr("its timings are not recorded")};
            mark.candidate = looks[i].candidate;
            scene.marks.push_back(mark);
            medians.emplace_back(ns / unit, 0);
            scene.legend.push_back({looks[i].marker, looks[i].name, time(ns)});
            scene.rows.push_back({looks[i].name, time(ns), u"–"_s, u"–"_s, u"–"_s, u"–"_s,
                measured ? QString::number(measured->samples) : u"–"_s});
        }
    }
    if (medians.empty())
        scene.nothing = tr("None of these programs was timed on %1.").arg(text(shapeText(row.shape)));
    else if (!anyQuantiles)
        scene.nothing = tr("The distribution of timings is not recorded in this session. This version of Tilewright "
                           "records it for new measurements.");
    if (!scene.nothing.isEmpty())
        return scene;
    const auto [low, high] = std::ranges::minmax(medians);
    const double room = std::max((high.first - low.first) * 0.06, high.first * 1e-3);
    scene.x.range = {low.first - room, high.first + room};
    scene.summary = tr("medians of blocks; markers: 50 %");
    return scene;
}

PointScene heldoutScene(const RunState& run, GapGroups groups)
{
    PointScene scene;
    scene.x = {tr("results"), false, true};
    scene.y = {tr("held-out / train − 1 (%)")};
    scene.headings = {tr("Candidate"), groups == GapGroups::Islands ? tr("Island") : tr("Proposer"), tr("Result"),
        tr("Gap"), tr("95 % interval")};
    scene.figures = {2, 3, 4};
    const OverfittingMeter meter = overfittingOf(run);
    const auto& shown = groups == GapGroups::Islands ? meter.islands : meter.proposers;
    if (meter.all.candidates.empty()) {
        scene.nothing = tr("No confirmed candidate has figures on held-out shapes yet.");
        return scene;
    }
    const auto off = [](double ratio) { return 100 * (ratio - 1); };
    double first = 1e300, last = 0, lowest = 0, highest = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        Marker marker = markerOf(static_cast<int>(i));
        const QString name = text(shown[i].name);
        if (groups == GapGroups::Islands) // the island's own colour
            marker.hue = std::max(static_cast<int>(shown[i].name.empty() ? 0 : shown[i].name.front() - 'A') + 1, 1);
        for (const HeldoutGap& one : shown[i].candidates) {
            const double at = static_cast<double>(one.resultNumber);
            first = std::min(first, at), last = std::max(last, at);
            PointMark mark{{at, off(one.gap.value)}, marker};
            mark.spanY = {off(one.gap.lo), off(one.gap.hi)};
            lowest = std::min(lowest, off(one.gap.lo)), highest = std::max(highest, off(one.gap.hi));
            mark.name = nameOfCandidate(one.candidate);
            mark.aside = name;
            mark.lines = {tr("%1 on held-out shapes").arg(signedPercent(one.gap.value)), intervalWords(one.gap)};
            mark.candidate = one.candidate;
            scene.marks.push_back(mark);
            scene.rows.push_back({mark.name, name, grouped(one.resultNumber), signedPercent(one.gap.value),
                u"[%1, %2]"_s.arg(signedPercent(one.gap.lo), signedPercent(one.gap.hi))});
        }
        if (shown[i].mean)
            scene.legend.push_back({marker, name,
                u"%1 [%2, %3]"_s.arg(signedPercent(shown[i].mean->value), signedPercent(shown[i].mean->lo),
                    signedPercent(shown[i].mean->hi))});
    }
    const double room = std::max((last - first) * 0.06, 1.0);
    scene.x.range = {first - room, last + room};
    scene.y.range = {lowest - (highest - lowest) * 0.08, highest + (highest - lowest) * 0.12};
    scene.lines.push_back({{{first - room, 0}, {last + room, 0}}, PointLine::Tone::Quiet, {}, true});
    if (meter.all.mean) {
        const double mean = off(meter.all.mean->value);
        scene.lines.push_back(
            {{{first - room, mean}, {last + room, mean}}, PointLine::Tone::Front, {}, false, false, tr("mean")});
    }
    scene.summary = asSentence(text(overfittingWords(meter.all)));
    return scene;
}

} // namespace tilewright::ui
