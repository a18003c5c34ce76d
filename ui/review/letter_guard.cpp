// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/letter_guard.h"

#include "ui/session/action_registry.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QWidget>
#include <algorithm>
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

LetterGuard::LetterGuard(const ActionRegistry& actions, QWidget& page, std::function<std::vector<CandidateId>()> meant)
    : QObject(&page)
    , m_actions(actions)
    , m_page(page)
    , m_meant(std::move(meant))
    , m_now(timeOfTheMachine)
{
    m_wait.setSingleShot(true);
    m_wait.setTimerType(Qt::PreciseTimer);
    connect(&m_wait, &QTimer::timeout, this, &LetterGuard::look);
}

/// Of the program: a press of the mouse, and the key that was no shortcut, go to whatever widget is there.
void LetterGuard::watch() { qApp->installEventFilter(this); }

void LetterGuard::rest()
{
    carryOut();
    m_last.reset();
}

std::chrono::milliseconds LetterGuard::sinceLast() const { return m_last ? m_now() - *m_last : fast; }

void LetterGuard::look()
{
    if (!m_order)
        return;
    if (const auto left = fast - sinceLast(); left > left.zero())
        m_wait.start(left);
    else
        carryOut();
}

bool LetterGuard::isOfAWord(const QKeyEvent& key)
{
    if (sinceLast() >= fast)
        m_wasLetter = m_isWord = false;
    m_last = m_now();
    m_isWord = m_isWord || (m_wasLetter && (m_order || !steps(key.key())));
    m_wasLetter = m_wasLetter || !steps(key.key());
    return m_isWord;
}

bool LetterGuard::takesBack(const QKeyEvent& key) const
{
    return m_order
        && (key.key() == Qt::Key_Escape || key.key() == Qt::Key_Backspace || key.matches(QKeySequence::Undo));
}

QAction* LetterGuard::orderOf(const QKeyEvent& key) const
{
    if (steps(key.key()) || !key.text().front().isLetter())
        return nullptr;
    const QKeySequence keys(QKeyCombination(modifiersOf(key), Qt::Key(key.key())));
    const auto found = std::ranges::find_if(
        m_actions.all(), [&keys](const QAction* action) { return action->isEnabled() && action->shortcut() == keys; });
    return found == m_actions.all().end() || leadsToALine(**found) ? nullptr : *found;
}

bool LetterGuard::isTaken(const QKeyEvent& key)
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

void LetterGuard::hold(QAction& order)
{
    m_order = &order;
    m_for = m_meant();
    m_wait.start(fast);
    Q_EMIT held(&order);
}

void LetterGuard::drop()
{
    m_wait.stop();
    if (std::exchange(m_order, nullptr))
        Q_EMIT settled();
}

/// Not on others, where those it was meant for wait no more.
void LetterGuard::carryOut()
{
    QAction* order = m_order;
    if (!order)
        return;
    drop();
    m_wasLetter = m_isWord = false;
    if (m_page.isVisible() && m_meant() == m_for)
        order->trigger();
}

bool LetterGuard::eventFilter(QObject* watched, QEvent* event)
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

} // namespace tilewright::ui
