// SPDX-License-Identifier: Apache-2.0
// Contents of input tensors, made from a seed. Pure.
#pragma once

#include "core/base/hash.h"
#include "core/model/task/task.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

namespace tilewright {

/// For checking: normal N(0,1); scaled (the first tensor × 1e−3, the second × 64); mixed (sign × lognormal σ = 1);
/// integer from −2 to 2, so that every product and sum is exact.
void fillInput(std::span<float> values, InputKind kind, int tensor, std::uint64_t seed);
/// For timing: zero mean, unit variance, bell-shaped (sum of four uniforms), at memory speed.
void fillQuickly(std::span<float> values, std::uint64_t seed);
/// A quick 64-bit digest, to see whether bytes changed.
std::uint64_t digestOf(std::span<const float> values);

// What the seeds of inputs are made from, EVALUATION §3: of the session's secret, the evaluation, and how often a text
// was drawn before. So no two launches of a device, of whatever evaluation, check or second try, run on the same
// inputs, but the two of one request that must agree bit by bit. That is why a worker's memory need not be wiped
// between launches on other inputs: what earlier ones left in it, inputs and outputs, sums of a check and the library's
// workspace, comes of inputs that nobody is given again. Truths are unmapped while a program runs, and all memory in
// reach is poisoned between the two launches of one request. Any thread.

class SeedTexts
{
public:
    explicit SeedTexts(std::string secret)
        : m_secret(std::move(secret))
    {
    }
    std::string next(const std::string& evaluation)
    {
        return hmacSha256(m_secret, evaluation + "#" + std::to_string(++m_drawn)).hex();
    }

private:
    std::string m_secret;
    std::atomic<std::uint64_t> m_drawn = 0;
};

} // namespace tilewright
