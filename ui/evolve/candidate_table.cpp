// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/candidate_table.h"

#include "ui/evolve/candidate_delegate.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

std::vector<TableColumn> candidateColumns()
{
    // name, island, generation, evaluation, state, score, vendor, vs parent, from, change
    return {{98}, {58}, {48, 2}, {50, 1}, {114}, {68}, {76, 3}, {92}, {120, 4}, {110}};
}

CandidateTable::CandidateTable(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_table(new Table(this))
    , m_box(new QLineEdit(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_filter.setSourceModel(&m_model);
    m_table->setObjectName(u"candidateTable"_s);
    m_table->setAccessibleName(tr("Candidates"));
    m_table->setModel(&m_filter);
    m_table->setItemDelegate(new CandidateDelegate(desk.selection, m_table));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(CandidateModel::Column::Name), Qt::DescendingOrder);
    m_table->setColumns(candidateColumns());
    m_box->setObjectName(u"candidateFilter"_s);
    m_box->setPlaceholderText(tr("Filter: name, move, state, rule"));
    m_box->setAccessibleName(tr("Filter the candidates"));
    m_box->setClearButtonEnabled(true);
    m_box->setMaximumWidth(px(260));
    m_box->setMinimumWidth(px(200));
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(150ms);
    connect(m_box, &QLineEdit::textChanged, &m_debounce, [this] { m_debounce.start(); });
    connect(&m_debounce, &QTimer::timeout, this, [this] {
        m_filter.setWords(m_box->text());
        showCurrent();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid() && !m_following)
            m_desk.selection.select(CandidateId{index.data(CandidateModel::IdRole).toLongLong()});
    });
    connect(m_table, &Table::rowHovered, this, [this](const QModelIndex& index) {
        m_desk.selection.hover(CandidateId{index.isValid() ? index.data(CandidateModel::IdRole).toLongLong() : 0});
    });
    connect(&desk.session, &Session::changed, this, [this] { refresh(); });
    connect(&desk.selection, &SelectionContext::currentChanged, this, [this] { showCurrent(); });
    connect(&desk.selection, &SelectionContext::pinnedChanged, m_table->viewport(),
        [this] { m_table->viewport()->update(); });
    connect(&desk.selection, &SelectionContext::islandsChanged, this,
        [this] { m_filter.setIslands(m_desk.selection.islands()); });
    connect(&Theme::instance(), &Theme::changed, m_table->viewport(), [this] { m_table->viewport()->update(); });
    refresh();
}

void CandidateTable::refresh()
{
    m_following = true; // a reset or a re-sort moves the current row without a person asking for it
    m_model.show(m_desk.session.pointer());
    m_following = false;
    showCurrent();
}

void CandidateTable::showCurrent()
{
    const int row = m_model.rowOf(m_desk.selection.current());
    const QModelIndex index = row < 0 ? QModelIndex() : m_filter.mapFromSource(m_model.index(row, 0));
    if (index == m_table->currentIndex().siblingAtColumn(0) && index.isValid())
        return;
    m_following = true;
    if (index.isValid()) {
        m_table->setCurrentIndex(index);
        m_table->scrollTo(index);
    } else {
        m_table->selectionModel()->clear();
    }
    m_following = false;
}

} // namespace tilewright::ui
