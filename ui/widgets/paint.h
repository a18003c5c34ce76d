// SPDX-License-Identifier: GPL-3.0-or-later
// Small things that several views draw alike. Painters come with their own state and get it back. GUI thread.
#pragma once

#include "core/base/ids.h"

#include <QColor>
#include <QFontMetricsF>
#include <QRectF>
#include <QString>
#include <utility>
#include <vector>

class QPainter;

namespace tilewright::ui {

/// The letter of an island on its colour.
void drawBadge(QPainter& painter, const QRectF& rect, IslandId island);
/// A rounded label; returns its width. Drawn from the left edge of rect, centred vertically.
qreal drawPill(QPainter& painter, const QRectF& rect, const QString& text, const QColor& fill, const QColor& ink);
qreal pillWidth(const QString& text);
/// Best-so-far steps with a soft area below. Values are scaled to [lowest, highest].
void drawSparkline(QPainter& painter, const QRectF& rect, const std::vector<std::pair<std::int64_t, double>>& trace,
    std::int64_t lastX, double lowest, double highest, const QColor& colour);
/// A value as a dot on its interval, which has a stroke at either end; x of all three, on a line at this height.
void drawInterval(QPainter& painter, qreal low, qreal value, qreal high, qreal y, const QColor& ink);
/// As many of the parts as fit into this width, and how many more there are: "manual 8 %, tuner 17 % +1 more".
QString wholeParts(const QStringList& parts, const QFontMetricsF& metrics, qreal width);
/// Text in one line, cut with an ellipsis where it does not fit.
void drawElided(QPainter& painter, const QRectF& rect, int alignment, const QString& text);

/// Text in two lines from the top, the second cut where it does not fit; what it takes of the height.
qreal drawInTwoLines(QPainter& painter, const QRectF& rect, const QString& text);

} // namespace tilewright::ui
