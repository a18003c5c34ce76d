// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of every theme as plain values. Pure; whoever paints reads them through Theme.
#pragma once

#include "core/base/ids.h"

#include <QColor>
#include <QString>
#include <array>
#include <optional>

namespace tilewright::ui {

enum class ThemeKind { Light, Dark, Contrast };

/// "light", "dark", "contrast": as written on the command line and in the settings.
QString nameOf(ThemeKind kind);
std::optional<ThemeKind> themeFromName(const QString& name);

struct Tokens {
    QColor window, panel, raised, track, border, strongBorder, grid;
    QColor text, secondary, tertiary;
    QColor disabled; ///< of controls that cannot be used now: apart from the others in every theme
    QColor accent, button, buttonText, selected, pill;
    QColor good, bad, warning, goodPill, badPill, warningPill;
    QColor addedLine, addedWord, removedLine, removedWord;
    QColor codeKeyword, codeType, codeNumber, codeFunction, codePreprocessor, codeComment;
    std::array<QColor, 4> islands; ///< Okabe-Ito; reused from the fifth island on, the letter carries the identity
    QColor badgeText; ///< on an island's colour
};

Tokens tokensOf(ThemeKind kind);
QColor islandColour(const Tokens& tokens, IslandId island);
/// Viridis (Smith, van der Walt 2015), 0 … 1.
QColor viridis(double at);
/// The colour of a score: viridis, as dark as the theme's ground lets it be seen. Still lighter from one to the next.
QColor scoreColour(const Tokens& tokens, double at);
/// The colour itself where it stands out from the ground by that contrast; else lighter or darker until it does.
QColor standingOut(const QColor& colour, const QColor& ground, double least);
/// WCAG 2.1 contrast ratio, 1 … 21.
double contrast(const QColor& a, const QColor& b);

} // namespace tilewright::ui
