// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/start_question.h"

#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

#include <QApplication>
#include <QBoxLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

StartQuestion::StartQuestion(const QString& name, Form form, QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel(this))
    , m_agree(new QPushButton(tr("Start"), this))
    , m_leave(new QPushButton(tr("Not now"), this))
{
    setObjectName(name + u"Question"_s);
    auto* whole = new QBoxLayout(form == Form::Row ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom, this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(px(8));
    m_words->setObjectName(name + u"QuestionWords"_s);
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setProperty("tone", u"warning"_s);
    m_agree->setObjectName(name + u"Agree"_s);
    m_leave->setObjectName(name + u"NotNow"_s);
    whole->addWidget(m_words, 1);
    const bool isRow = form == Form::Row;
    for (QPushButton* each : {isRow ? m_leave : m_agree, isRow ? m_agree : m_leave})
        whole->addWidget(each, 0, isRow ? Qt::Alignment() : Qt::AlignLeft);
    connect(m_agree, &QPushButton::clicked, this, &StartQuestion::answer);
    connect(m_leave, &QPushButton::clicked, this, &StartQuestion::putAway);
    hide();
}

void StartQuestion::ask(const QString& question, const QString& agree, std::function<void()> does)
{
    if (QWidget* focused = QApplication::focusWidget(); !isAncestorOf(focused))
        m_before = focused;
    m_does = std::move(does);
    m_words->setText(question);
    m_agree->setText(agree);
    m_agree->setAccessibleDescription(question);
    show();
    m_agree->setFocus(Qt::OtherFocusReason);
}

void StartQuestion::putAway()
{
    if (isHidden())
        return;
    m_does = nullptr;
    if (isAncestorOf(QApplication::focusWidget()) && m_before && m_before->isVisible())
        m_before->setFocus();
    hide();
}

void StartQuestion::answer()
{
    const auto does = std::exchange(m_does, nullptr);
    putAway();
    if (does)
        does();
}

void StartQuestion::keyPressEvent(QKeyEvent* event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape)
        putAway();
    else if (isReturn && m_leave->hasFocus())
        m_leave->click();
    else if (isReturn && m_agree->hasFocus())
        m_agree->click();
    else
        QWidget::keyPressEvent(event);
}

ProblemLine::ProblemLine(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_words(new QLabel(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(px(8));
    m_words->setObjectName(u"choicesNote"_s);
    m_words->setWordWrap(true);
    m_words->setProperty("tone", u"bad"_s);
    m_row->addWidget(m_words, 1);
}

void ProblemLine::warn(const QString& words)
{
    tell(words, {});
    restyle(m_words, "tone", u"warning"_s);
}

void ProblemLine::tell(const QString& problem, const Remedies& remedies)
{
    restyle(m_words, "tone", u"bad"_s);
    m_words->setText(problem);
    setVisible(!problem.isEmpty());
    if (remedies == m_remedies)
        return; // a button that has the keyboard keeps it
    m_remedies = remedies;
    for (QPushButton* button : m_buttons)
        button->deleteLater();
    m_buttons.clear();
    for (const auto& [remedy, words] : remedies) {
        auto* button = new QPushButton(words, this);
        button->setObjectName(u"useInstead:"_s + remedy);
        m_row->addWidget(button);
        m_buttons.push_back(button);
        connect(button, &QPushButton::clicked, this, [this, remedy = remedy] { Q_EMIT remedyWanted(remedy); });
    }
}

} // namespace tilewright::ui
