// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/timeline_panel.h"

#include "ui/devices/work_lanes.h"
#include "ui/devices/work_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/plot/plot_hover.h"
#include "ui/widgets/table.h"

#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

TimelinePanel::TimelinePanel(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_title(new DockTitle(tr("Timeline"), this))
    , m_follow(new QPushButton(tr("Follow"), this))
    , m_stack(new QStackedWidget(this))
    , m_view(new LanesView(this))
    , m_hover(new PlotHover(m_view->viewport()))
    , m_detail(new ElidedLabel({}, this))
    , m_table(new Table(this))
{
    setProperty("role", u"panel"_s);
    m_follow->setObjectName(u"followNow"_s);
    m_follow->setProperty("kind", u"small"_s);
    m_follow->setCheckable(true);
    m_follow->setToolTip(tr("Keep the newest work in view (End)"));
    m_title->addControl(m_follow);
    auto* fitButton = new QToolButton(this);
    fitButton->setDefaultAction(&context.actions[u"view.fit"_s]);
    fitButton->setAccessibleName(tr("Show the whole run"));
    m_title->addControl(fitButton);
    auto* picture = new QWidget(this);
    auto* rows = new QVBoxLayout(picture);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_view, 1);
    auto* below = new QVBoxLayout;
    below->setContentsMargins(px(10), px(5), px(10), px(5));
    below->setSpacing(px(3));
    m_detail->setObjectName(u"laneDetail"_s);
    m_detail->setFont(fontOf(Type::Secondary));
    auto* legend = new LanesLegend(this);
    legend->setObjectName(u"lanesLegend"_s);
    below->addWidget(m_detail);
    below->addWidget(legend);
    rows->addLayout(below);
    m_view->setObjectName(u"lanesView"_s);
    m_view->setAccessibleName(tr("Activity of devices, builds and models; Ctrl+T shows it as a table"));
    m_view->setNamer([this](const LaneSpan& span) { return pieceName(m_context.session.run(), span); });
    m_table->setObjectName(u"workTable"_s);
    m_table->setAccessibleName(tr("Activity of devices, builds and models, newest first"));
    m_table->setModel(&m_model);
    m_table->setIdentity(WorkModel::IdRole);
    // lane, work, candidate, start, duration, waited, outcome
    m_table->setColumns({{150}, {150}, {96}, {86, 1}, {84}, {84, 2}, {140}});
    m_stack->addWidget(picture);
    m_stack->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_stack, 1);

    connect(m_follow, &QPushButton::toggled, m_view, &LanesView::follow);
    connect(m_view, &LanesView::viewChanged, this, [this] {
        const QSignalBlocker quiet(m_follow);
        m_follow->setChecked(m_view->scene().axis.follows());
    });
    connect(m_view, &LanesView::chosen, this, [this](const LanePlace& place) {
        if (const LaneSpan* span = m_view->at(place))
            if (const CandidateId candidate = candidateOf(m_context.session.run(), *span))
                m_context.selection.select(candidate);
    });
    connect(m_view, &LanesView::hovered, this, &TimelinePanel::hover);
    connect(m_view, &LanesView::currentChanged, this, &TimelinePanel::say);
    connect(m_table, &Table::rowChosen, this, [this](const QModelIndex& index) {
        if (const CandidateId candidate{index.data(WorkModel::IdRole).toLongLong()})
            m_context.selection.select(candidate);
    });
    connect(&context.selection, &SelectionContext::currentChanged, m_view, &LanesView::setSelected);
    connect(&context.session, &SessionClient::replaced, this, &TimelinePanel::startAnew);
    m_view->setMessage(whatToSay());
}

void TimelinePanel::startAnew()
{
    m_model.clear();
    m_lanes.clear();
    m_view->show(m_lanes, {}, {}, 0);
    m_view->fit();
    refresh();
}

void TimelinePanel::setTableTwin(bool table)
{
    m_stack->setCurrentIndex(table ? 1 : 0);
    refresh();
}

void TimelinePanel::setLoading(bool loading)
{
    m_loading = loading;
    m_title->setLoading(m_loading || m_lanes.isBehind());
}

void TimelinePanel::fit() { m_view->fit(); }

QString TimelinePanel::whatToSay() const
{
    if (!m_context.session.isOpen())
        return tr("No session is open.");
    if (m_context.session.run().evaluations.size() > 0)
        return tr("This session was recorded without the times of its work.");
    return tr("Nothing was built or measured yet.");
}

void TimelinePanel::refresh()
{
    if (!isVisible())
        return; // a snapshot comes ten times a second
    const Snapshot& snapshot = m_context.session.snapshot();
    m_lanes.follow(snapshot);
    if (m_lanes.isBehind())
        QTimer::singleShot(0, this, &TimelinePanel::refresh);
    m_title->setLoading(m_loading || m_lanes.isBehind());
    QStringList names, notes;
    for (std::size_t lane = 0; lane < m_lanes.lanes().size(); ++lane) {
        names << laneName(snapshot.run, m_lanes.lanes()[lane]);
        notes << laneNote(m_lanes, lane, snapshot.status.runNs);
    }
    std::vector<double> ends;
    for (const NodeEnd& end : snapshot.run.work.nodeEnds)
        ends.push_back(static_cast<double>(end.runNs));
    m_view->setMessage(whatToSay());
    m_view->setNodeEnds(std::move(ends));
    m_view->show(m_lanes, names, notes, static_cast<double>(std::max(snapshot.status.runNs, m_lanes.endNs())));
    m_view->setSelected(m_context.selection.current());
    if (m_stack->currentIndex() == 1)
        m_model.show(m_context.session.pointer(), m_lanes);
    QStringList said;
    if (m_lanes.size() > 0)
        said << counted(static_cast<std::int64_t>(m_lanes.size()), tr("%1 work item"), tr("%1 work items"));
    if (m_lanes.lacksBuilds())
        said << tr("build times were not recorded");
    m_title->setSubText(said.join(u" · "_s));
    say(m_view->current());
}

QString TimelinePanel::sentenceOf(const LanePlace& place) const
{
    const LaneSpan* span = m_view->at(place);
    if (!span)
        return {};
    const RunState& run = m_context.session.run();
    const QString lane = laneName(run, m_lanes.lanes()[static_cast<std::size_t>(place.lane)]);
    QStringList said{lane, pieceName(run, *span), workWords(run, *span)};
    said += pieceLines(run, *span, static_cast<double>(m_context.session.snapshot().status.runNs));
    return said.join(u" · "_s);
}

void TimelinePanel::say(const LanePlace& place)
{
    const QString said = sentenceOf(place);
    m_detail->setText(
        said.isEmpty() ? tr("Point at a work item, or use the arrow keys; Enter selects its candidate.") : said);
    m_view->setAccessibleDescription(said);
}

void TimelinePanel::hover(const LanePlace& place, const QPoint& at)
{
    const LaneSpan* span = m_view->at(place);
    const RunState& run = m_context.session.run();
    m_context.selection.hover(span ? span->candidate : CandidateId{});
    if (!span) {
        m_hover->setVisible(false);
        return;
    }
    const Candidate* candidate = run.candidate(span->candidate);
    const ModelRequest* modelRequest = run.modelRequest(span->modelRequest);
    m_hover->show(candidate ? candidate->island
            : modelRequest  ? modelRequest->island
                            : IslandId{},
        pieceName(run, *span), workWords(run, *span),
        pieceLines(run, *span, static_cast<double>(m_context.session.snapshot().status.runNs)), at);
}

} // namespace tilewright::ui
