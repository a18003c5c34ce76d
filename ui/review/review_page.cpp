// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_page.h"

#include "core/model/conversation.h"
#include "core/model/review_undo.h"
#include "ui/code/editor_colours.h"
#include "ui/diff/split_diff.h"
#include "ui/models/format.h"
#include "ui/review/check_list.h"
#include "ui/review/claim_card.h"
#include "ui/review/decision_bar.h"
#include "ui/review/policy_box.h"
#include "ui/review/quick_result.h"
#include "ui/review/resource_bars.h"
#include "ui/review/review_delegate.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/dock_title.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/segments.h"

#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

enum Reading { Diff, Editor };

/// Characters of an author's words that are shown; the rest is in the tooltip.
constexpr qsizetype mostReasoning = 420;

/// Whole words of the beginning.
QString shortened(const QString& text)
{
    if (text.size() <= mostReasoning)
        return text;
    const QString head = text.left(mostReasoning);
    return head.left(std::max<qsizetype>(head.lastIndexOf(u' '), mostReasoning / 2)) + u"…"_s;
}

/// What became of a candidate that waits no longer.
QString fateOf(const Candidate& candidate, const Review& review)
{
    return review.decision == Decision::Edited && !review.undone
        ? ReviewPage::tr("approved with edits, as %1").arg(nameOfCandidate(review.edited))
        : stateWords(candidate);
}

QListView* listOf(ReviewModel& model, const QString& name, const QString& accessible, QWidget* parent)
{
    auto* list = new QListView(parent);
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

QPushButton* smallButton(const QString& name, const QString& text, const QAction& action, QWidget* parent)
{
    auto* button = new QPushButton(u"%1  %2"_s.arg(text, action.shortcut().toString(QKeySequence::NativeText)), parent);
    button->setObjectName(name);
    button->setProperty("kind", u"small"_s);
    button->setToolTip(action.toolTip());
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    return button;
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
    connect(m_bar, &DecisionBar::accepted, this, &ReviewPage::submitEdit);
    connect(m_bar, &DecisionBar::cancelled, this, &ReviewPage::discardEdit);
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_editing || !m_after)
            return;
        if (m_editor->toPlainText() == *m_after)
            m_desk.drafts.drop(placeOfEdit());
        else
            m_desk.drafts.keep(placeOfEdit(), m_editor->toPlainText());
    });
    connect(m_bar, &DecisionBar::reasonEntered, this, &ReviewPage::reject);
    connect(&desk.session.door(), &EngineDoor::failed, this,
        [this](const QString&, const QString& words, const QString& hint) {
            if (std::exchange(m_judging, false)) {
                m_notJudged = hint.isEmpty() ? words : tr("%1 — %2").arg(words, hint);
                showJudgement();
            }
            if (m_sent)
                refuseEdit(hint.isEmpty() ? words : tr("%1 — %2").arg(words, hint));
        });
    connect(&desk.session, &Session::replaced, this, [this] {
        m_chosen = {};
        m_bar->clearReason();
        endEditing();
    });
    connect(&desk.session, &Session::changed, this, &ReviewPage::refresh);
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
    m_queue = listOf(m_waiting, u"reviewQueue"_s, tr("Candidates that wait for you"), side);
    m_decidedTitle = new DockTitle(tr("Decided"), side);
    m_said = listOf(m_decided, u"reviewDecided"_s, tr("Candidates that were decided on"), side);
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
    auto* head = new QWidget(side);
    auto* rows = new QVBoxLayout(head);
    rows->setContentsMargins(px(16), px(12), px(12), px(12));
    rows->setSpacing(px(8));
    auto* first = new QHBoxLayout;
    first->setSpacing(px(8));
    m_name = new QLabel(head);
    m_name->setObjectName(u"reviewCandidate"_s);
    m_name->setFont(fontOf(Type::MonoTitle));
    m_badge = new Badge(head);
    m_about = new QLabel(head);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setWordWrap(true);
    m_about->setProperty("tone", u"secondary"_s);
    first->addWidget(m_name);
    first->addWidget(m_badge);
    first->addWidget(m_about, 1);
    rows->addLayout(first);
    auto* second = new QHBoxLayout;
    second->setSpacing(px(12));
    auto* said = new QVBoxLayout;
    auto* caption = new QLabel(tr("What its author says"), head);
    caption->setFont(fontOf(Type::Secondary));
    caption->setProperty("tone", u"secondary"_s);
    m_reasoning = new QLabel(head);
    m_reasoning->setObjectName(u"reviewReasoning"_s);
    m_reasoning->setTextFormat(Qt::PlainText);
    m_reasoning->setWordWrap(true);
    m_reasoning->setFont(fontOf(Type::Prose));
    m_reasoning->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* heading = new QHBoxLayout;
    heading->setSpacing(px(8));
    heading->addWidget(caption);
    const QAction& ask = m_desk.actions[u"review.judge"_s];
    auto* judge = smallButton(u"askAJudge"_s, QString(ask.text()).remove(u'&'), ask, head);
    judge->setEnabled(ask.isEnabled());
    connect(&ask, &QAction::changed, judge, [judge, &ask] { judge->setEnabled(ask.isEnabled()); });
    heading->addWidget(judge);
    heading->addStretch(1);
    said->addLayout(heading);
    said->addWidget(m_reasoning);
    m_judged = new QLabel(head);
    m_judged->setObjectName(u"reviewJudged"_s);
    m_judged->setTextFormat(Qt::PlainText);
    m_judged->setWordWrap(true);
    m_judged->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_judged->setProperty("tone", u"secondary"_s);
    m_judged->setVisible(false);
    said->addWidget(m_judged);
    said->addStretch(1);
    m_claim = new ClaimCard(head);
    m_claim->setFixedWidth(px(280));
    second->addLayout(said, 1);
    second->addWidget(m_claim);
    rows->addLayout(second);
    column->addWidget(head);

    m_diffTitle = new DockTitle(tr("Edit"), side);
    auto* form = new Segments(tr("Form of the diff"), {tr("Side by side"), tr("Unified")}, side);
    auto* blanks
        = toggle(u"diffBlanks"_s, tr("Whitespace"), tr("Lines that differ in blanks alone count as changed"), side);
    auto* folds = toggle(u"diffFolds"_s, tr("Fold"), tr("Unchanged lines are folded"), side);
    form->setObjectName(u"diffForm"_s);
    m_diffTitle->addControl(
        smallButton(u"previousChange"_s, tr("Previous"), m_desk.actions[u"review.previous-change"_s], side));
    m_diffTitle->addControl(smallButton(u"nextChange"_s, tr("Next"), m_desk.actions[u"review.next-change"_s], side));
    for (QWidget* control : std::initializer_list<QWidget*>{form, blanks, folds})
        m_diffTitle->addControl(control);
    m_diff = new SplitDiff(side);
    m_diff->setObjectName(u"reviewDiff"_s);
    m_writing = new QWidget(side);
    m_editor = new QPlainTextEdit(m_writing);
    m_editor->setObjectName(u"reviewEditor"_s);
    m_editor->setAccessibleName(tr("Your text of the program"));
    m_editor->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_editor->setFrameShape(QFrame::NoFrame);
    m_editor->setFont(fontOf(Type::Code));
    new EditorColours(m_editor->document());
    m_refused = new QLabel(m_writing);
    m_refused->setObjectName(u"editRefused"_s);
    m_refused->setTextFormat(Qt::PlainText);
    m_refused->setWordWrap(true);
    m_refused->setMargin(px(10));
    m_refused->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_refused->setProperty("tone", u"bad"_s);
    m_refused->setVisible(false);
    auto* written = new QVBoxLayout(m_writing);
    written->setContentsMargins(0, 0, 0, 0);
    written->setSpacing(0);
    written->addWidget(m_editor, 1);
    written->addWidget(m_refused);
    m_reading = new QStackedWidget(side);
    m_reading->addWidget(m_diff);
    m_reading->addWidget(m_writing);
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

bool ReviewPage::canDecide() const
{
    const Snapshot& snapshot = m_desk.session.snapshot();
    return !m_editing && snapshot.status.sessionOpen && !snapshot.status.readOnly && m_waiting.rowOf(m_chosen) >= 0;
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
    return !m_editing && !m_desk.session.snapshot().status.readOnly && newestUndoable();
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
    lookAtEdit();
    const bool known = m_waiting.rowOf(m_chosen) >= 0 || m_decided.rowOf(m_chosen) >= 0;
    if (!known && !m_editing)
        m_chosen = {};
    if (!m_chosen && m_waiting.rowCount() > 0)
        choose(m_waiting.at(0)->candidate);
    m_stack->setCurrentIndex(m_chosen ? 1 : 0);
    m_bar->setEnabled(m_chosen != CandidateId{});
    m_nothing->setText(!snapshot.status.sessionOpen
            ? tr("No session is open.\nWhere the review policy asks, candidates wait here for your word.")
            : tr("Nothing waits for you.\nThe policy at the left says what does; everything else is measured "
                 "meanwhile."));
    showChosen();
    Q_EMIT changed();
}

void ReviewPage::choose(CandidateId candidate)
{
    if (candidate == m_chosen || m_editing)
        return;
    m_chosen = candidate;
    m_notJudged.clear();
    m_judging = false;
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
    if (!candidate || !review) {
        m_policy->setReason({});
        m_bar->setWord({});
        return;
    }
    const Proposal* proposal = run.proposal(candidate->proposal);
    const Island* island = run.island(candidate->island);
    const CandidateId parentId = candidate->parents.empty() ? CandidateId{} : candidate->parents.front();
    const Candidate* parent = run.candidate(parentId);
    m_name->setText(nameOfCandidate(candidate->id));
    m_badge->setIsland(candidate->island);
    m_about->setText(
        tr("%1 · child of %2 · %3, %4")
            .arg(island ? text(island->name) : QString(), nameOfCandidate(parentId),
                proposal ? text(authorOf(run, *proposal)) : QString(), proposal ? words(proposal->focus) : QString()));
    const QString reasoning = proposal ? text(proposal->reasoning).trimmed() : QString();
    m_reasoning->setText(reasoning.isEmpty() ? tr("Nothing.") : shortened(reasoning));
    m_reasoning->setToolTip(reasoning.size() > mostReasoning ? reasoning : QString());
    showJudgement();
    m_claim->show(snapshot, *candidate);
    m_checks->show(run, *review);
    m_quick->show(run, *candidate);
    const Evaluation* before = parent ? run.evaluation(parent->latest) : nullptr;
    m_resources->show(
        resourceBars(review->facts.is_object() ? review->facts.value("resources", nlohmann::json()) : nlohmann::json(),
            before ? before->result.resources : nlohmann::json()));
    m_diff->setTitles(
        tr("%1, parent · %2")
            .arg(nameOfCandidate(parentId),
                parent && parent->score ? tr("measured %1").arg(times(parent->score)) : tr("not measured")),
        tr("%1, proposal · %2")
            .arg(nameOfCandidate(candidate->id), row >= 0 ? tr("waits for you") : fateOf(*candidate, *review)));
    m_policy->setReason(row < 0 ? QString()
            : review->risks.empty()
            ? tr("%1 waits because every change of its island does.").arg(nameOfCandidate(candidate->id))
            : tr("%1 waits: %2").arg(nameOfCandidate(candidate->id), text(review->risks.front())));
    m_bar->setWord(m_sent ? tr("Sent; its patch is looked at…")
            : m_editing   ? tr("Your text goes through patch, build and check again.")
            : row >= 0 && m_desk.drafts.contains(placeOfEdit())
            ? tr("The edits that you began are kept; Edit goes on with them.")
            : row >= 0 ? tr("Approving queues its measurement.")
                       : tr("%1: %2").arg(nameOfCandidate(candidate->id), fateOf(*candidate, *review)));
}

void ReviewPage::showJudgement()
{
    const RunState& run = m_desk.session.run();
    const JudgementOf judgement = judgementOf(run, m_chosen);
    if (judgement.waiting || (judgement.asked && judgement.asked->state == InquiryState::Open)) {
        m_judging = false; // it was asked
        m_notJudged.clear();
    }
    const QString words = m_notJudged.isEmpty() ? text(wordsOf(run, judgement)) : m_notJudged;
    m_judged->setText(shortened(words));
    m_judged->setToolTip(words.size() > mostReasoning ? words : QString());
    m_judged->setVisible(!words.isEmpty());
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
    return !m_editing && snapshot.status.sessionOpen && !snapshot.status.readOnly && candidate
        && !candidate->parents.empty();
}

void ReviewPage::judge()
{
    if (!canBeJudged())
        return;
    m_judging = true;
    m_notJudged.clear();
    m_desk.session.door().pull(levers::Judge{m_chosen});
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
    if (!canDecide() || !m_after)
        return;
    m_editing = true;
    const QString begun = placeOfEdit();
    m_editor->setPlainText(m_desk.drafts.contains(begun) ? m_desk.drafts.text(begun) : *m_after);
    m_reading->setCurrentIndex(Editor);
    m_bar->setMode(DecisionBar::Mode::Editing);
    m_editor->setFocus();
    showChosen();
    Q_EMIT changed();
}

void ReviewPage::submitEdit()
{
    if (!m_editing || m_sent)
        return;
    m_sent = true;
    m_refused->setVisible(false);
    m_editor->setReadOnly(true);
    m_bar->setMode(DecisionBar::Mode::Sent);
    m_desk.session.door().approveEdited(m_chosen, m_editor->toPlainText(), m_bar->reason());
    showChosen();
}

void ReviewPage::lookAtEdit()
{
    const RunState& run = m_desk.session.run();
    const Candidate* candidate = m_sent ? run.candidate(m_chosen) : nullptr;
    const Review* review = candidate ? run.review(candidate->review) : nullptr;
    if (!review || review->undone || review->decision != Decision::Edited)
        return;
    discardEdit();
    goTo(0); // what waits next
}

void ReviewPage::refuseEdit(const QString& why)
{
    m_sent = false;
    m_editor->setReadOnly(false);
    m_bar->setMode(DecisionBar::Mode::Editing);
    m_refused->setText(tr("Not taken: %1").arg(why));
    m_refused->setVisible(true);
    m_editor->setFocus();
    showChosen();
}

QString ReviewPage::placeOfEdit() const
{
    const Candidate* candidate = m_desk.session.run().candidate(m_chosen);
    return candidate ? Drafts::placeOf(u"edit"_s, *candidate) : QString();
}

void ReviewPage::discardEdit()
{
    m_desk.drafts.drop(placeOfEdit());
    endEditing();
}

void ReviewPage::endEditing()
{
    m_editing = false;
    m_sent = false;
    m_editor->setReadOnly(false);
    m_refused->setVisible(false);
    m_reading->setCurrentIndex(Diff);
    m_bar->setMode(DecisionBar::Mode::Reading);
    showChosen();
    Q_EMIT changed();
}

} // namespace tilewright::ui
