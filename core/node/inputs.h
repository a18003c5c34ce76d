// SPDX-License-Identifier: GPL-3.0-or-later
// Contents of input tensors, made from a seed. Pure.
#pragma once

#include "core/model/task.h"

#include <cstdint>
#include <span>

namespace tilewright {

/// For checking: normal N(0,1); scaled (the first tensor × 1e−3, the second × 64); mixed (sign × lognormal σ = 1);
/// integer from −2 to 2, so that every product and sum is exact.
void fillInput(std::span<float> values, InputKind kind, int tensor, std::uint64_t seed);
/// For timing: zero mean, unit variance, bell-shaped (sum of four uniforms), at memory speed.
void fillQuickly(std::span<float> values, std::uint64_t seed);
/// A quick 64-bit digest, to see whether bytes changed.
std::uint64_t digestOf(std::span<const float> values);

} // namespace tilewright
