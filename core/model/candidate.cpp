// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/candidate.h"

#include "core/base/names.h"
#include "core/model/event_names.h"

namespace tilewright {

std::string nameOf(Focus focus) { return nameIn(focusNames, focus); }
Focus focusFromName(std::string_view name) { return valueIn(focusNames, name).value_or(Focus::Explore); }
std::string nameOf(ProposalState state) { return nameIn(proposalStateNames, state); }
std::string nameOf(ModelRequestState state) { return nameIn(modelRequestStateNames, state); }
std::string nameOf(Stage stage) { return nameIn(stageNames, stage); }

} // namespace tilewright
