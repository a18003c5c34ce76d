// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/code_spans.h"

#include <algorithm>

namespace tilewright::ui {

std::span<const CodeSpan> CodeSpans::ofLine(int line) const
{
    const auto [from, to] = std::ranges::equal_range(m_spans, line, {}, &CodeSpan::line);
    return {from, to};
}

} // namespace tilewright::ui
