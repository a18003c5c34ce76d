// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/letter_words.h"

#include "ui/session/action_registry.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tone.h"

#include <chrono>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

LetterWords::LetterWords(const ActionRegistry& actions, QWidget* parent)
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
    connect(&m_while, &QTimer::timeout, this, &LetterWords::tell);
    tell();
}

void LetterWords::sayWhatFinds()
{
    m_while.start();
    tell();
}

void LetterWords::setWriting(bool writing)
{
    if (writing == m_isWriting)
        return;
    m_isWriting = writing;
    setMinimumHeight(writing ? height() : 0); // nothing below moves
    tell();
}

void LetterWords::tell()
{
    if (m_isWriting) {
        restyle(this, "tone", u"secondary"_s);
        return setText(tr("Letters are written while a text is edited; they are orders again after it."));
    }
    const auto key = [this](const QString& id) { return m_actions[id].shortcut().toString(QKeySequence::NativeText); };
    restyle(this, "tone", m_while.isActive() ? u"warning"_s : u"secondary"_s);
    setText(m_while.isActive() ? tr("Letters are orders here: %1 finds.").arg(key(u"candidate.find"_s))
                               : tr("Letters are orders here: %1 approves, %2 edits, %3 asks for the reason of a "
                                    "rejection, %4 defers. %5 takes a word back, %6 finds.")
                                     .arg(key(u"review.approve"_s), key(u"review.edit"_s), key(u"review.reject"_s),
                                         key(u"review.defer"_s), key(u"review.undo"_s), key(u"candidate.find"_s)));
}

} // namespace tilewright::ui
