// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/rescale.h"

#include <QAbstractButton>
#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QStyle>
#include <QTableView>
#include <QTreeView>
#include <QVariant>
#include <QWidget>

namespace tilewright::ui {
namespace {

/// A length that `owner` has under this name. What was rounded off is kept beside it: several steps up and as many down
/// lead back to where they began. One that was set anew meanwhile counts as it is.
int rescaled(QObject& owner, const QByteArray& name, int length, double ratio)
{
    if (length == 0)
        return 0;
    const QByteArray key = "exact:" + name;
    const QVariant kept = owner.property(key.constData());
    const double exact = kept.isValid() && qRound(kept.toDouble()) == length ? kept.toDouble() : length;
    owner.setProperty(key.constData(), exact * ratio);
    return qRound(exact * ratio);
}

/// A window has the size that the user gave it; a style sheet's limits are the style's matter.
void rescaleLimits(QWidget& widget, double ratio)
{
    if (widget.isWindow() || widget.property("_q_stylesheet_minw").isValid())
        return;
    const QSize least = widget.minimumSize(), most = widget.maximumSize();
    const auto limit = [&widget, ratio](const QByteArray& name, int length) {
        return length < QWIDGETSIZE_MAX ? std::min(rescaled(widget, name, length, ratio), QWIDGETSIZE_MAX) : length;
    };
    const QSize newMost(limit("most width", most.width()), limit("most height", most.height()));
    widget.setMinimumSize(0, 0); // or it would hold the other limit up
    widget.setMaximumSize(newMost);
    widget.setMinimumSize(
        rescaled(widget, "least width", least.width(), ratio), rescaled(widget, "least height", least.height(), ratio));
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
        grid.setHorizontalSpacing(rescaled(grid, "across", grid.horizontalSpacing(), ratio));
    if (grid.verticalSpacing() > 0)
        grid.setVerticalSpacing(rescaled(grid, "down", grid.verticalSpacing(), ratio));
    for (int column = 0; column < grid.columnCount(); ++column)
        grid.setColumnMinimumWidth(
            column, rescaled(grid, "column " + QByteArray::number(column), grid.columnMinimumWidth(column), ratio));
    for (int row = 0; row < grid.rowCount(); ++row)
        grid.setRowMinimumHeight(
            row, rescaled(grid, "row " + QByteArray::number(row), grid.rowMinimumHeight(row), ratio));
}

void rescaleLayout(QLayout& layout, double ratio)
{
    auto* box = qobject_cast<QBoxLayout*>(&layout);
    auto* grid = qobject_cast<QGridLayout*>(&layout);
    if (!box && !grid)
        return; // of docks and scroll areas
    const QMargins margins = layout.contentsMargins();
    layout.setContentsMargins(rescaled(layout, "left", margins.left(), ratio),
        rescaled(layout, "top", margins.top(), ratio), rescaled(layout, "right", margins.right(), ratio),
        rescaled(layout, "bottom", margins.bottom(), ratio));
    if (grid)
        return rescaleGrid(*grid, ratio);
    if (box->spacing() > 0)
        box->setSpacing(rescaled(layout, "spacing", box->spacing(), ratio));
    for (int i = 0; i < box->count(); ++i)
        if (QSpacerItem* spacer = box->itemAt(i)->spacerItem()) {
            const QSize size = spacer->sizeHint();
            const QSizePolicy policy = spacer->sizePolicy();
            const QByteArray name = "spacer " + QByteArray::number(i);
            spacer->changeSize(rescaled(layout, name + " width", size.width(), ratio),
                rescaled(layout, name + " height", size.height(), ratio), policy.horizontalPolicy(),
                policy.verticalPolicy());
        }
    layout.invalidate();
}

void rescaleParts(QWidget& widget, double ratio)
{
    const auto side = [&widget, ratio](const QSize& size) {
        return QSize(
            rescaled(widget, "icon width", size.width(), ratio), rescaled(widget, "icon height", size.height(), ratio));
    };
    if (auto* label = qobject_cast<QLabel*>(&widget); label && label->margin() > 0)
        label->setMargin(rescaled(widget, "margin", label->margin(), ratio));
    if (auto* tree = qobject_cast<QTreeView*>(&widget))
        tree->setIndentation(rescaled(widget, "indentation", tree->indentation(), ratio));
    if (auto* table = qobject_cast<QTableView*>(&widget)) {
        QHeaderView &rows = *table->verticalHeader(), &head = *table->horizontalHeader();
        const int height = rescaled(rows, "row", rows.defaultSectionSize(), ratio);
        rows.setMinimumSectionSize(
            rescaled(rows, "least row", rows.minimumSectionSize(), ratio)); // or it holds the others up
        rows.setDefaultSectionSize(height);
        const int least = rescaled(head, "least column", head.minimumSectionSize(), ratio);
        if (ratio < 1)
            head.setMinimumSectionSize(least); // or it holds the columns up
        for (int column = 0; column < head.count(); ++column)
            if (const bool hidden = head.isSectionHidden(column);
                head.sectionResizeMode(column) == QHeaderView::Interactive) {
                head.setSectionHidden(column, false); // a hidden one does not tell its size
                head.resizeSection(
                    column, rescaled(head, "column " + QByteArray::number(column), head.sectionSize(column), ratio));
                head.setSectionHidden(column, hidden);
            }
        head.setMinimumSectionSize(least);
    }
    // The style's own size follows by itself, and has done so already.
    if (auto* button = qobject_cast<QAbstractButton*>(&widget);
        button && button->iconSize().width() != button->style()->pixelMetric(QStyle::PM_ButtonIconSize))
        button->setIconSize(side(button->iconSize()));
}

} // namespace

QEvent::Type aboutToRescale()
{
    static const int type = QEvent::registerEventType();
    return static_cast<QEvent::Type>(type);
}

void rescaleWidgets(double ratio)
{
    const QWidgetList all = QApplication::allWidgets();
    for (QWidget* widget : all)
        if (qobject_cast<QMainWindow*>(widget)) {
            QEvent event(aboutToRescale());
            QApplication::sendEvent(widget, &event);
        }
    // Fonts first: a widget inside takes over what the one around it has.
    for (QWidget* widget : all)
        rescaleFont(*widget, ratio);
    for (QWidget* widget : all) {
        rescaleLimits(*widget, ratio);
        rescaleParts(*widget, ratio);
        if (QLayout* layout = widget->layout()) {
            // From within: one that was given no spacing has that of the layout around it.
            QList<QLayout*> layouts{layout};
            layouts += layout->findChildren<QLayout*>();
            for (auto each = layouts.rbegin(); each != layouts.rend(); ++each)
                rescaleLayout(**each, ratio);
        }
    }
}

StyleSheetPause::StyleSheetPause()
    : m_sheet(qApp->styleSheet())
{
    if (!m_sheet.isEmpty())
        qApp->setStyleSheet({});
}

void StyleSheetPause::postpone(const QWidget& part)
{
    for (QWidget* each : part.findChildren<QWidget*>()) {
        each->setAttribute(Qt::WA_WState_Polished, false); // or the application polishes it with its new style
        m_postponed.insert(each);
    }
}

StyleSheetPause::~StyleSheetPause()
{
    if (m_sheet.isEmpty())
        return;
    qApp->installEventFilter(this);
    qApp->setStyleSheet(m_sheet);
    qApp->removeEventFilter(this);
}

/// Every widget is told of the application's new style, and most of them lay themselves out for it.
bool StyleSheetPause::eventFilter(QObject* watched, QEvent* event)
{
    return event->type() == QEvent::StyleChange && m_postponed.contains(watched);
}

void catchUpWithStyle(const QWidget& part)
{
    for (QWidget* each : part.findChildren<QWidget*>()) {
        if (each->testAttribute(Qt::WA_WState_Polished))
            continue;
        for (const QEvent::Type type : {QEvent::Polish, QEvent::StyleChange}) {
            QEvent event(type);
            QCoreApplication::sendEvent(each, &event);
        }
    }
}

} // namespace tilewright::ui
