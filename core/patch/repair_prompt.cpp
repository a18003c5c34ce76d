// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/repair_prompt.h"

#include "core/base/text.h"
#include "core/patch/guards.h"
#include "core/patch/nearest.h"

#include <algorithm>
#include <cmath>

namespace tilewright::patch {
namespace {

/// One sentence of what to do about a code.
std::string_view adviceFor(std::string_view code)
{
    struct Advice {
        std::string_view code, text;
    };
    static constexpr Advice advice[] = {
        {"AMBIGUOUS", "Add unchanged lines around the change until they stand in one place only."},
        {"NO_MATCH", "Copy context and removed lines exactly from the program."},
        {"NO_CONTEXT", "Give at least one unchanged line beside the inserted ones."},
        {"ELIDED_CODE", "Write every changed line in full; do not use placeholders such as '...'."},
        {"TRUNCATED", "The reply was cut off: make it shorter, or change less."},
        {"MALFORMED", "Use only the form below."},
        {"OTHER_FILE", "There is only one file: change no other."},
        {"OUTSIDE_EVOLVE_BLOCK", "Change only lines between the EVOLVE-BLOCK markers."},
        {"MARKER_CHANGED", "Do not change the EVOLVE-BLOCK marker lines."},
        {"CONFLICT", "Change each line in one hunk only."},
        {"NO_CHANGE", "The patch changes nothing: make a change."},
        {"ALREADY_APPLIED", "The program already has this change: make another one."},
        {"NO_DIFF", "Send the change in the form below."},
    };
    for (const Advice& one : advice)
        if (one.code == code)
            return one.text;
    return "";
}

std::string linesText(const std::vector<std::string_view>& lines, std::size_t from, std::size_t to)
{
    std::string text;
    for (std::size_t i = from; i < to && i < lines.size(); ++i)
        text += printable(lines[i]) + "\n";
    return text;
}

/// Lines around the nearest place that are shown with it.
constexpr std::size_t around = 3;
/// Misquoted lines that are told one by one.
constexpr std::size_t mostMisquoted = 6;

std::string numberOf(std::size_t row) { return std::to_string(row + 1); }

/// The lines that the hunk was most likely meant for, and which of its own differ from them.
std::string nearestText(Matcher& matcher, const Hunk& hunk)
{
    const auto place = nearestPlace(matcher, hunk);
    if (!place)
        return "\nNo part of the program resembles its context and removed lines.\n";
    const std::vector<std::string_view>& source = matcher.source();
    const std::size_t from = place->from > around ? place->from - around : 0;
    const std::size_t to = std::min(place->to + around, source.size());
    std::string text = "\nThe nearest place is lines " + numberOf(place->from) + " to " + std::to_string(place->to)
        + " of the program, " + std::to_string(static_cast<int>(std::lround(100 * place->likeness)))
        + " % alike. Lines " + numberOf(from) + " to " + std::to_string(to) + " read:\n" + linesText(source, from, to);
    for (std::size_t i = 0; i < std::min(mostMisquoted, place->misquoted.size()); ++i) {
        const Misquoted& line = place->misquoted[i];
        text += (i == 0 ? "\nLines of yours that are not in the program:\n  yours:   " : "  yours:   ")
            + printable(line.written) + "\n";
        if (line.row)
            text += "  line " + numberOf(*line.row) + ": " + printable(trimmed(source[*line.row])) + "\n";
        else
            text += "  no similar line in the program there\n";
    }
    return text;
}

/// Places that are shown with the lines around them.
constexpr std::size_t mostShown = 4;

/// All places that an ambiguous hunk fits; "" where the refusal names none.
std::string placesText(const Refusal& refusal, const std::vector<std::string_view>& source, const Hunk& hunk)
{
    if (refusal.code != "AMBIGUOUS" || !refusal.evidence.is_object() || !refusal.evidence.contains("lines"))
        return {};
    const auto places = refusal.evidence["lines"].get<std::vector<std::size_t>>();
    std::vector<std::string> numbers;
    for (const std::size_t line : places)
        numbers.push_back(std::to_string(line));
    std::string text = "\nIts context and removed lines match at each of the lines " + joined(numbers, ", ")
        + " of the program. Add lines from the place you mean, above or below, until only that place matches.\n";
    for (std::size_t i = 0; i < std::min(places.size(), mostShown); ++i) {
        const std::size_t row = places[i] - 1, from = row > around ? row - around : 0;
        const std::size_t to = std::min(row + hunk.oldLines() + around, source.size());
        text += "Lines " + numberOf(from) + " to " + std::to_string(to) + " read:\n" + linesText(source, from, to);
    }
    return text;
}

/// A small example of what was asked for, where the reply had another form.
std::string formText(std::string_view code, Prompt prompt)
{
    if (code != "MALFORMED" && code != "NO_DIFF")
        return {};
    if (prompt == Prompt::Rewrite)
        return "\nThe form: one fence with every line of the block, without other lines of the program:\n```cpp\nfirst "
               "line of the block\nall its other lines\n```\n";
    return "\nThe form, with a patch that changes one line:\n"
           "<reasoning>\nwhy this helps\n</reasoning>\n"
           "<diff>\n@@ -12,3 +12,3 @@\n a line that stays\n-a line as the program has it\n+the line in its place\n"
           " another line that stays\n</diff>\n"
           "<expected_impact>\nwhat it should gain, and where\n</expected_impact>\n";
}

std::string blockText(const std::vector<std::string_view>& source)
{
    std::string whole;
    for (const std::string_view line : source)
        whole.append(line) += '\n';
    const std::vector<EvolveBlock> blocks = blocksIn(whole);
    std::string text = "You may change only the lines between these two:\n";
    for (const EvolveBlock& block : blocks) {
        text += linesText(source, block.firstLine - 1, block.firstLine + 2);
        text += "    [the block's further lines]\n";
        text += linesText(source, std::max(block.lastLine, block.firstLine + 2), block.lastLine + 2);
    }
    return blocks.empty() ? "The program has no EVOLVE-BLOCK.\n" : text;
}

} // namespace

std::string findingText(const std::vector<Refusal>& refusals, Matcher& matcher, const std::vector<Hunk>& hunks,
    const std::vector<std::size_t>& fine)
{
    std::string text;
    for (const Refusal& refusal : refusals) {
        const bool isFirst = text.empty();
        text
            += (isFirst ? "Your patch could not be applied (" + refusal.code + "): " : "\nAnd (" + refusal.code + "): ")
            + (refusal.hunk > 0 ? "hunk " + std::to_string(refusal.hunk) + ": " : "") + printable(refusal.text) + ".\n";
        if (isFirst || refusal.code != refusals.front().code)
            text.append(adviceFor(refusal.code)) += '\n';
        if (refusal.hunk == 0 || refusal.hunk > hunks.size())
            continue;
        const Hunk& hunk = hunks[refusal.hunk - 1];
        text += "\nThis hunk failed:\n" + printable(hunk.written);
        const std::string places = placesText(refusal, matcher.source(), hunk);
        text += places.empty() ? nearestText(matcher, hunk) : places;
    }
    text += "\n" + blockText(matcher.source());
    if (!fine.empty()) {
        text += "\nThese hunks were correct:";
        for (const std::size_t number : fine)
            text += " " + std::to_string(number);
        text += ".\n";
    }
    return text;
}

std::string orderText(std::string_view code, Prompt prompt)
{
    const std::string form = formText(code, prompt) + "\nNothing was applied. ";
    if (prompt == Prompt::Rewrite)
        return form + "Send the whole block again.\n";
    const bool isOther = code == "MALFORMED" || code == "NO_DIFF";
    return form + "Send the complete corrected patch, all hunks of it, in " + (isOther ? "this" : "the same")
        + " form.\n";
}

} // namespace tilewright::patch
