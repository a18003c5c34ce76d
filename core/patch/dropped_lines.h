// SPDX-License-Identifier: GPL-3.0-or-later
// Outer context lines that a hunk is tried without: misquoted ones, or new lines whose + was forgotten? The second must
// never be lost. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/matching.h"

#include <string_view>
#include <vector>

namespace tilewright::patch {

/// Letter pairs that two lines share, 0 to 1 (Dice 1945); 0 for lines of more than 400 bytes.
double likeness(std::string_view a, std::string_view b);

class DroppedLines
{
public:
    /// front and back: how many context lines are dropped at the hunk's ends. Matcher and hunk must outlive it.
    DroppedLines(Matcher& matcher, const Hunk& hunk, std::size_t front, std::size_t back);

    /// Do they read as new lines without their sign, where what is left of the hunk stands from this line on?
    bool lackSigns(std::size_t line) const;

private:
    /// One side's dropped lines, outwards, and the program's lines there and some further; "" past its ends.
    struct Side {
        std::vector<std::string_view> written, real;
        bool besideChange = false;
    };
    Side frontAt(std::size_t line) const;
    Side backAt(std::size_t line) const;
    bool lackSigns(const Side& side) const;
    /// Does a line stand nearer to the change than it was written? Then one between them is not in the program.
    template <typename Same> static bool standNearer(const Side& side, Same same);
    bool countsSaySo(const Side& side) const;
    double likenessToChanges(std::string_view text) const;

    const std::vector<std::string_view>& m_source;
    Comments m_comments;
    const Hunk& m_hunk;
    std::size_t m_front, m_back;
};

} // namespace tilewright::patch
