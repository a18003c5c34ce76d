// SPDX-License-Identifier: GPL-3.0-or-later
// What the finder found, under a heading for each kind. Rows are only ever added at the end of their kind. The first is
// chosen, whichever that becomes as more is found; a row that the user chose stays chosen. GUI thread.
#pragma once

#include "ui/finder/finder_query.h"
#include "ui/widgets/table.h"

#include <QListWidget>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tilewright::ui {

class FinderList : public QListWidget
{
    Q_OBJECT

public:
    explicit FinderList(QWidget* parent);

    void restart();
    /// This kind stands above the others: what was typed names one of it.
    void putFirst(Found::Kind kind) { m_first = kind; }
    /// A candidate that is there already is left out.
    void add(const std::vector<Found>& rows);
    bool isEmpty() const { return m_rows.empty(); }
    /// Shows what was added; below a kind that has more it is said so, and `remark` where there is nothing at all.
    void refresh(const std::set<Found::Kind>& more, const QString& remark);
    /// To the next or previous row that can be chosen; a page is ten of them.
    void step(int by);
    /// None where nothing can be chosen.
    std::optional<Found> chosen() const;
    static QString nameOf(Found::Kind kind);

protected:
    void mousePressEvent(QMouseEvent* event) override;

private:
    void addRemark(const QString& words);
    void addRow(const Found& found);
    void go(int by);
    void addKind(Found::Kind kind, const std::optional<Found>& before, bool hasMore);

    std::map<Found::Kind, std::vector<Found>> m_rows;
    std::optional<Found::Kind> m_first;
    bool m_isChosenByHand = false;
};

// Draws a row of the finder: icon, candidate with its island's badge, the line with what matched in it, and a remark at
// the right. What matched is bold and underlined, so that it needs no colour. GUI thread.

class FoundDelegate : public RowDelegate
{
    Q_OBJECT

public:
    static constexpr int foundRole = Qt::UserRole; ///< a Found; without one the row is a heading or a remark

    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace tilewright::ui
