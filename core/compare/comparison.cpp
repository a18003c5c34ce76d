// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/model/measurement/conditions.h"
#include "core/model/measurement/evidence.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

using Kind = ComparedProgram::Kind;

constexpr double clocksApart = 0.03; ///< between the ranges of clocks that were seen, as a part

Interval inverse(const Interval& ratio) { return {1 / ratio.value, 1 / ratio.hi, 1 / ratio.lo}; }

bool isUsable(const std::optional<Interval>& ratio) { return ratio && ratio->lo > 0 && ratio->value > 0; }

/// a / b, two independent figures: the variances of the logarithms add.
std::optional<Interval> quotient(const std::optional<Interval>& a, const std::optional<Interval>& b)
{
    if (!isUsable(a) || !isUsable(b))
        return std::nullopt;
    const double below = std::hypot(std::log(a->value / a->lo), std::log(b->hi / b->value));
    const double above = std::hypot(std::log(a->hi / a->value), std::log(b->value / b->lo));
    const double ratio = a->value / b->value;
    return Interval{ratio, ratio * std::exp(-below), ratio * std::exp(above)};
}

/// What one measurement says of one of its programs on one shape: against baseline and vendor, which it timed as well.
struct Told {
    double ns = 0;
    std::optional<Interval> overBaseline, overVendor; ///< their time / its time
};

Told toldOf(const ComparedProgram& program, const ShapeResult& shape)
{
    switch (program.kind) {
    case Kind::Baseline:
        return {shape.baselineNs.value_or(0), Interval{1, 1, 1}, quotient(shape.versusVendor, shape.versusBaseline)};
    case Kind::Vendor:
        return {shape.vendorNs.value_or(0), quotient(shape.versusBaseline, shape.versusVendor), Interval{1, 1, 1}};
    case Kind::Candidate:
    case Kind::File:
        break;
    }
    return {shape.candidateNs, shape.versusBaseline, shape.versusVendor};
}

std::optional<Told> toldOf(const ComparedProgram& program, const Shape& shape, ShapeSplit split)
{
    if (!program.result || (split != ShapeSplit::Train && !program.confirmed))
        return std::nullopt;
    const auto found = std::ranges::find(program.result->shapes, shape, &ShapeResult::shape);
    return found == program.result->shapes.end() ? std::nullopt : std::optional(toldOf(program, *found));
}

bool isOneMeasurement(const ComparedProgram& a, const ComparedProgram& b)
{
    return a.session == b.session && a.candidate == b.candidate && a.result == b.result && a.result;
}

bool isOwnProgram(const ComparedProgram& program)
{
    return program.kind == Kind::Candidate || program.kind == Kind::File;
}

bool isOneLibrary(const ComparedProgram& one, const ComparedProgram& other)
{
    const auto a = one.result ? vendorLibraryOf(*one.result) : std::nullopt;
    const auto b = other.result ? vendorLibraryOf(*other.result) : std::nullopt;
    return a && b && a->name == b->name && a->version == b->version && a->coreType == b->coreType;
}

/// Of a program and the baseline, or the vendor's library: what the measurement of the program found of the two. None
/// for other pairs, and where it timed another baseline or library.
std::optional<Interval> pairWithFixed(
    const ComparedProgram& program, const ComparedProgram& reference, const Told& own, const Told& its)
{
    if (isOwnProgram(program) == isOwnProgram(reference))
        return std::nullopt;
    const bool isTurned = isOwnProgram(reference);
    const ComparedProgram& fixed = isTurned ? program : reference;
    const Told& told = isTurned ? its : own;
    const bool isBaseline = fixed.kind == Kind::Baseline;
    if (isBaseline ? program.seed != reference.seed : !isOneLibrary(program, reference))
        return std::nullopt;
    const std::optional<Interval>& ratio = isBaseline ? told.overBaseline : told.overVendor;
    if (!isUsable(ratio))
        return std::nullopt;
    return isTurned ? inverse(*ratio) : *ratio;
}

/// The reference's time / the program's, by what both were timed beside.
ComparedFigure byThird(
    const ComparedProgram& program, const ComparedProgram& reference, const Told& own, const Told& its)
{
    ComparedFigure figure;
    figure.ns = own.ns;
    const bool isOne = isOneMeasurement(program, reference);
    const auto byBaseline
        = program.seed == reference.seed ? quotient(own.overBaseline, its.overBaseline) : std::nullopt;
    const auto byVendor = quotient(own.overVendor, its.overVendor);
    const auto width = [](const Interval& ratio) { return std::log(ratio.hi / ratio.lo); };
    figure.ratio = byBaseline && byVendor ? (width(*byBaseline) <= width(*byVendor) ? byBaseline : byVendor)
        : byBaseline                      ? byBaseline
                                          : byVendor;
    // Its own measurement timed the program in turns with the very baseline or library: that pair, nothing in between.
    if (const auto direct = pairWithFixed(program, reference, own, its)) {
        figure.ratio = direct;
        figure.isSideBySide = true;
        return figure;
    }
    const bool isFixed = reference.kind == Kind::Baseline || reference.kind == Kind::Vendor
        || program.kind == Kind::Baseline || program.kind == Kind::Vendor;
    figure.isSideBySide = figure.ratio && isOne && isFixed;
    return figure;
}

const SideBySide* pairOf(const std::vector<SideBySide>& pairs, std::size_t program, std::size_t over)
{
    // The newest comes last.
    const auto found = std::find_if(pairs.rbegin(), pairs.rend(),
        [&](const SideBySide& pair) { return pair.program == program && pair.over == over; });
    return found == pairs.rend() ? nullptr : &*found;
}

/// The pair of the two whichever way round it was timed.
std::optional<Interval> timedInTurns(
    const std::vector<SideBySide>& pairs, std::size_t program, std::size_t over, const Shape* shape)
{
    for (const bool isTurned : {false, true}) {
        const SideBySide* pair = isTurned ? pairOf(pairs, over, program) : pairOf(pairs, program, over);
        if (!pair)
            continue;
        std::optional<Interval> ratio;
        if (!shape)
            ratio = pair->ratio;
        else if (const auto found = std::ranges::find(pair->shapes, *shape, &std::pair<Shape, Interval>::first);
                 found != pair->shapes.end())
            ratio = found->second;
        if (isUsable(ratio))
            return isTurned ? inverse(*ratio) : *ratio;
    }
    return std::nullopt;
}

/// Geometric mean over the shapes of one split; none unless all of them are known.
ComparedFigure meanOf(const std::vector<ComparedShape>& shapes, std::size_t program, ShapeSplit split)
{
    double sum = 0, below = 0, above = 0;
    int count = 0;
    ComparedFigure mean;
    mean.isSideBySide = true;
    for (const ComparedShape& shape : shapes) {
        if (shape.split != split)
            continue;
        const ComparedFigure& figure = shape.figures[program];
        if (!isUsable(figure.ratio))
            return {};
        const auto squared = [](double value) { return value * value; };
        sum += std::log(figure.ratio->value);
        below += squared(std::log(figure.ratio->value / figure.ratio->lo));
        above += squared(std::log(figure.ratio->hi / figure.ratio->value));
        mean.isSideBySide = mean.isSideBySide && figure.isSideBySide;
        ++count;
    }
    if (count == 0)
        return {};
    const double ratio = std::exp(sum / count);
    mean.ratio
        = Interval{ratio, ratio * std::exp(-std::sqrt(below) / count), ratio * std::exp(std::sqrt(above) / count)};
    return mean;
}

void markBest(std::vector<ComparedFigure>& figures)
{
    ComparedFigure* best = nullptr;
    for (ComparedFigure& figure : figures)
        if (figure.ratio && (!best || figure.ratio->value > best->ratio->value))
            best = &figure;
    if (best)
        best->isBest = true;
}

std::string wordAt(const ComparedProgram& program, const char* key)
{
    const nlohmann::json* environment = program.result ? &program.result->environment : nullptr;
    if (!environment || !environment->is_object() || !environment->contains(key))
        return {};
    const nlohmann::json& value = environment->at(key);
    return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : dumped(value);
}

/// The lowest and the highest clock that was seen, MHz.
std::optional<std::pair<double, double>> clocksOf(const ComparedProgram& program)
{
    if (!program.result || !program.result->environment.is_object())
        return std::nullopt;
    const auto mhz = program.result->environment.find("mhz");
    if (mhz == program.result->environment.end() || !mhz->is_array() || mhz->size() != 2 || !mhz->at(0).is_number()
        || !mhz->at(1).is_number() || mhz->at(0).get<double>() <= 0)
        return std::nullopt;
    return std::pair(mhz->at(0).get<double>(), mhz->at(1).get<double>());
}

std::string clockWords(const std::pair<double, double>& clocks)
{
    const std::string lowest = fixedText(clocks.first, 0), highest = fixedText(clocks.second, 0);
    return (lowest == highest ? lowest : lowest + " to " + highest) + " MHz";
}

std::string whoseWords(const ComparedProgram& program, const std::string& value) { return program.name + " " + value; }

std::string remarkOn(const ComparedProgram& one, const ComparedProgram& other)
{
    std::string remark;
    for (const auto& [key, words] : {std::pair{"compiler", "compiler"}, {"driver", "driver"},
             {"openblas", "vendor library"}, {"isolation", "isolation"}}) {
        const std::string a = wordAt(one, key), b = wordAt(other, key);
        if (!a.empty() && !b.empty() && a != b)
            remark += (remark.empty() ? "another " : ", another ") + std::string(words) + ": " + whoseWords(one, a)
                + ", " + whoseWords(other, b);
    }
    return remark;
}

} // namespace

bool ComparedProperty::differs() const
{
    return std::ranges::any_of(values, [&](const std::string& value) { return value != values.front(); });
}

std::string comparedWords(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Better:
        return "better";
    case Verdict::Worse:
        return "worse";
    case Verdict::Neutral:
        return "not distinguishable";
    case Verdict::None:
        break;
    }
    return "not compared";
}

std::string whyNotOneTask(const TaskPack& one, const TaskPack& other)
{
    const Task &a = one.task, &b = other.task;
    const std::string both = "the programs are of different tasks: " + a.name + " and " + b.name;
    if (a.numeric.error != b.numeric.error) {
        const bool isFirst = a.numeric.error == ErrorMeasure::Normwise;
        return both + ": only " + (isFirst ? a.name : b.name)
            + " is normwise, and normwise and componentwise results are never ranked together";
    }
    if (a.name != b.name)
        return both;
    if (a.numeric.scheme != b.numeric.scheme)
        return both + ", for another scheme";
    if (a.train != b.train || programIdentity(one.seed()) != programIdentity(other.seed()))
        return both + ", on other shapes or with another baseline";
    return {};
}

std::string whyNotComparable(const ComparedProgram& one, const ComparedProgram& other)
{
    if (!one.result || !other.result || isOneMeasurement(one, other))
        return {};
    const auto apart = [&](const char* key) {
        const std::string a = wordAt(one, key), b = wordAt(other, key);
        return !a.empty() && !b.empty() && a != b ? whoseWords(one, a) + ", " + whoseWords(other, b) : std::string();
    };
    for (const auto& [key, words] : {std::pair{"device", "measured on another device: "},
             {"class", "measured on another class of device: "}, {"protocol", "measured by another protocol version: "},
             {"mode", "timed in another way: "}, {"threads", "timed with another number of threads: "}})
        if (const std::string different = apart(key); !different.empty())
            return words + different;
    const auto own = clocksOf(one), its = clocksOf(other);
    if (own && its && std::max(own->first / its->second, its->first / own->second) > 1 + clocksApart)
        return "measured at another clock: " + whoseWords(one, clockWords(*own)) + ", "
            + whoseWords(other, clockWords(*its));
    return {};
}

Result<Comparison> comparisonOf(std::vector<ComparedProgram> programs, const std::vector<SideBySide>& pairs,
    std::size_t reference, const Task& task)
{
    if (programs.size() < fewestCompared || programs.size() > mostCompared)
        return fail("compare/number",
            "a comparison takes " + std::to_string(fewestCompared) + " to " + std::to_string(mostCompared)
                + " programs, not " + std::to_string(programs.size()));
    if (reference >= programs.size())
        return fail("compare/reference", "the comparison has no program " + std::to_string(reference + 1));
    Comparison comparison;
    comparison.programs = std::move(programs);
    comparison.reference = reference;
    const ComparedProgram& over = comparison.programs[reference];
    for (std::size_t i = 0; i < comparison.programs.size(); ++i) {
        const ComparedProgram& program = comparison.programs[i];
        const bool isPaired = timedInTurns(pairs, i, reference, nullptr).has_value();
        comparison.refusals.push_back(i == reference || isPaired ? "" : whyNotComparable(program, over));
        comparison.remarks.push_back(i == reference || isPaired ? "" : remarkOn(program, over));
        if (program.result)
            comparison.noiseFloor = std::max(comparison.noiseFloor, program.result->noiseFloor);
    }
    for (const SideBySide& pair : pairs)
        comparison.noiseFloor = std::max(comparison.noiseFloor, pair.noiseFloor);

    const auto addShape = [&](const Shape& shape, ShapeSplit split) {
        ComparedShape row{shape, split, task.flopsOf(shape), {}};
        const auto its = toldOf(over, shape, split);
        for (std::size_t i = 0; i < comparison.programs.size(); ++i) {
            const ComparedProgram& program = comparison.programs[i];
            const auto own = toldOf(program, shape, split);
            ComparedFigure figure;
            if (own)
                figure.ns = own->ns;
            if (i == reference) {
                if (own)
                    figure.ratio = Interval{1, 1, 1};
                figure.isSideBySide = true;
            } else if (const auto paired = timedInTurns(pairs, i, reference, &shape)) {
                figure.ratio = paired;
                figure.isSideBySide = true;
            } else if (own && its && comparison.refusals[i].empty()) {
                figure = byThird(program, over, *own, *its);
            }
            row.figures.push_back(std::move(figure));
        }
        markBest(row.figures);
        comparison.shapes.push_back(std::move(row));
    };
    for (const Shape& shape : task.train)
        addShape(shape, ShapeSplit::Train);
    for (const Shape& shape : task.heldout)
        addShape(shape, ShapeSplit::Heldout);

    for (std::size_t i = 0; i < comparison.programs.size(); ++i) {
        ComparedFigure train = meanOf(comparison.shapes, i, ShapeSplit::Train);
        if (const auto paired = i == reference ? std::nullopt : timedInTurns(pairs, i, reference, nullptr)) {
            train.ratio = paired; // resampled over all shapes together
            train.isSideBySide = true;
        }
        comparison.verdicts.push_back(i != reference && train.ratio
                ? verdictOf(*train.ratio, noiseMargin(comparison.noiseFloor))
                : Verdict::None);
        comparison.train.push_back(std::move(train));
        comparison.heldout.push_back(meanOf(comparison.shapes, i, ShapeSplit::Heldout));
    }
    markBest(comparison.train);
    markBest(comparison.heldout);
    comparison.properties = propertiesOf(comparison.programs);
    return comparison;
}

} // namespace tilewright
