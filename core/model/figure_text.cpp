// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/figure_text.h"

#include "core/base/format.h"

namespace tilewright {

std::string timesText(const Interval& interval)
{
    const bool isNarrow = interval.lo < interval.hi && fixedText(interval.lo, 2) == fixedText(interval.hi, 2);
    const int decimals = isNarrow ? 3 : 2;
    return fixedText(interval.value, decimals) + "× [" + fixedText(interval.lo, decimals) + ", "
        + fixedText(interval.hi, decimals) + "]";
}

} // namespace tilewright
