// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/ask_box.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

AskBox::AskBox(const QString& question, const QString& text, const QString& button, Lines lines, QWidget* parent)
    : QFrame(parent, Qt::Popup)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"askBox"_s);
    setProperty("role", u"popup"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(14), px(12), px(14), px(12));
    column->setSpacing(px(8));
    auto* label = new QLabel(question, this);
    label->setWordWrap(true);
    label->setMinimumWidth(px(340));
    column->addWidget(label);
    QWidget* field = nullptr;
    if (lines == Lines::One) {
        m_line = new QLineEdit(text, this);
        m_line->selectAll();
        field = m_line;
    } else {
        m_text = new QPlainTextEdit(text, this);
        m_text->setTabChangesFocus(true);
        m_text->setMinimumHeight(px(110));
        connect(m_text, &QPlainTextEdit::textChanged, this, [this] { Q_EMIT typed(m_text->toPlainText()); });
        field = m_text;
    }
    field->setObjectName(u"askField"_s);
    field->setAccessibleName(question);
    field->installEventFilter(this);
    column->addWidget(field);
    setFocusProxy(field);
    auto* go = new QPushButton(button, this);
    go->setObjectName(u"askAccept"_s);
    go->setProperty("kind", u"primary"_s);
    m_refusal = new QLabel(this);
    m_refusal->setObjectName(u"askRefusal"_s);
    m_refusal->setProperty("tone", u"bad"_s);
    m_refusal->setTextFormat(Qt::PlainText);
    m_refusal->setWordWrap(true);
    m_refusal->setVisible(false);
    column->addWidget(m_refusal);
    column->addWidget(go, 0, Qt::AlignRight);
    connect(go, &QPushButton::clicked, this, [this] { accept(); });
}

void AskBox::ask()
{
    adjustSize();
    if (const QWidget* over = parentWidget())
        move(over->mapToGlobal(QPoint((over->width() - width()) / 2, (over->height() - height()) / 3)));
    show();
    setFocus();
}

void AskBox::accept()
{
    const QString words = m_line ? m_line->text() : m_text->toPlainText();
    if (const QString why = m_check ? m_check(words) : QString(); !why.isEmpty()) {
        m_refusal->setText(why);
        m_refusal->setVisible(true);
        adjustSize();
        return;
    }
    Q_EMIT accepted(words);
    close();
}

void AskBox::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QFrame::keyPressEvent(event);
}

bool AskBox::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (isReturn && (m_line || key->modifiers().testFlag(Qt::ControlModifier))) {
            accept();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace tilewright::ui
