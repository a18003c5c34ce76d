// SPDX-License-Identifier: GPL-3.0-or-later
// A hash over what a run's state means: numbers, texts and hashes of its events, in an order that is written down here.
// No name of the code or of a JSON key and no sentence that the program words is part of it, so that it stays the same
// as long as a session reads as it did.
#pragma once

#include "core/model/run_state.h"

namespace tilewright::test {

/// Enumerations are hashed by their number: new enumerators go to the end.
Hash stateHash(const RunState& state);

} // namespace tilewright::test
