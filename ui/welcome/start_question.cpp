// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/start_question.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

StartQuestion::StartQuestion(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel(this))
    , m_agree(new QPushButton(tr("Start"), this))
    , m_leave(new QPushButton(tr("Not now"), this))
{
    setObjectName(u"startQuestion"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(px(8));
    m_words->setObjectName(u"startQuestionWords"_s);
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setProperty("tone", u"warning"_s);
    m_agree->setObjectName(u"startAgree"_s);
    m_leave->setObjectName(u"startNotNow"_s);
    row->addWidget(m_words, 1);
    row->addWidget(m_leave);
    row->addWidget(m_agree);
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

} // namespace tilewright::ui
