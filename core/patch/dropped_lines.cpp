// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/dropped_lines.h"

#include "core/base/text.h"
#include "core/patch/folding.h"
#include "core/patch/matching.h"
#include "core/patch/successor.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace tilewright::patch {
namespace {

/// A line and its misquotation: much the same letters, or one inside the other.
bool isMisquoted(std::string_view written, std::string_view real)
{
    written = trimmed(written);
    real = trimmed(real);
    if (written.empty() || real.empty())
        return written == real;
    return written.find(real) != std::string_view::npos || real.find(written) != std::string_view::npos
        || likeness(written, real) >= 0.4;
}

/// Lines of the program that are looked at behind the dropped ones: some may have been skipped.
constexpr std::size_t rowsBeyond = 2;

/// Neither escapes nor typography in it, and other letters.
bool differsPlainly(std::string_view written, std::string_view real)
{
    const auto mayMean = [](char c) { return c == '&' || static_cast<unsigned char>(c) >= 0x80; };
    if (std::ranges::any_of(written, mayMean) || std::ranges::any_of(real, mayMean))
        return false;
    const auto isLetter = [](char c) { return c != ' ' && c != '\t'; };
    return !std::ranges::equal(written | std::views::filter(isLetter), real | std::views::filter(isLetter));
}

/// Under any key: escapes, typography and blanks make no other line of it.
bool isSame(std::string_view written, std::string_view real)
{
    if (trimmed(written) == trimmed(real))
        return true;
    return !differsPlainly(written, real)
        && withoutBlanks(trimmed(folded(unescaped(written)))) == withoutBlanks(trimmed(folded(real)));
}

} // namespace

double likeness(std::string_view a, std::string_view b)
{
    if (a == b)
        return 1;
    if (a.size() < 2 || b.size() < 2 || a.size() > 400 || b.size() > 400)
        return 0;
    std::multiset<std::pair<char, char>> pairs;
    for (std::size_t i = 0; i + 1 < a.size(); ++i)
        pairs.emplace(a[i], a[i + 1]);
    std::size_t same = 0;
    for (std::size_t i = 0; i + 1 < b.size(); ++i)
        if (const auto found = pairs.find({b[i], b[i + 1]}); found != pairs.end()) {
            pairs.erase(found);
            ++same;
        }
    return 2.0 * static_cast<double>(same) / static_cast<double>(a.size() + b.size() - 2);
}

DroppedLines::DroppedLines(Matcher& matcher, const Hunk& hunk, std::size_t front, std::size_t back)
    : m_source(matcher.source())
    , m_comments(matcher.comments())
    , m_hunk(hunk)
    , m_front(front)
    , m_back(back)
{
}

DroppedLines::Side DroppedLines::frontAt(std::size_t line) const
{
    Side side;
    for (std::size_t i = 0; i < m_front; ++i)
        side.written.push_back(m_hunk.lines[m_front - 1 - i].text);
    for (std::size_t i = 0; i < m_front + rowsBeyond; ++i)
        side.real.push_back(line > i ? m_source[line - 1 - i] : std::string_view());
    side.besideChange = m_front > 0 && m_hunk.lines[m_front].sign != Sign::Context;
    return side;
}

DroppedLines::Side DroppedLines::backAt(std::size_t line) const
{
    Side side;
    const std::size_t first = m_hunk.lines.size() - m_back, after = line + m_hunk.oldLines() - m_front - m_back;
    for (std::size_t i = 0; i < m_back; ++i)
        side.written.push_back(m_hunk.lines[first + i].text);
    for (std::size_t i = 0; i < m_back + rowsBeyond; ++i)
        side.real.push_back(after + i < m_source.size() ? m_source[after + i] : std::string_view());
    side.besideChange = m_back > 0 && m_hunk.lines[first - 1].sign != Sign::Context;
    return side;
}

bool DroppedLines::lackSigns(std::size_t line) const { return lackSigns(frontAt(line)) || lackSigns(backAt(line)); }

template <typename Same> bool DroppedLines::standNearer(const Side& side, Same same)
{
    for (std::size_t i = 1; i < side.written.size(); ++i)
        for (std::size_t k = 0; k < i && !same(side.written[i], side.real[i]); ++k)
            if (!isBlank(side.written[i]) && same(side.written[i], side.real[k])
                && !same(side.written[k], side.real[k]))
                return true;
    return false;
}

bool DroppedLines::lackSigns(const Side& side) const
{
    // Two brackets are one line or two, as their depth is asked or not.
    if (standNearer(side, isSame)
        || standNearer(side, [](auto a, auto b) { return indentOf(a) == indentOf(b) && isSame(a, b); }))
        return true;
    // Nobody misquotes a blank line as code; it may have been skipped. But counts that come out even know of no new
    // line.
    constexpr std::size_t fewest = 6;
    const bool isEven = m_hunk.oldCount == m_hunk.oldLines() && m_hunk.newCount == m_hunk.newLines();
    for (std::size_t i = isEven ? side.written.size() : 0; i < side.written.size(); ++i) {
        const bool isSkipped = std::any_of(side.real.begin() + static_cast<std::ptrdiff_t>(i), side.real.end(),
            [&](std::string_view real) { return isSame(side.written[i], real); });
        if (trimmed(side.written[i]).size() >= fewest && isBlank(side.real[i]) && !isSkipped)
            return true;
    }
    if (countsSaySo(side))
        return true;
    if (!side.besideChange)
        return false;
    const std::string_view written = trimmed(side.written[0]), real = trimmed(side.real[0]);
    // What takes the real line's place cannot stand beside it as a new one.
    if (written == real || takesPlace(real, written, m_comments))
        return false;
    return !isMisquoted(written, real) || likenessToChanges(written) > likeness(written, real);
}

bool DroppedLines::countsSaySo(const Side& side) const
{
    if (!m_hunk.oldCount || m_hunk.newCount != m_hunk.newLines())
        return false;
    const std::size_t missing = m_hunk.oldLines() - std::min(*m_hunk.oldCount, m_hunk.oldLines());
    return !side.written.empty() && missing > 0 && missing <= side.written.size();
}

double DroppedLines::likenessToChanges(std::string_view text) const
{
    double most = 0;
    for (const HunkLine& line : m_hunk.lines)
        if (line.sign != Sign::Context)
            most = std::max(most, likeness(text, trimmed(line.text)));
    return most;
}

} // namespace tilewright::patch
