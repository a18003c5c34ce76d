// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as JSON, as lines for a terminal and as CSV.
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compare/comparison.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

using Kind = ComparedProgram::Kind;

constexpr std::size_t widestValue = 32; ///< characters of a property in a column

const char* nameOf(Kind kind)
{
    switch (kind) {
    case Kind::Candidate:
        return "candidate";
    case Kind::Baseline:
        return "baseline";
    case Kind::Vendor:
        return "vendor";
    case Kind::File:
        break;
    }
    return "file";
}

nlohmann::json orNull(const std::optional<Interval>& interval)
{
    return interval ? interval->json() : nlohmann::json(nullptr);
}

nlohmann::json toJson(const ComparedFigure& figure)
{
    return {{"ratio", orNull(figure.ratio)},
        {"ns", figure.ns > 0 ? nlohmann::json(figure.ns) : nlohmann::json(nullptr)},
        {"side_by_side", figure.isSideBySide}, {"best", figure.isBest}};
}

nlohmann::json toJson(const std::vector<ComparedFigure>& figures)
{
    nlohmann::json list = nlohmann::json::array();
    for (const ComparedFigure& figure : figures)
        list.push_back(toJson(figure));
    return list;
}

/// "0.979× ±0.6 %", "≈ 0.979× ±1.1 %", "–".
std::string figureText(const ComparedFigure& figure, bool isReference)
{
    if (isReference)
        return figure.ratio ? "1" : "–";
    if (!figure.ratio)
        return "–";
    const double half = 100 * std::log(figure.ratio->hi / figure.ratio->lo) / 2;
    return std::string(figure.isSideBySide ? "" : "≈ ")
        + fixedText(figure.ratio->value, figure.ratio->value < 10 ? 3 : 1) + "× ±" + fixedText(half, 1) + " %";
}

/// Of UTF-8, each a column wide.
std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool isRight = true)
{
    const std::size_t length = characters(text);
    const std::string room(width > length ? width - length : 0, ' ');
    return isRight ? room + text : text + room;
}

/// Columns as wide as their widest text; the first one begins at the left.
std::string tableText(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), row.size()));
            widths[i] = std::max(widths[i], characters(row[i]));
        }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += (i == 0 ? "" : "  ") + padded(row[i], widths[i], i > 0);
        text += std::string(trimmedRight(line)) + "\n";
    }
    return text;
}

/// The margin that the verdicts allow for, and the rule that it follows from.
std::string marginText(const Comparison& comparison)
{
    const double noise = noiseMargin(comparison.noiseFloor);
    return "Better and worse: the whole interval lies beyond the margin of " + fixedText(100 * verdictMargin(noise), 2)
        + " %, which is the larger one of 0.5 % and twice "
        + (comparison.noiseFloor > 0 ? "the noise floor of " + fixedText(100 * noise, 2) + " %"
                                     : fixedText(100 * noise, 0) + " %, because no noise floor was measured")
        + ". Everything else is not distinguishable.";
}

std::string quoted(const std::string& text)
{
    std::string inside;
    for (const char c : text)
        inside += c == '"' ? std::string("\"\"") : std::string(1, c);
    return "\"" + inside + "\"";
}

} // namespace

nlohmann::json toJson(const Comparison& comparison, const Task& task)
{
    nlohmann::json programs = nlohmann::json::array(), shapes = nlohmann::json::array(),
                   properties = nlohmann::json::array();
    for (std::size_t i = 0; i < comparison.programs.size(); ++i) {
        const ComparedProgram& program = comparison.programs[i];
        programs.push_back({{"name", program.name}, {"kind", nameOf(program.kind)}, {"session", program.session},
            {"confirmed", program.confirmed}, {"measured", program.result.has_value()},
            {"outcome", program.result ? nlohmann::json(nameOf(program.result->outcome)) : nlohmann::json(nullptr)},
            {"rule", program.result ? program.result->rule : ""}, {"verdict", comparedWords(comparison.verdicts[i])},
            {"refused", comparison.refusals[i]}, {"remark", comparison.remarks[i]},
            {"disputed", program.dispute.empty() ? nlohmann::json(nullptr) : nlohmann::json(program.dispute)},
            {"train", toJson(comparison.train[i])}, {"heldout", toJson(comparison.heldout[i])}});
    }
    for (const ComparedShape& shape : comparison.shapes)
        shapes.push_back({{"shape", shape.shape}, {"split", nameOf(shape.split)}, {"flops", shape.flops},
            {"figures", toJson(shape.figures)}});
    for (const ComparedProperty& property : comparison.properties)
        properties.push_back({{"name", property.name}, {"unit", property.unit}, {"values", property.values},
            {"differs", property.differs()}});
    return {{"task", task.name}, {"reference", comparison.programs[comparison.reference].name},
        {"noise_floor", comparison.noiseFloor}, {"margin", verdictMargin(noiseMargin(comparison.noiseFloor))},
        {"programs", programs}, {"shapes", shapes}, {"properties", properties}};
}

std::string comparisonText(const Comparison& comparison, const Task& task, bool onlyDifferences)
{
    const std::string reference = comparison.programs[comparison.reference].name;
    std::string text = "Speed over " + reference
        + " (its time / the program's; ±: 95 % interval; \"≈\": not timed side by "
          "side)\n\n";
    std::vector<std::vector<std::string>> rows{{task.name}};
    for (const ComparedProgram& program : comparison.programs)
        rows.front().push_back(program.name);
    const auto addRow = [&](const std::string& name, const std::vector<ComparedFigure>& figures) {
        rows.push_back({name});
        for (std::size_t i = 0; i < figures.size(); ++i)
            rows.back().push_back(figureText(figures[i], i == comparison.reference));
    };
    const auto addSplit = [&](ShapeSplit split, const char* mean, const std::vector<ComparedFigure>& means) {
        bool any = false;
        for (const ComparedShape& shape : comparison.shapes)
            if (shape.split == split
                && std::ranges::any_of(shape.figures, [](const ComparedFigure& figure) { return figure.ns > 0; })) {
                addRow(shapeText(shape.shape), shape.figures);
                any = true;
            }
        if (any)
            addRow(mean, means);
    };
    addSplit(ShapeSplit::Train, "mean, train shapes", comparison.train);
    addSplit(ShapeSplit::Heldout, "mean, held-out", comparison.heldout);
    rows.push_back({"verdict"});
    for (std::size_t i = 0; i < comparison.programs.size(); ++i)
        rows.back().push_back(i == comparison.reference ? "reference" : comparedWords(comparison.verdicts[i]));
    text += tableText(rows) + "\n";
    for (std::size_t i = 0; i < comparison.programs.size(); ++i) {
        const ComparedProgram& program = comparison.programs[i];
        if (!program.dispute.empty())
            text += program.name + ": " + program.dispute + "\n";
        if (!comparison.refusals[i].empty())
            text += program.name + " cannot be compared with " + reference
                + " from these figures: " + comparison.refusals[i] + ". Measure them side by side.\n";
        if (!comparison.remarks[i].empty())
            text += program.name + ": " + comparison.remarks[i] + "\n";
        if (!program.result)
            text += program.name + " was not measured: --measure measures it.\n";
        else if (program.result->outcome != Outcome::Ranked)
            text += program.name + " is " + nameOf(program.result->outcome) + ": " + program.result->rule + " "
                + program.result->text + "\n";
    }
    text += marginText(comparison) + "\n\n";
    std::vector<std::vector<std::string>> table{{onlyDifferences ? "What differs" : "Properties"}};
    for (const ComparedProgram& program : comparison.programs)
        table.front().push_back(program.name);
    std::string sentences; // what no column has room for
    for (const ComparedProperty& property : comparison.properties) {
        if (onlyDifferences && !property.differs())
            continue;
        const bool isLong = std::ranges::any_of(
            property.values, [](const std::string& value) { return characters(value) > widestValue; });
        const std::string name = property.name + (property.unit.empty() ? "" : ", " + property.unit);
        if (!isLong)
            table.push_back({name});
        for (std::size_t i = 0; i < property.values.size(); ++i)
            if (!isLong)
                table.back().push_back(property.values[i].empty() ? "–" : property.values[i]);
            else if (!property.values[i].empty())
                sentences += name + " of " + comparison.programs[i].name + ": " + property.values[i] + "\n";
    }
    return text + tableText(table) + (sentences.empty() ? "" : "\n" + sentences);
}

std::string comparisonCsv(const Comparison& comparison, const Task& task)
{
    std::string text = "task,shape,split,program,reference,time_ns,ratio,lo,hi,side_by_side\n";
    const std::string reference = comparison.programs[comparison.reference].name;
    const auto add = [&](const std::string& shape, ShapeSplit split, const std::vector<ComparedFigure>& figures) {
        for (std::size_t i = 0; i < figures.size(); ++i) {
            const ComparedFigure& figure = figures[i];
            const auto number = [&](double value) { return figure.ratio ? generalText(value, 8) : std::string(); };
            const Interval ratio = figure.ratio.value_or(Interval{});
            text += quoted(task.name) + "," + quoted(shape) + "," + nameOf(split) + ","
                + quoted(comparison.programs[i].name) + "," + quoted(reference) + ","
                + (figure.ns > 0 ? generalText(figure.ns, 10) : "") + "," + number(ratio.value) + "," + number(ratio.lo)
                + "," + number(ratio.hi) + "," + (figure.ratio ? (figure.isSideBySide ? "yes" : "no") : "") + "\n";
        }
    };
    for (const ComparedShape& shape : comparison.shapes)
        add(shapeText(shape.shape), shape.split, shape.figures);
    add("geometric mean", ShapeSplit::Train, comparison.train);
    add("geometric mean", ShapeSplit::Heldout, comparison.heldout);
    return text;
}

} // namespace tilewright
