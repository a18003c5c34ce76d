// SPDX-License-Identifier: GPL-3.0-or-later
// Synthetic performance models of gemm-fp32-cpu's and gemm-bf16's programs, read from their text: which moves are in it
// and how good its constants are, with the interactions a real machine has (packing pays only behind a register tile, a
// tile too large spills). Deterministic; for tests of search and engine that must take milliseconds.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::testing {

/// Speed of a program relative to the seed; 1 for the seed.
using SpeedOf = double (*)(std::string_view text);
/// Of gemm-fp32-cpu. The best program reaches a little above 50.
double syntheticSpeed(std::string_view text);
/// Of gemm-bf16, by what an H200 told of its rungs: about 12 for the best without Hopper's tensor cores, 67 with them.
double syntheticSpeedOfBf16(std::string_view text);

/// The same with a deterministic disturbance of about ±share that depends on text and occasion.
double disturbedSpeed(std::string_view text, std::string_view occasion, double share, SpeedOf speedOf = syntheticSpeed);

} // namespace tilewright::testing
