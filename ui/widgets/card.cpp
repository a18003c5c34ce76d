// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

Card::Card(const QString& title, const QString& remark, QWidget* parent, QWidget* sign)
    : QFrame(parent)
    , m_column(new QVBoxLayout(this))
    , m_remark(new QLabel(remark, this))
{
    setProperty("role", u"card"_s);
    m_column->setContentsMargins(px(16), px(12), px(16), px(14));
    m_column->setSpacing(px(8));
    auto* head = m_head = new QHBoxLayout;
    auto* name = new QLabel(title, this);
    QFont font = fontOf(Type::Prose);
    font.setWeight(QFont::DemiBold);
    name->setFont(font);
    if (sign) {
        head->addWidget(sign);
        head->addSpacing(px(4));
    }
    head->addWidget(name);
    head->addSpacing(px(12));
    m_remark->setProperty("tone", u"secondary"_s);
    m_remark->setWordWrap(true);
    m_remark->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->addWidget(m_remark, 1);
    m_column->addLayout(head);
}

void Card::addControl(QWidget* control) { m_head->insertWidget(m_head->count() - 1, control); }

void Card::setRemark(const QString& remark) { m_remark->setText(remark); }

} // namespace tilewright::ui
