// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/unit.h"

#include "core/base/text.h"
#include "core/patch/hunk.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace tilewright::patch {
namespace {

constexpr std::size_t units[] = {8, 4, 3, 2};

bool isAsked(std::string_view line) { return !isBlank(line) && !trimmed(line).starts_with('*'); }

bool hasTab(std::string_view line) { return indentOf(line).find('\t') != std::string_view::npos; }

/// Few lines may show every second level of a program only.
std::size_t stepOf(const IndentUnit& unit) { return unit.blanks == 8 ? 4 : unit.blanks; }

/// The smallest indentation of lines that all are multiples of it; 0 if they are not, or have none.
std::size_t stepOf(const std::vector<std::string>& lines)
{
    std::size_t step = 0;
    for (const std::string& line : lines)
        if (!isBlank(line))
            step = std::gcd(step, indentOf(line).size());
    return std::ranges::find(units, step) != std::end(units) ? step : 0;
}

std::optional<std::string> withTabs(std::string_view line, std::size_t step)
{
    const std::size_t blanks = indentOf(line).size();
    return blanks % step == 0 ? std::optional(std::string(blanks / step, '\t').append(line.substr(blanks)))
                              : std::nullopt;
}

std::string withBlanks(std::string_view line, std::size_t unit)
{
    std::size_t column = 0;
    const std::string_view indent = indentOf(line);
    for (const char c : indent)
        column = c == '\t' ? (column / unit + 1) * unit : column + 1;
    return std::string(column, ' ').append(line.substr(indent.size()));
}

} // namespace

IndentUnit indentUnitOf(const std::vector<std::string_view>& program)
{
    IndentUnit unit;
    std::vector<std::size_t> widths;
    for (const std::string_view line : program) {
        if (!isAsked(line) || indentOf(line).empty())
            continue;
        const bool tab = hasTab(line);
        unit.usesTabs |= tab;
        unit.usesBlanks |= !tab;
        if (!tab)
            widths.push_back(indentOf(line).size());
    }
    unit.lines = widths.size();
    if (unit.usesTabs || widths.empty())
        return unit;
    const auto fitting = [&](std::size_t blanks) {
        return static_cast<std::size_t>(
            std::ranges::count_if(widths, [&](std::size_t width) { return width % blanks == 0; }));
    };
    const auto all = std::ranges::find_if(units, [&](std::size_t blanks) { return fitting(blanks) == widths.size(); });
    unit.always = all != std::end(units);
    const auto most = unit.always
        ? all
        : std::ranges::find_if(units, [&](std::size_t blanks) { return fitting(blanks) * 10 >= widths.size() * 9; });
    unit.blanks = most == std::end(units) ? 0 : *most;
    return unit;
}

bool isOffColumn(const std::vector<Edit>& edits, const IndentUnit& unit)
{
    if (!unit.always)
        return false;
    bool some = false;
    for (const Edit& edit : edits)
        for (const std::string& line : edit.added) {
            if (isBlank(line))
                continue;
            if (!isAsked(line) || hasTab(line) || indentOf(line).size() % stepOf(unit) != 1)
                return false;
            some = true;
        }
    return some;
}

bool leavesUnit(const std::vector<std::string>& lines, const IndentUnit& unit)
{
    return unit.always && std::ranges::any_of(lines, [&](const std::string& line) {
        return isAsked(line) && !hasTab(line) && indentOf(line).size() % stepOf(unit) != 0;
    });
}

std::optional<std::vector<std::string>> inUnit(const std::vector<std::string>& added, const IndentUnit& unit)
{
    const bool tabs = std::ranges::any_of(added, hasTab);
    const bool blanks = std::ranges::any_of(
        added, [](const std::string& line) { return isAsked(line) && !indentOf(line).empty() && !hasTab(line); });
    std::vector<std::string> lines = added;
    if (tabs && unit.usesBlanks && !unit.usesTabs) {
        // Few lines may be on every second level only.
        constexpr std::size_t enough = 12;
        if (unit.blanks == 0 || (stepOf(unit) != unit.blanks && unit.lines < enough))
            return std::nullopt;
        for (std::string& line : lines)
            line = hasTab(line) ? withBlanks(line, unit.blanks) : line;
    } else if (blanks && !tabs && unit.usesTabs && !unit.usesBlanks) {
        const std::size_t step = stepOf(added);
        const bool fromTheStart = std::ranges::any_of(
            added, [](const std::string& line) { return isAsked(line) && indentOf(line).empty(); });
        for (std::string& line : lines)
            if (const auto changed = step > 0 && fromTheStart ? withTabs(line, step) : std::nullopt)
                line = *changed;
    }
    return lines;
}

std::vector<std::string> programInUnit(
    const std::vector<std::string>& program, const std::vector<std::string_view>& source)
{
    const IndentUnit unit = indentUnitOf(source);
    const IndentUnit own = indentUnitOf({program.begin(), program.end()});
    const std::unordered_multiset<std::string_view> known(source.begin(), source.end());
    const auto alike = [&](const std::vector<std::string>& lines) {
        return std::ranges::count_if(lines, [&](const std::string& line) { return known.contains(line); });
    };
    std::vector<std::string> best = program;
    const auto consider = [&](const auto& converted) {
        std::vector<std::string> lines;
        for (const std::string& line : program)
            lines.push_back(isBlank(line) ? line : converted(line));
        if (alike(lines) > alike(best))
            best = std::move(lines);
    };
    if (own.usesTabs && unit.usesBlanks && !unit.usesTabs) {
        for (const std::size_t width : {std::size_t(4), std::size_t(2), std::size_t(8), std::size_t(3)})
            consider([&](const std::string& line) { return hasTab(line) ? withBlanks(line, width) : line; });
    } else if (!own.usesTabs && unit.usesTabs && !unit.usesBlanks) {
        for (const std::size_t width : {std::size_t(4), std::size_t(2), std::size_t(8), std::size_t(3)})
            consider([&](const std::string& line) { return withTabs(line, width).value_or(line); });
    }
    return best;
}

} // namespace tilewright::patch
