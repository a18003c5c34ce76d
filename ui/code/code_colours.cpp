// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/code_colours.h"

#include <algorithm>

namespace tilewright::ui {

QColor codeColour(const Tokens& tokens, CodeStyle style)
{
    switch (style) {
    case CodeStyle::Keyword:
        return tokens.codeKeyword;
    case CodeStyle::Type:
        return tokens.codeType;
    case CodeStyle::Number:
    case CodeStyle::String:
        return tokens.codeNumber;
    case CodeStyle::Comment:
        return tokens.codeComment;
    case CodeStyle::Preprocessor:
        return tokens.codePreprocessor;
    case CodeStyle::Function:
        return tokens.codeFunction;
    case CodeStyle::Annotation:
        return tokens.accent;
    case CodeStyle::Plain:
    case CodeStyle::Heading:
    case CodeStyle::Count:
        break;
    }
    return tokens.text;
}

QColor codeColourOn(const Tokens& tokens, CodeStyle style, const QColor& ground)
{
    constexpr int steps = 10;
    const QColor own = codeColour(tokens, style);
    for (int step = 0; step < steps; ++step) {
        const float part = static_cast<float>(step) / steps;
        const auto mix = [part](float a, float b) { return a + (b - a) * part; };
        const QColor mixed = QColor::fromRgbF(mix(own.redF(), tokens.text.redF()),
            mix(own.greenF(), tokens.text.greenF()), mix(own.blueF(), tokens.text.blueF()));
        if (contrast(mixed, ground) >= readableContrast)
            return step == 0 ? own : mixed;
    }
    return tokens.text;
}

void applyCodeStyle(QTextCharFormat& format, const Tokens& tokens, CodeStyle style, const QColor& ground)
{
    format.setForeground(codeColourOn(tokens, style, ground));
    if (style == CodeStyle::Heading)
        format.setFontWeight(QFont::Bold);
}

std::span<const CodeSpan> CodeSpans::ofLine(int line) const
{
    const auto [from, to] = std::ranges::equal_range(m_spans, line, {}, &CodeSpan::line);
    return {from, to};
}

} // namespace tilewright::ui
