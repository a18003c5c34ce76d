// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table.h"

#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewright::ui {

void RowDelegate::paintGround(QPainter& painter, const QStyleOptionViewItem& option) const
{
    const Tokens& t = tokens();
    if (option.state & QStyle::State_Selected)
        painter.fillRect(option.rect, t.selected);
    else if (option.state & QStyle::State_MouseOver)
        painter.fillRect(option.rect, t.raised);
    painter.fillRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1, t.border);
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    painter->save();
    paintGround(*painter, option);
    QRect area = option.rect.adjusted(px(8), 0, -px(8), -1);
    const QVariant decoration = index.data(Qt::DecorationRole);
    if (decoration.canConvert<QIcon>()) {
        const int side = px(14);
        qvariant_cast<QIcon>(decoration).paint(painter, QRect(area.left(), area.center().y() - side / 2, side, side));
        area.setLeft(area.left() + side + px(6));
    }
    const QVariant font = index.data(Qt::FontRole);
    painter->setFont(font.isValid() ? qvariant_cast<QFont>(font) : option.font);
    const QVariant ink = index.data(Qt::ForegroundRole);
    painter->setPen(ink.isValid() ? qvariant_cast<QColor>(ink) : tokens().text);
    const int alignment = index.data(Qt::TextAlignmentRole).toInt();
    drawElided(*painter, area, alignment ? alignment : int(Qt::AlignLeft | Qt::AlignVCenter), index.data().toString());
    painter->restore();
}

Table::Table(QWidget* parent)
    : QTableView(parent)
{
    setHorizontalHeader(new TableHeader(this));
    setShowGrid(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setWordWrap(false);
    setMouseTracking(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setMinimumSectionSize(px(30));
    horizontalHeader()->setFixedHeight(px(26));
    horizontalHeader()->setFont(fontOf(Type::Secondary));
    setItemDelegate(new RowDelegate(this));
    setRowHeight(px(26));
    connect(this, &QTableView::clicked, this, &Table::rowChosen);
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &Table::hideWhatIsTooMuch);
}

void Table::setModel(QAbstractItemModel* model)
{
    if (this->model())
        disconnect(this->model(), nullptr, this, nullptr);
    QTableView::setModel(model); // its own part of a reset comes before ours
    if (!model)
        return;
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &Table::noteRow);
    connect(model, &QAbstractItemModel::modelReset, this, &Table::findRowAgain);
}

void Table::noteRow()
{
    m_noted = {};
    const QModelIndex current = currentIndex();
    if (m_identity < 0 || !current.isValid())
        return;
    m_noted = {
        current.data(m_identity), current.row(), verticalScrollBar()->value(), selectionModel()->isSelected(current)};
}

/// Of several rows that are known by the same, the nearest to where it was.
void Table::findRowAgain()
{
    const Noted noted = std::exchange(m_noted, {});
    if (noted.row < 0)
        return;
    QModelIndex nearest;
    for (int row = 0; row < model()->rowCount(); ++row)
        if (const QModelIndex index = model()->index(row, 0); index.data(m_identity) == noted.identity
            && (!nearest.isValid() || std::abs(row - noted.row) < std::abs(nearest.row() - noted.row)))
            nearest = index;
    const bool isFound = nearest.isValid();
    if (!isFound) // another one in its place is not what was chosen: the keys go on from there
        nearest = model()->index(std::min(noted.row, model()->rowCount() - 1), 0);
    if (!nearest.isValid())
        return;
    selectionModel()->setCurrentIndex(nearest,
        isFound && noted.isSelected ? QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows
                                    : QItemSelectionModel::SelectionFlags(QItemSelectionModel::NoUpdate));
    executeDelayedItemsLayout(); // the scroll bar knows the new rows
    verticalScrollBar()->setValue(noted.scrolled);
}

void Table::keyPressEvent(QKeyEvent* event)
{
    const int before = currentIndex().row();
    QTableView::keyPressEvent(event);
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (const QModelIndex now = currentIndex(); now.isValid() && (isReturn || now.row() != before))
        Q_EMIT rowChosen(now);
}

void Table::setRowHeight(int height)
{
    verticalHeader()->setMinimumSectionSize(height);
    verticalHeader()->setDefaultSectionSize(height);
}

void Table::setColumns(std::vector<TableColumn> columns)
{
    m_columns = std::move(columns);
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        setColumnWidth(static_cast<int>(i), px(m_columns[i].width));
    horizontalHeader()->setStretchLastSection(std::ranges::none_of(m_columns, &TableColumn::fills));
    hideWhatIsTooMuch();
}

void Table::fitColumns(double widest)
{
    m_fitted.resize(m_columns.size());
    for (std::size_t i = 0; i < m_fitted.size(); ++i) {
        const int column = static_cast<int>(i);
        const int most = px(m_columns[i].most > 0 ? m_columns[i].most : widest);
        const int wanted
            = std::min(std::max(sizeHintForColumn(column) + px(12), horizontalHeader()->sectionSizeHint(column)), most);
        if (wanted != std::exchange(m_fitted[i], wanted))
            setColumnWidth(column, wanted);
    }
}

int Table::neededBy(int column, int widest) const
{
    const int heading = horizontalHeader()->sectionSizeHint(column);
    const int cells = sizeHintForColumn(column) + px(12);
    const bool isFigure
        = model()->rowCount() > 0 && (model()->index(0, column).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    return std::max(heading, isFigure ? cells : std::min(cells, widest));
}

void Table::growColumns(double widest)
{
    m_fitted.resize(m_columns.size());
    for (std::size_t i = 0; i < m_fitted.size(); ++i) {
        const int column = static_cast<int>(i);
        const bool fills = m_columns[i].fills;
        const int most = px(m_columns[i].most > 0 ? m_columns[i].most : widest);
        if (fills)
            m_wholeWords = neededBy(column, most);
        const int needed = fills ? horizontalHeader()->sectionSizeHint(column) : neededBy(column, most);
        const int wanted = std::max(px(m_columns[i].width), needed);
        if (wanted != std::exchange(m_fitted[i], wanted) && !fills)
            setColumnWidth(column, wanted);
    }
    hideWhatIsTooMuch();
}

void Table::markRow(const QModelIndex& index)
{
    if (!index.isValid())
        selectionModel()->clear();
    else if (index != currentIndex().siblingAtColumn(0) || !selectionModel()->isSelected(index))
        setCurrentIndex(index);
}

void Table::reveal(const QModelIndex& index)
{
    scrollTo(index);
    const int height = verticalHeader()->defaultSectionSize(), past = verticalScrollBar()->value() % height;
    if (past > 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + height - past);
    m_revealed = index;
    m_revealedAt = verticalScrollBar()->value();
}

Table::LookedAt Table::lookedAt() const
{
    const auto at = [this](const QModelIndex& index) { return LookedAt{index, rowViewportPosition(index.row())}; };
    const QModelIndex current = currentIndex().siblingAtColumn(0);
    if (hasFocus() && current.isValid() && viewport()->rect().intersects(visualRect(current)))
        return at(current);
    if (verticalScrollBar()->value() > verticalScrollBar()->minimum() && rowAt(0) >= 0)
        return at(model()->index(rowAt(0), 0));
    return {};
}

void Table::keepInPlace(const LookedAt& looked)
{
    if (!looked.row.isValid())
        return;
    executeDelayedItemsLayout(); // the scroll bar knows the new rows
    QScrollBar* bar = verticalScrollBar();
    const bool isRevealed = bar->value() == m_revealedAt;
    bar->setValue(bar->value() + rowViewportPosition(looked.row.row()) - looked.at);
    if (isRevealed)
        m_revealedAt = bar->value();
}

void Table::setUnwanted(std::set<int> columns)
{
    m_unwanted = std::move(columns);
    hideWhatIsTooMuch();
}

void Table::hideWhatIsTooMuch()
{
    int wanted = 0, stage = 0;
    const auto widthOf = [this](std::size_t i) { // what stands in it may have made it wider
        return std::max(px(m_columns[i].width), i < m_fitted.size() ? m_fitted[i] : 0);
    };
    const int sorted = isSortingEnabled() ? horizontalHeader()->sortIndicatorSection() : -1;
    std::vector<bool> hidden(m_columns.size(), false);
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        hidden[i] = m_unwanted.contains(static_cast<int>(i));
        wanted += hidden[i] ? 0 : widthOf(i);
        stage = std::max(stage, m_columns[i].goes);
    }
    for (; stage > 0 && wanted > viewport()->width(); --stage)
        for (std::size_t i = 0; i < m_columns.size(); ++i)
            if (m_columns[i].goes == stage && !hidden[i] && static_cast<int>(i) != sorted) {
                hidden[i] = true;
                wanted -= widthOf(i);
            }
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (isColumnHidden(static_cast<int>(i)) != hidden[i])
            setColumnHidden(static_cast<int>(i), hidden[i]);
    fill();
}

void Table::fill()
{
    const auto filling = std::ranges::find(m_columns, true, &TableColumn::fills);
    if (filling == m_columns.end())
        return;
    const int column = static_cast<int>(filling - m_columns.begin());
    int others = 0, inSight = 0;
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (const int each = static_cast<int>(i); each != column && !isColumnHidden(each)) {
            others += columnWidth(each);
            inSight += m_columns[i].isScrolledTo ? 0 : columnWidth(each);
        }
    // Words that wrap must not need another line because the rows they make taller need a scroll bar: its place stays.
    // Not asked of the scroll bar itself, which is invisible too while the whole table is.
    const int room = wordWrap()
        ? contentsRect().width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, verticalScrollBar())
        : viewport()->width();
    const int least = m_fitted.empty() ? px(filling->width) : m_fitted[static_cast<std::size_t>(column)];
    const int words = inSight < others ? std::min(m_wholeWords, room - inSight) : 0;
    setColumnWidth(column, std::max({least, room - others, words}));
}

void Table::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    hideWhatIsTooMuch();
    if (m_revealed.isValid() && verticalScrollBar()->value() == m_revealedAt)
        reveal(m_revealed);
}

void Table::setNothing(const QString& words)
{
    if (words == m_nothing)
        return;
    m_nothing = words;
    setAccessibleDescription(words);
    viewport()->update();
}

void Table::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (m_nothing.isEmpty() || !model() || model()->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setFont(fontOf(Type::Prose));
    painter.setPen(tokens().secondary);
    painter.drawText(
        viewport()->rect().adjusted(px(16), px(8), -px(16), -px(8)), Qt::AlignCenter | Qt::TextWordWrap, m_nothing);
}

void Table::mouseMoveEvent(QMouseEvent* event)
{
    QTableView::mouseMoveEvent(event);
    Q_EMIT rowHovered(indexAt(event->position().toPoint()));
}

void Table::leaveEvent(QEvent* event)
{
    QTableView::leaveEvent(event);
    Q_EMIT rowHovered({});
}

void Table::hideEvent(QHideEvent* event)
{
    QTableView::hideEvent(event);
    Q_EMIT rowHovered({}); // nobody points at what is not seen
}

QSize WrappingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (option.rect.width() <= 0) // how wide a column wants to be
        return RowDelegate::sizeHint(option, index);
    const QRect room(0, 0, std::max(option.rect.width() - 2 * px(8), px(24)), QWIDGETSIZE_MAX);
    const QRect taken = option.fontMetrics.boundingRect(room, Qt::TextWordWrap, index.data().toString());
    return {room.width(), taken.height() + px(9)};
}

void WrappingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    painter->save();
    paintGround(*painter, option);
    painter->setFont(option.font);
    painter->setPen(tokens().text);
    painter->drawText(option.rect.adjusted(px(8), 0, -px(8), -1), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
        index.data().toString());
    painter->restore();
}

void fitRowsToWords(Table& table)
{
    table.setWordWrap(true);
    QObject::connect(table.horizontalHeader(), &QHeaderView::sectionResized, &table, &QTableView::resizeRowsToContents);
    QObject::connect(&Theme::instance(), &Theme::changed, &table, &QTableView::resizeRowsToContents);
}

} // namespace tilewright::ui
