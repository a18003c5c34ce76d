// SPDX-License-Identifier: GPL-3.0-or-later
// Who proposes in a run, by the words of its settings: "mutator", "tuner", "random", "manual:FOLDER",
// "replay:SESSION|FOLDER". The one place that knows them all; a new kind is a line here and a class of its own.
#pragma once

#include "core/model/task.h"
#include "core/proposer/correspondent.h"

namespace tilewright {

/// "manual:FOLDER" → {"manual", "FOLDER"}.
struct ProposerWords {
    std::string kind, with;
};
ProposerWords wordsOfProposer(const std::string& proposer);
/// With its path made absolute, so that a session can be resumed from any folder.
std::string anchoredProposer(const std::string& proposer);
/// For a person: "mutator, tuner, random, manual:DIR, replay:SESSION|DIR".
std::vector<std::string> knownProposers();

/// The words alone. Errors: proposer/unknown, proposer/words (nothing after the colon, or something where nothing
/// belongs).
Result<void> checkProposer(const std::string& proposer);

/// Either of the two.
struct Proposing {
    std::unique_ptr<Proposer> proposer;
    std::unique_ptr<Correspondent> correspondent;
};
/// Errors: those of checkProposer() and of recordedReplies().
Result<Proposing> proposingBy(const std::string& proposer, const TaskPack& pack);
/// Whether a run by this proposer could begin now. Errors as proposingBy() and writtenPrompts().
Result<void> checkProposing(const std::string& proposer, const TaskPack& pack);

} // namespace tilewright
