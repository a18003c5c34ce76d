// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/action_bar.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ActionBar::ActionBar(QWidget* parent)
    : QFrame(parent)
    , m_lines(new QVBoxLayout)
    , m_row(new QHBoxLayout)
{
    setProperty("role", u"footer"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(8), px(16), px(8));
    column->setSpacing(px(6));
    m_lines->setSpacing(px(6));
    m_row->setSpacing(px(8));
    column->addLayout(m_lines);
    column->addLayout(m_row);
    connect(&Theme::instance(), &Theme::changed, this, [this] { fit(); }); // the text may be larger
}

void ActionBar::addLine(QWidget* line) { m_lines->addWidget(line); }

QPushButton* ActionBar::addButton(const QString& name, const QString& sign, const QString& text, Kind kind)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    if (!sign.isEmpty())
        button->setIcon(icon(sign, kind == Kind::Primary ? Tint::Button : Tint::Secondary));
    if (kind != Kind::Plain)
        button->setProperty("kind", kind == Kind::Primary ? u"primary"_s : u"flat"_s);
    if (!sign.isEmpty() && kind != Kind::Primary)
        m_brief.add(button);
    m_row->addWidget(button);
    return button;
}

void ActionBar::setWords(QPushButton* button, const QString& words)
{
    m_brief.setWords(button, words);
    fit();
}

void ActionBar::addWidget(QWidget* widget, int stretch) { m_row->addWidget(widget, stretch); }
QSize ActionBar::minimumSizeHint() const { return QFrame::minimumSizeHint() - QSize(m_brief.toBeSaved(), 0); }

void ActionBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fit();
}

/// The row keeps what it needed before until it is laid out, which may be after a scroll area has asked for it: then it
/// would be told a width that no longer holds, again and again.
void ActionBar::fit()
{
    m_row->invalidate();
    m_brief.fit(QFrame::minimumSizeHint().width(), width());
    m_row->invalidate();
}

void ActionBar::addStretch() { m_row->addStretch(1); }

} // namespace tilewright::ui
