// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/repair_prompt.h"

#include "core/base/text.h"
#include "core/patch/guards.h"
#include "core/patch/variants.h"

#include <algorithm>

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
        {"ELIDED_CODE", "Write every changed line out; never stand-ins such as '...'."},
        {"TRUNCATED", "The reply was cut off: make it shorter, or change less."},
        {"MALFORMED", "Use one form only, as it was asked for."},
        {"OTHER_FILE", "There is one file: change nothing but it."},
        {"OUTSIDE_EVOLVE_BLOCK", "Change only lines between the EVOLVE-BLOCK markers."},
        {"MARKER_CHANGED", "Leave the EVOLVE-BLOCK marker lines as they are."},
        {"CONFLICT", "Change each line in one hunk only."},
        {"NO_CHANGE", "The program would stay as it is: make a change."},
        {"ALREADY_APPLIED", "The program already has this change: make another one."},
        {"NO_DIFF", "Send the change as a diff."},
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

std::string blockText(const std::vector<std::string_view>& source)
{
    std::string whole;
    for (const std::string_view line : source)
        whole.append(line) += '\n';
    const std::vector<EvolveBlock> blocks = blocksIn(whole);
    std::string text = "You may change only what stands between these lines:\n";
    for (const EvolveBlock& block : blocks) {
        text += linesText(source, block.firstLine - 1, block.firstLine + 2);
        text += "    [the block's further lines]\n";
        text += linesText(source, std::max(block.lastLine, block.firstLine + 2), block.lastLine + 2);
    }
    return blocks.empty() ? "The program has no EVOLVE-BLOCK.\n" : text;
}

} // namespace

std::string repairPrompt(
    const Refusal& refusal, Matcher& matcher, const std::vector<Hunk>& hunks, const std::vector<std::size_t>& fine)
{
    const std::vector<std::string_view>& source = matcher.source();
    std::string text = "Your patch could not be applied (" + refusal.code + "): "
        + (refusal.hunk > 0 ? "hunk " + std::to_string(refusal.hunk) + ": " : "") + printable(refusal.text) + ".\n";
    text.append(adviceFor(refusal.code)) += '\n';
    if (refusal.hunk > 0 && refusal.hunk <= hunks.size()) {
        const Hunk& hunk = hunks[refusal.hunk - 1];
        const auto [from, to] = likeliestLines(matcher, hunk);
        text += "\nThis hunk failed:\n" + printable(hunk.written);
        text += "\nThe program reads there:\n" + linesText(source, from, to);
    }
    text += "\n" + blockText(source);
    if (!fine.empty()) {
        text += "\nThese hunks were fine:";
        for (const std::size_t number : fine)
            text += " " + std::to_string(number);
        text += ".\n";
    }
    return text + "\nNothing was applied. Send the complete corrected patch, all hunks of it, in the same form.\n";
}

} // namespace tilewright::patch
