// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/rescale.h"

#include <QAbstractButton>
#include <QApplication>
#include <QBoxLayout>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStyle>
#include <QTableView>
#include <QTreeView>

namespace tilewright::ui {
namespace {

int rescaled(int length, double ratio) { return qRound(length * ratio); }

/// A window has the size that the person gave it; a style sheet's limits are the style's matter.
void rescaleLimits(QWidget& widget, double ratio)
{
    if (widget.isWindow() || widget.property("_q_stylesheet_minw").isValid())
        return;
    const QSize least = widget.minimumSize(), most = widget.maximumSize();
    const auto limit = [ratio](int length) {
        return length < QWIDGETSIZE_MAX ? std::min(rescaled(length, ratio), QWIDGETSIZE_MAX) : length;
    };
    const QSize newMost(limit(most.width()), limit(most.height()));
    widget.setMinimumSize(0, 0); // or it would hold the other limit up
    widget.setMaximumSize(newMost);
    widget.setMinimumSize(rescaled(least.width(), ratio), rescaled(least.height(), ratio));
    widget.updateGeometry(); // the size it wants may follow from the font that it paints with
}

void rescaleFont(QWidget& widget, double ratio)
{
    QFont font = widget.font();
    if (!widget.testAttribute(Qt::WA_SetFont) || !(font.resolveMask() & QFont::SizeResolved))
        return; // it has the application's, or that of the widget around it
    if (font.pointSizeF() > 0)
        font.setPointSizeF(qRound(font.pointSizeF() * ratio * 100) / 100.0); // there and back is the same
    widget.setFont(font);
    // Where a style sheet keeps the font that it gives back when another sheet comes.
    if (const char* kept = "_q_styleSheetWidgetFont"; widget.property(kept).isValid())
        widget.setProperty(kept, font);
}

void rescaleGrid(QGridLayout& grid, double ratio)
{
    if (grid.horizontalSpacing() > 0)
        grid.setHorizontalSpacing(rescaled(grid.horizontalSpacing(), ratio));
    if (grid.verticalSpacing() > 0)
        grid.setVerticalSpacing(rescaled(grid.verticalSpacing(), ratio));
    for (int column = 0; column < grid.columnCount(); ++column)
        grid.setColumnMinimumWidth(column, rescaled(grid.columnMinimumWidth(column), ratio));
    for (int row = 0; row < grid.rowCount(); ++row)
        grid.setRowMinimumHeight(row, rescaled(grid.rowMinimumHeight(row), ratio));
}

void rescaleLayout(QLayout& layout, double ratio)
{
    auto* box = qobject_cast<QBoxLayout*>(&layout);
    auto* grid = qobject_cast<QGridLayout*>(&layout);
    if (!box && !grid)
        return; // of docks and scroll areas
    const QMargins margins = layout.contentsMargins();
    layout.setContentsMargins(rescaled(margins.left(), ratio), rescaled(margins.top(), ratio),
        rescaled(margins.right(), ratio), rescaled(margins.bottom(), ratio));
    if (grid)
        return rescaleGrid(*grid, ratio);
    if (box->spacing() > 0)
        box->setSpacing(rescaled(box->spacing(), ratio));
    for (int i = 0; i < box->count(); ++i)
        if (QSpacerItem* spacer = box->itemAt(i)->spacerItem()) {
            const QSize size = spacer->sizeHint();
            const QSizePolicy policy = spacer->sizePolicy();
            spacer->changeSize(rescaled(size.width(), ratio), rescaled(size.height(), ratio), policy.horizontalPolicy(),
                policy.verticalPolicy());
        }
    layout.invalidate();
}

void rescaleParts(QWidget& widget, double ratio)
{
    const auto side
        = [ratio](const QSize& size) { return QSize(rescaled(size.width(), ratio), rescaled(size.height(), ratio)); };
    if (auto* label = qobject_cast<QLabel*>(&widget); label && label->margin() > 0)
        label->setMargin(rescaled(label->margin(), ratio));
    if (auto* tree = qobject_cast<QTreeView*>(&widget))
        tree->setIndentation(rescaled(tree->indentation(), ratio));
    if (auto* table = qobject_cast<QTableView*>(&widget)) {
        QHeaderView &rows = *table->verticalHeader(), &head = *table->horizontalHeader();
        const int height = rescaled(rows.defaultSectionSize(), ratio);
        rows.setMinimumSectionSize(rescaled(rows.minimumSectionSize(), ratio)); // or it holds the others up
        rows.setDefaultSectionSize(height);
        head.setMinimumSectionSize(rescaled(head.minimumSectionSize(), ratio));
        for (int column = 0; column < head.count(); ++column)
            if (const bool hidden = head.isSectionHidden(column);
                head.sectionResizeMode(column) == QHeaderView::Interactive) {
                head.setSectionHidden(column, false); // a hidden one does not tell its size
                head.resizeSection(column, rescaled(head.sectionSize(column), ratio));
                head.setSectionHidden(column, hidden);
            }
    }
    // The style's own size follows by itself, and has done so already.
    if (auto* button = qobject_cast<QAbstractButton*>(&widget);
        button && button->iconSize().width() != button->style()->pixelMetric(QStyle::PM_ButtonIconSize))
        button->setIconSize(side(button->iconSize()));
}

} // namespace

void rescaleWidgets(double ratio)
{
    // Fonts first: a widget inside takes over what the one around it has.
    const QWidgetList all = QApplication::allWidgets();
    for (QWidget* widget : all)
        rescaleFont(*widget, ratio);
    for (QWidget* widget : all) {
        rescaleLimits(*widget, ratio);
        rescaleParts(*widget, ratio);
        if (QLayout* layout = widget->layout()) {
            rescaleLayout(*layout, ratio);
            for (QLayout* inner : layout->findChildren<QLayout*>())
                rescaleLayout(*inner, ratio);
        }
    }
}

} // namespace tilewright::ui
