// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of a scheme: how sparse it is, what it costs, how much it may amplify rounding. Pure.
#pragma once

#include "core/tensor/scheme.h"

namespace tilewright::tensor {

/// Coefficients of U, V and W that are not 0.
int nonzerosOf(const Scheme& scheme);

/// Additions and subtractions of one level where every sum is computed by itself: in each product the terms of A less
/// one and those of B less one, and in each entry of C the products less one.
int naiveAdditionsOf(const Scheme& scheme);

/// max over the entries of C of Σ_r |w| ‖u_r‖₁ ‖v_r‖₁: how much one level may amplify rounding errors (Higham 2002,
/// chapter 23; Ballard et al. 2016, arXiv 1507.00687). 2 for the definition of 2x2x2, 12 for Strassen, 18 for
/// Winograd's variant.
double growthFactorOf(const Scheme& scheme);

/// 3 ln R / ln(n·m·p): the exponent of a recursion that uses the scheme at every level. None where n·m·p is 1.
std::optional<double> exponentOf(const Scheme& scheme);
std::optional<double> exponentOf(const Format& format, int rank);

/// Whether all coefficients are -1, 0 or 1.
bool isTernary(const Scheme& scheme);

/// The largest magnitude of a coefficient.
double largestCoefficientOf(const Scheme& scheme);

/// SHA-256 of format, ring and coefficients: the same for schemes that differ in name and origin alone.
std::string fingerprintOf(const Scheme& scheme);

} // namespace tilewright::tensor
