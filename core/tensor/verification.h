// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a scheme multiplies matrices: every coefficient of every product A[i]·B[j] in every C[k], in exact integers.
// Pure.
#pragma once

#include "core/tensor/scheme.h"

#include <optional>

namespace tilewright::tensor {

/// A product of an entry of A and an entry of B that occurs in an entry of C with another factor than in A B.
struct WrongEntry {
    int a = 0, b = 0, c = 0; ///< entries, from 0, row by row
    int expected = 0; ///< 0 or 1
    std::string found; ///< "2", "-1/2", "more than 65536"

    bool operator==(const WrongEntry&) const = default;
};

struct Verification {
    std::int64_t entries = 0; ///< that were compared: (n·m)(m·p)(n·p)
    std::int64_t wrong = 0;
    std::optional<WrongEntry> first; ///< the first wrong one: by entry of C, then of A, then of B

    bool isExact() const { return wrong == 0; }
};

/// Of a scheme that checkScheme() accepts, over its own ring.
Verification verified(const Scheme& scheme);

/// Whether A[a]·B[b] is part of C[c] = (A B)[c].
bool isInProduct(const Format& format, int a, int b, int c);

/// "a12·b21 in c11 is 0, not 1".
std::string textOf(const Format& format, const WrongEntry& wrong);

} // namespace tilewright::tensor
