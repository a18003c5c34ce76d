// SPDX-License-Identifier: GPL-3.0-or-later
// What was tried and what came of it: one line an attempt, gains with intervals, failures with their reasons. Pure.
#pragma once

#include "core/proposer/proposer.h"

#include <set>
#include <string>
#include <vector>

namespace tilewright {

/// Whether only constants differ: one line tells that as well as a patch.
bool isRetuned(const ProposerView& view, const Candidate& from, const Candidate& to);

/// What a proposal changed, in few words: titles of its moves, constants that differ, else the first sentence of its
/// reasoning. candidate: what it became, null if it was refused.
std::string changeText(const ProposerView& view, const Proposal& proposal, const Candidate* candidate);

/// The candidate's result in words: "+4.2 % ±2.1 vs c-0012", "refused: verify/norm — …".
std::string resultText(const ProposerView& view, const Candidate& candidate);

/// First error lines of a candidate's build log, at most `most`, without notes and code excerpts.
std::vector<std::string> errorLines(const std::string& log, std::size_t most = 5);

/// Whether a line names the program that the attempt was made from. The second parent always is.
enum class ToldParent { Yes, No };
/// "c-0123 (from c-0100): change: result". A failed build adds its first errors; what gained on some shape, those on
/// which it was slowest and fastest beside its parent.
std::string attemptLine(const ProposerView& view, const Candidate& candidate, ToldParent told = ToldParent::Yes);

/// The steps from the seed to the candidate by first parents, newest first; migrations are not steps.
std::vector<std::string> lineageLines(const ProposerView& view, CandidateId candidate);

/// Attempts worth knowing before editing `parent`, by the parent's program and its island: first what was made from
/// this very program, then the island's other attempts; newest first, gains and losses alike. `without` is left out:
/// the one to be judged.
std::vector<std::string> attemptLines(
    const ProposerView& view, IslandId island, CandidateId parent, CandidateId without = {});

/// What failed on the island, newest first: patches that did not apply, programs that did not build or were refused or
/// were there already. What was tried several times in the same words is one of them, and says so.
/// repaired: the proposal that is being repaired; it and those that it repaired are left out.
std::vector<std::string> failureLines(const ProposerView& view, IslandId island, ProposalId repaired = {});

} // namespace tilewright
