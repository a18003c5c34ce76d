// SPDX-License-Identifier: GPL-3.0-or-later
// What the screens are put together from. GUI thread.
#pragma once

#include <QScrollArea>
#include <QString>
#include <functional>

class QFrame;
class QLabel;

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

} // namespace tilewright::ui
