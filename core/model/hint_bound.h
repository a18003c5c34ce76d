// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace tilewright {

/// Bytes of what a person tells the models of an island. It is never left out of a prompt, and must not crowd out the
/// rest.
inline constexpr std::size_t longestHint = 4000;

} // namespace tilewright
