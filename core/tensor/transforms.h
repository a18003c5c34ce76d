// SPDX-License-Identifier: GPL-3.0-or-later
// New schemes of given ones. Each function keeps exactness: of right schemes a right one. Pure.
#pragma once

#include "core/tensor/scheme.h"

namespace tilewright::tensor {

enum class Dimension { N, M, P };
inline constexpr NameTable<Dimension, 3> dimensionNames{
    {{Dimension::N, "n"}, {Dimension::M, "m"}, {Dimension::P, "p"}}};

/// The tensor product: blocks by the first scheme, inside of the blocks by the second. n, m, p and the ranks multiply.
/// Errors: tensor/format, tensor/rank, tensor/coefficient where the result is too large; tensor/ring for Z2 with
/// another ring.
Result<Scheme> composed(const Scheme& outer, const Scheme& inner);

/// The scheme of m × p × n that follows from tr(A B C) = tr(B C A).
Scheme rotated(const Scheme& scheme);
/// The scheme of p × m × n that follows from (A B)ᵀ = Bᵀ Aᵀ.
Scheme transposed(const Scheme& scheme);

/// Both beside each other along one dimension, in which their sizes add up; the other two are the same. The ranks add
/// up. Errors: tensor/format, tensor/rank, tensor/ring.
Result<Scheme> directSum(const Scheme& first, const Scheme& second, Dimension along);
/// The scheme with `by` more rows or columns along a dimension, whose products are those of the definition.
/// Errors: those of directSum().
Result<Scheme> extended(const Scheme& scheme, Dimension along, int by);

/// Odd coefficients become 1, even ones 0; products that vanish are left out. Errors: tensor/mod2 where a denominator
/// is even, or for Q(i).
Result<Scheme> reducedMod2(const Scheme& scheme);

/// The same without products of which a factor is zero, or that no entry of C uses.
Scheme withoutEmptyProducts(const Scheme& scheme);

} // namespace tilewright::tensor
