// SPDX-License-Identifier: GPL-3.0-or-later
// Random edits of random programs, and the replies that give them in each form.
#pragma once

#include "core/base/random.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::testing {

using Lines = std::vector<std::string>;

enum class Language { Cpp, Python };

/// A program before and after an edit inside its block.
struct Edited {
    std::string before, after;
    Language language = Language::Cpp;

    const char* file() const { return language == Language::Python ? "x.py" : "x.cu"; }
};

Edited randomEdit(CounterRandom& random, Language language);

/// Its unified diff as lines, the two of the file header first.
Lines diffLinesOf(const Edited& edited, std::size_t context);
/// Does this line of a diff begin a hunk?
bool beginsHunk(const std::string& line);
int hunksIn(const Lines& diff);

std::string joinedLines(const Lines& lines);
std::string replacedAll(std::string text, const std::string& old, const std::string& fresh);

std::string asUnified(const Lines& diff);
std::string asEnvelope(const Lines& diff);
/// Nothing where a line has no sign that tells its half.
std::optional<std::string> asBlocks(const Lines& diff);

} // namespace tilewright::testing
