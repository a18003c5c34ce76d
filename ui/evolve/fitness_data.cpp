// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_data.h"

#include "core/model/vendor_line.h"
#include "ui/evolve/fitness_bests.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// With its range where that is wider than what is written: "vendor 37.9× (31.6× to 39.1×)".
void addReference(FitnessData& data, const RepeatedFigure& figure, const QString& name, FitnessValue kind, bool below)
{
    const auto& [value, lo, hi] = figure.value;
    const QString least = fitnessWords(lo, kind), most = fitnessWords(hi, kind), middle = fitnessWords(value, kind);
    PlotReference reference{value, name.arg(middle), below};
    if (least != most) {
        reference.label = name.arg(tr("%1 (%2 to %3)").arg(middle, least, most));
        reference.band = std::pair(lo, hi);
    }
    data.references.append(reference);
    data.measured << counted(figure.times, tr("as %1 confirmation measured it"),
        tr("the middle of what %1 confirmations measured; stripe: all of it, with its 95 % intervals"));
}

/// The baseline and the vendor's library, each where its own measurements say; none of them asks who is the best.
void addReferences(FitnessData& data, const RunState& run, FitnessValue kind, const QString& vendorName)
{
    const QString baseline = tr("baseline %1"),
                  vendor = vendorName.isEmpty() ? tr("vendor %1") : tr("vendor %1") + u" · "_s + vendorName;
    constexpr bool above = false, below = true;
    const auto addUnit = [&](const QString& name, bool side) {
        data.references.append({1.0, name.arg(fitnessWords(1, kind)), side});
        data.measured << tr("the others are told in parts of it");
    };
    const auto add = [&](const std::optional<RepeatedFigure>& figure, const QString& name, bool side) {
        if (figure)
            addReference(data, *figure, name, kind, side);
    };
    switch (kind) {
    case FitnessValue::Score:
        addUnit(baseline, below);
        add(vendorScore(run), vendor, above);
        break;
    case FitnessValue::VersusVendor:
        addUnit(vendor, above);
        add(baselineVersusVendor(run), baseline, below);
        break;
    case FitnessValue::Time:
        add(baselineTime(run), baseline, below);
        add(vendorTime(run), vendor, above);
        break;
    }
}

/// Times in the unit that the middle of their range, which may be wide, reads best in.
void chooseUnit(FitnessData& data)
{
    double least = 1e300, most = 0;
    for (const PlotSeries& series : data.series)
        for (const double value : series.y) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    const double middle = most > 0 ? std::sqrt(least * most) : 0;
    const std::pair<double, QString> units[] = {{1e6, u"ms"_s}, {1e3, u"µs"_s}, {1.0, u"ns"_s}};
    for (const auto& [unit, name] : units) {
        if (middle < unit && unit > 1)
            continue;
        data.unit = unit;
        data.valueName = tr("time (%1)").arg(name);
        break;
    }
    const auto divide = [&data](QVector<double>& values) {
        for (double& value : values)
            value /= data.unit;
    };
    for (PlotSeries& series : data.series)
        divide(series.y), divide(series.stepY);
    for (PlotReference& reference : data.references) {
        reference.y /= data.unit;
        if (reference.band)
            reference.band = std::pair(reference.band->first / data.unit, reference.band->second / data.unit);
    }
}

/// Whether a confirmed candidate has the value that the line ends at: one made there, a copy that came, or a guest.
bool isConfirmed(const RunState& run, const BestLine& line)
{
    return std::ranges::any_of(line.holders, [&run](CandidateId id) {
        const Candidate* candidate = run.candidate(id);
        return candidate && !isProvisional(*candidate);
    });
}

} // namespace

Qt::PenStyle islandLine(IslandId island)
{
    constexpr Qt::PenStyle lines[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return lines[static_cast<std::size_t>(std::max<std::int64_t>(island.value - 1, 0)) / 8 % std::size(lines)];
}

std::optional<double> fitnessOf(const RunState& run, const Candidate& candidate, FitnessValue value)
{
    if (!candidate.isRanked() || candidate.score->value <= 0)
        return std::nullopt;
    switch (value) {
    case FitnessValue::Score:
        return candidate.score->value;
    case FitnessValue::VersusVendor:
        return candidate.vsVendor && candidate.vsVendor->value > 0 ? std::optional(candidate.vsVendor->value)
                                                                   : std::nullopt;
    case FitnessValue::Time:
        break;
    }
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    return evaluation
        ? meanTime(evaluation->result, [](const ShapeResult& shape) { return std::optional(shape.candidateNs); })
        : std::nullopt;
}

QString fitnessWords(double value, FitnessValue kind)
{
    return kind == FitnessValue::Time ? shortTime(value) : times(value);
}

double heightOf(double value, const FitnessData& data) { return value / data.unit; }

namespace {

/// None where nothing was measured.
std::optional<std::pair<double, double>> bulkOf(const FitnessData& data, const RunState& run, FitnessValue value)
{
    std::vector<double> all;
    for (const PlotSeries& series : data.series)
        all.insert(all.end(), series.y.begin(), series.y.end());
    if (all.empty())
        return std::nullopt;
    const auto [least, most] = std::ranges::minmax(all);
    const auto few = static_cast<std::ptrdiff_t>(all.size() / 20);
    const Candidate* first = run.candidate(CandidateId{1});
    const std::optional<double> seed = first ? fitnessOf(run, *first, value) : std::nullopt;
    if (value == FitnessValue::Time) {
        std::ranges::nth_element(all, all.end() - 1 - few);
        const double worst = *(all.end() - 1 - few);
        return std::pair(least, std::max(worst, seed ? heightOf(*seed, data) : worst));
    }
    std::ranges::nth_element(all, all.begin() + few);
    const double worst = *(all.begin() + few);
    return std::pair(std::min(worst, seed.value_or(worst)), most);
}

} // namespace

FitnessData fitnessOf(const RunState& run, const FitnessLook& look, const Tokens& tokens, const QString& vendor,
    const std::function<bool(IslandId)>& isShown)
{
    FitnessData data;
    data.valueName = look.value == FitnessValue::Score ? tr("speedup vs baseline (×)") : tr("speedup vs vendor (×)");
    addReferences(data, run, look.value, vendor);
    std::vector<std::vector<BestClaim>> dots(run.islands.size()), copies(run.islands.size());
    const RunPlaces places(run, look.axis);
    const BestLines bests(run, places, look.value);
    double lastX = look.axis == RunAxis::Evaluation ? static_cast<double>(run.resultsEver) : 0;
    for (const Candidate& candidate : run.candidates) {
        const double x = candidate.migrated ? bests.placeOf(candidate) : places.of(candidate);
        const auto island = static_cast<std::size_t>(candidate.island.value - 1);
        if (candidate.island.value < 1 || island >= dots.size() || !isShown(candidate.island))
            continue;
        data.failed += isFailure(candidate) && candidate.resultNumber > 0 ? 1 : 0;
        if (x < 0)
            continue; // it has no place on this axis
        if (isFailure(candidate))
            data.failures.append({x, islandColour(tokens, candidate.island)});
        else if (const auto y = fitnessOf(run, candidate, look.value))
            (candidate.migrated ? copies : dots)[island].push_back({x, *y, candidate.id});
        if (!candidate.migrated)
            lastX = std::max(lastX, x);
    }
    for (std::size_t i = 0; i < dots.size(); ++i) {
        const Island& island = run.islands[i];
        if (!isShown(island.id))
            continue;
        std::ranges::stable_sort(dots[i], {}, &BestClaim::x);
        PlotSeries series;
        series.colour = islandColour(tokens, island.id);
        series.line = islandLine(island.id);
        std::vector<CandidateId> ids;
        for (const BestClaim& dot : dots[i]) {
            series.x.append(dot.x);
            series.y.append(dot.y);
            ids.push_back(dot.id);
        }
        std::vector<BestClaim> claims = dots[i];
        if (!island.unmade)
            claims.insert(claims.end(), copies[i].begin(), copies[i].end());
        const BestLine line = bests.of(island, std::move(claims), lastX);
        series.stepX = line.x;
        series.stepY = line.y;
        series.label = text(islandLetter(island.id));
        if (!series.stepY.isEmpty() && line.isHeld)
            series.label
                += (isConfirmed(run, line) ? u" "_s : u" ≈ "_s) + fitnessWords(series.stepY.last(), look.value);
        data.series.append(series);
        data.islands.push_back(island.id);
        data.candidates.push_back(std::move(ids));
    }
    if (look.value == FitnessValue::Time)
        chooseUnit(data);
    data.bulk = bulkOf(data, run, look.value);
    return data;
}

} // namespace tilewright::ui
