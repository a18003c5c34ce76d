// SPDX-License-Identifier: GPL-3.0-or-later
// What the screens are put together from. GUI thread.
#pragma once

#include "ui/widgets/segments.h"

#include <QFrame>
#include <QScrollArea>
#include <QString>
#include <QWidget>
#include <algorithm>
#include <functional>
#include <vector>

class QFrame;
class QLabel;

class QHBoxLayout;
class QVBoxLayout;

class QDockWidget;

namespace tilewright::ui {

class DockTitle;

/// A title with its content below, which takes the room that is left.
QFrame* pane(DockTitle* title, QWidget* content, QWidget* parent);
/// Where a page is shown that needs more room than a small window has: it is scrolled, and does not make the window
/// larger. The page comes when it is shown first, or asked for: a scroll area asks what it takes for its size at once,
/// and what nobody sees yet would be styled and laid out for that.
class LatePage : public QScrollArea
{
public:
    LatePage(std::function<QWidget*()> make, QWidget* parent);
    QWidget& page();
    bool isMade() const { return widget() != nullptr; }
    void setVisible(bool visible) override;

private:
    std::function<QWidget*()> m_make;
};

/// A page that is there already.
LatePage* scrolled(QWidget* page, QWidget* parent);
/// The quiet sentence of a screen that has nothing to show.
QLabel* emptyNote(const QString& objectName, QWidget* parent);

/// Where a pane of that size covers as little of the window as the screen allows: beside, below or above it. Pure.
QPoint floatingPlace(const QSize& size, const QRect& window, const QRect& screen);

// Widgets that are made while a page stands are the last that Tab comes to: here they get their place. GUI thread.

/// What Tab reaches of these and in them, in this order, where `place` stands, which it does not reach itself. None of
/// them is null.
inline void tabThrough(QWidget* place, const std::vector<QWidget*>& these)
{
    std::vector<QWidget*> order;
    // Of a switch Tab reaches what is chosen alone, which may be another one later. A box has its list in a window.
    const auto add = [&](QWidget* each) {
        if (each->focusPolicy() != Qt::NoFocus && each->window() == place->window())
            order.push_back(each);
    };
    for (QWidget* each : these) {
        add(each);
        for (QWidget* inner : each->findChildren<QWidget*>())
            add(inner);
    }
    QWidget* last = place->previousInFocusChain();
    while (last != place && (last->focusPolicy() == Qt::NoFocus || std::ranges::find(order, last) != order.end()))
        last = last->previousInFocusChain();
    if (last == place)
        return; // nothing else is there
    for (QWidget* each : order) {
        QWidget::setTabOrder(last, each);
        last = each;
    }
}

// A framed part of a page: a title with a quiet remark at the right, and what belongs to it below. GUI thread.

class Card : public QFrame
{
    Q_OBJECT

public:
    /// `sign` stands before the title, if there is one.
    Card(const QString& title, const QString& remark, QWidget* parent = nullptr, QWidget* sign = nullptr);
    QVBoxLayout* column() { return m_column; }
    /// Beside the title.
    void addControl(QWidget* control);
    void setRemark(const QString& remark);

private:
    QVBoxLayout* m_column;
    QHBoxLayout* m_head = nullptr;
    QLabel* m_remark;
};

// The 30 px title of a dock or pane: name, a quiet sub-text, controls at the right; docks add float and close.
// A thin bar under it says that something is loading while the old content stays. GUI thread.

class ElidedLabel;

class DockTitle : public QFrame
{
    Q_OBJECT

public:
    explicit DockTitle(const QString& title, QWidget* parent = nullptr);

    void setSubText(const QString& text);
    /// The first that fits is shown; the first of all is the tooltip.
    void setSubForms(const QStringList& forms);
    void addControl(QWidget* control);
    /// One that shows its sign alone where the words have no room.
    void addBriefControl(QPushButton* control);
    void setWords(QPushButton* briefControl, const QString& words);
    /// One that stands in `below`, a row under the title that is hidden while it is empty, where the title has no room
    /// for all of these. The row has a layout.
    void addMovableControl(QWidget* control, QWidget* below);
    /// After other words in them: in the title, or below it.
    void fit();
    /// Something in the place of the title.
    void addLeading(QWidget* control, Qt::Alignment where = Qt::AlignBottom);
    /// Adds the float and close buttons of that dock.
    void serve(QDockWidget* dock);
    void setLoading(bool loading);
    bool isLoading() const { return m_loading; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QLabel* m_title;
    ElidedLabel* m_sub;
    QHBoxLayout* m_row;
    int movablesWidth() const; ///< of those that are shown, as they would be in the row of the title
    void placeMovables(bool inTitle);

    BriefButtons m_brief;
    QList<QWidget*> m_movables;
    QWidget* m_below = nullptr;
    bool m_isInTitle = true; ///< where the movable ones are
    bool m_isFitting = false;
    bool m_loading = false;
};

} // namespace tilewright::ui
