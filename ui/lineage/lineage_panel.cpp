// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lineage/lineage_panel.h"

#include "core/model/reviews/review_queue.h"
#include "ui/lineage/lineage_legend.h"
#include "ui/lineage/lineage_view.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/rule_words.h"
#include "ui/session/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/plot/plot_hover.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QToolButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
/// Up to here a layout takes less than a frame and is made at once.
constexpr std::size_t laidAtOnce = 2000;
} // namespace

LineagePanel::LineagePanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(new DockTitle(tr("Lineage"), this))
    , m_emphasis(new Segments(tr("Highlight"), {tr("All"), tr("Ancestry"), tr("Survivors")}, this))
    , m_stack(new QStackedWidget(this))
    , m_view(new LineageView(this))
    , m_legend(new LineageLegend(this))
    , m_legendButton(new QToolButton(this))
    , m_hover(new PlotHover(m_view))
    , m_table(new Table(this))
    , m_laid(std::make_shared<const Snapshot>())
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    auto* picture = new QFrame(this);
    picture->setProperty("role", u"panel"_s);
    auto* rows = new QVBoxLayout(picture);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_view, 1);
    auto* strip = new QHBoxLayout;
    strip->setContentsMargins(px(8), px(4), px(8), px(4));
    strip->setSpacing(px(12));
    strip->addWidget(new LineageMap(m_view), 0, Qt::AlignTop);
    strip->addWidget(m_legend, 1);
    rows->addLayout(strip);
    addLegendButton();
    m_emphasis->setObjectName(u"lineageEmphasis"_s);
    m_view->setObjectName(u"lineageView"_s);
    m_view->setAccessibleName(tr("Lineage: candidates and their parents; Ctrl+T shows it as a table"));
    m_filter.setSourceModel(&m_model);
    m_filter.sort(static_cast<int>(CandidateModel::Column::Generation));
    m_table->setObjectName(u"lineageTable"_s);
    m_table->setAccessibleName(tr("Candidates by generation, with their parents"));
    m_table->setModel(&m_filter);
    m_table->setSortingEnabled(true);
    // name, island, generation, evaluation, state, score, vendor, vs parent, parents, change, marks
    m_table->setColumns({{106}, {58}, {48}, {50, 3}, {142}, {76}, {88, 4}, {108, 2}, {120}, {110, 1, true}, {84, 5}});
    m_stack->addWidget(picture);
    m_stack->addWidget(m_table);
    m_title->addControl(m_emphasis);
    m_title->addControl(m_legendButton);
    auto* fitButton = new QToolButton(this);
    fitButton->setDefaultAction(&context.actions[u"view.fit"_s]);
    fitButton->setAccessibleName(tr("Show the whole lineage"));
    m_title->addControl(fitButton);

    connect(m_emphasis, &Segments::chosen, this, [this](int index) {
        m_view->setEmphasis(static_cast<Emphasis>(index));
        filterTable(true);
    });
    connect(m_view, &LineageView::chosen, this, [this](CandidateId id) { m_context.selection.select(id); });
    connect(m_view, &LineageView::hovered, this, [this](int node, const QPoint& at) { hover(node, at); });
    connect(m_view, &LineageView::menuRequested, this, [this](CandidateId id, const QPoint& global) {
        m_context.selection.select(id);
        Q_EMIT menuRequested(global);
    });
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        const QModelIndex index = m_table->indexAt(at);
        if (!index.isValid())
            return;
        m_context.selection.select(CandidateId{index.data(CandidateModel::IdRole).toLongLong()});
        Q_EMIT menuRequested(m_table->viewport()->mapToGlobal(at));
    });
    connect(m_view, &LineageView::viewChanged, this, [this] { sayWhatIsSeen(); });
    connect(m_table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        m_context.selection.select(CandidateId{index.data(CandidateModel::IdRole).toLongLong()});
    });
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    connect(&context.session, &SessionClient::replaced, this, [this] {
        m_view->show(std::make_shared<const Lineage>());
        m_view->fit();
    });
    connect(&context.selection, &SelectionContext::currentChanged, m_view, [this](CandidateId id) {
        m_view->setSelected(id);
        filterTable(false);
        markRow();
    });
    connect(&m_filter, &CandidateFilter::reordered, this, [this] { markRow(); });
    connect(&context.selection, &SelectionContext::referenceChanged, m_view,
        [this](CandidateId id) { m_view->setReference(id); });
    connect(&context.selection, &SelectionContext::hoveredChanged, m_view,
        [this](CandidateId id) { m_view->setHovered(id); });
    connect(&context.selection, &SelectionContext::islandsChanged, this, [this] {
        m_filter.setIslands(m_context.selection.islands());
        m_view->setIslands(m_context.selection.islands());
    });
    m_view->setMessage(whatToSay());
}

void LineagePanel::addLegendButton()
{
    const QString kept = u"lineage-legend"_s;
    const QByteArray hidden = "hidden";
    m_legendButton->setObjectName(u"lineageLegendButton"_s);
    m_legendButton->setCheckable(true);
    m_legendButton->setText(tr("Legend"));
    m_legendButton->setToolTip(tr("Shows what shapes, lines and colours mean"));
    const auto show = [this](bool shown) {
        m_legendButton->setChecked(shown);
        m_legend->setVisible(shown);
    };
    show(m_context.settings.layout(kept) != hidden);
    connect(m_legendButton, &QToolButton::toggled, this, [this, show, kept, hidden](bool shown) {
        show(shown);
        m_context.settings.setLayout(kept, shown ? QByteArray("shown") : hidden);
    });
}

/// The table shows the candidates that stand out in the picture. A candidate that is chosen among its own ancestors
/// leaves the rows as they are, so that a user can walk through them.
void LineagePanel::filterTable(bool isNewEmphasis)
{
    const LineageScene& scene = m_view->scene();
    std::optional<std::set<CandidateId>> only;
    const CandidateId current = m_context.selection.current();
    if (scene.emphasis == Emphasis::Ancestry && scene.lineage->nodeOf(current) >= 0) {
        if (!isNewEmphasis && m_shownAncestry.contains(current))
            return;
        only.emplace();
        for (const int node : scene.lineage->ancestry(scene.lineage->nodeOf(current)))
            only->insert(scene.lineage->nodes[static_cast<std::size_t>(node)].candidate);
        m_shownAncestry = *only;
    } else if (scene.emphasis == Emphasis::Survivors) {
        only.emplace();
        for (const LineageNode& node : scene.lineage->nodes)
            if (node.survives)
                only->insert(node.candidate);
    }
    m_filter.setOnly(only);
}

void LineagePanel::setTableTwin(bool table)
{
    m_stack->setCurrentIndex(table ? 1 : 0);
    if (table)
        m_model.show(m_context.session.pointer());
    markRow();
    m_table->scrollTo(m_table->currentIndex());
}

void LineagePanel::setRowDelegate(QAbstractItemDelegate* delegate) { m_table->setItemDelegate(delegate); }

void LineagePanel::markRow() { m_table->markRow(m_filter.indexOf(m_context.selection.current())); }

void LineagePanel::fit() { m_view->fit(); }

QString LineagePanel::whatToSay() const
{
    if (!m_context.session.isOpen())
        return tr("No session is open.");
    return m_context.session.run().candidates.empty() ? tr("No candidates yet. The seed comes first.")
                                                      : tr("Laying out the lineage…");
}

void LineagePanel::refresh()
{
    if (m_stack->currentIndex() == 1)
        m_model.show(m_context.session.pointer());
    m_view->setMessage(whatToSay());
    const SnapshotPtr& now = m_context.session.pointer();
    if (m_laid->run.lastSeq != now->run.lastSeq || m_laid->status.sessionPath != now->status.sessionPath)
        m_laying.ask();
}

std::function<LineagePanel::Made()> LineagePanel::lay()
{
    m_laid = m_context.session.pointer();
    if (m_laid->run.candidates.size() + m_laid->run.proposals.size() > laidAtOnce)
        return [snapshot = m_laid]() -> Made { return std::make_shared<const Lineage>(lineageOf(snapshot->run)); };
    take(std::make_shared<const Lineage>(lineageOf(m_laid->run)));
    return {};
}

void LineagePanel::take(const Made& lineage)
{
    if (m_laid->status.sessionPath != m_context.session.snapshot().status.sessionPath)
        return; // of a session that is gone
    m_legend->setLineage(*lineage);
    m_view->show(lineage);
    m_view->setSelected(m_context.selection.current());
    filterTable(false);
}

void LineagePanel::sayWhatIsSeen()
{
    const LineageScene& scene = m_view->scene();
    if (scene.lineage->empty()) {
        m_title->setSubText({});
        return;
    }
    const auto [firstColumn, lastColumn] = scene.columnsInView();
    const QString generations
        = tr("generations %1–%2 of %3").arg(firstColumn).arg(lastColumn - 1).arg(scene.lineage->generations() - 1);
    const QString seen = tr("%1 · %2 of %3 nodes")
                             .arg(generations, grouped(scene.shownInView()),
                                 grouped(static_cast<std::int64_t>(scene.lineage->nodes.size())));
    const QString all = m_view->ancestry().firstParentsOnly ? tr("%1 · ancestry: first parents").arg(seen) : seen;
    m_title->setSubForms({all, generations, {}});
}

void LineagePanel::hover(int node, const QPoint& at)
{
    const Lineage& lineage = *m_view->scene().lineage;
    const LineageNode* shown = node < 0 ? nullptr : &lineage.nodes[static_cast<std::size_t>(node)];
    m_context.selection.hover(shown ? shown->candidate : CandidateId{});
    if (!shown) {
        m_hover->setVisible(false);
        return;
    }
    const RunState& run = m_context.session.run();
    const Candidate* candidate = run.candidate(shown->candidate);
    const Proposal* proposal = run.proposal(shown->proposal);
    QStringList lines;
    if (candidate) {
        lines << (candidate->isRanked() ? times(candidate->score->value) + u' ' + halfWidth(*candidate->score)
                    + u" · "_s + stateWords(*candidate)
                                        : stateWords(run, *candidate));
        if (editedFrom(run, *candidate))
            lines << text(wordsOfEdit(run, *candidate));
        if (!candidate->rule.empty() && !isEditedByPerson(*candidate))
            lines << ruleWords(candidate->rule);
        lines << changeLines(run, *candidate);
        lines << changeWords(run, *candidate).left(60);
    } else if (proposal) {
        lines << (proposal->state == ProposalState::Duplicate ? tr("duplicate of %1").arg(text(proposal->detail))
                                                              : tr("refused"))
              << ruleWords(proposal->rule);
        lines.removeAll(QString());
    }
    m_hover->show(shown->island, candidate ? nameOfCandidate(candidate->id) : tr("proposal"),
        tr("generation %1").arg(shown->generation), lines, at);
}

} // namespace tilewright::ui
