// SPDX-License-Identifier: GPL-3.0-or-later
// A plain text editor whose lines are numbered; one of them can be marked as mistaken. GUI thread.
#pragma once

#include <QPlainTextEdit>

namespace tilewright::ui {

class NumberedEditor : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit NumberedEditor(QWidget* parent = nullptr);
    /// 1-based; 0 for none.
    void markMistake(int line);
    /// Puts the cursor at the line's begin, in the middle of what is seen. 1-based.
    void goToLine(int line);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    friend class NumberGutter;
    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);
    void place();

    QWidget* m_gutter;
    int m_mistake = 0;
};

} // namespace tilewright::ui
