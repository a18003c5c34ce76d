// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_panel.h"

#include "ui/evolve/candidate_delegate.h"
#include "ui/evolve/candidate_table.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dock_title.h"
#include "ui/widgets/plot_hover.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table.h"

#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

FitnessPanel::FitnessPanel(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_title(new DockTitle(tr("Fitness"), this))
    , m_axis(new Segments(tr("Horizontal axis"), {tr("Evaluation"), tr("Generation"), tr("Wall time")}, this))
    , m_stack(new QStackedWidget(this))
    , m_plot(new PlotView(this))
    , m_hover(new PlotHover(m_plot))
    , m_table(new Table(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_stack, 1);
    m_title->addControl(m_axis);
    auto* fitButton = new QToolButton(this);
    fitButton->setDefaultAction(&desk.actions[u"view.fit"_s]);
    fitButton->setAccessibleName(tr("Fit the plot"));
    m_title->addControl(fitButton);
    m_plot->setObjectName(u"fitnessPlot"_s);
    m_plot->setAccessibleName(tr("Score of all candidates over the run; Ctrl+T shows the same as a table"));
    m_plot->setMinimumSize(px(320), px(180));
    m_filter.setSourceModel(&m_model);
    m_filter.sort(static_cast<int>(CandidateModel::Column::Evaluation));
    m_table->setObjectName(u"fitnessTable"_s);
    m_table->setAccessibleName(tr("Score of all candidates over the run"));
    m_table->setModel(&m_filter);
    m_table->setSortingEnabled(true);
    m_table->setColumns(candidateColumns());
    m_table->setItemDelegate(new CandidateDelegate(desk.selection, m_table));
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_table);

    connect(m_axis, &Segments::chosen, this, [this] {
        m_shownSeq = -1;
        refresh();
        m_plot->fit();
    });
    connect(m_plot, &PlotView::clicked, this, [this](int series, int index) {
        m_desk.selection.select(m_data.candidates[static_cast<std::size_t>(series)][static_cast<std::size_t>(index)]);
    });
    connect(m_plot, &PlotView::hovered, this,
        [this](int series, int index, const QPoint& at) { hover(series, index, at); });
    connect(m_plot, &PlotView::marksHovered, this,
        [this](const QVector<int>& marks, const QPoint& at) { hoverChanges(marks, at); });
    connect(m_table, &Table::clicked, this, [this](const QModelIndex& index) {
        m_desk.selection.select(CandidateId{index.data(CandidateModel::IdRole).toLongLong()});
    });
    connect(&desk.session, &Session::changed, this, [this] { refresh(); });
    connect(&desk.session, &Session::replaced, this, [this] {
        m_shownSeq = -1;
        m_plot->fit();
    });
    connect(&desk.selection, &SelectionContext::islandsChanged, this, [this] {
        m_shownSeq = -1;
        m_filter.setIslands(m_desk.selection.islands());
        refresh();
    });
    connect(&desk.selection, &SelectionContext::currentChanged, this, [this] { mark(); });
    connect(&desk.selection, &SelectionContext::pinnedChanged, this, [this] { mark(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_shownSeq = -1;
        refresh();
    });
    refresh();
}

void FitnessPanel::setTableTwin(bool table)
{
    m_stack->setCurrentWidget(table ? static_cast<QWidget*>(m_table) : m_plot);
    m_shownSeq = -1;
    refresh();
}

void FitnessPanel::fit() { m_plot->fit(); }

void FitnessPanel::refresh()
{
    const RunState& run = m_desk.session.run();
    if (m_stack->currentWidget() == m_table)
        m_model.show(m_desk.session.pointer());
    if (run.lastSeq == m_shownSeq)
        return;
    m_shownSeq = run.lastSeq;
    const auto axis = static_cast<FitnessAxis>(m_axis->current());
    m_data = fitnessOf(run, axis, tokens(), [this](IslandId island) { return m_desk.selection.shows(island); });
    QVector<PlotReference> references{{1.0, tr("baseline 1.00×"), true}};
    const std::optional<double> vendor = vendorScore(run);
    const auto& pack = m_desk.session.snapshot().pack;
    if (vendor)
        references.append({*vendor,
            tr("vendor %1").arg(times(*vendor))
                + (pack && !pack->task.vendor.empty() ? u" · "_s + text(pack->task.vendor) : QString())});
    const int shapes = pack ? static_cast<int>(pack->task.train.size()) : 0;
    m_title->setSubText(
        shapes ? counted(shapes, tr("%1 training shape"), tr("geometric mean of %1 training shapes")) : QString());
    m_plot->setReferences(references);
    m_changes = changesOf(run, axis, tokens(), [this](IslandId island) { return m_desk.selection.shows(island); });
    m_plot->setMarks(m_changes.marks);
    m_plot->setAccessibleDescription(m_changes.changes.empty()
            ? QString()
            : tr("%1; the last: %2")
                  .arg(counted(static_cast<std::int64_t>(m_changes.changes.size()), tr("%1 change by hand"),
                           tr("%1 changes by hand")),
                      text(lineOf(run.changes[m_changes.changes.back()]))));
    m_plot->setRug(m_data.failures, tr("failed"), QString::number(m_data.failures.size()));
    const QString names[] = {tr("evaluation"), tr("generation"), tr("wall time (min)")};
    m_plot->setAxes(tr("speedup vs baseline (×)"), names[m_axis->current()], vendor, tr("vs vendor (×)"));
    const bool empty = std::ranges::all_of(m_data.series, [](const PlotSeries& one) { return one.x.isEmpty(); });
    m_plot->setMessage(!empty          ? QString()
            : !m_desk.session.isOpen() ? tr("No session is open.")
                                       : tr("No result yet. The first ones come when the seed has been measured."));
    m_plot->setSeries(m_data.series);
    mark();
}

std::optional<QPointF> FitnessPanel::placeOf(CandidateId id) const
{
    const Candidate* candidate = m_desk.session.run().candidate(id);
    if (!candidate || !candidate->isRanked() || !m_desk.selection.shows(candidate->island))
        return std::nullopt;
    const double x = fitnessPosition(*candidate, static_cast<FitnessAxis>(m_axis->current()));
    return x < 0 ? std::nullopt : std::optional(QPointF(x, candidate->score->value));
}

void FitnessPanel::mark()
{
    m_plot->setMarked(placeOf(m_desk.selection.current()), placeOf(m_desk.selection.pinned()));
}

void FitnessPanel::hover(int series, int index, const QPoint& at)
{
    const RunState& run = m_desk.session.run();
    const Candidate* candidate = index < 0
        ? nullptr
        : run.candidate(m_data.candidates[static_cast<std::size_t>(series)][static_cast<std::size_t>(index)]);
    m_desk.selection.hover(candidate ? candidate->id : CandidateId{});
    if (!candidate) {
        m_hover->setVisible(false);
        return;
    }
    QString figures = times(candidate->score->value) + u' ' + halfWidth(*candidate->score);
    if (candidate->vsVendor)
        figures += u" · "_s + tr("%1 vendor").arg(times(candidate->vsVendor->value));
    QStringList lines{figures};
    if (const auto change = versusParent(run, *candidate))
        lines << (change->isWithinNoise()
                ? tr("within noise of parent %1").arg(nameOfCandidate(change->parent))
                : tr("%1 over parent %2").arg(signedPercent(change->ratio.value), nameOfCandidate(change->parent)));
    if (!candidate->confirmed)
        lines << stateWords(*candidate);
    m_hover->show(
        candidate->island, nameOfCandidate(candidate->id), tr("generation %1").arg(candidate->generation), lines, at);
}

void FitnessPanel::hoverChanges(const QVector<int>& marks, const QPoint& at)
{
    if (marks.isEmpty()) // what a dot shows is its own matter
        return;
    const RunState& run = m_desk.session.run();
    const auto changeAt
        = [&](int mark) -> const RunChange& { return run.changes[m_changes.changes[static_cast<std::size_t>(mark)]]; };
    QStringList lines;
    for (const int mark : marks)
        lines << changeWords(changeAt(mark));
    const RunChange& last = changeAt(marks.last());
    m_hover->show(marks.size() == 1 ? last.island : IslandId{},
        counted(marks.size(), tr("%1 change"), tr("%1 changes")),
        tr("after %1").arg(counted(last.evaluations, tr("%1 evaluation"), tr("%1 evaluations"))), lines, at);
}

} // namespace tilewright::ui
