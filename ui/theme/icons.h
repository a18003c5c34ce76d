// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own icons: 24-grid strokes in currentColor, tinted from the theme while they are painted, so that a
// change of theme needs no new icons. GUI thread.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace tilewright::ui {

enum class Tint { Text, Secondary, Accent, Good, Bad, Warning, Button };

/// Empty icon for an unknown name (a test walks over all names in use).
QIcon icon(const QString& name, Tint tint = Tint::Text);
/// The icon as an image of that size in logical pixels.
QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio);

} // namespace tilewright::ui
