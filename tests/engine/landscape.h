// SPDX-License-Identifier: GPL-3.0-or-later
// A synthetic performance model of gemm-fp32-cpu's programs, read from their text: which moves are in it and how good
// its constants are, with the interactions a real machine has (packing pays only behind a register tile, a tile too
// large spills). Deterministic; for tests of search and engine that must take milliseconds.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::testing {

/// Speed relative to the seed; 1 for the seed. The best program reaches a little above 50.
double syntheticSpeed(std::string_view text);

/// The same with a deterministic disturbance of about ±share that depends on text and occasion.
double disturbedSpeed(std::string_view text, std::string_view occasion, double share);

} // namespace tilewright::testing
