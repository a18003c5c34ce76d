// SPDX-License-Identifier: GPL-3.0-or-later
// How long the prompts of an island may be, and what a token of them costs, by the models that may be asked there: the
// same whether a run goes on or rests. Pure.
#pragma once

#include "core/llm/models_file.h"
#include "core/llm/usage.h"
#include "core/model/run_state.h"
#include "core/proposer/correspondent.h"

#include <functional>

namespace tilewright {

/// The island's own weights, by its letter or name; of no island: each model's.
std::map<std::string, double> modelWeightsOn(const ModelsFile& models, const RunState& state, IslandId island);

/// What answers of a model have told of the tokens of its prompts.
using KnownTokens = std::function<TokenEstimator(const std::string& model)>;
PromptRoom promptRoomOf(
    const ModelsFile& models, const RunState& state, IslandId island, const KnownTokens& known = {});

} // namespace tilewright
