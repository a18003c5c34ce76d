// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/shortcut_guard.h"

#include "core/model/reviews/review_queue.h"
#include "ui/models/display_text.h"
#include "ui/review/decision_bar.h"
#include "ui/session/action_registry.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QWidget>
#include <algorithm>
#include <chrono>
#include <utility>

namespace tilewright::ui {

namespace {

std::chrono::milliseconds timeOfTheMachine()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch());
}

Qt::KeyboardModifiers modifiersOf(const QKeyEvent& key) { return key.modifiers() & ~Qt::KeypadModifier; }

bool writes(const QKeyEvent& key)
{
    const bool isPlain = !(modifiersOf(key) & ~Qt::ShiftModifier);
    return isPlain && !key.text().isEmpty() && key.text().front().isPrint() && !key.text().front().isSpace();
}

bool isModifier(int key) { return key >= Qt::Key_Shift && key <= Qt::Key_ScrollLock; }

/// To another candidate.
bool moves(int key) { return key == Qt::Key_J || key == Qt::Key_K; }

/// Steps from one change or one candidate to another, at any speed.
bool steps(int key) { return moves(key) || key == Qt::Key_N || key == Qt::Key_P; }

/// It decides nothing: it leads to a line that is written in, and what is typed next belongs there.
bool leadsToALine(const QAction& order) { return order.objectName() == u"review.reject"; }

} // namespace

ShortcutGuard::ShortcutGuard(
    const ActionRegistry& actions, QWidget& page, std::function<std::vector<CandidateId>()> meant)
    : QObject(&page)
    , m_actions(actions)
    , m_page(page)
    , m_meant(std::move(meant))
    , m_now(timeOfTheMachine)
{
    m_wait.setSingleShot(true);
    m_wait.setTimerType(Qt::PreciseTimer);
    connect(&m_wait, &QTimer::timeout, this, &ShortcutGuard::look);
}

/// Of the program: a press of the mouse, and the key that was no shortcut, go to whatever widget is there.
void ShortcutGuard::watch() { qApp->installEventFilter(this); }

void ShortcutGuard::rest()
{
    carryOut();
    m_last.reset();
}

std::chrono::milliseconds ShortcutGuard::sinceLast() const { return m_last ? m_now() - *m_last : fast; }

void ShortcutGuard::look()
{
    if (!m_order)
        return;
    if (const auto left = fast - sinceLast(); left > left.zero())
        m_wait.start(left);
    else
        carryOut();
}

bool ShortcutGuard::isOfAWord(const QKeyEvent& key)
{
    if (sinceLast() >= fast)
        m_wasLetter = m_isWord = false;
    m_last = m_now();
    m_isWord = m_isWord || (m_wasLetter && (m_order || !steps(key.key())));
    m_wasLetter = m_wasLetter || !steps(key.key());
    return m_isWord;
}

bool ShortcutGuard::takesBack(const QKeyEvent& key) const
{
    return m_order
        && (key.key() == Qt::Key_Escape || key.key() == Qt::Key_Backspace || key.matches(QKeySequence::Undo));
}

QAction* ShortcutGuard::orderOf(const QKeyEvent& key) const
{
    if (steps(key.key()) || !key.text().front().isLetter())
        return nullptr;
    const QKeySequence keys(QKeyCombination(modifiersOf(key), Qt::Key(key.key())));
    const auto found = std::ranges::find_if(
        m_actions.all(), [&keys](const QAction* action) { return action->isEnabled() && action->shortcut() == keys; });
    return found == m_actions.all().end() || leadsToALine(**found) ? nullptr : *found;
}

bool ShortcutGuard::isTaken(const QKeyEvent& key)
{
    if (isModifier(key.key()))
        return false;
    if (takesBack(key)) {
        drop();
        return true;
    }
    const bool isLate = m_order && sinceLast() >= fast;
    if (isLate || !writes(key) || (m_order && moves(key.key())))
        carryOut();
    if (!writes(key))
        return false;
    if (key.isAutoRepeat() && orderOf(key))
        return true; // one that is held down is said once
    if (isOfAWord(key)) {
        drop();
        Q_EMIT written();
        return true;
    }
    QAction* order = orderOf(key);
    if (order)
        hold(*order);
    return order;
}

void ShortcutGuard::hold(QAction& order)
{
    m_order = &order;
    m_for = m_meant();
    m_wait.start(fast);
    Q_EMIT held(&order);
}

void ShortcutGuard::drop()
{
    m_wait.stop();
    if (std::exchange(m_order, nullptr))
        Q_EMIT settled();
}

/// Not on others, where those it was meant for wait no more.
void ShortcutGuard::carryOut()
{
    QAction* order = m_order;
    if (!order)
        return;
    drop();
    m_wasLetter = m_isWord = false;
    if (m_page.isVisible() && m_meant() == m_for)
        order->trigger();
}

bool ShortcutGuard::eventFilter(QObject* watched, QEvent* event)
{
    const QEvent::Type type = event->type();
    if (type == QEvent::MouseButtonPress || type == QEvent::TouchBegin) {
        carryOut();
    } else if (type == QEvent::KeyPress) {
        if (static_cast<const QKeyEvent*>(event)->key() == std::exchange(m_taken, 0))
            return true;
    } else if (type == QEvent::ShortcutOverride && watched == m_page.window() && m_page.isVisible()) {
        const auto& key = *static_cast<const QKeyEvent*>(event);
        if (isTaken(key)) {
            m_taken = key.key();
            event->accept(); // it is no shortcut then
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

using namespace Qt::StringLiterals;

ShortcutNote::ShortcutNote(const ActionRegistry& actions, QWidget* parent)
    : QLabel(parent)
    , m_actions(actions)
{
    setObjectName(u"letterWords"_s);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setFont(fontOf(Type::Secondary));
    setContentsMargins(px(12), px(6), px(12), px(6));
    m_while.setSingleShot(true);
    m_while.setInterval(std::chrono::seconds(6));
    connect(&m_while, &QTimer::timeout, this, &ShortcutNote::tell);
    tell();
}

void ShortcutNote::sayWhatFinds()
{
    m_while.start();
    tell();
}

void ShortcutNote::setWriting(bool writing)
{
    if (writing == m_isWriting)
        return;
    m_isWriting = writing;
    setMinimumHeight(writing ? height() : 0); // nothing below moves
    tell();
}

void ShortcutNote::tell()
{
    if (m_isWriting) {
        restyle(this, "tone", u"secondary"_s);
        return setText(tr("Single keys type text while an editor has the focus, and are shortcuts otherwise."));
    }
    const auto key = [this](const QString& id) { return m_actions[id].shortcut().toString(QKeySequence::NativeText); };
    restyle(this, "tone", m_while.isActive() ? u"warning"_s : u"secondary"_s);
    setText(m_while.isActive() ? tr("Single keys are shortcuts here; %1 searches.").arg(key(u"candidate.find"_s))
                               : tr("Single keys are shortcuts here: %1 approves, %2 edits, %3 asks for a reason to "
                                    "reject, %4 defers, %5 undoes a decision, %6 searches.")
                                     .arg(key(u"review.approve"_s), key(u"review.edit"_s), key(u"review.reject"_s),
                                         key(u"review.defer"_s), key(u"review.undo"_s), key(u"candidate.find"_s)));
}

namespace {

const QString reasonDraft = u"reason"_s; ///< kind of a draft, as Drafts::placeOf() takes it

} // namespace

ReasonDrafts::ReasonDrafts(const ViewContext& context, DecisionBar& bar)
    : QObject(&bar)
    , m_context(context)
    , m_bar(bar)
{
    connect(&bar, &DecisionBar::reasonChanged, this, [this] { keep(); });
    connect(&context.session, &SessionClient::changed, this, [this] { dropSaid(); });
    connect(&context.session, &SessionClient::replaced, this, [this] { showOf({}); });
    connect(&context.session, &SessionClient::failed, this, [this] { showOf(m_candidate); });
}

QString ReasonDrafts::placeOf(CandidateId candidate) const
{
    const Candidate* of = m_context.session.run().candidate(candidate);
    return of ? Drafts::placeOf(reasonDraft, *of) : QString();
}

void ReasonDrafts::showOf(CandidateId candidate)
{
    m_candidate = candidate;
    giveBack(text(reasonUndone(m_context.session.run(), candidate)));
}

void ReasonDrafts::giveBack(const QString& reason)
{
    m_givenBack = reason;
    const QString place = placeOf(m_candidate);
    const QString shown = m_context.drafts.contains(place) ? m_context.drafts.text(place) : reason;
    if (shown != m_bar.reason()) // else the cursor stays where a user writes
        m_bar.setReason(shown);
}

void ReasonDrafts::empty()
{
    m_givenBack.clear();
    m_bar.setReason({});
}

void ReasonDrafts::keep()
{
    const QString place = placeOf(m_candidate);
    if (place.isEmpty())
        return;
    if (m_bar.reason() == m_givenBack)
        m_context.drafts.drop(place);
    else
        m_context.drafts.keep(place, m_bar.reason());
}

/// The run has them, or they are of no use any more.
void ReasonDrafts::dropSaid()
{
    if (m_context.drafts.places(reasonDraft + u'/').isEmpty())
        return; // a snapshot comes ten times a second
    const RunState& run = m_context.session.run();
    for (const Review& review : run.reviews) {
        if (review.isWaiting() || review.undone)
            continue;
        const QString place = placeOf(review.candidate);
        if (m_context.drafts.contains(place)
            && (text(review.reason) == m_context.drafts.text(place) || measuredAfter(run, review)))
            m_context.drafts.drop(place);
    }
}

} // namespace tilewright::ui
