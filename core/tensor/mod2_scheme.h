// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix-multiplication schemes over Z2 as bit masks: what the flip-graph search works on. Pure.
#pragma once

#include "core/tensor/scheme.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tilewright::tensor {

/// One product: masks over the entries of A (n·m), B (m·p) and C (n·p), row-major, bit 0 first. C is not transposed.
using Mod2Product = std::array<std::uint64_t, 3>;

/// Σ over products of a ⊗ b ⊗ c. Its rank is the number of products.
struct Mod2Scheme {
    Format format;
    std::vector<Mod2Product> products;

    bool operator==(const Mod2Scheme&) const = default;

    int rank() const { return static_cast<int>(products.size()); }
    /// Coefficients that are not 0, of all three factors.
    int nonzeros() const;
};

/// One product for each a_ij·b_jk, of a format that checkFormat() accepts.
Mod2Scheme mod2Schoolbook(const Format& format);

/// Whether the sum of the products is the tensor of the format: all (nm)(mp)(np) entries are compared.
bool isExact(const Mod2Scheme& scheme);
/// The same of the scheme's products and others together.
bool isExactBeside(const Mod2Scheme& scheme, const std::vector<Mod2Product>& others);

/// The scheme with its axes in another order: axis a of the result is axis order[a] of the scheme. The tensor
/// Σ a_ij b_jk c_ik has every order of (i, j, k) as a symmetry, so the result is exact where the scheme is.
Mod2Scheme withAxes(const Mod2Scheme& scheme, const std::array<int, 3>& order);

/// {n, m, p}, and back.
std::array<int, 3> axesOf(const Format& format);
Format formatOf(const std::array<int, 3>& axes);

/// The order of axes that sorts them, smallest first: withAxes(scheme, sortedAxes(format)) has n ≤ m ≤ p.
std::array<int, 3> sortedAxes(const Format& format);
std::array<int, 3> inverseOrder(const std::array<int, 3>& order);
Format sorted(const Format& format);

/// The scheme as one over Z2, and back. Errors of the second: tensor/ring, tensor/shape.
Scheme schemeOf(const Mod2Scheme& scheme);
Result<Mod2Scheme> mod2Of(const Scheme& scheme);

/// The products in a fixed order, for comparison and for files.
Mod2Scheme inOrder(Mod2Scheme scheme);

} // namespace tilewright::tensor
