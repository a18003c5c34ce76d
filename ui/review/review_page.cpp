// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_page.h"

#include "core/model/review_undo.h"
#include "ui/diff/split_diff.h"
#include "ui/models/format.h"
#include "ui/review/action_button.h"
#include "ui/review/check_list.h"
#include "ui/review/decision_bar.h"
#include "ui/review/judgement_line.h"
#include "ui/review/policy_box.h"
#include "ui/review/proposal_editor.h"
#include "ui/review/proposal_head.h"
#include "ui/review/quick_result.h"
#include "ui/review/quiet_list.h"
#include "ui/review/resource_bars.h"
#include "ui/review/review_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dock_title.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/segments.h"

#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

enum Reading { Diff, Editor };

/// What became of a candidate that waits no longer.
QString fateOf(const Candidate& candidate, const Review* review)
{
    return review && review->decision == Decision::Edited && !review->undone
        ? ReviewPage::tr("approved with edits, as %1").arg(nameOfCandidate(review->edited))
        : stateWords(candidate);
}

QListView* listOf(
    ReviewModel& model, const QString& name, const QString& accessible, const QString& nothing, QWidget* parent)
{
    auto* list = new QuietList(nothing, parent);
    list->setObjectName(name);
    list->setAccessibleName(accessible);
    list->setModel(&model);
    list->setItemDelegate(new ReviewDelegate(list));
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setUniformItemSizes(true);
    return list;
}

/// A switch that is on at first.
QPushButton* toggle(const QString& name, const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setProperty("kind", u"segment"_s);
    button->setCheckable(true);
    button->setChecked(true);
    button->setToolTip(tip);
    return button;
}

} // namespace

ReviewPage::ReviewPage(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_stack(new QStackedWidget(this))
    , m_reading(nullptr)
    , m_source(desk.session, this)
    , m_parentSource(desk.session, this)
{
    setObjectName(u"reviewPage"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* split = new QSplitter(this);
    split->setObjectName(u"reviewSplit"_s);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(1);
    split->addWidget(buildQueue());
    m_nothing = emptyNote(u"noReviews"_s, this);
    m_stack->addWidget(m_nothing);
    auto* inner = new QSplitter(this);
    inner->setChildrenCollapsible(false);
    inner->setHandleWidth(1);
    inner->addWidget(buildReader());
    inner->addWidget(buildFacts());
    inner->setStretchFactor(0, 1);
    inner->setSizes({px(900), px(290)});
    m_stack->addWidget(inner);
    split->addWidget(m_stack);
    split->setStretchFactor(1, 1);
    split->setSizes({px(285), px(1100)});
    column->addWidget(split, 1);
    m_bar = new DecisionBar(desk.actions, this);
    column->addWidget(m_bar);

    connect(&m_source, &TextSlot::ready, this, [this](const QString& text) {
        m_after = text;
        showTexts();
    });
    connect(&m_parentSource, &TextSlot::ready, this, [this](const QString& text) {
        m_before = text;
        showTexts();
    });
    for (QListView* list : {m_queue, m_said})
        connect(
            list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this, list](const QModelIndex& index) {
                const auto* model = static_cast<const ReviewModel*>(list->model());
                if (const ReviewRow* row = model->at(index.row()))
                    choose(row->candidate);
            });
    connect(m_diff, &SplitDiff::moved, this, &ReviewPage::showCounts);
    connect(m_policy, &PolicyBox::chosen, this,
        [this](IslandId island, ReviewPolicy policy) { m_desk.session.door().setReviewPolicy(island, policy); });
    connect(m_bar, &DecisionBar::accepted, m_editor, [this] { m_editor->send(m_bar->reason()); });
    connect(m_bar, &DecisionBar::cancelled, m_editor, &ProposalEditor::discard);
    connect(m_editor, &ProposalEditor::stageChanged, this, &ReviewPage::showStage);
    connect(m_bar, &DecisionBar::reasonEntered, this, &ReviewPage::reject);
    connect(&desk.session, &Session::replaced, this, [this] {
        m_chosen = {};
        m_bar->clearReason();
        m_editor->end();
    });
    connect(&desk.session, &Session::changed, this, &ReviewPage::refresh);
    connect(&desk.selection, &SelectionContext::currentChanged, this, &ReviewPage::refresh);
    refresh();
}

QWidget* ReviewPage::buildQueue()
{
    auto* side = new QFrame(this);
    side->setProperty("role", u"panel"_s);
    side->setMinimumWidth(px(240));
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_queueTitle = new DockTitle(tr("Queue"), side);
    m_queue
        = listOf(m_waiting, u"reviewQueue"_s, tr("Candidates that wait for you"), tr("Nothing waits for you."), side);
    m_decidedTitle = new DockTitle(tr("Decided"), side);
    m_said = listOf(
        m_decided, u"reviewDecided"_s, tr("Candidates that were decided on"), tr("Nothing was decided yet."), side);
    m_policy = new PolicyBox(side);
    column->addWidget(m_queueTitle);
    column->addWidget(m_queue, 3);
    column->addWidget(m_decidedTitle);
    column->addWidget(m_said, 2);
    column->addWidget(m_policy);
    return side;
}

QWidget* ReviewPage::buildReader()
{
    auto* side = new QFrame(this);
    side->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_head = new ProposalHead(m_desk, side);
    column->addWidget(m_head);

    m_diffTitle = new DockTitle(tr("Edit"), side);
    auto* form = new Segments(tr("Form of the diff"), {tr("Side by side"), tr("Unified")}, side);
    auto* blanks
        = toggle(u"diffBlanks"_s, tr("Whitespace"), tr("Lines that differ in blanks alone count as changed"), side);
    auto* folds = toggle(u"diffFolds"_s, tr("Fold"), tr("Unchanged lines are folded"), side);
    form->setObjectName(u"diffForm"_s);
    m_diffTitle->addControl(
        actionButton(u"previousChange"_s, tr("Previous"), m_desk.actions[u"review.previous-change"_s], side));
    m_diffTitle->addControl(actionButton(u"nextChange"_s, tr("Next"), m_desk.actions[u"review.next-change"_s], side));
    for (QWidget* control : std::initializer_list<QWidget*>{form, blanks, folds})
        m_diffTitle->addControl(control);
    m_diff = new SplitDiff(side);
    m_diff->setObjectName(u"reviewDiff"_s);
    m_editor = new ProposalEditor(m_desk, side);
    m_reading = new QStackedWidget(side);
    m_reading->addWidget(m_diff);
    m_reading->addWidget(m_editor);
    column->addWidget(m_diffTitle);
    column->addWidget(m_reading, 1);
    connect(form, &Segments::chosen, this,
        [this](int at) { m_diff->setForm(at == 0 ? SplitDiff::Form::SideBySide : SplitDiff::Form::Unified); });
    connect(folds, &QPushButton::toggled, this,
        [this](bool on) { m_diff->setUnchanged(on ? Unchanged::Folded : Unchanged::Shown); });
    connect(blanks, &QPushButton::toggled, this,
        [this](bool on) { m_diff->setWhitespace(on ? Whitespace::Counts : Whitespace::Ignored); });
    return side;
}

QWidget* ReviewPage::buildFacts()
{
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setMinimumWidth(px(240));
    auto* content = new QFrame(area);
    content->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* checks = new DockTitle(tr("Checks"), content);
    m_checks = new CheckList(content);
    auto* resources = new DockTitle(tr("Resources"), content);
    resources->setSubText(tr("marker: parent"));
    m_resources = new ResourceBars(content);
    auto* measured = new DockTitle(tr("Measurement"), content);
    m_quick = new QuickResult(m_desk.actions[u"review.quick"_s], content);
    for (QWidget* part : std::initializer_list<QWidget*>{checks, m_checks, resources, m_resources, measured, m_quick})
        column->addWidget(part);
    column->addStretch(1);
    area->setWidget(content);
    return area;
}

bool ReviewPage::isEditing() const { return m_editor->stage() != ProposalEditor::Stage::Closed; }

bool ReviewPage::canDecide() const
{
    const Snapshot& snapshot = m_desk.session.snapshot();
    return !isEditing() && snapshot.status.sessionOpen && !snapshot.status.readOnly && m_waiting.rowOf(m_chosen) >= 0;
}

bool ReviewPage::canLook() const { return canDecide() && !openRerunOf(m_desk.session.run(), m_chosen); }

void ReviewPage::look()
{
    if (canLook())
        m_desk.session.door().pull(levers::Rerun{m_chosen, 1, {}});
}

ReviewId ReviewPage::newestUndoable() const
{
    const RunState& run = m_desk.session.run();
    for (std::size_t i = run.reviews.size(); i > 0; --i) {
        const Review& review = run.reviews[i - 1];
        const Candidate* candidate = run.candidate(review.candidate);
        if (review.isWaiting() || review.undone || review.by != "person" || candidate->review != review.id)
            continue;
        return measuredAfter(run, review) ? ReviewId{} : review.id;
    }
    return {};
}

bool ReviewPage::canUndo() const
{
    return !isEditing() && !m_desk.session.snapshot().status.readOnly && newestUndoable();
}

void ReviewPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ReviewPage::refresh()
{
    if (!isVisible())
        return; // a snapshot comes ten times a second
    const Snapshot& snapshot = m_desk.session.snapshot();
    const RunState& run = snapshot.run;
    m_waiting.show(run);
    m_decided.show(run);
    int approved = 0, rejected = 0, edited = 0;
    for (const Review& review : run.reviews) {
        approved += !review.undone && review.decision == Decision::Approved;
        rejected += !review.undone && review.decision == Decision::Rejected;
        edited += !review.undone && review.decision == Decision::Edited;
    }
    m_queueTitle->setSubText(tr("%1 waiting").arg(m_waiting.rowCount()));
    m_decidedTitle->setSubText(tr("%1 approved · %2 rejected · %3 edited").arg(approved).arg(rejected).arg(edited));
    m_policy->show(run, snapshot.status.sessionOpen && !snapshot.status.readOnly);
    if (m_editor->isTaken())
        goTo(0); // what waits next
    if (!isReviewed(m_chosen))
        choose(m_waiting.rowCount() > 0 ? m_waiting.at(0)->candidate : readable());
    m_stack->setCurrentIndex(m_chosen ? 1 : 0);
    m_bar->setEnabled(m_chosen != CandidateId{});
    m_nothing->setText(!snapshot.status.sessionOpen
            ? tr("No session is open.\nWhere the review policy asks, candidates wait here for your word.")
            : tr("Nothing waits for you.\nThe policy at the left says what does; everything else is measured "
                 "meanwhile."));
    showChosen();
    Q_EMIT changed();
}

bool ReviewPage::isReviewed(CandidateId candidate) const
{
    return m_waiting.rowOf(candidate) >= 0 || m_decided.rowOf(candidate) >= 0;
}

/// Where nothing waits, the edit of the candidate that is selected everywhere can be read here all the same.
CandidateId ReviewPage::readable() const
{
    const Candidate* candidate = m_desk.session.run().candidate(m_desk.selection.current());
    return candidate && !candidate->parents.empty() ? candidate->id : CandidateId{};
}

void ReviewPage::choose(CandidateId candidate)
{
    if (candidate == m_chosen || isEditing())
        return;
    m_chosen = candidate;
    m_bar->clearReason();
    const RunState& run = m_desk.session.run();
    const Candidate* chosen = run.candidate(candidate);
    const Candidate* parent = chosen && !chosen->parents.empty() ? run.candidate(chosen->parents.front()) : nullptr;
    m_after.reset();
    m_before.reset();
    m_diff->setNote(tr("The texts are on their way…"));
    m_source.request(chosen ? chosen->source : Hash{});
    m_parentSource.request(parent ? parent->source : Hash{});
    m_stack->setCurrentIndex(chosen ? 1 : 0);
    showChosen();
    Q_EMIT changed();
}

void ReviewPage::showChosen()
{
    const Snapshot& snapshot = m_desk.session.snapshot();
    const RunState& run = snapshot.run;
    const Candidate* candidate = run.candidate(m_chosen);
    const Review* review = candidate ? run.review(candidate->review) : nullptr;
    const int row = m_waiting.rowOf(m_chosen);
    if (row >= 0 && m_queue->currentIndex().row() != row)
        m_queue->setCurrentIndex(m_waiting.index(row));
    if (row < 0)
        m_queue->clearSelection();
    m_policy->setReason(row < 0 || !review ? QString()
            : review->risks.empty()
            ? tr("%1 waits because every change of its island does.").arg(nameOfCandidate(m_chosen))
            : tr("%1 waits: %2").arg(nameOfCandidate(m_chosen), text(review->risks.front())));
    if (!candidate) {
        m_bar->setWord({});
        return;
    }
    const CandidateId parentId = candidate->parents.empty() ? CandidateId{} : candidate->parents.front();
    const Candidate* parent = run.candidate(parentId);
    m_head->show(*candidate);
    m_checks->show(run, *candidate);
    m_quick->show(run, *candidate);
    const auto measured = [&run](const Candidate* each) {
        const Evaluation* evaluation = each ? run.evaluation(each->latest) : nullptr;
        return evaluation ? evaluation->result.resources : nlohmann::json();
    };
    m_resources->show(resourceBars(
        review && review->facts.is_object() ? review->facts.value("resources", nlohmann::json()) : measured(candidate),
        measured(parent)));
    m_diff->setTitles(
        tr("%1, parent · %2")
            .arg(nameOfCandidate(parentId),
                parent && parent->score ? tr("measured %1").arg(times(parent->score)) : tr("not measured")),
        tr("%1, proposal · %2")
            .arg(nameOfCandidate(candidate->id), row >= 0 ? tr("waits for you") : fateOf(*candidate, review)));
    const ProposalEditor::Stage stage = m_editor->stage();
    m_bar->setWord(stage == ProposalEditor::Stage::Sent ? tr("Sent; its patch is looked at…")
            : stage == ProposalEditor::Stage::Open      ? tr("Your text goes through patch, build and check again.")
            : row >= 0 && m_editor->hasDraft(*candidate)
            ? tr("The edits that you began are kept; Edit goes on with them.")
            : row >= 0 ? tr("Approving queues its measurement.")
            : review   ? tr("%1: %2").arg(nameOfCandidate(candidate->id), fateOf(*candidate, review))
                       : tr("%1 asks for no decision").arg(nameOfCandidate(candidate->id)));
}

void ReviewPage::showTexts()
{
    if (m_before && m_after)
        m_diff->show(*m_before, *m_after);
}

void ReviewPage::showCounts()
{
    if (m_diff->changes() == 0)
        return m_diffTitle->setSubText({});
    m_diffTitle->setSubText(tr("−%1 +%2 · change %3 of %4")
                                .arg(m_diff->removed())
                                .arg(m_diff->added())
                                .arg(m_diff->current() + 1)
                                .arg(m_diff->changes()));
}

void ReviewPage::goTo(int step)
{
    const int count = m_waiting.rowCount();
    if (count == 0)
        return;
    const int row = m_waiting.rowOf(m_chosen);
    choose(m_waiting.at(row < 0 ? 0 : (row + step + count) % count)->candidate);
}

void ReviewPage::goToChange(int step) { m_diff->goToChange(step); }

void ReviewPage::moveOn()
{
    // The list changes with the next snapshot; what comes after the decided one is shown at once.
    const int row = m_waiting.rowOf(m_chosen);
    const ReviewRow* next = m_waiting.at(row + 1) ? m_waiting.at(row + 1) : m_waiting.at(row - 1);
    if (next)
        choose(next->candidate);
}

void ReviewPage::approve()
{
    if (!canDecide())
        return;
    m_desk.session.door().decide(m_chosen, Decision::Approved, m_bar->reason());
    moveOn();
}

void ReviewPage::reject()
{
    if (!canDecide())
        return;
    if (m_bar->reason().isEmpty()) {
        m_bar->setWord(tr("Say in a few words what is wrong; the model reads it."));
        return m_bar->askForReason();
    }
    m_desk.session.door().decide(m_chosen, Decision::Rejected, m_bar->reason());
    m_bar->clearReason();
    moveOn();
}

void ReviewPage::defer()
{
    if (!canDecide())
        return;
    m_desk.session.door().decide(m_chosen, Decision::Deferred, m_bar->reason());
    moveOn();
}

bool ReviewPage::canBeJudged() const
{
    const Snapshot& snapshot = m_desk.session.snapshot();
    const Candidate* candidate = snapshot.run.candidate(m_chosen);
    return !isEditing() && snapshot.status.sessionOpen && !snapshot.status.readOnly && candidate
        && !candidate->parents.empty();
}

void ReviewPage::judge()
{
    if (!canBeJudged())
        return;
    m_head->judgement().ask();
}

void ReviewPage::undo()
{
    const Review* review = m_desk.session.run().review(newestUndoable());
    if (!review || !canUndo())
        return;
    const CandidateId candidate = review->candidate;
    m_desk.session.door().undoReview(candidate);
    choose(candidate);
}

void ReviewPage::edit()
{
    const Candidate* candidate = m_desk.session.run().candidate(m_chosen);
    if (canDecide() && m_after && candidate)
        m_editor->open(*candidate, *m_after);
}

void ReviewPage::showStage()
{
    const ProposalEditor::Stage stage = m_editor->stage();
    m_reading->setCurrentIndex(stage == ProposalEditor::Stage::Closed ? Diff : Editor);
    m_bar->setMode(stage == ProposalEditor::Stage::Closed ? DecisionBar::Mode::Reading
            : stage == ProposalEditor::Stage::Open        ? DecisionBar::Mode::Editing
                                                          : DecisionBar::Mode::Sent);
    showChosen();
    Q_EMIT changed();
}

} // namespace tilewright::ui
