// SPDX-License-Identifier: GPL-3.0-or-later
// Where a hunk stands in the original: the first key with hits decides; several hits need the exact line number or a
// heading that only one of them stands under. Removed lines match by a key or not at all. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/indentation.h"
#include "core/patch/matching.h"
#include "core/patch/source_text.h"

namespace tilewright::patch {

/// What a hunk does to the program, once it is known where it stands.
struct Placement {
    std::vector<Edit> edits; ///< sorted; context lines are in none
    std::vector<Repair> repairs;
    std::size_t line = 0; ///< 0-based line of the first old line
    bool unescaped = false, signSpace = false; ///< what the rest of the reply will have as well
    std::optional<IndentMap> tabs; ///< tabs ↔ blanks, as well
    bool indentSeen = false; ///< some matched line is indented
    bool hinted = false; ///< its number or heading chose among several places
};

/// Nothing: no hit under any key.
using Located = std::optional<std::expected<Placement, Refusal>>;

/// May line number and heading choose among several hits?
enum class Hints { Use, Ignore };
/// How far the keys go: misquoted and missing context is forgiven only around lines that are right.
enum class Keys { All, Trimmed };

struct Search {
    Hints hints = Hints::Use;
    Keys keys = Keys::All;
    std::size_t dropped = 0; ///< old lines dropped before the hunk: where its line number points to
};

Located locateByKeys(Matcher& matcher, const Hunk& hunk, std::size_t number, const Search& search);

/// The same with blank lines that the hunk's context skipped, or has too many.
Located locateOverBlanks(Matcher& matcher, const Hunk& hunk, std::size_t number);

/// Do its old lines stand one after the other in exactly one place, byte for byte?
bool standsToTheLetter(Matcher& matcher, const Hunk& hunk);

/// How many of the hunk's old lines, from the first on, stand somewhere one after the other, blanks at line ends aside.
std::size_t longestRun(Matcher& matcher, const Hunk& hunk);

/// First lines of the places where the hunk's new side stands (context and added lines).
std::vector<std::size_t> placesOfNewSide(Matcher& matcher, const Hunk& hunk);

/// The lines whose blocks a line stands in, innermost first, by indentation: what a heading is compared with.
std::vector<std::size_t> enclosingLines(const std::vector<std::string_view>& source, std::size_t line);

} // namespace tilewright::patch
