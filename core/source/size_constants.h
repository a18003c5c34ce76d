// SPDX-License-Identifier: Apache-2.0
// The constants of a program that its branches on sizes may depend on: what it divides, masks and compares by. Sizes
// drawn from them find mistakes that random sizes seldom meet, as a fuzzer's dictionary does (libFuzzer, AFL). Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright {

/// Sizes that leave `residue` when divided by `modulus`.
struct SizeResidue {
    std::int64_t modulus = 1, residue = 0;
    bool operator==(const SizeResidue&) const = default;
};

struct SizeConstants {
    std::vector<SizeResidue> compared; ///< as the text compares them: "% 96 == 41", "(n & 7) == 3"
    std::vector<std::int64_t> shared; ///< moduli of both sides of a comparison: "m % 96 == n % 96"
    /// Of every other divisor, mask or constant that may be a tile's size: residues 0, 1, the last one, and constants
    /// that stand beside it.
    std::vector<SizeResidue> near;
    std::vector<std::int64_t> limits; ///< that sizes may be compared with: "> 2000"
    /// What a size may be equal to: numbers beside "==", "!=" and "case" first, then those beside an order with their
    /// neighbours, then every other whole number of the text.
    std::vector<std::int64_t> values;

    /// Whether no residue and no limit stands in the text; single values aside.
    bool isEmpty() const { return compared.empty() && shared.empty() && near.empty() && limits.empty(); }
};

/// Comments and strings aside. Constants behind a macro's or a variable's name count as constants of the text.
SizeConstants sizeConstants(std::string_view source);

} // namespace tilewright
