// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/niches/niche_panel.h"

#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/niches/niche_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plot/plot_hover.h"
#include "ui/widgets/table.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

NichePanel::NichePanel(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_island(new QComboBox(this))
    , m_summary(new ElidedLabel({}, this))
    , m_stack(new QStackedWidget(this))
    , m_view(new NicheView(this))
    , m_hover(new PlotHover(m_view))
    , m_table(new Table(this))
{
    setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, px(4), 0, 0);
    column->setSpacing(px(2));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(px(8), 0, px(8), 0);
    row->setSpacing(px(12));
    row->addWidget(m_island);
    row->addWidget(m_summary, 1);
    column->addLayout(row);
    column->addWidget(m_stack, 1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_table);
    m_island->setObjectName(u"nicheIsland"_s);
    m_island->setAccessibleName(tr("Island whose niches are shown"));
    m_island->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_summary->setFont(fontOf(Type::Secondary));
    m_summary->setProperty("tone", u"secondary"_s);
    m_view->setObjectName(u"nicheView"_s);
    m_view->setAccessibleName(tr("Niches of the island; Ctrl+T shows them as a table"));
    m_table->setObjectName(u"nicheTable"_s);
    m_table->setAccessibleName(tr("Niches of the island"));
    m_table->setModel(&m_model);
    m_table->setIdentity(NicheModel::IdRole);
    m_table->setColumns({{110}, {110}, {90}, {70}, {130, 1}, {60}});
    connect(m_island, &QComboBox::activated, this, [this] { refresh(); });
    connect(m_view, &NicheView::chosen, this, [this](CandidateId id) { m_context.selection.select(id); });
    connect(m_view, &NicheView::hovered, this, [this](CandidateId id, const QPoint& at) { hover(id, at); });
    connect(m_table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        m_context.selection.select(CandidateId{index.data(NicheModel::IdRole).toLongLong()});
    });
    connect(&context.session, &SessionClient::changed, this, [this] { m_follow.ask(); });
    connect(&context.selection, &SelectionContext::currentChanged, m_view,
        [this](CandidateId id) { m_view->setSelected(id); });
    m_island->setToolTip(
        tr("A niche keeps the best program of its class, so that different approaches survive beside the best"));
    refresh();
}

void NichePanel::setTableTwin(bool table) { m_stack->setCurrentIndex(table ? 1 : 0); }

void NichePanel::fillIslands()
{
    const RunState& run = m_context.session.run();
    QStringList names, shown;
    std::vector<IslandId> ids;
    for (const Island& island : run.islands)
        if (!island.unmade) { // one that was taken back holds nothing
            names << text(islandLetter(island.id)) + u"  "_s + text(island.name);
            ids.push_back(island.id);
        }
    for (int i = 0; i < m_island->count(); ++i)
        shown << m_island->itemText(i);
    if (names == shown && ids == m_ids)
        return;
    const auto before = std::ranges::find(ids, islandShown());
    const int at = before != ids.end() ? static_cast<int>(before - ids.begin()) : ids.empty() ? -1 : 0;
    m_ids = std::move(ids);
    m_island->clear();
    m_island->addItems(names);
    m_island->setCurrentIndex(at);
}

IslandId NichePanel::islandShown() const
{
    const auto at = static_cast<std::size_t>(m_island->currentIndex());
    return at < m_ids.size() ? m_ids[at] : IslandId{};
}

void NichePanel::refresh()
{
    fillIslands();
    const Snapshot& snapshot = m_context.session.snapshot();
    const NicheChart chart = nicheChartOf(snapshot.run, snapshot.pack ? &snapshot.pack->task : nullptr, islandShown());
    m_view->show(m_context.session.pointer(), chart);
    m_view->setSelected(m_context.selection.current());
    m_model.show(m_context.session.pointer(), chart);
    if (!chart.island)
        return m_summary->setText({});
    const auto unknown
        = std::ranges::count_if(chart.cells, [](const NicheCell& cell) { return cell.column < 0 || cell.row < 0; });
    QStringList words{tr("%1 of %2 niches occupied")
                          .arg(static_cast<std::int64_t>(chart.cells.size()) - unknown)
                          .arg(chart.across.bins() * chart.up.bins())};
    if (chart.across.starts.empty())
        words = {
            counted(static_cast<std::int64_t>(chart.cells.size()), tr("%1 niche occupied"), tr("%1 niches occupied"))};
    else if (unknown > 0)
        words << tr("%1 with an unknown feature (hatched)").arg(unknown);
    m_summary->setText((words << tr("frame: best of the island")).join(u" · "_s));
}

void NichePanel::hover(CandidateId id, const QPoint& at)
{
    m_context.selection.hover(id);
    const RunState& run = m_context.session.run();
    const Candidate* candidate = run.candidate(id);
    if (!candidate) {
        m_hover->setVisible(false);
        return;
    }
    QStringList lines;
    if (candidate->isRanked())
        lines << aboutSign(*candidate) + times(candidate->score->value) + u' ' + halfWidth(*candidate->score) + u" · "_s
                + stateWords(*candidate);
    lines << tr("by %1").arg(offeredBy(run, *candidate));
    if (candidate->resultNumber)
        lines << tr("evaluation %1, after %2").arg(grouped(candidate->resultNumber), duration(candidate->finishedNs));
    m_hover->show(candidate->island, nameOfCandidate(id), tr("generation %1").arg(candidate->generation), lines, at);
}

} // namespace tilewright::ui
