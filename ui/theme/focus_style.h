// SPDX-License-Identifier: GPL-3.0-or-later
// Fusion with a focus ring that can be seen, two pixels of accent, boxes that leave the wheel to the page, and tool
// tips of several lines. GUI thread.
#pragma once

#include <QObject>
#include <QProxyStyle>
#include <QString>
#include <QStyledItemDelegate>

namespace tilewright::ui {

// Tool tips of whole sentences go on in the next line: Qt shows plain words in one line, however long it is. GUI
// thread.

/// An event filter of the application: of widgets, rows and headings.
class LongToolTips : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// As a text that is broken into lines, where it is wider than a line of prose; else as it is.
QString brokenToolTip(const QString& words);

// Number boxes and lists of choices on pages that scroll: the wheel is theirs only while they have the focus, else it
// scrolls the page. A letter that is typed while they have it is theirs as well, and no order. GUI thread.

/// An event filter for all of them.
class CalmBoxes : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    /// Of a combo box or a number box; leaves all others as they are.
    void calm(QWidget& widget);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Rows of lists that open over a page: high enough to be hit.
class ListRows : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

class FocusStyle : public QProxyStyle
{
    Q_OBJECT

public:
    FocusStyle();
    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
        QStyleHintReturn* returned = nullptr) const override;
    int pixelMetric(
        PixelMetric metric, const QStyleOption* option = nullptr, const QWidget* widget = nullptr) const override;

private:
    CalmBoxes m_boxes;
    LongToolTips m_toolTips;
};

} // namespace tilewright::ui
