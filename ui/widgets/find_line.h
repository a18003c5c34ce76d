// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+F in a text view: a line to find words, with a place of its own beside the view until Escape. Whoever makes it
// puts it into a layout. GUI thread.
#pragma once

#include <QFrame>

class QLabel;
class QPlainTextEdit;

namespace tilewright::ui {

class FindBox;

class FindLine : public QFrame
{
    Q_OBJECT

public:
    FindLine(QPlainTextEdit& view, QWidget* parent);
    /// The one of this view, which is in the same window; null if it has none.
    static FindLine* of(const QPlainTextEdit& view);
    /// As Ctrl+F in the view does.
    void open();

Q_SIGNALS:
    void told(); ///< it came into sight, or says something else

protected:
    QPlainTextEdit& view() const { return m_view; }
    FindBox& box() const { return *m_box; }

private:
    void leave();

    QPlainTextEdit& m_view;
    FindBox* m_box;
    QLabel* m_trouble;
};

} // namespace tilewright::ui
