// SPDX-License-Identifier: GPL-3.0-or-later
// A text that a user writes beside the one it comes from: what each of its lines is, and which lines face each other.
// The written text has room in the place of filler lines, as it is edited. Pure; safe on any thread.
#pragma once

#include "ui/diff/aligned_texts.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/numbered_editor.h"

#include <QWidget>

namespace tilewright::ui {

struct WrittenLines {
    std::vector<CodeLine> before; ///< rows, with filler lines beside new ones
    std::vector<EditedLine> after; ///< each line of the written text
    std::vector<int> rows; ///< of each line of the written text: the row that it stands in, 0-based
    std::vector<int> roomBelow; ///< of each line of the written text: rows that it has no line for
    std::vector<Fold> folds; ///< of lines of the written text
    /// Of each run of changed lines: where it begins in the written text, 0-based; where lines are gone there, the line
    /// behind them.
    std::vector<int> changes;
    int removed = 0, added = 0; ///< lines

    bool operator==(const WrittenLines&) const = default;
};

/// Rows to be left free below each row of both sides, so that what faces each other begins at one height though long
/// lines take several.
struct RoomBeside {
    std::vector<int> before, after;

    bool operator==(const RoomBeside&) const = default;
};

/// The heights of the rows on both sides, as FoldingEdit tells them.
RoomBeside roomBeside(const WrittenLines& lines, const std::vector<int>& before, const std::vector<int>& after);

WrittenLines writtenLines(
    const std::string& before, const std::string& after, Whitespace whitespace = Whitespace::Counts);

/// What the written side has in each row.
std::vector<CodeLine::Mark> writtenMarks(const WrittenLines& lines);

// A narrow bar beside a diff: where its changes lie in the whole, and what part is on screen. A click goes there. GUI
// thread.

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
