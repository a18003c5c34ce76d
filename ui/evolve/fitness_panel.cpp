// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_panel.h"

#include "core/model/measurement/evidence.h"
#include "ui/evolve/candidate_delegate.h"
#include "ui/evolve/candidate_table.h"
#include "ui/evolve/migration_footer.h"
#include "ui/models/best_words.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/plot/plot_hover.h"
#include "ui/widgets/table.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
/// Up to here all dots are made within a frame, and at once.
constexpr std::size_t madeAtOnce = 5000;
constexpr double zoomStep = 1.25;
} // namespace

FitnessPanel::FitnessPanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(new DockTitle(tr("Fitness"), this))
    , m_legend(new IslandLegend(this))
    , m_axis(new QComboBox(this))
    , m_value(new QComboBox(this))
    , m_migrationLines(new QToolButton(this))
    , m_log(new QToolButton(this))
    , m_brush(new QToolButton(this))
    , m_stack(new QStackedWidget(this))
    , m_plot(new PlotView(this))
    , m_hover(new PlotHover(m_plot))
    , m_table(new Table(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_stack, 1);
    addChoices();
    auto* fitButton = new QToolButton(this);
    fitButton->setDefaultAction(&context.actions[u"view.fit"_s]);
    fitButton->setAccessibleName(tr("Fit the plot"));
    m_title->addControl(fitButton);
    m_plot->setObjectName(u"fitnessPlot"_s);
    m_plot->setAccessibleName(tr("Score of all candidates over the run; Ctrl+T shows it as a table"));
    m_plot->setMinimumSize(px(320), px(180));
    m_filter.setSourceModel(&m_model);
    m_filter.sort(static_cast<int>(CandidateModel::Column::Evaluation));
    m_table->setObjectName(u"fitnessTable"_s);
    m_table->setAccessibleName(tr("Score of all candidates over the run"));
    m_table->setModel(&m_filter);
    m_table->setSortingEnabled(true);
    std::vector<TableColumn> columns = candidateColumns();
    columns[static_cast<std::size_t>(CandidateModel::Column::Evaluation)].goes = 0; // what the plot is drawn over
    m_table->setColumns(std::move(columns));
    m_table->setItemDelegate(new CandidateDelegate(context.selection, m_table));
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_table);

    m_plot->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_plot, &QWidget::customContextMenuRequested, this, &FitnessPanel::openMenu);
    connect(m_plot, &PlotView::brushed, this, [this](double from, double to) {
        m_context.selection.setRange(RunRange{m_look.axis, from, to});
    });
    connect(m_plot, &PlotView::brushCleared, this, [this] { m_context.selection.setRange(std::nullopt); });
    connect(&context.selection, &SelectionContext::rangeChanged, this, [this] {
        m_look.range = m_context.selection.range();
        keep();
        mark();
    });
    connect(m_plot, &PlotView::clicked, this, [this](int series, int index) {
        m_context.selection.select(
            m_data.candidates[static_cast<std::size_t>(series)][static_cast<std::size_t>(index)]);
    });
    connect(m_plot, &PlotView::hovered, this,
        [this](int series, int index, const QPoint& at) { hover(series, index, at); });
    connect(m_plot, &PlotView::marksHovered, this,
        [this](const QVector<int>& marks, const QPoint& at) { hoverChanges(marks, at); });
    connect(m_plot, &PlotView::guideHovered, this, &FitnessPanel::hoverMigrations);
    connect(m_plot, &PlotView::seriesNamed, this, &FitnessPanel::hoverIsland);
    connect(m_plot, &PlotView::referenceNamed, this, &FitnessPanel::hoverReference);
    connect(m_table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        m_context.selection.select(CandidateId{index.data(CandidateModel::IdRole).toLongLong()});
    });
    connect(&context.session, &SessionClient::changed, this, [this] {
        if (m_stack->currentWidget() == m_table)
            m_model.show(m_context.session.pointer());
        m_follow.ask();
        tellFirstResult();
    });
    // Once the selection has forgotten the other session.
    connect(&context.session, &SessionClient::replaced, this, &FitnessPanel::recall, Qt::QueuedConnection);
    connect(&context.selection, &SelectionContext::islandsChanged, this, [this] {
        m_shownSeq = -1;
        m_filter.setIslands(m_context.selection.islands());
        refresh();
    });
    connect(&context.selection, &SelectionContext::currentChanged, this, [this] { mark(); });
    connect(&context.selection, &SelectionContext::referenceChanged, this, [this] { mark(); });
    connect(&m_filter, &CandidateFilter::reordered, this, [this] { markRow(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_shownSeq = -1;
        refresh();
    });
    refresh();
}

void FitnessPanel::openMenu(const QPoint& at)
{
    auto* menu = new QMenu(m_plot);
    menu->setObjectName(u"fitnessMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(&m_context.actions[u"view.fit"_s]);
    menu->addAction(tr("Zoom in"), m_plot, [this] { m_plot->zoomBy(zoomStep); })->setShortcut(Qt::Key_Plus);
    menu->addAction(tr("Zoom out"), m_plot, [this] { m_plot->zoomBy(1 / zoomStep); })->setShortcut(Qt::Key_Minus);
    menu->addSeparator();
    for (QToolButton* toggle : {m_log, m_migrationLines, m_brush}) {
        QAction* action = menu->addAction(toggle->accessibleName());
        action->setCheckable(true);
        action->setChecked(toggle->isChecked());
        connect(action, &QAction::triggered, toggle, &QToolButton::click);
    }
    menu->addSeparator();
    menu->addAction(&m_context.actions[u"view.table"_s]);
    menu->addAction(&m_context.actions[u"view.fullscreen"_s]);
    menu->addAction(icon(u"copy"_s, Tint::Secondary), tr("Copy as picture"), m_plot,
        [this] { QGuiApplication::clipboard()->setPixmap(m_plot->grab()); });
    menu->popup(m_plot->mapToGlobal(at));
}

void FitnessPanel::setTableTwin(bool table)
{
    m_stack->setCurrentWidget(table ? static_cast<QWidget*>(m_table) : m_plot);
    m_shownSeq = -1;
    refresh();
    m_table->scrollTo(m_table->currentIndex());
}

void FitnessPanel::markRow() { m_table->markRow(m_filter.indexOf(m_context.selection.current())); }

void FitnessPanel::fit() { m_plot->fit(); }

void FitnessPanel::setEarlier(std::vector<SessionStart> earlier)
{
    m_earlier = std::move(earlier);
    tellFirstResult();
}

void FitnessPanel::tellFirstResult()
{
    if (m_context.session.run().lastSeq == m_shownSeq && isBeforeFirstResult(m_context.session.run()))
        m_plot->setMessage(messageOf());
}

void FitnessPanel::addChoices()
{
    m_axis->setObjectName(u"fitnessAxis"_s);
    m_axis->setAccessibleName(tr("Horizontal axis"));
    for (int i = 0; i < runAxes; ++i)
        m_axis->addItem(nameOf(static_cast<RunAxis>(i)));
    m_value->setObjectName(u"fitnessValue"_s);
    m_value->setAccessibleName(tr("Vertical axis"));
    for (int i = 0; i < fitnessValues; ++i)
        m_value->addItem(nameOf(static_cast<FitnessValue>(i)));
    m_migrationLines->setObjectName(u"fitnessMigrations"_s);
    m_migrationLines->setIcon(icon(u"migrate"_s));
    m_migrationLines->setAccessibleName(tr("Migrations as dotted lines"));
    m_migrationLines->setCheckable(true);
    m_log->setObjectName(u"fitnessLog"_s);
    m_log->setText(tr("Log"));
    m_log->setToolTip(tr("Logarithmic vertical axis"));
    m_log->setAccessibleName(tr("Logarithmic vertical axis"));
    m_log->setCheckable(true);
    m_brush->setObjectName(u"fitnessBrush"_s);
    m_brush->setIcon(icon(u"filter"_s));
    m_brush->setToolTip(tr("Drag to choose a range of the run for the table of candidates (Shift+drag always does; "
                           "Shift+arrow keys, Esc)"));
    m_brush->setAccessibleName(tr("Choose a range by dragging"));
    m_brush->setCheckable(true);
    for (QWidget* control :
        std::initializer_list<QWidget*>{m_legend, m_value, m_axis, m_migrationLines, m_log, m_brush})
        m_title->addControl(control);
    const auto choose = [this](auto change) {
        FitnessLook wanted = m_look;
        change(wanted);
        look(wanted);
        keep();
    };
    connect(m_axis, &QComboBox::activated, this,
        [choose](int index) { choose([index](FitnessLook& wanted) { wanted.axis = static_cast<RunAxis>(index); }); });
    connect(m_value, &QComboBox::activated, this, [choose](int index) {
        choose([index](FitnessLook& wanted) {
            wanted.value = static_cast<FitnessValue>(index);
            wanted.logarithmic.reset(); // another value, another scale
        });
    });
    connect(m_log, &QToolButton::clicked, this,
        [choose](bool checked) { choose([checked](FitnessLook& wanted) { wanted.logarithmic = checked; }); });
    connect(m_migrationLines, &QToolButton::clicked, this,
        [choose](bool checked) { choose([checked](FitnessLook& wanted) { wanted.migrations = checked; }); });
    connect(m_brush, &QToolButton::toggled, m_plot, &PlotView::setBrushing);
}

void FitnessPanel::recall()
{
    const QString path = m_context.session.isOpen() ? text(m_context.session.snapshot().status.sessionPath) : QString();
    if (!path.isEmpty() && path == m_lookOf)
        return; // the same was read to its end
    m_lookOf = path;
    look(m_lookOf.isEmpty() ? FitnessLook() : fitnessLookFrom(m_context.settings.layout(fitnessLookName(m_lookOf))));
}

void FitnessPanel::look(const FitnessLook& look)
{
    m_look = look;
    m_axis->setCurrentIndex(static_cast<int>(look.axis));
    m_value->setCurrentIndex(static_cast<int>(look.value));
    const bool hasMoments = look.axis != RunAxis::Generation;
    m_migrationLines->setChecked(look.migrations && hasMoments);
    m_migrationLines->setEnabled(hasMoments);
    m_migrationLines->setToolTip(hasMoments ? tr("Dotted line: a good program was copied to another island, in the "
                                                 "colour of the island whose best it became")
                                            : tr("Migrations have a time and no generation: not shown on this axis"));
    m_context.selection.setRange(look.range);
    m_shownSeq = -1;
    refresh();
    m_plot->fit();
    m_log->setChecked(m_plot->isLogarithmic());
}

void FitnessPanel::keep()
{
    if (!m_lookOf.isEmpty() && m_lookOf == text(m_context.session.snapshot().status.sessionPath))
        m_context.settings.setLayout(fitnessLookName(m_lookOf), toJson(m_look));
}

QString FitnessPanel::messageOf() const
{
    if (!m_context.session.isOpen())
        return tr("No session is open.");
    if (const QString words = firstResultWords(m_context.session.snapshot(), m_earlier); !words.isEmpty())
        return words;
    if (std::ranges::any_of(m_data.series, [](const PlotSeries& one) { return !one.x.isEmpty(); }))
        return {};
    const RunState& run = m_context.session.run();
    const auto isRanked = [](const Candidate& candidate) { return candidate.isRanked(); };
    if (std::ranges::none_of(run.candidates, isRanked))
        return tr("No results yet. The first appear when the seed has been measured.");
    if (std::ranges::none_of(run.candidates, [&](const Candidate& candidate) {
            return isRanked(candidate) && m_context.selection.shows(candidate.island);
        }))
        return tr("No results yet on the islands shown.");
    if (m_look.axis != RunAxis::Cost)
        return tr("No candidate has been timed against the vendor library yet.");
    return run.unpriced ? tr("No reply of this run has a known price, so there is no cost to show.")
                        : tr("No reply of this run had a cost.");
}

void FitnessPanel::refresh()
{
    const RunState& run = m_context.session.run();
    if (m_stack->currentWidget() == m_table)
        m_model.show(m_context.session.pointer());
    if (run.lastSeq == m_shownSeq)
        return;
    m_follow.drop();
    show(howToMake()());
}

std::function<FitnessPanel::Made()> FitnessPanel::follow()
{
    const RunState& run = m_context.session.run();
    if (run.lastSeq == m_shownSeq)
        return {};
    if (run.candidates.size() > madeAtOnce)
        return howToMake();
    refresh();
    return {};
}

std::function<FitnessPanel::Made()> FitnessPanel::howToMake() const
{
    return [snapshot = m_context.session.pointer(), look = m_look, inks = tokens(),
               islands = m_context.selection.islands()]() -> Made {
        const auto isShown = [&islands](IslandId island) { return islands.empty() || islands.contains(island); };
        const auto library = vendorLibraryOf(snapshot->run);
        const QString vendor = library ? text(describe(*library))
            : snapshot->pack           ? vendorWords(snapshot->pack->task.vendor)
                                       : QString();
        return {snapshot, fitnessOf(snapshot->run, look, inks, vendor, isShown)};
    };
}

void FitnessPanel::show(const Made& made)
{
    if (made.snapshot->status.sessionPath != m_context.session.snapshot().status.sessionPath)
        return; // of a session that is gone
    const RunState& run = made.snapshot->run;
    m_shownSeq = run.lastSeq;
    m_data = made.data;
    const auto isShown = [this](IslandId island) { return m_context.selection.shows(island); };
    const auto& pack = made.snapshot->pack;
    const int shapes = pack ? static_cast<int>(pack->task.train.size()) : 0;
    std::vector<IslandLegend::Entry> islands;
    for (const Island& island : run.islands)
        if (island.standing != Standing::Ended && isShown(island.id))
            islands.push_back({island.id, text(island.name)});
    m_legend->show(std::move(islands));
    const QString ofThem = counted(shapes, tr("%1 train shape"), tr("%1 train shapes"));
    m_title->setSubForms(shapes == 0 ? QStringList()
            : shapes == 1            ? QStringList{ofThem, QString()}
                                     : QStringList{tr("geometric mean of %1 train shapes").arg(shapes),
                              tr("%1 train shapes").arg(shapes), QString()});
    m_plot->setReferences(m_data.references);
    m_changes = changesOf(run, m_look.axis, tokens(), isShown);
    m_plot->setMarks(m_changes.marks);
    m_migrations = m_look.migrations ? migrationsOf(run, m_look.axis, tokens(), isShown) : FitnessMigrations();
    m_plot->setGuides(m_migrations.guides);
    const QString changes = m_changes.changes.empty()
        ? QString()
        : tr("%1; newest: %2")
              .arg(counted(static_cast<std::int64_t>(m_changes.changes.size()), tr("%1 change by you"),
                       tr("%1 changes by you")),
                  changeSentence(run.changes[std::ranges::max(m_changes.changes)]));
    m_plot->setMessage(messageOf());
    m_plot->setAccessibleDescription(changes.isEmpty() ? m_plot->message() : changes);
    m_plot->setRug(m_data.failures, tr("failed"), QString::number(m_data.failed));
    const QString names[] = {tr("evaluation, in order of results"), tr("generation"), tr("wall time (min)"),
        run.unpriced ? tr("cost of replies, at least ($)") : tr("cost of replies ($)")};
    m_plot->setCounting(m_look.axis != RunAxis::Cost);
    m_plot->setLogarithmic(m_look.logarithmic);
    m_plot->setBulk(m_data.bulk);
    m_plot->setAxes(m_data.valueName, names[static_cast<int>(m_look.axis)]);
    m_plot->setSeries(m_data.series);
    m_log->setChecked(m_plot->isLogarithmic()); // without a word of the user's it follows the values
    mark();
}

std::optional<QPointF> FitnessPanel::placeOf(CandidateId id) const
{
    const RunState& run = m_context.session.run();
    const Candidate* candidate = run.candidate(id);
    if (!candidate || !m_context.selection.shows(candidate->island))
        return std::nullopt;
    const std::optional<double> y = fitnessOf(run, *candidate, m_look.value);
    const double x = RunPlaces(run, m_look.axis).of(*candidate);
    return y && x >= 0 ? std::optional(QPointF(x, heightOf(*y, m_data))) : std::nullopt;
}

void FitnessPanel::mark()
{
    m_plot->setMarked(placeOf(m_context.selection.current()), placeOf(m_context.selection.reference()));
    markRow();
    const auto& range = m_context.selection.range();
    const bool isHere = range && range->axis == m_look.axis;
    m_plot->setBrush(isHere ? std::optional(std::pair(range->from, range->to)) : std::nullopt);
}

void FitnessPanel::hover(int series, int index, const QPoint& at)
{
    const RunState& run = m_context.session.run();
    const Candidate* candidate = index < 0
        ? nullptr
        : run.candidate(m_data.candidates[static_cast<std::size_t>(series)][static_cast<std::size_t>(index)]);
    m_context.selection.hover(candidate ? candidate->id : CandidateId{});
    if (!candidate) {
        m_hover->setVisible(false);
        return;
    }
    QString figures = times(candidate->score->value) + u' ' + halfWidth(*candidate->score);
    if (candidate->vsVendor)
        figures += u" · "_s + tr("%1 %2").arg(times(candidate->vsVendor->value), text(vendorWordsOf(run, *candidate)));
    QStringList lines{figures};
    if (const auto time = fitnessOf(run, *candidate, FitnessValue::Time); time && m_look.value == FitnessValue::Time)
        lines << tr("%1, geometric mean of the train shapes").arg(shortTime(*time));
    lines << changeLines(run, *candidate);
    if (!candidate->confirmed)
        lines << stateWords(*candidate);
    m_hover->show(
        candidate->island, nameOfCandidate(candidate->id), tr("generation %1").arg(candidate->generation), lines, at);
}

void FitnessPanel::hoverChanges(const QVector<int>& marks, const QPoint& at)
{
    if (marks.isEmpty()) // what a dot shows is its own matter
        return;
    const RunState& run = m_context.session.run();
    const auto changeAt
        = [&](int mark) -> const RunChange& { return run.changes[m_changes.changes[static_cast<std::size_t>(mark)]]; };
    QStringList lines;
    const std::vector<bool> gone = takenBack(run.changes);
    for (const int mark : marks) {
        const QString words = changeSentence(changeAt(mark));
        const bool isGone = gone[m_changes.changes[static_cast<std::size_t>(mark)]];
        lines << (isGone ? tr("undone since: %1").arg(words) : words);
    }
    const RunChange& last = changeAt(marks.last());
    m_hover->show(marks.size() == 1 ? last.island : IslandId{},
        counted(marks.size(), tr("%1 change"), tr("%1 changes")),
        tr("after %1").arg(counted(last.evaluations, tr("%1 evaluation"), tr("%1 evaluations"))), lines, at);
}

void FitnessPanel::hoverMigrations(int guide, const QPoint& at)
{
    const RunState& run = m_context.session.run();
    const auto& here = m_migrations.migrations[static_cast<std::size_t>(guide)];
    QStringList lines;
    for (const std::size_t i : here)
        lines << migrationWords(run, run.migrations[i]);
    const MigrationMark& last = run.migrations[here.back()];
    m_hover->show(here.size() == 1 ? last.to : IslandId{},
        counted(static_cast<std::int64_t>(here.size()), tr("%1 migration"), tr("%1 migrations")),
        tr("after %1").arg(counted(last.evaluations, tr("%1 evaluation"), tr("%1 evaluations"))), lines, at);
}

void FitnessPanel::hoverIsland(int series, const QPoint& at)
{
    const RunState& run = m_context.session.run();
    const Island* island = run.island(m_data.islands[static_cast<std::size_t>(series)]);
    const Candidate* best = island ? run.candidate(island->best) : nullptr;
    if (best)
        m_hover->show(
            island->id, nameOfCandidate(best->id), bestWords(*best), islandBestWords(run, *best).split(u'\n'), at);
}

void FitnessPanel::hoverReference(int reference, const QPoint& at)
{
    m_hover->show({}, m_data.references[reference].label, {}, {m_data.measured[reference]}, at);
}

} // namespace tilewright::ui
