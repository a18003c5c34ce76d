// SPDX-License-Identifier: GPL-3.0-or-later
// Where labels in a plot may stand: none lies upon another, none leaves the plot; what has no room is left out, or goes
// on in the next line. Pixels; values in, values out.
#pragma once

#include <QFontMetricsF>
#include <QRectF>
#include <QString>
#include <QVector>
#include <optional>

namespace tilewright::ui {

/// A tick at the upper edge of the plot, and the size of what is written beside it.
struct TickLabel {
    double x = 0;
    double width = 0;
};

struct TickLabelPlace {
    QRectF box;
    bool isLeft = false; ///< of its tick
    double tickLength = 0; ///< down to the row of its label
};

struct TickRows {
    int count = 2; ///< of labels below each other
    double height = 0; ///< of one
    double tickLength = 0; ///< of a tick whose label is in the first row, or left out
};

/// In order of x; right of its own tick, always, so that nobody has to guess whose it is, in the first row where it
/// meets neither what is taken, nor another label, nor another tick. Only where the plot ends before the label would
/// it stands at the left, if no other tick is as near to it there. None: left out.
QVector<std::optional<TickLabelPlace>> placeTickLabels(
    const QVector<TickLabel>& labels, const QRectF& plot, const TickRows& rows, const QVector<QRectF>& taken);

/// Middles of names at the ends of lines, each as near as can be to where its line ends and none upon another: what is
/// crowded stands around its common middle. In the order given; none: farther from its own line than it could be read
/// as its name, or without room. `height` of one, all between `top` and `bottom`.
QVector<std::optional<double>> placeEndLabels(const QVector<double>& wanted, double height, double top, double bottom);

/// The first of these boxes that lies in the plot and upon nothing that is taken; -1: none does.
int firstFree(const QVector<QRectF>& boxes, const QRectF& plot, const QVector<QRectF>& taken);

/// The words with line breaks between them, so that no line is wider than this; a word that is stays whole. Breaks that
/// are there stay.
QString brokenInto(double width, const QString& words, const QFontMetricsF& metrics);

} // namespace tilewright::ui
