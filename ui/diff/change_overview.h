// SPDX-License-Identifier: GPL-3.0-or-later
// A narrow bar beside a diff: where its changes lie in the whole, and what part is on screen. A click goes there. GUI
// thread.
#pragma once

#include "ui/widgets/code_view.h"

#include <QWidget>

namespace tilewright::ui {

inline constexpr int rowsAboveChange = 4; ///< that stay in sight above one that was jumped to

/// Of the marks of all rows of a view: those of the rows that are not folded away.
std::vector<CodeLine::Mark> seenMarks(const FoldingEdit& view, const std::vector<CodeLine::Mark>& marks);
/// The same of what the view's own lines are.
std::vector<CodeLine::Mark> seenMarks(const CodeView& view);

class ChangeOverview : public QWidget
{
    Q_OBJECT

public:
    explicit ChangeOverview(QWidget* parent = nullptr);
    void setRows(std::vector<CodeLine::Mark> left, std::vector<CodeLine::Mark> right);
    /// Rows on screen: the first, and how many.
    void setView(int first, int count);

Q_SIGNALS:
    void rowChosen(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void choose(double y);

    std::vector<CodeLine::Mark> m_left, m_right;
    int m_first = 0, m_count = 0;
};

} // namespace tilewright::ui
