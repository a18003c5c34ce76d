// SPDX-License-Identifier: GPL-3.0-or-later
// A program on the way to an offer: a text with the moves that made it, and the small steps that change it. Pure.
#pragma once

#include "core/base/random.h"
#include "core/model/task/task.h"
#include "core/source/program_text.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

struct Variation {
    std::string text;
    std::vector<std::string> lineage; ///< moves in the text, in order
    std::vector<std::string> edits; ///< moves this variation adds, "-NAME" for one it takes out
    std::vector<std::string> reasons; ///< one sentence an edit

    bool has(const std::string& move) const;
};

const Move* moveNamed(const TaskPack& pack, const std::string& name);

/// With the move applied; none when its patch does not fit. Tunables keep their values.
std::optional<Variation> withMove(const Variation& from, const Move& move);

/// The seed with the lineage's moves but one, tunables kept; none when what is left does not apply.
std::optional<Variation> withoutMove(const Variation& from, const std::string& move, const TaskPack& pack);

/// Moves of the pack that are not in the lineage and whose patch fits.
std::vector<const Move*> applicableMoves(const Variation& from, const TaskPack& pack);

/// The pack's moves in an order in which most of them fit on top of each other: of those that fit, the one comes next
/// that keeps the fewest others from fitting. What fits nowhere in it is left out.
std::vector<const Move*> ladderOf(const TaskPack& pack);

/// As it is where all `// require:` lines hold; else with the one or two tunables changed, each as little as possible,
/// under which they do; nothing where there are none.
std::optional<Variation> fitted(Variation variation);

/// Tunables with one to most of them changed: mostly a step or two along the choices, else any choice.
Tunables perturbed(const std::vector<Tunable>& tunables, int most, CounterRandom& random);
/// Every tunable drawn anew.
Tunables drawnAnew(const std::vector<Tunable>& tunables, CounterRandom& random);

/// "KC 64 → 256, MR 4 → 8": what differs; empty when nothing does.
std::string changesText(const Tunables& before, const Tunables& after);

} // namespace tilewright
