// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/steps_page.h"

#include "core/base/format.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/prompt/examples.h"
#include "ui/compare/plot_pane.h"
#include "ui/diff/split_diff.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/table.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString tunedWords(const Candidate& candidate, const Candidate& before)
{
    QStringList words;
    for (const auto& [name, value] : candidate.tunables)
        if (const auto at = before.tunables.find(name); at == before.tunables.end() || at->second != value)
            words << u"%1 = %2"_s.arg(text(name)).arg(value);
    return words.join(u", "_s);
}

QString titleOf(const RunState& run, const Candidate& candidate)
{
    if (candidate.parents.empty())
        return StepsPage::tr("Seed");
    const Candidate* before = run.candidate(rankedAncestor(run, candidate));
    const QString tuned = before ? tunedWords(candidate, *before) : QString();
    if (candidate.tunedFrom && !tuned.isEmpty())
        return StepsPage::tr("Tuned: %1").arg(tuned);
    const Proposal* proposal = run.proposal(candidate.proposal);
    if (proposal && !proposal->title.empty())
        return text(proposal->title);
    if (proposal && !proposal->moves.empty()) {
        QStringList moves;
        for (const std::string& move : proposal->moves)
            moves << text(move);
        return moves.join(u", "_s);
    }
    if (proposal && !proposal->reasoning.empty())
        return text(firstSentence(proposal->reasoning));
    return tuned.isEmpty() ? StepsPage::tr("Edit without a title") : tuned;
}

QString intervalText(const Interval& interval)
{
    return u"[%1, %2]"_s.arg(text(ratioText(interval.lo)), text(ratioText(interval.hi)));
}

} // namespace

std::vector<KernelStep> stepsTo(const RunState& run, CandidateId candidate)
{
    std::vector<KernelStep> steps;
    const Candidate* at = run.candidate(originOf(run, candidate));
    while (at && at->isRanked() && steps.size() <= run.candidates.size()) {
        steps.push_back({at->id, titleOf(run, *at), *at->score, versusParent(run, *at)});
        at = run.candidate(rankedAncestor(run, *at));
    }
    std::ranges::reverse(steps);
    return steps;
}

PointScene stepScene(const std::vector<KernelStep>& steps)
{
    PointScene scene;
    scene.x = {StepsPage::tr("step"), false, true};
    scene.y = {StepsPage::tr("score (× baseline)"), true};
    scene.headings
        = {StepsPage::tr("Step"), StepsPage::tr("Change"), StepsPage::tr("Score"), StepsPage::tr("95 % interval")};
    scene.figures = {0, 2, 3};
    if (steps.size() < 2) {
        scene.nothing = StepsPage::tr("The session has no program yet that is faster than its seed.");
        return scene;
    }
    PointLine line;
    line.tone = PointLine::Tone::Front;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const KernelStep& step = steps[i];
        const QPointF at(static_cast<double>(i), step.score.value);
        PointMark mark{at, markerOf(0), PointMark::Size::Large, std::pair{step.score.lo, step.score.hi}};
        mark.name = nameOfCandidate(step.candidate);
        mark.lines = {step.title, StepsPage::tr("score %1").arg(text(ratioText(step.score.value)))};
        mark.candidate = step.candidate;
        scene.marks.push_back(mark);
        line.points << at;
        scene.rows.push_back(
            {QString::number(i), step.title, text(ratioText(step.score.value)), intervalText(step.score)});
    }
    scene.lines.push_back(line);
    scene.summary = StepsPage::tr("%1 steps, each measured").arg(steps.size() - 1);
    return scene;
}

StepsPage::StepsPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_table(new Table(this))
    , m_words(new QLabel(this))
    , m_changeTitle(new DockTitle(tr("Change of this step"), this))
    , m_texts(new QStackedWidget(this))
    , m_diff(new SplitDiff(this))
    , m_seed(new CodeView(CodeView::Kind::Code, this))
{
    setObjectName(u"stepsPage"_s);
    m_table->setObjectName(u"stepsTable"_s);
    m_table->setAccessibleName(tr("Steps from the seed to the best program"));
    m_table->setModel(&m_rows);
    m_plot = new PlotPane(
        tr("Score of each step"), u"stepPlot"_s, [this] { return stepScene(m_steps); }, this);
    m_words->setObjectName(u"stepWords"_s);
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_words->setContentsMargins(px(12), px(8), px(12), px(8));
    m_diff->setObjectName(u"stepDiff"_s);
    m_diff->setForm(SplitDiff::Form::Unified);

    auto* change = new QWidget(this);
    auto* column = new QVBoxLayout(change);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_words);
    m_texts->addWidget(m_diff);
    m_texts->addWidget(m_seed);
    column->addWidget(m_texts, 1);
    auto* left = new QSplitter(Qt::Vertical, this);
    left->addWidget(pane(new DockTitle(tr("Steps to the best program"), this), m_table, this));
    left->addWidget(pane(&m_plot->title(), m_plot, this));
    left->setChildrenCollapsible(false);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(left);
    both->addWidget(pane(m_changeTitle, change, this));
    both->setChildrenCollapsible(false);
    both->setStretchFactor(0, 2);
    both->setStretchFactor(1, 3);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(both);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!m_isFilling && row.isValid())
            choose(row.row());
    });
    connect(m_plot, &PlotPane::chosen, this, [this](CandidateId candidate) {
        const auto at = std::ranges::find(m_steps, candidate, &KernelStep::candidate);
        if (at != m_steps.end())
            choose(static_cast<int>(at - m_steps.begin()));
    });
    connect(&m_context.session, &SessionClient::textReady, this, &StepsPage::takeText);
    refresh();
}

void StepsPage::refresh()
{
    const RunState& run = m_context.session.run();
    const Candidate* best = run.best();
    auto steps = best ? stepsTo(run, best->id) : std::vector<KernelStep>();
    if (steps == m_steps && m_rows.rowCount() > 0)
        return;
    m_steps = std::move(steps);
    std::vector<QStringList> rows;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const KernelStep& step = m_steps[i];
        rows.push_back({QString::number(i), nameOfCandidate(step.candidate), step.title,
            text(ratioText(step.score.value)), step.change ? text(ratioText(step.change->ratio.value)) : u"–"_s});
    }
    m_isFilling = true;
    m_rows.show({tr("Step"), tr("Candidate"), tr("Change"), tr("Score"), tr("Gain")}, {0, 3, 4}, rows);
    m_table->setColumns({{40}, {72}, {120, 0, true}, {60}, {60}});
    m_table->setNothing(m_context.session.isOpen() ? tr("No program is faster than the seed yet.")
                                                   : tr("Open a session to see how its best program came about."));
    m_table->growColumns(240);
    m_isFilling = false;
    m_plot->refresh();
    choose(m_wanted);
}

void StepsPage::choose(int step)
{
    m_wanted = step;
    m_step = std::clamp(step, 0, std::max(0, static_cast<int>(m_steps.size()) - 1));
    m_isFilling = true;
    m_table->markRow(m_rows.index(m_step, 0));
    m_isFilling = false;
    showStep();
    Q_EMIT stepChanged();
}

void StepsPage::showStep()
{
    m_texts->setVisible(!m_steps.empty());
    if (m_steps.empty()) {
        m_words->setText({});
        m_changeTitle->setSubText({});
        return;
    }
    const RunState& run = m_context.session.run();
    const auto at = static_cast<std::size_t>(m_step);
    const KernelStep& step = m_steps[at];
    const Candidate& candidate = *run.candidate(step.candidate);
    const Proposal* proposal = run.proposal(candidate.proposal);
    QStringList words;
    if (step.change && proposal && !proposal->reasoning.empty())
        words << text(proposal->reasoning);
    if (step.change)
        words << tr("%1 the speed of the step before, 95 % interval %2.")
                     .arg(text(ratioText(step.change->ratio.value)), intervalText(step.change->ratio));
    else
        words << tr("The program that the search began with. All scores are relative to it.");
    m_words->setText(words.join(u"\n"_s));
    m_changeTitle->setSubText(step.title);
    const Candidate& before = at > 0 ? *run.candidate(m_steps[at - 1].candidate) : candidate;
    m_diff->setTitles(nameOfCandidate(before.id), nameOfCandidate(candidate.id));
    m_texts->setCurrentWidget(at > 0 ? static_cast<QWidget*>(m_diff) : m_seed);
    m_before.reset();
    m_after.reset();
    m_asked = {m_context.session.requestText(before.source), m_context.session.requestText(candidate.source)};
}

void StepsPage::takeText(quint64 tag, const QString& text)
{
    if (tag == m_asked.before)
        m_before = text;
    else if (tag == m_asked.after)
        m_after = text;
    else
        return;
    if (m_step == 0 && m_after)
        m_seed->setNumbered(*m_after);
    else if (m_before && m_after)
        m_diff->show(*m_before, *m_after);
}

void StepsPage::setTableTwin(bool table) { m_plot->setTableTwin(table); }

QString StepsPage::statusText() const
{
    return m_steps.empty() ? QString() : tr("step %1 of %2").arg(m_step).arg(m_steps.size() - 1);
}

} // namespace tilewright::ui
