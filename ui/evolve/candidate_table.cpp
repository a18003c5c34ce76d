// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/candidate_table.h"

#include "ui/evolve/candidate_delegate.h"
#include "ui/evolve/views_button.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

std::vector<TableColumn> candidateColumns()
{
    // name, island, generation, evaluation, state, score, vendor, vs parent, from, change, marks
    return {{106}, {58}, {48, 2}, {50, 4}, {142}, {76}, {88, 1}, {108}, {120, 3}, {110, 0, true}, {84, 5}};
}

CandidateTable::CandidateTable(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_table(new Table(this))
    , m_said(new QLabel(this))
    , m_box(new QueryBox(this))
    , m_heldBack(new QLabel(this))
    , m_range(chip(u"rangeChip"_s))
    , m_islands(chip(u"islandsChip"_s))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QFrame(this);
    line->setProperty("role", u"panel"_s);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(px(8), px(3), px(8), px(3));
    row->addWidget(m_box, 1);
    m_heldBack->setObjectName(u"heldBack"_s);
    m_heldBack->setFont(fontOf(Type::Secondary));
    m_heldBack->setToolTip(tr("New candidates. They are shown when the pointer leaves the rows."));
    m_heldBack->setVisible(false);
    row->addWidget(m_heldBack);
    row->addWidget(m_islands);
    row->addWidget(m_range);
    column->addWidget(line);
    column->addWidget(m_said);
    column->addWidget(m_table, 1);
    m_filter.setSourceModel(&m_model);
    m_table->setObjectName(u"candidateTable"_s);
    m_table->setAccessibleName(tr("Candidates"));
    m_table->setModel(&m_filter);
    m_table->setItemDelegate(new CandidateDelegate(context.selection, m_table));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(CandidateModel::Column::Name), Qt::DescendingOrder);
    m_table->setColumns(candidateColumns());
    m_said->setObjectName(u"queryWords"_s);
    m_said->setWordWrap(true);
    m_said->setFont(fontOf(Type::Secondary));
    m_said->setContentsMargins(px(8), px(4), px(8), px(4));
    m_said->setVisible(false);
    m_said->setProperty("role", u"panel"_s);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this] { Q_EMIT viewChanged(); });
    connect(m_table->horizontalHeader(), &QHeaderView::sectionPressed, this, [this] { m_isSorted = true; });
    connect(m_box, &QueryBox::queryChanged, this, [this] { filter(); });
    connect(m_box, &QueryBox::helpAsked, this, [this] {
        m_helping = !m_helping;
        say();
    });
    connect(m_box, &QueryBox::helpRead, this, [this] {
        m_helping = false;
        say();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid() && !m_following)
            m_context.selection.select(CandidateId{index.data(CandidateModel::IdRole).toLongLong()});
    });
    connect(m_table, &Table::clicked, this, [this](const QModelIndex& index) { // the one that was marked already, too
        m_context.selection.select(CandidateId{index.data(CandidateModel::IdRole).toLongLong()});
    });
    connect(&m_filter, &CandidateFilter::reordered, this, [this] {
        if (m_following)
            return; // whoever asked for it looks
        sayNothingFits();
        if (std::exchange(m_isSorted, false)) { // who sorts looks for the first
            markCurrent();
            m_table->scrollToTop();
        } else {
            showCurrent();
        }
    });
    connect(&m_filter, &CandidateFilter::heldBackChanged, this, [this] { sayHeldBack(); });
    connect(m_table, &Table::rowHovered, this, [this](const QModelIndex& index) {
        if (index.isValid())
            m_filter.hold();
        else
            letGo();
        m_context.selection.hover(CandidateId{index.isValid() ? index.data(CandidateModel::IdRole).toLongLong() : 0});
    });
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this,
        [this](const QPoint& at) { Q_EMIT menuRequested(m_table->viewport()->mapToGlobal(at)); });
    connect(&context.session, &SessionClient::changed, this, [this] { m_follow.ask(); });
    connect(&context.selection, &SelectionContext::currentChanged, this, [this] {
        const bool isJustOpened = m_showLater || m_wasJustRead; // then the best is scrolled to
        m_context.selection.isFollowing() && !isJustOpened ? markCurrent() : showCurrent();
    });
    connect(&context.selection, &SelectionContext::sought, this, [this] { showCurrent(); });
    connect(&m_model, &QAbstractItemModel::modelReset, this, [this] { m_showLater = true; });
    connect(&context.selection, &SelectionContext::referenceChanged, this, [this](CandidateId reference) {
        m_model.setReference(reference);
        m_filter.setReference(reference);
    });
    connect(&context.selection, &SelectionContext::referenceChanged, m_table->viewport(),
        [this] { m_table->viewport()->update(); });
    connect(&context.selection, &SelectionContext::islandsChanged, this, [this] {
        m_filter.setIslands(m_context.selection.islands());
        showIslands();
        sayNothingFits();
    });
    connect(m_islands, &QPushButton::clicked, this, [this] { m_context.selection.setIslands({}); });
    connect(&context.selection, &SelectionContext::rangeChanged, this, [this] { showRange(); });
    connect(
        &context.selection, &SelectionContext::cleared, m_box, &QueryBox::reset); // it was typed for another session
    connect(m_range, &QPushButton::clicked, this, [this] { m_context.selection.setRange(std::nullopt); });
    connect(&Theme::instance(), &Theme::changed, m_table->viewport(), [this] { m_table->viewport()->update(); });
    refresh();
    row->addWidget(new ViewsButton(this, context.settings, this)); // it brings back the view that was in use last
}

void CandidateTable::refresh()
{
    const Table::LookedAt looked = m_table->lookedAt();
    m_following = true; // a reset or a re-sort moves the current row without a user asking for it
    m_model.show(m_context.session.pointer());
    m_following = false;
    sayNothingFits();
    m_table->keepInPlace(looked);
    m_showLater ? showCurrent() : markCurrent();
    const bool isBeingRead = m_context.session.snapshot().status.opening.has_value();
    m_wasJustRead = std::exchange(m_isBeingRead, isBeingRead) && !isBeingRead;
    m_showLater = m_showLater || isBeingRead; // what is read later may be the best
}

void CandidateTable::letGo()
{
    const Table::LookedAt looked = m_table->lookedAt();
    m_following = true;
    m_filter.letGo();
    m_following = false;
    m_table->keepInPlace(looked);
    m_showLater ? showCurrent() : markCurrent();
}

void CandidateTable::sayHeldBack()
{
    const int count = m_filter.heldBack();
    m_heldBack->setText(tr("%1 new").arg(grouped(count)));
    m_heldBack->setVisible(count > 0);
}

QPushButton* CandidateTable::chip(const QString& name)
{
    auto* made = new QPushButton(this);
    made->setObjectName(name);
    made->setProperty("kind", u"small"_s);
    made->setAccessibleName(tr("Show all candidates"));
    made->setIcon(icon(u"x"_s, Tint::Secondary));
    made->setLayoutDirection(Qt::RightToLeft); // the cross at the end
    made->setVisible(false);
    return made;
}

/// What else is asked of the candidates than what is typed; without words nothing is.
static void sayOnChip(QPushButton& chip, const QString& words)
{
    chip.setVisible(!words.isEmpty());
    if (words.isEmpty())
        return;
    chip.setText(words);
    chip.setAccessibleName(CandidateTable::tr("Only %1; click to show all").arg(words));
    chip.setToolTip(chip.accessibleName());
}

void CandidateTable::showIslands()
{
    QStringList letters;
    for (const IslandId island : m_context.selection.islands())
        letters << text(islandLetter(island));
    const qsizetype count = letters.size();
    sayOnChip(*m_islands,
        count == 0 ? QString() : (count == 1 ? tr("island %1") : tr("islands %1")).arg(letters.join(u", "_s)));
}

void CandidateTable::showRange()
{
    const auto& range = m_context.selection.range();
    sayOnChip(*m_range, range ? words(*range) : QString());
    m_following = true;
    m_filter.setRange(range);
    m_following = false;
    sayNothingFits();
    showCurrent();
}

CandidateView CandidateTable::view() const
{
    const QHeaderView* header = m_table->horizontalHeader();
    return {{}, m_box->text(), m_table->unwanted(), header->sortIndicatorSection(), header->sortIndicatorOrder()};
}

void CandidateTable::setView(const CandidateView& view)
{
    m_box->setText(view.query);
    m_table->setUnwanted(view.unwanted);
    m_table->sortByColumn(view.sortColumn, view.order);
    Q_EMIT viewChanged();
}

QString CandidateTable::columnTitle(int column) const
{
    return m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

bool CandidateTable::lacksRoomFor(int column) const
{
    return m_table->isColumnHidden(column) && !m_table->unwanted().contains(column);
}

void CandidateTable::filter()
{
    m_filter.setQuery(m_box->query());
    sayNothingFits();
    say();
    showCurrent();
}

void CandidateTable::say()
{
    const auto& problem = m_box->query().problem;
    restyle(m_said, "tone", problem ? u"bad"_s : u"secondary"_s);
    m_said->setText(problem ? tr("%1. %2").arg(problem->text,
                        !m_box->query().terms.empty() ? tr("The filter uses only the conditions before the error.")
                            : hasChips()              ? tr("It is ignored.")
                                                      : tr("All candidates are shown."))
            : m_helping ? queryHelp()
                            : QString());
    m_said->setVisible(!m_said->text().isEmpty());
}

void CandidateTable::sayNothingFits()
{
    m_table->setNothing(m_filter.rowCount() > 0 || m_filter.isOrdering() ? QString()
            : !m_context.session.isOpen()                                ? tr("No session is open.")
            : m_model.rowCount() == 0 ? tr("No candidates yet. The seed comes first, once the session runs.")
            : m_box->query().problem
            ? QString() // the line above says it
            : QStringList{(hasChips() ? tr("None of %1 matches the filter and the selection beside it.")
                                      : tr("None of %1 matches the filter."))
                              .arg(counted(all(), tr("%1 candidate"), tr("%1 candidates"))),
                unknownWords(m_context.session.run(), m_box->query())}
                  .join(u' ')
                  .trimmed());
    Q_EMIT countsChanged();
}

bool CandidateTable::hasChips() const
{
    return m_context.selection.range().has_value() || !m_context.selection.islands().empty();
}

bool CandidateTable::isFiltered() const
{
    return !m_filter.isOrdering() && (!m_box->query().terms.empty() || hasChips());
}

int CandidateTable::all() const { return m_model.standing(); }

void CandidateTable::showCurrent()
{
    const QModelIndex index = m_filter.indexOf(m_context.selection.current());
    m_showLater = !index.isValid();
    if (index != m_table->currentIndex().siblingAtColumn(0))
        markCurrent();
    else if (index.isValid() && m_table->viewport()->rect().intersects(m_table->visualRect(index)))
        return; // where a user looks, as after a click on its row
    if (index.isValid())
        m_table->reveal(index);
}

void CandidateTable::markCurrent()
{
    m_following = true;
    m_table->setAutoScroll(false); // else what becomes the current row comes into sight by itself
    m_table->markRow(m_filter.indexOf(m_context.selection.current()));
    m_table->setAutoScroll(true);
    m_following = false;
}

} // namespace tilewright::ui
