// SPDX-License-Identifier: GPL-3.0-or-later
// Who proposes in a run, by the words of its settings: "mutator", "tuner", "random", "model:FILE", "manual:FOLDER",
// "replay:SESSION|FOLDER"; "model" alone means the user's own models file, "manual" alone the window. The one place
// that knows them all; a new kind is a line here and a class of its own.
#pragma once

#include "core/evolve/islands.h"
#include "core/model/run_state.h"
#include "core/model/task/task.h"
#include "core/proposer/reply_source.h"

#include <filesystem>

namespace tilewright {

/// "manual:FOLDER" → {"manual", "FOLDER"}.
struct ProposerWords {
    std::string kind, with;
};
ProposerWords wordsOfProposer(const std::string& proposer);
/// With its path made absolute, so that a session can be resumed from any folder.
std::string anchoredProposer(const std::string& proposer);
/// For a user: "mutator, tuner, random, manual:DIR, replay:SESSION|DIR".
std::vector<std::string> knownProposers();
/// Whether what a user steering requests of a run by this proposer reaches anybody: that a candidate is edited next
/// (steering request/replay), that an idea or a prompt of theirs is tried (steering request/unread), that an edit is
/// judged (judge/no-models).
Result<void> checkTakesSteeringRequests(const std::string& proposer);
Result<void> checkTakesPrompts(const std::string& proposer);
Result<void> checkHasJudge(const std::string& proposer);
/// Why what a user wrote for prompts ("hints", "insights") reaches nobody in a run of this proposer; "" where it
/// does.
std::string wordsOfUnread(const std::string& what, const std::string& proposer);
std::string wordsOfUnreadHints(const std::string& proposer);

/// RunSettings::tuning of a new session by this proposer: versionsOfAProgram where models, a user or the replies of a
/// folder propose; 0 for what is built in, which searches constants anyway, and for a recorded session, which holds its
/// own versions.
inline constexpr int versionsOfAProgram = 24;
int usualTuning(const std::string& proposer);

/// RunSettings::recombinations of a new session by this proposer: recombinationsOfAnEdit where models or a user are
/// asked; 0 for the others.
inline constexpr int recombinationsOfAnEdit = 8;
int usualRecombinations(const std::string& proposer);

/// The words alone. Errors: proposer/unknown, proposer/words (nothing after the colon, or something where nothing
/// belongs).
Result<void> checkProposer(const std::string& proposer);

/// The models file of the proposer "model:FILE" or "model".
std::filesystem::path modelsFileOf(const std::string& proposer);
/// Why money cannot be limited with that proposer, whose next question would not be put: what of it has no price, and
/// what to do. Empty where it can, and where the models file cannot be read now.
std::string whyNoMoneyLimit(const std::string& proposer);
/// The budget with the limits of the models file where it has none itself. Errors: models/price (money is limited, and
/// the price of a model that may be asked is unknown), models/missing, and those of loadModelsFile().
Result<Budget> budgetWithModels(const std::string& proposer, Budget budget);

/// Either of the two.
struct Proposing {
    std::unique_ptr<Proposer> proposer;
    std::unique_ptr<ReplySource> replySource;
    std::string warning = {}; ///< what a user should know before it begins; "" for nothing
};
/// Whether a proposer of this kind ("tuner") has anything to do with the task: the one place of this rule. The mutator
/// and random search combine the task's moves and set tunables, the tuner sets tunables alone. Errors:
/// proposer/no-tunables, proposer/no-moves (neither moves nor tunables).
Result<void> checkFit(const std::string& kind, const TaskPack& pack);
/// Whether any proposer that is built in has anything to do with the task; else only models, a user or a recording
/// can offer edits.
bool hasBuiltInWork(const TaskPack& pack);
/// The same in the middle of a run: its candidates may have tunables that the seed has not.
Result<void> checkFit(const std::string& kind, const TaskPack& pack, const RunState& run);
/// Errors: those of checkProposer(), of loadModelsFile() and of recordedReplies(), models/missing.
Result<Proposing> proposingBy(const std::string& proposer, const TaskPack& pack);
/// Whether a run by this proposer could begin now; run: or go on with it. Errors as proposingBy(), checkFit() and
/// writtenPrompts(), and manual/folder. Makes the folder of manual:FOLDER.
Result<void> checkProposing(const std::string& proposer, const TaskPack& pack, const RunState& run = {});

/// Whether a new run can begin with its islands steered like this, and with the migration of its settings. Errors:
/// island/count, island/strategy (there is none of that name), island/unknown, island/no-steering commands (the
/// island's strategy cannot be steered), island/value, island/itself.
Result<void> checkFounders(const RunSettings& settings, const std::map<IslandId, IslandSteering>& steering);

/// A sentence for each island that the models file of this proposer, or the user's folders of templates, name and a
/// run of so many islands does not have: what stands there is never used.
std::vector<std::string> islandsNamedInVain(const std::string& proposer, int islands);

// Who can be given a weight in an island's mix of proposers, and why some cannot. The one place of this rule.

struct ProposerChoice {
    std::string name; ///< as in a ProposerMix
    Error objection; ///< why it cannot be asked; code empty if it can
    double usual = 0; ///< its weight where the island has no mix of its own

    bool operator==(const ProposerChoice&) const = default;
};

/// The mutator, the tuner, and whoever the run's proposer is: a user, or each model of its file, which is read.
std::vector<ProposerChoice> proposerChoices(const std::string& proposer, const Island& island);

/// Whether whoever has a weight here can be asked in a run of this proposer. pack: none where it is not known yet
/// whether there is anything to tune. Errors: island/no-models, island/value (nobody has that name), those of the
/// choices, and of checkFit() where none of them has anything to do.
Result<void> checkProposers(const ProposerMix& mix, const std::string& proposer, const Island& island,
    const TaskPack* pack, const RunState& run);

} // namespace tilewright
