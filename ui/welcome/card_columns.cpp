// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/card_columns.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>

namespace tilewright::ui {

CardColumns::CardColumns(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(px(16), px(12), px(16), px(12));
    m_row->setSpacing(px(8));
    for (QVBoxLayout*& column : m_columns) {
        column = new QVBoxLayout;
        column->setSpacing(px(8));
        m_row->addLayout(column);
    }
}

void CardColumns::add(QWidget* card, int ofTwo, int ofThree) { m_cards.push_back({card, ofTwo, ofThree}); }

void CardColumns::arrange(int columns)
{
    if (std::exchange(m_shown, columns) == columns)
        return;
    for (QVBoxLayout* column : m_columns)
        while (QLayoutItem* item = column->takeAt(0))
            delete item; // the card stays
    for (const Placed& each : m_cards)
        m_columns.at(static_cast<std::size_t>(columns > 2 ? each.ofThree
                             : columns > 1                ? each.ofTwo
                                                          : 0))
            ->addWidget(each.card);
    for (int i = 0; i < static_cast<int>(m_columns.size()); ++i) {
        m_row->setStretch(i, i < columns ? 1 : 0);
        if (i < columns)
            m_columns.at(static_cast<std::size_t>(i))->addStretch(1);
    }
}

} // namespace tilewright::ui
