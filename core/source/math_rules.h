// SPDX-License-Identifier: GPL-3.0-or-later
// What a program's text does against a task that does not allow fast math: options set from inside, control registers
// of the floating-point unit, and approximate instructions. Pure; the list stands in docs/evaluation.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

struct MathFinding {
    /// Approximations may be allowed apart from fast math; nothing else may.
    bool isApproximation = false;
    int line = 0; ///< from 1; of the first line that holds it, 0 where it is put together from pieces
    std::string found; ///< "#pragma GCC optimize", "__expf", …
};

/// The first finding, those that nothing but fast math allows before approximations; none: the text does nothing of it.
std::optional<MathFinding> findFastMath(std::string_view source);

} // namespace tilewright
