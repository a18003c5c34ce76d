// SPDX-License-Identifier: GPL-3.0-or-later
// Code shown beside the program: elites of other niches, changes that paid in this run, textbook ideas of the task's
// pack that fit the program and are not in it. Whole pieces, best first; nothing is cut. Pure.
#pragma once

#include "core/base/format.h"
#include "core/model/measurement/evaluation.h"
#include "core/model/parent_change.h"
#include "core/proposer/proposer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// The best program of the run, where `parent` is another one; then elites of other cells of the island, then of other
/// islands: what they are and how they differ from the program, as a diff; with a diff longer than half the program,
/// only in words.
/// `without`: the second parent, which is shown elsewhere.
std::vector<std::string> inspirations(
    const ProposerView& view, IslandId island, const Candidate& parent, const Candidate* without = nullptr);

/// The program's difference to another, with the other's result: for crossing the two.
std::string otherParent(const ProposerView& view, const Candidate& parent, const Candidate& other);

/// Changes of this run with the largest clear gain over a program that was good already; not of constants alone. A
/// short one with its patch.
std::vector<std::string> bestPatches(const ProposerView& view, const Candidate& parent);

/// Moves of the pack that apply to the program and are not in its lineage: idea, claim, and what they gained in this
/// run where they were tried. Those with the best record first, what was not tried by its claim; the first with its
/// patch, where it is short. Left out is what was tried
/// on this program alone or taken out on the way to it, and what this run measured to be slower, or several times
/// without effect. island: whose prompt it is; while nothing was tried each begins elsewhere, and while questions about
/// the program are open the next one does.
std::vector<std::string> textbookIdeas(const ProposerView& view, const Candidate& parent, IslandId island);

// Figures with their intervals, tables and fences as a prompt shows them. Plain numbers: core/base/format.h. Pure.

/// "1.042× [1.021, 1.063]".
std::string ratioText(const Interval& ratio);
/// "1.042× ±2.1 %": the larger half of the interval, rounded up; without it where there is none, as of the seed's
/// score.
std::string withMargin(const Interval& ratio);
/// A gain: "+4.2 % [+2.1 %, +6.3 %]" between half and double, else as ratioText().
std::string gainText(const Interval& ratio);
/// The same, behind "≈ " where the two were not measured side by side.
std::string gainText(const ParentChange& change);

/// "+4.2 % ±2.1": the change with the larger half of its interval, both in per cent of the speed before; as
/// withMargin() beyond half and double.
std::string briefGain(const Interval& ratio);
/// The same, behind "≈ " where the two were not measured side by side.
std::string briefGain(const ParentChange& change);

/// A line for each row, cells with " | " between; the first row is the heading.
std::string tableText(const std::vector<std::vector<std::string>>& rows);

/// "```cpp" … "```" around a text, with a fence longer than any in it.
std::string fenced(const std::string& text, const std::string& language);
/// First sentence of a text, without line ends; where there is no end before `longest` bytes, cut behind a whole word
/// (never behind or within figures) with "…".
std::string firstSentence(const std::string& text, std::size_t longest = 200);

} // namespace tilewright
