// SPDX-License-Identifier: GPL-3.0-or-later
// From what a stretch of code is to the colour it has on its ground. Pure; the theme's tokens come in.
#pragma once

#include "core/highlight/colour_messages.h"
#include "ui/theme/tokens.h"

#include <QString>
#include <QTextCharFormat>
#include <memory>
#include <span>
#include <vector>

namespace tilewright::ui {

/// The ratio that text needs (WCAG 2.1, AA).
constexpr double readableContrast = 4.5;

/// The theme's colour of that style.
QColor codeColour(const Tokens& tokens, CodeStyle style);
/// The same on another ground than the panel: mixed with the text's colour as far as reading it takes.
QColor codeColourOn(const Tokens& tokens, CodeStyle style, const QColor& ground);
/// That colour, and what goes with it: headings are bold.
void applyCodeStyle(QTextCharFormat& format, const Tokens& tokens, CodeStyle style, const QColor& ground);

// The coloured stretches of one text, shared by all who show it. Immutable once made; safe on any thread.

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
