// SPDX-License-Identifier: GPL-3.0-or-later
// The sign of a compared program: a shape and a colour, the same in chips, headings, plots and legends. GUI thread.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPointF>

class QPainter;

namespace tilewright::ui {

enum class MarkerShape { Circle, Square, Diamond, Down, Pentagon, Star, Triangle, Cross };

/// The colour is read from the theme while painting.
struct Marker {
    MarkerShape shape = MarkerShape::Circle;
    /// From 0: the colours that tell programs apart; the vendor library has that of text, the baseline a quiet one.
    int hue = 0;

    bool operator==(const Marker&) const = default;
};

inline constexpr int vendorHue = -1, baselineHue = -2, otherHue = -3;
inline constexpr Marker vendorMarker{MarkerShape::Triangle, vendorHue}, baselineMarker{MarkerShape::Cross, baselineHue},
    otherMarker{MarkerShape::Circle, otherHue};

/// Of the program that took this place, from 0.
Marker markerOf(int place);
QColor colourOf(const Marker& marker);
/// "circle", "triangle": for those who do not see it.
QString words(MarkerShape shape);
/// `size`: its width; `strength`: 1 is opaque.
void drawMarker(QPainter& painter, const QPointF& centre, qreal size, const Marker& marker, qreal strength = 1);
QIcon markerIcon(const Marker& marker);

} // namespace tilewright::ui
