// SPDX-License-Identifier: GPL-3.0-or-later
// Fewer nonzero coefficients at the same rank: flips accepted by simulated annealing (Kirkpatrick, Gelatt, Vecchi
// 1983), where the energy is the number of nonzeros. Pure.
#pragma once

#include "core/tensor/mod2_scheme.h"

namespace tilewright::tensor {

/// The sparsest scheme of the lowest rank that `flips` proposed flips come by; the scheme itself at worst. The same
/// seed gives the same scheme. A scheme without flips stays as it is.
Mod2Scheme polished(const Mod2Scheme& scheme, std::uint64_t flips, std::uint64_t seed);

} // namespace tilewright::tensor
