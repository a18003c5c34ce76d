// SPDX-License-Identifier: GPL-3.0-or-later
// The best ranks of matrix-multiplication schemes that are published, per ring, with their source. As of July 2026.
#pragma once

#include "core/tensor/scheme.h"

#include <optional>
#include <string_view>

namespace tilewright::tensor {

struct BestKnown {
    int rank = 0;
    std::string_view source;
};

/// Of n×m by m×p, in any order of the three; none where this table has no entry (one of them above 5 or below 2).
std::optional<BestKnown> bestKnown(const Format& format, Ring ring);

} // namespace tilewright::tensor
