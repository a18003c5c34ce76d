// SPDX-License-Identifier: GPL-3.0-or-later
// What can be told from a part of a picture alone: whether anything stands on it, in whose colours, and whether it can
// be read. Pure.
#pragma once

#include "ui/theme/tokens.h"

#include <QImage>
#include <QString>

namespace tilewright::test {

/// The commonest colour.
QColor groundOf(const QImage& part);
/// The share of pixels that are clearly not of that colour, 0 … 1.
double inkOf(const QImage& part);
/// Of the ground and whatever stands out most from it, as WCAG counts.
double contrastOf(const QImage& part);
/// A surface that this theme paints on, within a few steps of each channel.
bool isGroundOf(const ui::Tokens& theme, const QColor& colour);
/// Why this part is not a pane with something on it; empty if it is one. leastInk: share of pixels.
QString wrongLook(const QImage& part, const ui::Tokens& theme, double leastInk);

} // namespace tilewright::test
