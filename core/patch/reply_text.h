// SPDX-License-Identifier: GPL-3.0-or-later
// The marks inside a reply: tags that stand for themselves, spans of thought, fences. Pure.
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
/// there are. Known names: think, thinking, reasoning, diff, expected_impact, proposal; letters of either case. What a
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

    std::array<Marks, 6> m_marks;
};

/// The text without what the model thinks aloud in <think> or <thinking>; nothing if a thought does not end.
std::optional<std::string> withoutThoughts(std::string_view text);

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

/// ASCII letters in lower case.
std::string lowered(std::string_view text);

} // namespace tilewright::patch
