// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/letter_guard.h"

#include <QKeyEvent>
#include <QWidget>

namespace tilewright::ui {

namespace {

constexpr qint64 fastMs = 300; ///< from key to key, while a word is written

bool writes(const QKeyEvent& key)
{
    const bool isPlain = !(key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier));
    return isPlain && !key.text().isEmpty() && key.text().front().isPrint() && !key.text().front().isSpace();
}

/// Steps from one change or one candidate to another, at any speed.
bool steps(int key) { return key == Qt::Key_J || key == Qt::Key_K || key == Qt::Key_N || key == Qt::Key_P; }

} // namespace

LetterGuard::LetterGuard(QWidget& page)
    : QObject(&page)
    , m_page(page)
{
}

void LetterGuard::watch() { m_page.window()->installEventFilter(this); }

bool LetterGuard::isOfAWord(const QKeyEvent& key)
{
    if (!m_last.isValid() || m_last.elapsed() >= fastMs)
        m_wasLetter = m_isWord = false;
    m_last.start();
    m_isWord = m_isWord || (m_wasLetter && !steps(key.key()));
    m_wasLetter = m_wasLetter || !steps(key.key());
    return m_isWord;
}

bool LetterGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride || !m_page.isVisible())
        return QObject::eventFilter(watched, event);
    const auto& key = *static_cast<const QKeyEvent*>(event);
    if (!writes(key) || !isOfAWord(key))
        return QObject::eventFilter(watched, event);
    event->accept(); // it is no shortcut then
    Q_EMIT written();
    return true;
}

} // namespace tilewright::ui
