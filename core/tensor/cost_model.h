// SPDX-License-Identifier: GPL-3.0-or-later
// What a scheme costs where a multiplication and an addition of entries have fixed prices: the simple model of
// textbooks, which counts no memory traffic. Pure.
#pragma once

#include "core/tensor/additions.h"
#include "core/tensor/scheme.h"

#include <optional>

namespace tilewright::tensor {

/// Additions of one level, by the matrix whose blocks they add.
struct LevelAdditions {
    int a = 0, b = 0, c = 0;

    int all() const { return a + b + c; }
    bool operator==(const LevelAdditions&) const = default;
};
/// Of the definition, with its n·p·(m − 1) additions.
LevelAdditions schoolbookAdditions(const Format& format);
/// Every sum by itself, or with sums that several forms share computed once.
LevelAdditions additionsOf(const SchemePrograms& programs);

struct OperationPrices {
    double multiply = 20, add = 1; ///< of two scalars, in clocks
};

/// Operations of a recursion of so many levels, down to scalars; each level multiplies the sizes by the format.
struct OperationCount {
    double multiplications = 0, additions = 0;

    double cost(const OperationPrices& prices) const
    {
        return multiplications * prices.multiply + additions * prices.add;
    }
};
OperationCount operationsOf(const Format& format, int rank, const LevelAdditions& additions, int levels);
OperationCount schoolbookOperations(const Format& format, int levels);

/// How many additions a multiplication has to cost for the scheme to win at one level: (its additions − those of the
/// definition) / (multiplications that it saves). None where it saves none.
std::optional<double> breakEvenOf(const Format& format, int rank, const LevelAdditions& additions);

} // namespace tilewright::tensor
