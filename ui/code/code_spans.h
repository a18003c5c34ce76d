// SPDX-License-Identifier: GPL-3.0-or-later
// The coloured stretches of one text, shared by all who show it. Immutable once made; safe on any thread.
#pragma once

#include "core/highlight/colour_messages.h"

#include <QString>
#include <memory>
#include <span>
#include <vector>

namespace tilewright::ui {

class CodeSpans
{
public:
    CodeSpans() = default;
    /// In order of line and start.
    explicit CodeSpans(std::vector<CodeSpan> spans)
        : m_spans(std::move(spans))
    {
    }
    /// 0-based.
    std::span<const CodeSpan> ofLine(int line) const;

private:
    std::vector<CodeSpan> m_spans;
};

using CodeSpansPtr = std::shared_ptr<const CodeSpans>;

} // namespace tilewright::ui
