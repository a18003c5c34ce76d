// SPDX-License-Identifier: GPL-3.0-or-later
// The marks inside a reply: tags that stand for themselves, spans of thought, fences. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::patch {

/// A tag in a reply: where it begins, and where what follows it begins.
struct Tag {
    std::size_t begin = 0, end = 0;
};

/// The next <name> that stands at the start of its line (or behind another tag); letters of either case.
std::optional<Tag> openingTag(std::string_view text, std::string_view name, std::size_t from);
/// The next </name> at the start or at the end of its line.
std::optional<Tag> closingTag(std::string_view text, std::string_view name, std::size_t from);

/// The end of a span opened before `from`: the next closing tag, or one written plainly in mid-line.
std::optional<Tag> spanEnd(std::string_view text, std::string_view name, std::size_t from);

/// The text without what the model thinks aloud in <think> or <thinking>; nothing if a thought does not end.
std::optional<std::string> withoutThoughts(std::string_view text);

/// A fenced block; its text has the fence's own indentation taken off.
struct Fence {
    std::string language;
    std::string text; ///< LF after every line
    bool closed = false;
};
std::vector<Fence> fencesIn(std::string_view text);

} // namespace tilewright::patch
