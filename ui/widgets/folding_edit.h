// SPDX-License-Identifier: GPL-3.0-or-later
// A plain text view of which runs of rows can be folded away, and in which room can be left below a row for lines that
// stand beside it elsewhere. All text stays in the document: what is found or written in a fold opens it. A fold is
// seen as its first row, which tells how much it hides. GUI thread.
#pragma once

#include <QPlainTextEdit>
#include <QTextBlock>
#include <utility>
#include <vector>

namespace tilewright::ui {

struct Fold {
    int first = 0, rows = 0; ///< of the text's rows, 0-based
    int lines = 0; ///< that the rows are of: fewer where long lines go on in the next row

    bool operator==(const Fold&) const = default;
};

class FoldingEdit : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit FoldingEdit(QWidget* parent = nullptr);
    /// These are closed, all others open. Of at least two rows each.
    void setFolds(const std::vector<Fold>& folds);
    /// Whether the row stands for a fold: one line high, however long its own text is.
    static bool isFold(const QTextBlock& row)
    {
        return row.isVisible() && row.next().isValid() && !row.next().isVisible();
    }
    /// Those that are closed.
    std::vector<Fold> folds() const;
    /// Opens the fold that this row lies in; false where it lies in none.
    bool unfold(int row);
    /// Where rows are wrapped, they go on two columns further right than they begin.
    void setHanging(bool on);
    /// As many rows are left free below each row; none below those that are not told of.
    void setRoomBelow(const std::vector<int>& rows);
    int roomBelow(int row) const;
    /// The first row that is seen.
    int topRow() const { return firstVisibleBlock().blockNumber(); }
    /// How many of its lines are above what is seen, where it is wrapped.
    int topLine() const;
    void setTopRow(int row, int line = 0);
    /// Of the rows that are not folded away: how many are above what is on screen, and how many there.
    std::pair<int, int> rowsOnScreen() const;
    /// The row that so many others are above, counted alike.
    int rowBelow(int above) const;
    /// Lines that each row takes, without the room below it; 0 where it is folded away.
    std::vector<int> heights();

Q_SIGNALS:
    void unfolded(int row);
    /// Other rows are seen, whatever brought them: the bar itself is silent where the cursor did.
    void scrolled(int value); ///< of the vertical bar

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Where the row's own text is, without the room below it; in the viewport.
    QRectF boxOf(const QTextBlock& row) const;
    /// Where these characters of the row are: a piece in each line that they reach into; in the viewport.
    std::vector<QRectF> placesOf(const QTextBlock& row, int start, int length) const;

private:
    void paintRoom(const QRect& area);
    void paintFolds(const QRect& area);
    void layOutAgain();
    void unfoldAtCursor();
    void tellScrolled();
    void straighten();

    int m_scrolledTo = 0; ///< what was told last
    bool m_isStraightening = false;
};

} // namespace tilewright::ui
