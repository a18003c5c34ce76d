// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_page.h"

#include "core/engine/proposals/proposing.h"
#include "core/model/reviews/review_queue.h"
#include "ui/docks/workspace.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/review/change_reader.h"
#include "ui/review/check_list.h"
#include "ui/review/claim_card.h"
#include "ui/review/decision_bar.h"
#include "ui/review/policy_box.h"
#include "ui/review/proposal_editor.h"
#include "ui/review/proposal_head.h"
#include "ui/review/review_docks.h"
#include "ui/review/review_list.h"
#include "ui/review/review_outlook.h"
#include "ui/review/shortcut_guard.h"
#include "ui/session/no_session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fields.h"
#include "ui/widgets/pane.h"

#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int layoutVersion = 1;

DecisionBar::Reader readerOf(const std::string& proposer)
{
    return proposer.starts_with("model") ? DecisionBar::Reader::Model
        : readsPrompts(proposer)         ? DecisionBar::Reader::Person
                                         : DecisionBar::Reader::Nobody;
}

} // namespace

void ReviewPage::addActions(ActionRegistry& a)
{
    a.add({u"review.approve"_s, tr("&Approve"), u"check"_s, QKeySequence(u"A"_s), tr("Queue its measurement")});
    a.add({u"review.edit"_s, tr("Approve with &edits"), u"edit"_s, QKeySequence(u"E"_s),
        tr("Write your own version of it, which is approved in its place")});
    a.add({u"review.reject"_s, tr("&Reject with reason"), u"x"_s, QKeySequence(u"R"_s),
        tr("End it; prompts contain the reason")});
    a.add({u"review.defer"_s, tr("&Defer"), u"forward"_s, QKeySequence(u"S"_s), tr("Move it to the end of the queue")});
    a.add({u"review.quick"_s, tr("&Quick result"), u"redo"_s, QKeySequence(u"Ctrl+R"_s),
        tr("Measure it briefly against the best so far before you decide; the result is not a verdict")});
    a.add({u"review.judge"_s, tr("Ask a &model"), u"chat"_s, QKeySequence(u"M"_s),
        tr("Ask a model for its opinion of this edit; the opinion is shown beside the edit and decides nothing")});
    a.add({u"review.next"_s, tr("&Next proposal"), {}, QKeySequence(u"J"_s), {}});
    a.add({u"review.previous"_s, tr("&Previous proposal"), {}, QKeySequence(u"K"_s), {}});
    a.add({u"review.choose-next"_s, tr("Select the ne&xt as well"), {}, QKeySequence(u"Shift+J"_s),
        tr("Decisions then apply to all that are selected")});
    a.add({u"review.choose-previous"_s, tr("Select the p&revious as well"), {}, QKeySequence(u"Shift+K"_s),
        tr("Decisions then apply to all that are selected")});
    a.add({u"review.choose-all"_s, tr("Select al&l pending"), {}, QKeySequence(u"Ctrl+A"_s),
        tr("Decisions then apply to all of them")});
    a.add({u"review.approve-all"_s, tr("Approve all &waiting"), u"check"_s, {},
        tr("Queue the measurement of all pending edits, on all islands")});
    a.add({u"review.automatic"_s, tr("&Measure edits without review…"), {}, {},
        tr("Set the review policy to “Automatic”; pending edits are asked about first")});
    a.add({u"review.next-change"_s, tr("Next &change"), {}, QKeySequence(u"N"_s), tr("The next change of the diff"),
        false, QKeySequence(u"F8"_s)});
    a.add({u"review.previous-change"_s, tr("Previous c&hange"), {}, QKeySequence(u"P"_s),
        tr("The previous change of the diff"), false, QKeySequence(u"F7"_s)});
}

ReviewPage::ReviewPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_docks(new Workspace(context.settings, u"review"_s, layoutVersion, this))
    , m_stack(new QStackedWidget(this))
    , m_queue(new ReviewList(context, this))
    , m_head(new ProposalHead(context, this))
    , m_reader(new ChangeReader(context, m_head, this))
    , m_editor(new ProposalEditor(context, this))
    , m_letters(new ShortcutGuard(context.actions, *this, [this] {
        std::vector<CandidateId> meant = m_queue->chosen();
        meant.push_back(m_chosen); // where none waits
        return meant;
    }))
{
    setObjectName(u"reviewPage"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_nothing = emptyNote(u"noReviews"_s, this);
    m_stack->addWidget(withSessionButtons(context, m_nothing, this));
    m_reader->setEditor(m_editor);
    m_stack->addWidget(m_reader);
    m_facts = new ReviewFacts(context, this);
    placeReviewDocks(*m_docks, *m_queue, *m_facts, *m_stack, *this);
    QScrollArea* panes = scrolled(m_docks, this); // they give way: the bar below is always seen
    panes->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    column->addWidget(panes, 1);
    m_bar = new DecisionBar(context.actions, this);
    column->addWidget(m_bar);
    m_reasons = new ReasonDrafts(context, *m_bar);

    connectEditing();
    connect(m_queue, &ReviewList::read, this, &ReviewPage::choose);
    connect(m_queue, &ReviewList::chosenChanged, this, [this] {
        showChosen();
        Q_EMIT changed();
    });
    connect(m_bar, &DecisionBar::reasonChanged, this, [this] {
        if (m_asksReason == ReasonAsked::InVain)
            m_asksReason = ReasonAsked::Yes;
        showChosen();
    });
    connect(m_bar, &DecisionBar::reasonEntered, this, &ReviewPage::rejectWithReason);
    connect(m_bar, &DecisionBar::focusFreed, this, [this] {
        (isEditing() ? static_cast<QWidget*>(m_editor) : m_queue)->setFocus();
        if (std::exchange(m_asksReason, ReasonAsked::No) != ReasonAsked::No) // it was left
            showChosen();
    });
    connect(m_letters, &ShortcutGuard::written, m_queue, &ReviewList::sayWhatFinds);
    connect(m_letters, &ShortcutGuard::held, m_bar, &DecisionBar::press);
    connect(m_letters, &ShortcutGuard::settled, m_bar, &DecisionBar::release);
    startTimer(std::chrono::seconds(1));
    connect(&context.session, &SessionClient::replaced, this, [this] {
        m_chosen = {};
        m_said.clear();
        m_waited = m_isLeftBehind = false;
        m_editor->end();
    });
    // A word that the engine refused was not said: whom it was on is come back to as one that nobody decided.
    connect(&context.session, &SessionClient::failed, this, [this] { m_said.clear(); });
    connect(&context.session, &SessionClient::changed, this, &ReviewPage::refresh);
    connect(&context.selection, &SelectionContext::currentChanged, this, &ReviewPage::refresh);
    refresh();
}

void ReviewPage::setLoading(bool loading)
{
    for (DockTitle* title : {m_queue->title(), m_reader->title(), m_facts->title()})
        title->setLoading(loading);
}

bool ReviewPage::canDecide() const
{
    const Snapshot& snapshot = m_context.session.snapshot();
    return !isEditing() && snapshot.status.sessionOpen && !snapshot.status.readOnly && m_queue->waits(m_chosen);
}

bool ReviewPage::canLook() const
{
    const Snapshot& snapshot = m_context.session.snapshot();
    return canDecide() && snapshot.status.elsewhere.empty() && !openRerunOf(snapshot.run, m_chosen)
        && !isSeedAwaited(snapshot.run);
}

QString ReviewPage::whyNoLook() const
{
    return canDecide() && isSeedAwaited(m_context.session.run())
        ? tr("It would be compared with the seed, which is not measured yet.")
        : QString();
}

void ReviewPage::look()
{
    if (!canLook())
        return;
    m_context.session.execute(commands::Rerun{m_chosen, 1, {}});
}

void ReviewPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_letters->watch();
    refresh();
}

/// The one clock of the page: its queue and its head say the same of how long something waits.
void ReviewPage::timerEvent(QTimerEvent*)
{
    if (!isVisible())
        return;
    m_queue->tellTime();
    m_head->tellTime();
}

void ReviewPage::refresh()
{
    if (!isVisible())
        return; // a snapshot comes ten times a second
    const Snapshot& snapshot = m_context.session.snapshot();
    m_queue->show(snapshot);
    if (m_editor->isTaken() && m_queue->count() > 0) { // what waits next, as after any other word
        choose(m_queue->waits(m_beyondEdited) ? m_beyondEdited : m_queue->after(m_chosen, 0));
        m_queue->choose({m_chosen}); // it alone
    }
    if (!isReviewed(m_chosen))
        choose(m_queue->count() > 0 ? m_queue->after({}, 0) : readable());
    goOn();
    m_stack->setCurrentIndex(m_chosen ? 1 : 0);
    m_bar->setEnabled(m_chosen != CandidateId{});
    m_nothing->setText(whyNothingWaits(snapshot, m_earlier));
    m_bar->setReader(readerOf(snapshot.run.settings.proposer));
    showChosen();
    Q_EMIT changed();
}

bool ReviewPage::noteWhetherItWaits()
{
    const bool waits = m_queue->waits(m_chosen);
    m_isLeftBehind = !waits && (m_isLeftBehind || m_waited);
    return m_waited = waits;
}

/// A word leads to the next one that waits; after the last word that is the first that comes.
void ReviewPage::goOn()
{
    std::erase_if(m_said, [this](CandidateId each) { return !m_queue->waits(each); });
    noteWhetherItWaits();
    const CandidateId next = m_isLeftBehind ? m_queue->firstBut(m_said) : CandidateId{};
    if (next)
        choose(next);
}

void ReviewPage::setEarlier(std::vector<SessionStart> earlier)
{
    m_earlier = std::move(earlier);
    refresh();
}

bool ReviewPage::isReviewed(CandidateId candidate) const
{
    return m_queue->waits(candidate) || m_queue->isDecided(candidate);
}

/// Where nothing waits, the edit of the candidate that is selected everywhere can be read here all the same.
CandidateId ReviewPage::readable() const
{
    const Candidate* candidate = m_context.session.run().candidate(m_context.selection.current());
    return candidate && !candidate->parents.empty() ? candidate->id : CandidateId{};
}

void ReviewPage::choose(CandidateId candidate)
{
    if (candidate == m_chosen || isEditing())
        return;
    m_chosen = candidate;
    m_asksReason = ReasonAsked::No;
    m_editsOnceRead = m_waited = m_isLeftBehind = false;
    m_reasons->showOf(candidate);
    const Candidate* chosen = m_context.session.run().candidate(candidate);
    m_reader->read(chosen);
    m_stack->setCurrentIndex(chosen ? 1 : 0);
    showChosen();
    Q_EMIT changed();
}

void ReviewPage::showChosen()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const RunState& run = snapshot.run;
    const Candidate* candidate = run.candidate(m_chosen);
    const bool waits = noteWhetherItWaits();
    m_queue->point(m_chosen, waits && candidate ? whyItWaits(run, *candidate) : QString());
    m_bar->setCount(std::max(static_cast<int>(m_queue->chosen().size()), 1));
    if (!candidate) {
        m_bar->setWord({});
        m_facts->clear();
        return;
    }
    const CandidateId parentId = candidate->parents.empty() ? CandidateId{} : candidate->parents.front();
    const Candidate* parent = run.candidate(parentId);
    m_head->show(*candidate);
    const QString before = tr("%1, parent · %2")
                               .arg(nameOfCandidate(parentId),
                                   !parent || !parent->score ? tr("not measured")
                                       : parent->confirmed   ? tr("measured %1").arg(times(parent->score))
                                                             : tr("provisional ≈ %1").arg(times(parent->score)));
    m_reader->setTitles(before,
        tr("%1, proposal · %2")
            .arg(nameOfCandidate(candidate->id), waits ? tr("pending review") : stateWords(run, *candidate)));
    if (isEditing()) {
        m_editor->setTitles(before, tr("%1, your text").arg(nameOfCandidate(candidate->id)));
        m_facts->showEdit(m_editor->progress());
        m_bar->setObstacle(m_editor->obstacle());
        return m_bar->setWord(m_editor->word());
    }
    m_facts->show(*candidate);
    tellWord(*candidate, waits);
}

void ReviewPage::tellWord(const Candidate& candidate, bool waits)
{
    const Snapshot& snapshot = m_context.session.snapshot();
    WordAtHand word;
    word.chosen = static_cast<int>(m_queue->chosen().size());
    word.waits = waits;
    word.hasDraft = m_editor->hasDraft(candidate);
    word.isElsewhere = !snapshot.status.elsewhere.empty();
    word.asksReason = m_asksReason;
    word.reader = m_bar->reader();
    word.reason = m_bar->reason();
    word.givenBack = m_reasons->givenBack();
    if (m_queue->count() > 0)
        word.next = m_context.actions[u"review.next"_s].shortcut().toString(QKeySequence::NativeText);
    m_bar->setWord(decisionWords(snapshot.run, candidate, word),
        m_asksReason == ReasonAsked::InVain ? DecisionBar::Reason::Lacking : DecisionBar::Reason::Wanted);
}

void ReviewPage::goTo(int step)
{
    if (m_queue->count() == 0)
        return;
    const CandidateId next = m_queue->after(m_chosen, step);
    if (isEditing())
        leaveFor(next);
    else
        readAlone(next);
}

void ReviewPage::readAlone(CandidateId candidate)
{
    choose(candidate);
    if (m_queue->waits(candidate))
        m_queue->choose({candidate});
}

void ReviewPage::find() { m_reader->find(); }

void ReviewPage::goToChange(int step) { m_reader->goToChange(step); }

void ReviewPage::say(Decision decision) { say(decision, m_queue->chosen()); }

void ReviewPage::say(Decision decision, const std::vector<CandidateId>& all)
{
    // What came back with a rejection that was taken back is no reason for anything else.
    const bool isAnothers = decision != Decision::Rejected && m_bar->reason() == m_reasons->givenBack();
    const QString reason = isAnothers ? QString() : m_bar->reason();
    // The list changes with the next snapshot; what comes after the decided ones is shown at once.
    const CandidateId next = m_queue->beyondChosen();
    m_context.session.execute(commands::Decide{all, decision, reason.toStdString()});
    if (decision != Decision::Deferred) { // what waits on keeps its reason
        m_said.insert(m_said.end(), all.begin(), all.end());
        m_reasons->empty();
    }
    m_asksReason = ReasonAsked::No;
    if (next)
        choose(next);
}

std::pair<std::vector<CandidateId>, std::vector<CandidateId>> ReviewPage::apartFromBegun(
    const std::vector<CandidateId>& candidates) const
{
    const RunState& run = m_context.session.run();
    std::vector<CandidateId> others, begun;
    for (const CandidateId each : candidates) {
        const bool isBegun = m_context.drafts.contains(Drafts::placeOf(u"edit"_s, *run.candidate(each)));
        (isBegun ? begun : others).push_back(each);
    }
    return {std::move(others), std::move(begun)};
}

std::vector<CandidateId> ReviewPage::approve()
{
    if (!canDecide())
        return {};
    const std::vector<CandidateId> chosen = m_queue->chosen();
    auto [others, begun] = apartFromBegun(chosen);
    const bool isAskedAgain = chosen.size() == 1 && std::exchange(m_begunAsked, chosen.front()) == chosen.front();
    if (begun.empty() || isAskedAgain) {
        say(Decision::Approved);
        return {};
    }
    if (!others.empty())
        say(Decision::Approved, others);
    return std::move(begun);
}

/// A key that is pressed by mistake, or after the reason was written for another word, ends nothing.
void ReviewPage::reject()
{
    if (!canDecide())
        return;
    // Once more without one, as by a click: what is missing has to be seen.
    const bool isOnceMore = m_asksReason != ReasonAsked::No && m_bar->reason().isEmpty();
    m_asksReason = isOnceMore ? ReasonAsked::InVain : ReasonAsked::Yes;
    showChosen();
    m_bar->askForReason();
}

void ReviewPage::rejectWithReason()
{
    if (!canDecide())
        return;
    if (m_bar->reason().isEmpty()) {
        m_asksReason = ReasonAsked::Yes; // also where the cursor was put there without asking
        return reject();
    }
    say(Decision::Rejected);
    m_queue->setFocus(); // keys decide the next one, and do not write into its reason
}

void ReviewPage::defer()
{
    if (canDecide())
        say(Decision::Deferred);
}

void ReviewPage::chooseAll()
{
    if (canDecide())
        m_queue->chooseAll();
}

void ReviewPage::extend(int step)
{
    if (canDecide())
        m_queue->extend(step);
}

bool ReviewPage::canBeJudged() const
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const Candidate* candidate = snapshot.run.candidate(m_chosen);
    return !isEditing() && snapshot.status.sessionOpen && !snapshot.status.readOnly && candidate
        && !candidate->parents.empty() && checkHasJudge(snapshot.run.settings.proposer);
}

QString ReviewPage::whyNoJudge() const
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const auto judged = checkHasJudge(snapshot.run.settings.proposer);
    return !snapshot.status.sessionOpen || judged ? QString()
                                                  : asSentences(text(judged.error().text), text(judged.error().hint));
}

void ReviewPage::judge()
{
    if (!canBeJudged())
        return;
    m_head->judgement().ask();
}

void ReviewPage::comeBackTo(const std::vector<CandidateId>& all)
{
    if (isEditing() || all.empty())
        return;
    const RunState& run = m_context.session.run();
    const QString reason = text(run.review(run.candidate(all.front())->review)->reason);
    m_said.clear();
    m_waited = m_isLeftBehind = false; // it is wanted, and waits again in a moment
    if (std::ranges::all_of(all, [this](CandidateId each) { return m_queue->waits(each); }))
        m_queue->comeBackTo(all); // they were put off
    else
        choose(all.front());
    m_reasons->giveBack(reason); // as it stood when the word was said
}

std::vector<CandidateId> ReviewPage::approveAll()
{
    if (isEditing())
        return {};
    std::vector<CandidateId> waiting;
    for (const Review* each : reviewsInOrder(m_context.session.run()))
        waiting.push_back(each->candidate);
    auto [all, begun] = apartFromBegun(waiting);
    if (all.empty())
        return std::move(begun);
    m_context.session.execute(commands::Decide{all, Decision::Approved, {}});
    m_said.insert(m_said.end(), all.begin(), all.end());
    return std::move(begun);
}

void ReviewPage::showPolicyOf(IslandId island) { m_queue->showPolicyOf(island); }
void ReviewPage::wantPolicy(ReviewPolicy policy) { m_queue->wantPolicy(policy); }

bool ReviewPage::leavePolicy() { return m_queue->leavePolicy(); }

/// Where the one that is read stands among those that wait, as the queue lists them.
QString ReviewPage::statusText()
{
    const std::vector<const Review*> all = reviewsInOrder(m_context.session.run());
    const auto read = std::ranges::find(all, chosen(), &Review::candidate);
    return all.empty()      ? tr("nothing in review")
        : read != all.end() ? tr("%1 of %2 in review").arg(read - all.begin() + 1).arg(all.size())
                            : tr("%1 in review").arg(all.size());
}

int ReviewPage::badge() const { return static_cast<int>(m_context.session.run().waitingReviews); }

void ReviewPage::enableActions(bool isShown)
{
    const EngineStatus& status = m_context.session.snapshot().status;
    const bool open = status.sessionOpen, writable = open && !status.readOnly;
    const auto set = [this](const QString& id, bool enabled) { m_context.actions[id].setEnabled(enabled); };
    // Their single letters belong to this screen alone.
    const bool decides = isShown && canDecide();
    for (const QString& id : {u"review.approve"_s, u"review.reject"_s, u"review.defer"_s, u"review.choose-all"_s,
             u"review.choose-next"_s, u"review.choose-previous"_s})
        set(id, decides);
    for (const QString& id : {u"review.approve-all"_s, u"review.automatic"_s})
        set(id, writable && m_context.session.run().waitingReviews > 0 && !isEditing());
    set(u"review.edit"_s, isShown && canEdit());
    set(u"review.judge"_s, isShown && canBeJudged());
    m_context.actions.giveReason(u"review.judge"_s, whyNoJudge());
    set(u"review.quick"_s, isShown && canLook());
    m_context.actions.giveReason(u"review.quick"_s, whyNoLook());
    for (const QString& id :
        {u"review.next"_s, u"review.previous"_s, u"review.next-change"_s, u"review.previous-change"_s})
        set(id, isShown && open);
}

void ReviewPage::addFinderPlaces(std::vector<FinderPlace>& places)
{
    const EngineStatus& status = m_context.session.snapshot().status;
    if (!status.sessionOpen || status.readOnly)
        return;
    const auto* box = findChild<PolicyBox*>();
    if (!box)
        return;
    for (const auto& [name, words, field] : fieldsOf(*box))
        if (field->isEnabled())
            places.push_back({name, tr("Review"), words, [this, at = QPointer<QWidget>(field)] {
                                  bring();
                                  focusOn(at);
                              }});
}

} // namespace tilewright::ui
