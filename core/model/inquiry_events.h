// SPDX-License-Identifier: GPL-3.0-or-later
// What the events of questions to models do to a run's state: part of apply(), see run_state.h.
#pragma once

#include "core/model/run_state.h"

#include <optional>

namespace tilewright {

Result<void> applyInquiry(RunState& state, const events::Asked& event);
/// What the log says of it, where no whole answer came.
Result<std::optional<LogLine>> applyInquiry(RunState& state, const events::Answered& event);
Result<void> applyInquiry(RunState& state, const events::BodyArrived& event);
Result<void> applyInquiry(RunState& state, const events::TriedAgain& event);

} // namespace tilewright
