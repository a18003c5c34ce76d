// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+F in a text view: a line to find words, with a place of its own beside the view until Escape. Whoever makes it
// puts it into a layout. GUI thread.
#pragma once

#include <QFrame>

class QPlainTextEdit;

namespace tilewright::ui {

class ElidedLabel;
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

private:
    void leave();

    QPlainTextEdit& m_view;
    FindBox* m_box;
    ElidedLabel* m_trouble;
};

/// A view with its line above it, as one part of a screen.
QWidget* withFindLine(QPlainTextEdit& view, QWidget* parent);

} // namespace tilewright::ui
