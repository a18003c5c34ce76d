// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/variants.h"

#include "core/base/text.h"
#include "core/patch/dropped_lines.h"
#include "core/patch/elision.h"
#include "core/patch/folding.h"
#include "core/patch/line_numbers.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

std::size_t leadingContext(const Hunk& hunk)
{
    std::size_t count = 0;
    while (count < hunk.lines.size() && hunk.lines[count].sign == Sign::Context)
        ++count;
    return count;
}

std::size_t trailingContext(const Hunk& hunk)
{
    std::size_t count = 0;
    while (count < hunk.lines.size() && hunk.lines[hunk.lines.size() - 1 - count].sign == Sign::Context)
        ++count;
    return count;
}

/// The hunk's lines without these at its ends; what the model wrote stays with the hunk.
Hunk cutBy(const Hunk& hunk, std::size_t front, std::size_t back)
{
    Hunk cut;
    cut.lines.assign(
        hunk.lines.begin() + static_cast<std::ptrdiff_t>(front), hunk.lines.end() - static_cast<std::ptrdiff_t>(back));
    cut.oldStart = hunk.oldStart;
    cut.oldCount = hunk.oldCount;
    cut.newCount = hunk.newCount;
    cut.headings = hunk.headings;
    cut.group = hunk.group;
    cut.isBlock = hunk.isBlock;
    return cut;
}

bool isSameEdits(const Placement& a, const Placement& b)
{
    return std::ranges::equal(a.edits, b.edits,
        [](const Edit& x, const Edit& y) { return x.begin == y.begin && x.end == y.end && x.added == y.added; });
}

class Variants
{
public:
    Variants(Matcher& matcher, const Hunk& hunk, std::size_t number)
        : m_matcher(matcher)
        , m_hunk(hunk)
        , m_number(number)
    {
    }

    std::expected<Placement, Refusal> locate()
    {
        const Counts counts = standsToTheLetter(m_matcher, m_hunk) ? Counts::TellNothing : Counts::Tell;
        if (const auto line = lineWithoutMinus(m_hunk, m_matcher.comments(), counts))
            return refuse("NO_MATCH",
                "the context line '" + printable(trimmed(*line)).substr(0, 80)
                    + "' seems to have lost its '-': the new line replaces it",
                m_number);
        if (auto found = locateByKeys(m_matcher, m_hunk, m_number, {}))
            return *found;
        std::vector<Hunk> bases{m_hunk};
        for (const auto& read : {withoutLineNumbers(m_hunk), readBehindNumbers(m_hunk)}) {
            if (!read)
                continue;
            if (auto found = locateByKeys(m_matcher, *read, m_number, {}))
                return noted(*found, "line-numbers", "line numbers were copied into it");
            bases.push_back(*read);
        }
        for (const Hunk& base : bases)
            if (auto found = mayStand(base) ? variantsOf(base) : std::nullopt)
                return bases.size() > 1 && &base != &bases.front()
                    ? noted(*found, "line-numbers", "line numbers were copied into it")
                    : *found;
        for (const Hunk& base : bases)
            if (isThere(base))
                return refuse("ALREADY_APPLIED", "the program already contains this change", m_number);
        return noMatch();
    }

private:
    std::expected<Placement, Refusal> noted(
        std::expected<Placement, Refusal> found, const char* code, const char* text) const
    {
        if (found)
            found->repairs.push_back({code, m_number, text});
        return found;
    }

    /// Has the program as many lines as the hunk says that it has?
    bool mayStand(const Hunk& base)
    {
        const auto old = std::ranges::count_if(base.lines,
            [&](const HunkLine& line) { return line.sign != Sign::Added && !isBlank(line.text) && !isGap(line); });
        return static_cast<std::size_t>(old) <= m_matcher.source().size();
    }

    Located variantsOf(const Hunk& base)
    {
        if (auto found = withoutOuterBlanks(base))
            return found;
        if (auto found = acrossGaps(base))
            return found;
        if (auto found = locateOverBlanks(m_matcher, base, m_number))
            return found;
        if (auto found = withoutOuterContext(base))
            return found;
        return asSeveralHunks(base);
    }

    Located withoutOuterBlanks(const Hunk& base)
    {
        const std::size_t leading = leadingContext(base), trailing = trailingContext(base);
        std::size_t front = 0, back = 0;
        while (front < leading && isBlank(base.lines[front].text))
            ++front;
        while (back < trailing && isBlank(base.lines[base.lines.size() - 1 - back].text))
            ++back;
        if (front + back == 0 || front + back >= base.lines.size())
            return std::nullopt;
        // A blank line that is an insertion's only neighbour on its side must be there.
        const bool besideFront = front > 0 && base.lines[front].sign == Sign::Added;
        const bool besideBack = back > 0 && base.lines[base.lines.size() - 1 - back].sign == Sign::Added;
        if ((besideFront && insertsAt(base, front)) || (besideBack && insertsAt(base, base.lines.size() - 1 - back)))
            return std::nullopt;
        Search search;
        search.dropped = front;
        auto found = locateByKeys(m_matcher, cutBy(base, front, back), m_number, search);
        return found ? Located(noted(*found, "skipped-blanks", "blank lines of its context differ")) : std::nullopt;
    }

    bool isGap(const HunkLine& line)
    {
        if (line.sign != Sign::Context || isBlank(line.text) || m_matcher.has(line.text, Level::Indented))
            return false;
        return isPlaceholder(line.text) || (!line.signWritten && looksLikeSentence(line.text));
    }

    /// "..." or words between lines: each part that changes something must have one place of its own, in order.
    Located acrossGaps(const Hunk& base)
    {
        std::vector<Hunk> parts(1, cutBy(base, 0, base.lines.size()));
        bool placeholder = false;
        for (const HunkLine& line : base.lines) {
            const bool gap = isGap(line);
            placeholder |= gap && isPlaceholder(line.text);
            if (gap && !parts.back().lines.empty())
                parts.push_back(cutBy(base, 0, base.lines.size()));
            if (!gap)
                parts.back().lines.push_back(line);
        }
        if (parts.size() == 1 && parts.front().lines.size() == base.lines.size())
            return std::nullopt;
        for (Hunk& part : parts) { // a blank line beside the gap belongs to it
            const std::size_t leading = leadingContext(part), trailing = trailingContext(part);
            std::size_t front = 0, back = 0;
            while (front < leading && isBlank(part.lines[front].text))
                ++front;
            while (front + back < part.lines.size() && back < trailing
                && isBlank(part.lines[part.lines.size() - 1 - back].text))
                ++back;
            part = cutBy(part, front, back);
        }
        auto found = inOrder(parts, Keys::All, 0);
        return found ? Located(noted(*found, placeholder ? "elided-context" : "prose",
                   placeholder ? "its context omits lines" : "text inside it"))
                     : std::nullopt;
    }

    /// gap: lines that must lie between two parts at least.
    Located inOrder(const std::vector<Hunk>& parts, Keys keys, std::size_t gap)
    {
        Placement whole;
        std::size_t next = 0;
        bool first = true;
        for (const Hunk& part : parts) {
            if (!part.changes())
                continue;
            auto found = locateByKeys(m_matcher, part, m_number, {Hints::Ignore, keys, 0});
            if (!found || !*found)
                return found;
            Placement& placement = **found;
            if (!first && placement.line < next + gap)
                return std::nullopt;
            next = placement.line + part.oldLines();
            whole.line = first ? placement.line : whole.line;
            first = false;
            whole.unescaped |= placement.unescaped;
            whole.signSpace |= placement.signSpace;
            whole.indentSeen |= placement.indentSeen;
            whole.tabs = whole.tabs ? whole.tabs : placement.tabs;
            for (Edit& edit : placement.edits)
                whole.edits.push_back(std::move(edit));
            for (Repair& repair : placement.repairs)
                if (std::ranges::find(whole.repairs, repair) == whole.repairs.end())
                    whole.repairs.push_back(std::move(repair));
        }
        if (first)
            return std::nullopt;
        return whole;
    }

    /// Up to three context lines at the hunk's ends dropped; what is left stands in one place.
    Located withoutOuterContext(const Hunk& base)
    {
        const std::size_t leading = leadingContext(base), trailing = trailingContext(base);
        for (std::size_t dropped = 1; dropped <= 3; ++dropped) {
            Located one;
            for (std::size_t front = 0; front <= std::min(dropped, leading); ++front) {
                const std::size_t back = dropped - front;
                if (back > trailing || front + back >= base.lines.size())
                    continue;
                const Hunk rest = cutBy(base, front, back);
                if (!isAnchored(rest))
                    continue;
                // An insertion keeps its neighbours on both sides.
                const bool neighbours = !(front > 0 && front == leading && insertsAt(base, leading))
                    && !(back > 0 && back == trailing && insertsAt(base, base.lines.size() - 1 - trailing));
                if (!neighbours)
                    continue;
                auto found = locateByKeys(m_matcher, rest, m_number, {Hints::Ignore, Keys::Trimmed, 0});
                if (!found || leavesIndentation(base, front, back) || forgotSign(base, front, back, *found))
                    continue;
                if (!*found || (one && !isSameEdits(**one, **found)))
                    return *found
                        ? Located(refuse("AMBIGUOUS", "without the misquoted context it matches twice", m_number))
                        : found;
                one = found;
            }
            if (one)
                return Located(noted(*one, "misquoted-context", "outer context lines are misquoted"));
        }
        return std::nullopt;
    }

    /// Blank lines alone say neither where nor how deep.
    static bool isAnchored(const Hunk& rest)
    {
        const auto says = [](const HunkLine& line) { return line.sign != Sign::Added && !isBlank(line.text); };
        return std::ranges::any_of(rest.lines, says) && (rest.count(Sign::Context) >= 1 || rest.oldLines() >= 2);
    }

    /// Are dropped lines in the program but for their indentation? Then nothing tells how deep the new ones are meant;
    /// but for a first line that has lost all of it, as what is copied from mid-line has, and but for languages with
    /// braces where two lines are left that stand as deep as the program's.
    bool leavesIndentation(const Hunk& base, std::size_t front, std::size_t back)
    {
        const Hunk rest = cutBy(base, front, back);
        const auto says = [](const HunkLine& line) { return line.sign != Sign::Added && !isBlank(line.text); };
        if (m_matcher.comments() == Comments::Slashes && std::ranges::count_if(rest.lines, says) >= 2)
            return false;
        for (std::size_t i = 0; i < base.lines.size(); ++i) {
            const std::string& text = base.lines[i].text;
            const bool isDropped = i < front || i + back >= base.lines.size();
            if (isDropped && !isBlank(text) && (i > 0 || !indentOf(text).empty())
                && m_matcher.has(text, Level::Indented) && !m_matcher.has(text, Level::Trimmed))
                return true;
        }
        return false;
    }

    /// Are the dropped lines rather new ones without their +, wherever the rest may stand?
    bool forgotSign(
        const Hunk& base, std::size_t front, std::size_t back, const std::expected<Placement, Refusal>& found)
    {
        const DroppedLines dropped(m_matcher, base, front, back);
        if (found)
            return dropped.lackSigns(found->line);
        const nlohmann::json& lines = found.error().evidence.at("lines");
        return std::ranges::all_of(
            lines, [&](const nlohmann::json& line) { return dropped.lackSigns(line.get<std::size_t>() - 1); });
    }

    /// A missing @@ between two hunks: the longest part that stands somewhere, then the rest, cut between two context
    /// lines that stand between changes.
    Located asSeveralHunks(const Hunk& base)
    {
        // Nearer parts are one hunk with a context line left out.
        constexpr std::size_t farApart = 4;
        std::vector<Hunk> parts;
        if (base.isBlock)
            return std::nullopt;
        Hunk rest = base;
        while (parts.size() < 64) {
            if (locateByKeys(m_matcher, rest, m_number, {Hints::Ignore, Keys::Trimmed, 0})) {
                parts.push_back(rest);
                break;
            }
            const std::size_t cut = longestPart(rest);
            if (cut == 0)
                return std::nullopt;
            parts.push_back(cutBy(rest, 0, rest.lines.size() - cut));
            rest = cutBy(rest, cut, 0);
        }
        if (parts.size() < 2)
            return std::nullopt;
        auto found = inOrder(parts, Keys::Trimmed, farApart);
        return found ? Located(noted(*found, "hunk-header", "a @@ line is missing inside it")) : std::nullopt;
    }

    static bool changes(const Hunk& hunk, std::size_t first, std::size_t last)
    {
        return std::any_of(hunk.lines.begin() + static_cast<std::ptrdiff_t>(first),
            hunk.lines.begin() + static_cast<std::ptrdiff_t>(last),
            [](const HunkLine& line) { return line.sign != Sign::Context; });
    }

    std::size_t longestPart(const Hunk& hunk)
    {
        // A part that stands somewhere goes as far as the longest run of its old lines.
        std::size_t old = 0, most = longestRun(m_matcher, hunk), end = 0;
        while (end < hunk.lines.size() && (hunk.lines[end].sign == Sign::Added || old < most))
            old += hunk.lines[end++].sign != Sign::Added;
        for (std::size_t cut = std::min(end, hunk.lines.size() - 1); cut > 0; --cut) {
            if (hunk.lines[cut].sign != Sign::Context || hunk.lines[cut - 1].sign != Sign::Context)
                continue;
            if (!changes(hunk, 0, cut) || !changes(hunk, cut, hunk.lines.size()))
                continue;
            const Hunk part = cutBy(hunk, 0, hunk.lines.size() - cut);
            if (locateByKeys(m_matcher, part, m_number, {Hints::Ignore, Keys::Trimmed, 0}))
                return cut;
        }
        return 0;
    }

    /// Is the new side there, once, and would it say something?
    bool isThere(const Hunk& base)
    {
        bool words = false;
        for (const HunkLine& line : base.lines)
            words |= line.sign == Sign::Added && std::ranges::any_of(line.text, [](char c) {
                return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
            });
        const bool enclosed = base.count(Sign::Added) == 0 && leadingContext(base) > 0 && trailingContext(base) > 0
            && leadingContext(base) < base.lines.size();
        return (words || enclosed) && placesOfNewSide(m_matcher, base).size() == 1;
    }

    std::unexpected<Refusal> noMatch()
    {
        std::string wrong;
        for (const HunkLine& line : m_hunk.lines)
            if (wrong.empty() && line.sign == Sign::Removed && !m_matcher.has(line.text, Level::Indented))
                wrong = std::string(trimmed(line.text)).substr(0, 80);
        auto refusal = refuse("NO_MATCH",
            wrong.empty() ? "its context and removed lines are not contiguous in the program"
                          : "the removed line '" + printable(wrong) + "' is not in the program",
            m_number);
        return refusal;
    }

    Matcher& m_matcher;
    const Hunk& m_hunk;
    std::size_t m_number;
};

} // namespace

bool standTogether(Matcher& matcher, const Hunk& hunk, std::size_t number)
{
    const auto isGap = [&](const HunkLine& line) {
        return !isBlank(line.text) && !matcher.has(line.text, Level::Indented)
            && (isPlaceholder(line.text) || (!line.signWritten && looksLikeSentence(line.text)));
    };
    Hunk part;
    const auto stands = [&] {
        return std::ranges::all_of(part.lines, [](const HunkLine& line) { return isBlank(line.text); })
            || locateByKeys(matcher, part, number, {}) || locateOverBlanks(matcher, part, number);
    };
    for (const HunkLine& line : hunk.lines) {
        if (!isGap(line)) {
            part.lines.push_back(line);
            continue;
        }
        if (!stands())
            return false;
        part.lines.clear();
    }
    return stands();
}

std::expected<Placement, Refusal> locateHunk(Matcher& matcher, const Hunk& hunk, std::size_t number)
{
    return Variants(matcher, hunk, number).locate();
}

} // namespace tilewright::patch
