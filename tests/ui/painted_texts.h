// SPDX-License-Identifier: GPL-3.0-or-later
// What widgets write by painting, which no label holds: plots, the lineage, lanes, cells of tables.
#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace tilewright::test {

struct PaintedText {
    QString text;
    QRectF ink; ///< in the widget
    QRectF clip; ///< what is seen of the widget there
};

/// All texts that this widget paints itself, without those of its children.
std::vector<PaintedText> paintedTexts(QWidget& widget);
/// Texts that lie upon each other, and texts that are cut at an edge, of all widgets of the window that paint texts.
QStringList paintedMisfits(QWidget& window);

} // namespace tilewright::test
