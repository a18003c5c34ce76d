// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/open_edit_note.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

OpenEditNote::OpenEditNote(QWidget* parent)
    : QFrame(parent)
    , m_words(new QLabel(this))
    , m_keep(new QPushButton(tr("Keep"), this))
    , m_discard(new QPushButton(tr("Discard"), this))
{
    setObjectName(u"openEditNote"_s);
    m_words->setObjectName(u"openEditWords"_s);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setFont(fontOf(Type::Secondary));
    m_words->setProperty("tone", u"warning"_s);
    m_keep->setObjectName(u"keepOpenEdit"_s);
    m_discard->setObjectName(u"discardOpenEdit"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(6), px(12), px(6));
    column->setSpacing(px(6));
    column->addWidget(m_words);
    auto* answers = new QHBoxLayout;
    answers->setSpacing(px(6));
    for (QPushButton* answer : {m_keep, m_discard}) {
        answer->setProperty("kind", u"small"_s);
        answers->addWidget(answer);
    }
    answers->addStretch(1);
    column->addLayout(answers);
    connect(m_keep, &QPushButton::clicked, this, [this] { Q_EMIT kept(m_wanted); });
    connect(m_discard, &QPushButton::clicked, this, [this] { Q_EMIT discarded(m_wanted); });
    hide();
}

void OpenEditNote::ask(CandidateId edited, CandidateId wanted)
{
    m_wanted = wanted;
    m_words->setText(tr("Your text of %1 is open. Keep it as a draft, or discard it, and read %2?")
                         .arg(nameOfCandidate(edited), nameOfCandidate(wanted)));
    for (QPushButton* answer : {m_keep, m_discard})
        answer->setVisible(true);
    m_keep->setToolTip(tr("Edit goes on with it when %1 is read again").arg(nameOfCandidate(edited)));
    show();
}

void OpenEditNote::tellSent(CandidateId edited)
{
    m_words->setText(
        tr("Your text of %1 is with the engine. Others can be read once it is taken.").arg(nameOfCandidate(edited)));
    for (QPushButton* answer : {m_keep, m_discard})
        answer->setVisible(false);
    show();
}

} // namespace tilewright::ui
