// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/estimate_card.h"

#include "ui/theme/theme.h"
#include "ui/widgets/tone.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

EstimateCard::EstimateCard(QWidget* parent)
    : Card(tr("Estimate"), tr("from earlier sessions, prices and budgets"), parent)
    , m_grid(new QGridLayout)
{
    setObjectName(u"estimateCard"_s);
    m_grid->setHorizontalSpacing(px(12));
    m_grid->setVerticalSpacing(px(4));
    m_grid->setColumnStretch(2, 1);
    column()->addLayout(m_grid);
}

void EstimateCard::show(const std::vector<EstimateLine>& lines)
{
    if (lines == m_lines)
        return;
    m_lines = lines;
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int line = 0;
    for (const auto& [name, value, source] : lines) {
        auto* figure = new QLabel(value, this);
        figure->setFont(fontOf(Type::Strong));
        figure->setAccessibleName(u"%1: %2, %3"_s.arg(name, value, source));
        auto* about = quietLabel(source, this);
        about->setFont(fontOf(Type::Secondary));
        about->setWordWrap(true);
        m_grid->addWidget(new QLabel(name, this), line, 0, Qt::AlignTop);
        m_grid->addWidget(figure, line, 1, Qt::AlignTop);
        m_grid->addWidget(about, line++, 2);
    }
}

} // namespace tilewright::ui
