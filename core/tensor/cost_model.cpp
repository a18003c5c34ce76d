// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/cost_model.h"

namespace tilewright::tensor {

LevelAdditions schoolbookAdditions(const Format& format) { return {0, 0, format.n * format.p * (format.m - 1)}; }

LevelAdditions additionsOf(const SchemePrograms& programs)
{
    return {programs.a.additions(), programs.b.additions(), programs.c.additions()};
}

OperationCount operationsOf(const Format& format, int rank, const LevelAdditions& additions, int levels)
{
    OperationCount count{1, 0}; // two scalars
    double a = 1, b = 1, c = 1; // entries of a block of A, B and C
    for (int level = 0; level < levels; ++level) {
        count.multiplications *= rank;
        count.additions = rank * count.additions + additions.a * a + additions.b * b + additions.c * c;
        a *= format.aEntries(), b *= format.bEntries(), c *= format.cEntries();
    }
    return count;
}

OperationCount schoolbookOperations(const Format& format, int levels)
{
    return operationsOf(format, format.naiveRank(), schoolbookAdditions(format), levels);
}

std::optional<double> breakEvenOf(const Format& format, int rank, const LevelAdditions& additions)
{
    const int saved = format.naiveRank() - rank;
    if (saved <= 0)
        return std::nullopt;
    return double(additions.all() - schoolbookAdditions(format).all()) / saved;
}

} // namespace tilewright::tensor
