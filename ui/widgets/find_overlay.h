// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+F in a code view: a line to find words, over the view's upper corner until Escape. GUI thread.
#pragma once

#include <QFrame>

class QLabel;

namespace tilewright::ui {

class CodeView;
class FindBox;

class FindOverlay : public QFrame
{
    Q_OBJECT

public:
    explicit FindOverlay(CodeView& view);
    /// As Ctrl+F in the view does.
    void open();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void leave();

    CodeView& m_view;
    FindBox* m_box;
    QLabel* m_trouble;
};

} // namespace tilewright::ui
