// SPDX-License-Identifier: Apache-2.0
// The instructions of one turn of a loop, by kind, and what follows from them. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

struct LoopMix {
    std::string function; ///< demangled, without its arguments
    int instructions = 0;
    int fused = 0; ///< multiply-adds
    int arithmetic = 0; ///< other floating-point additions, multiplications and the like
    int chains = 0; ///< registers that multiply-adds and additions write: sums that do not wait for each other
    int loads = 0; ///< of vectors or numbers, those inside arithmetic included, those of the stack left out
    int broadcasts = 0; ///< loads of one number into all lanes
    int stores = 0; ///< to memory but the stack
    int shuffles = 0; ///< between lanes
    int spillStores = 0, spillLoads = 0; ///< of vectors or numbers, to and from the stack
    int bits = 0; ///< of the widest arithmetic; 0: single numbers

    bool operator==(const LoopMix&) const = default;
    nlohmann::json json() const;
    /// None where it is no such object.
    static std::optional<LoopMix> fromJson(const nlohmann::json& json);
};

/// "hot loop of multiply_tile: 28 multiply-adds of 512 bits, 2 loads, 14 broadcasts, 24 values spilled per iteration".
std::string loopWords(const LoopMix& mix);

/// What of it slows the loop down, in sentences with their figures; empty where nothing does.
/// It counts: values that go through the stack; more loads than two a multiply-add pair can feed; fewer sums than two
/// units with a latency of four cycles need; shuffles; arithmetic narrower than `deviceBits`.
std::vector<std::string> loopFindings(const LoopMix& mix, int deviceBits);

} // namespace tilewright
