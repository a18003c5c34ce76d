// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/marks.h"

namespace tilewright::testing {

/// Blank marks, changed so.
template <typename Change> Marks marked(const Change& change)
{
    Marks marks;
    change(marks);
    return marks;
}

} // namespace tilewright::testing
