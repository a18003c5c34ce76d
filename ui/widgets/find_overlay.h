// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+F in a text view: a line to find words, over the view's upper corner until Escape. GUI thread.
#pragma once

#include <QFrame>

class QLabel;
class QPlainTextEdit;

namespace tilewright::ui {

class FindBox;

class FindOverlay : public QFrame
{
    Q_OBJECT

public:
    explicit FindOverlay(QPlainTextEdit& view);
    /// As Ctrl+F in the view does.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void leave();

    QPlainTextEdit& m_view;
    FindBox* m_box;
    QLabel* m_trouble;
};

} // namespace tilewright::ui
