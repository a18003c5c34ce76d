// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/evolve/fitness_data.h"
#include "ui/theme/tokens.h"

namespace tilewright::test {

/// What the fitness plot shows of a run, with all islands.
inline ui::FitnessData dataOf(const RunState& run, const ui::FitnessLook& look)
{
    const ui::Tokens tokens = ui::tokensOf(ui::ThemeKind::Dark);
    return ui::fitnessOf(run, look, tokens, QStringLiteral("openblas"), [](IslandId) { return true; });
}

} // namespace tilewright::test
