// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/candidate_inspector.h"

#include "core/model/parent_change.h"

#include "ui/evolve/figures_card.h"
#include "ui/evolve/inspector_header.h"
#include "ui/evolve/resource_boxes.h"
#include "ui/evolve/runs_page.h"
#include "ui/models/figures.h"
#include "ui/shapes/shapes_table.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

const QString splitName = u"inspector-split"_s;
constexpr int low = 760; ///< on the 4 px grid: below this the facts take more, or no shape would be in sight
const QList<int> usualDivision{545, 455}, lowDivision{670, 330};

} // namespace

CandidateInspector::CandidateInspector(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_stack(new QStackedWidget(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_header(new InspectorHeader(this))
    , m_figures(new FiguresCard(this))
    , m_outcome(new OutcomeCard(this))
    , m_shapes(new ShapesTable(u"shapeTable"_s, this))
    , m_resourceNotes(new ResourceNotes(this))
    , m_resources(new ResourceBoxes(this))
    , m_environment(new EnvironmentNote(this))
    , m_texts(new TextTabs(context, this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);
    auto* nothing
        = new QLabel(tr("No candidate is selected.\nChoose one in the plot, the table or the event log."), this);
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    nothing->setProperty("tone", u"secondary"_s);
    nothing->setMargin(px(16));
    nothing->setAutoFillBackground(true);
    nothing->setBackgroundRole(QPalette::Base);
    m_split->setObjectName(u"inspectorSplit"_s);
    m_split->setChildrenCollapsible(false);
    auto* facts = new QFrame(this);
    facts->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(facts);
    column->setContentsMargins(px(8), px(10), px(8), px(10));
    column->setSpacing(px(8));
    for (QWidget* part :
        std::initializer_list<QWidget*>{m_header, m_figures, m_outcome, m_shapes, m_resourceNotes, m_environment})
        column->addWidget(part);
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(facts);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumHeight(px(120));
    // The figures below end where the cards above do, whose room a scroll bar narrows.
    const QScrollBar* bar = scroll->verticalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int least, int most) {
        m_resources->setContentsMargins(0, 0, most > least ? bar->sizeHint().width() : 0, 0);
    });
    m_texts->setMinimumHeight(px(120));
    auto* above = new QWidget(this);
    auto* aboveColumn = new QVBoxLayout(above);
    aboveColumn->setContentsMargins(0, 0, 0, 0);
    aboveColumn->setSpacing(0);
    aboveColumn->addWidget(scroll, 1);
    aboveColumn->addWidget(m_resources);
    m_split->addWidget(above);
    m_split->addWidget(m_texts);
    // The texts are read at length; what stands above them is scrolled. A user's own division is kept.
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 1);
    divide();
    m_isDivided = m_split->restoreState(context.settings.layout(splitName));
    connect(m_split, &QSplitter::splitterMoved, this, [this] {
        m_isDivided = true;
        m_context.settings.setLayout(splitName, m_split->saveState());
    });
    auto* page = new QWidget(this);
    auto* pageColumn = new QVBoxLayout(page);
    pageColumn->setContentsMargins(0, 0, 0, 0);
    pageColumn->setSpacing(0);
    auto* actions = new InspectorActions(context, this);
    pageColumn->addWidget(m_split, 1);
    pageColumn->addWidget(actions);
    m_stack->addWidget(nothing);
    m_stack->addWidget(page);
    setMinimumWidth(px(270));

    connect(actions, &InspectorActions::menuRequested, this, &CandidateInspector::menuRequested);
    connect(m_texts, &TextTabs::loading, this, &CandidateInspector::loading);
    connect(m_header, &InspectorHeader::chosen, this, [this](CandidateId id) { m_context.selection.select(id); });
    connect(m_header, &InspectorHeader::referenceLeft, this,
        [this] { m_context.selection.setReference(m_context.selection.reference()); });
    scroll->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(scroll, &QWidget::customContextMenuRequested, this,
        [this, scroll](const QPoint& at) { Q_EMIT menuRequested(scroll->mapToGlobal(at)); });
    connect(&context.selection, &SelectionContext::currentChanged, this, [this] { refresh(); });
    connect(&context.selection, &SelectionContext::referenceChanged, this, [this] {
        if (!m_shown.id)
            return;
        tellReference();
        m_texts->show(m_shown);
        if (m_shown.isRanked())
            m_figures->show(m_context.session.run(), m_shown, m_context.selection.reference());
    });
    connect(&context.session, &SessionClient::replaced, this, [this] {
        m_shown = {};
        m_texts->clear();
    });
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_shown = {};
        refresh();
    });
    refresh();
    // Who reads it, reads this one: what becomes the best does not take its place.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
        if (now && isAncestorOf(now))
            m_context.selection.hold();
    });
    for (const QAbstractScrollArea* area : findChildren<QAbstractScrollArea*>())
        area->viewport()->installEventFilter(this);
}

bool CandidateInspector::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel || event->type() == QEvent::MouseButtonPress)
        m_context.selection.hold();
    return QWidget::eventFilter(watched, event);
}

void CandidateInspector::tellNewBest()
{
    const RunState& run = m_context.session.run();
    const Candidate* best = run.best();
    const CandidateId id = best ? best->id : CandidateId{};
    if (m_bestThen.first != m_shown.id)
        m_bestThen = {m_shown.id, id};
    const bool wasBest = m_bestThen.second == m_shown.id;
    m_header->tellNewBest(wasBest && id != m_shown.id ? best : nullptr);
}

void CandidateInspector::tellReference()
{
    m_header->tellReference(m_context.selection.reference() == m_shown.id,
        m_context.actions[u"candidate.reference"_s].shortcut().toString(QKeySequence::NativeText));
}

void CandidateInspector::refresh()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const RunState& run = snapshot.run;
    const Candidate* candidate = run.candidate(m_context.selection.current());
    m_stack->setCurrentIndex(candidate ? 1 : 0);
    if (!candidate) {
        m_shown = {};
        m_bestThen = {};
        return;
    }
    const CandidateId best = run.best() ? run.best()->id : CandidateId{};
    const Marks& marks = run.marksOf(candidate->id);
    const auto reruns = std::ranges::count_if(
        run.reruns, [&](const Rerun& rerun) { return rerun.candidate == candidate->id && rerun.evaluation; });
    const QString stands = stateWords(run, *candidate);
    if (*candidate == m_shown && best == m_shownBest && marks == m_shownMarks && reruns == m_shownReruns
        && stands == m_shownState)
        return;
    m_shownState = stands;
    m_shownMarks = marks;
    m_shownReruns = reruns;
    m_shown = *candidate;
    m_shownBest = best;
    const Evaluation* evaluation = run.evaluation(candidate->latest);
    const bool ranked = candidate->isRanked();
    m_header->show(run, *candidate);
    tellNewBest();
    tellReference();
    m_figures->setVisible(ranked);
    m_outcome->setVisible(!ranked);
    if (ranked)
        m_figures->show(run, *candidate, m_context.selection.reference());
    else
        m_outcome->show(run, *candidate);
    m_shapes->show(*candidate, evaluation, snapshot.pack ? &snapshot.pack->task : nullptr);
    if (evaluation && snapshot.pack) {
        const Task& task = snapshot.pack->task;
        const nlohmann::json facts = deviceFactsOf(run);
        const DeviceLimits limits = limitsOf(facts, task);
        const ResourceFigures resources = resourceFigures(evaluation->result.resources);
        m_resourceNotes->show(resources, rooflineOf(evaluation->result, task, limits), limits,
            hotLoopWordsOf(run, rankedAncestor(run, *candidate)), gpuLoopLimits(facts, task));
        m_resources->show(resources);
    } else {
        m_resourceNotes->show({}, {}, {});
        m_resources->show({});
    }
    const auto rerun = std::find_if(run.reruns.rbegin(), run.reruns.rend(),
        [&](const Rerun& asked) { return asked.candidate == candidate->id && asked.evaluation; });
    m_environment->show(evaluation,
        rerun == run.reruns.rend() ? countedEvaluationOf(run, candidate->id) : run.evaluation(rerun->evaluation));
    m_texts->show(*candidate);
}

void CandidateInspector::divide() { m_split->setSizes(height() < px(low) ? lowDivision : usualDivision); }

void CandidateInspector::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_isDivided)
        divide();
}

void CandidateInspector::divideAsUsual()
{
    m_isDivided = false;
    divide();
    m_context.settings.setLayout(splitName, m_split->saveState());
}

} // namespace tilewright::ui
