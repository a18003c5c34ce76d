// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as this program shows them: fixed row heights, whole rows, a thin line between rows. GUI thread.
#pragma once

#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>
#include <set>
#include <vector>

namespace tilewright::ui {

/// Cell text with 8 px at either side; the base of the delegates that draw badges and bars.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    /// Background, selection and the line below the row.
    void paintGround(QPainter& painter, const QStyleOptionViewItem& option) const;
};

/// How wide a column is, and when it goes: in a table too narrow for all, those with the highest number are hidden
/// first; 0 stays, as does the one that the table is sorted by. Widths are those of the 4 px grid.
struct TableColumn {
    double width = 80;
    int goes = 0;
    bool fills = false; ///< takes what is left
    double most = 0; ///< what stands in it makes it no wider; 0: as wide as others
    bool isScrolledTo = false; ///< goes out of sight before the one that fills the table gives way to it
};

class Table : public QTableView
{
    Q_OBJECT

public:
    explicit Table(QWidget* parent = nullptr);
    void setRowHeight(int height);
    /// One for each column of the model; where none fills the table, the last one takes what is left.
    void setColumns(std::vector<TableColumn> columns);
    /// As wide as what stands in them, none wider than this; what does not fit then is reached by scrolling. For tables
    /// of few rows.
    void fitColumns(double widest);
    /// At least as wide as they were given, and as what stands in them needs; words no wider than this, and those of
    /// the column that fills the table as wide as there is room. What does not fit then is reached by scrolling:
    /// headings and figures are never cut. For tables of few rows; after each change.
    void growColumns(double widest);
    /// Columns that a user does not want to see.
    void setUnwanted(std::set<int> columns);
    const std::set<int>& unwanted() const { return m_unwanted; }
    /// Marks this row, or none where the index is invalid, without moving to it.
    void markRow(const QModelIndex& index);
    /// Scrolls so that this row is seen, and the one at the top is whole; it stays so when the table becomes lower,
    /// until a user scrolls.
    void reveal(const QModelIndex& index);
    /// The row that a user looks at: the current one of a table that has the focus, or else the top one of a table
    /// that was scrolled; none where neither holds: then what comes on top is seen.
    struct LookedAt {
        QPersistentModelIndex row;
        int at = 0; ///< pixels below the top
    };
    LookedAt lookedAt() const;
    /// Scrolls so that the row stands where it stood, as far as the table can be scrolled.
    void keepInPlace(const LookedAt& looked);
    /// What is said in the middle while there is no row.
    void setNothing(const QString& words);
    QString nothing() const { return m_nothing; }
    /// What a row is known by: where the model is made anew, a user's row and place in it are kept.
    void setIdentity(int role) { m_identity = role; }
    void setModel(QAbstractItemModel* model) override;

Q_SIGNALS:
    /// A user chose the row: clicked on it, went to it with the keys, or pressed Return on it.
    void rowChosen(const QModelIndex& index);
    void rowHovered(const QModelIndex& index);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void hideWhatIsTooMuch();
    void fill();
    void noteRow();
    void findRowAgain();
    /// What stands in the column, its heading included; figures in full, words up to this.
    int neededBy(int column, int widest) const;

    std::vector<TableColumn> m_columns;
    std::vector<int> m_fitted; ///< widths that were given last: others were chosen by hand
    int m_wholeWords = 0; ///< what stands in the one that fills the table, once columns have grown
    std::set<int> m_unwanted;
    QString m_nothing;
    QPersistentModelIndex m_revealed;
    int m_revealedAt = 0; ///< where the scroll bar stood then
    int m_identity = -1; ///< a role; below 0: rows are known by nothing
    struct Noted {
        QVariant identity;
        int row = -1; ///< below 0: there was none
        int scrolled = 0;
        bool isSelected = false;
    };
    Noted m_noted; ///< while the model is made anew
};

// The heading of a table. Its arrow points up where the values ascend, as spreadsheets have it. GUI thread.

class TableHeader : public QHeaderView
{
public:
    explicit TableHeader(QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(true);
    }

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override
    {
        QHeaderView::initStyleOptionForIndex(option, section);
        if (option->sortIndicator == QStyleOptionHeader::None)
            return;
        if (option->textAlignment & Qt::AlignRight)
            option->text += QStringLiteral("\u2003"); // the arrow stands at the right as well
        option->sortIndicator = option->sortIndicator == QStyleOptionHeader::SortDown ? QStyleOptionHeader::SortUp
                                                                                      : QStyleOptionHeader::SortDown;
    }
};

// Cells whose words take as many lines as they need, for tables that say something nowhere else. GUI thread.

class WrappingDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// Has the rows of the table be as high as such cells need, whenever columns or the size of the text change; after
/// other words the table's owner calls resizeRowsToContents().
void fitRowsToWords(Table& table);

} // namespace tilewright::ui
