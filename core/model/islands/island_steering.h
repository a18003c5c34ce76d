// SPDX-License-Identifier: GPL-3.0-or-later
// How a user steers an island, and the ways between islands: the values that steering commands change.
#pragma once

#include "core/base/ids.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tilewright {

// What one proposal is asked for.

enum class Focus { Explore, Exploit, Crossover, Repair, Rewrite, Tune };
std::string nameOf(Focus focus);
Focus focusFromName(std::string_view name);

/// Living: it takes its turns. Paused: it is asked for nothing new, what flies is finished, and migrants still arrive.
/// Ended: it takes no part any more; its record stays.
enum class Standing { Living, Paused, Ended };
std::string nameOf(Standing standing);

/// Weights of what an island's proposals ask for; none negative, and not all of them zero.
struct FocusMix {
    double explore = 0; ///< from anyone of the island, each as likely
    double neighbour = 0; ///< explore from a cell next to the best one's; where there is none, as explore
    double exploit = 0, crossover = 0, tune = 0;

    bool operator==(const FocusMix&) const = default;
    double sum() const { return explore + neighbour + exploit + crossover + tune; }
};

/// Weights of who is asked for an island's edits, by name: "mutator", "tuner", "manual" (a user), "model:NAME".
/// Empty: whoever the session asks. None negative, and not all of them zero.
using ProposerMix = std::map<std::string, double>;
inline constexpr std::string_view modelInMix = "model:";
bool isNameInMix(std::string_view name);

/// A user's word on how an island searches. What is at its default is left to the strategy.
struct IslandSteering {
    /// Every proposal asks for this: Explore, Exploit, Crossover or Tune. Crossover without a second program and Tune
    /// without tunables explore; of models and people Tune asks for Exploit.
    std::optional<Focus> focus;
    /// In place of the mix of the island's own focus; an island that does not improve then explores no more than this.
    std::optional<FocusMix> mix;
    /// Temperature of choosing parents (exploit, crossover, tune) by rank: towards 0 always the best, above 1 flatter
    /// than the strategy's own; greater than 0. Exploring chooses evenly and does not know it.
    double selection = 1;
    /// Sampling temperature that this island's requests send to models that take one; none: the models file's.
    std::optional<double> sampling;
    /// Times that a program which failed, or is clearly slower, goes back to who wrote it, with what was found; 0:
    /// never. A patch that does not apply has turns of its own.
    int repairTurns = 2;
    /// Who is asked for its edits. Names of whom the session cannot ask have no part in it.
    ProposerMix proposers = {};
    /// Candidates without a better one after which an island that is clearly behind the best of the run gives its
    /// population up and begins again from that best; 0: never.
    int stagnation = 60;

    bool operator==(const IslandSteering&) const = default;
};

/// A whole number that steers an island, everywhere that it is named.
struct SteeredCount {
    std::string_view word; ///< of a command: "island repairs B 1"
    std::string_view key; ///< in JSON
    std::string_view name; ///< "repairs"
    int IslandSteering::*member;
    int most; ///< 0 is the least
};
inline constexpr std::array<SteeredCount, 2> steeredCounts{
    {{"repairs", "repair_turns", "repairs", &IslandSteering::repairTurns, 8},
        {"stagnation", "stagnation", "candidates without improvement before a reset", &IslandSteering::stagnation,
            100'000}}};
/// Null for another word.
const SteeredCount* steeredCount(std::string_view word);

/// Where migrants go. Ring: to the next island that has not ended. Drawn: along the edges; an island with several
/// takes them in turn.
struct MigrationPlan {
    enum class Ways { Ring, Off, Drawn };
    using Edge = std::pair<IslandId, IslandId>;

    Ways ways = Ways::Ring;
    std::set<Edge> edges; ///< from, to; of Drawn
    std::int64_t interval = 6; ///< admissions of an island between two migrants of its own; at least 1

    bool operator==(const MigrationPlan&) const = default;
};
std::string nameOf(MigrationPlan::Ways ways);

/// For a user: "strategy", "focus tune", "explore 2, exploit 1"; "ring, every 6 admissions", "A→B, B→C, every 6 …".
std::string wordsOfMix(const FocusMix& mix);
std::string wordsOfAim(const IslandSteering& steering);
/// "mutator 1, coder 2"; "as set for the session".
std::string wordsOf(const ProposerMix& mix);
std::string wordsOf(const MigrationPlan& plan);
/// A number as a user writes it: "1.5", "2".
std::string wordsOf(double number);

} // namespace tilewright
