// SPDX-License-Identifier: GPL-3.0-or-later
// The marks inside a reply: tags that stand for themselves, fences. Thoughts: thoughts.h. Pure.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

/// A tag in a reply: where it begins, and where what follows it begins.
struct Tag {
    std::size_t begin = 0, end = 0;
};

/// Every tag of a text that stands for itself, found in one pass, so that asking costs next to nothing however many
/// there are. Known names: reasoning, diff, expected_impact, proposal, title; letters of either case. What a
/// hunk's counts claim as its lines is text of a program and holds no tags. The text must outlive it.
class Tags
{
public:
    explicit Tags(std::string_view text);

    /// The next <name> that stands at the start of its line (or behind another tag).
    std::optional<Tag> opening(std::string_view name, std::size_t from) const;
    /// The next </name> at the start or at the end of its line.
    std::optional<Tag> closing(std::string_view name, std::size_t from) const;
    /// The end of a span opened before `from`: the next closing tag, or one written plainly in mid-line.
    std::optional<Tag> spanEnd(std::string_view name, std::size_t from) const;

private:
    struct Marks {
        std::vector<Tag> openings, closings, plainEnds; ///< as they stand
    };
    void take(std::string_view text, std::size_t at);
    const Marks* marksOf(std::string_view name) const;

    std::array<Marks, 5> m_marks;
};

/// The lines of a hunk that its counts claim, as bytes of the text; lastLine: where the last of them begins.
struct HunkSpan {
    std::size_t begin = 0, end = 0, lastLine = 0;
};
std::vector<HunkSpan> claimedByCounts(std::string_view text);
/// A tag behind the text of a hunk's last line ends the hunk; one that is all of the line is its text.
bool endsHunk(std::string_view text, std::size_t at, const HunkSpan& hunk);

/// Takes the spans of <name> out of the text, an unended one up to the <diff> behind it; what the last one says.
std::string takeSpans(std::string& text, std::string_view name);

/// A fenced block; its text has the fence's own indentation taken off. One of Markdown, or around nothing but another
/// fence, counts as the fences inside it.
struct Fence {
    std::string language;
    std::string text; ///< LF after every line
    bool closed = false;
};
std::vector<Fence> fencesIn(std::string_view text);

} // namespace tilewright::patch
