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
    , m_rows(new QWidget(this))
    , m_grid(new QGridLayout(m_rows))
    , m_unknown(new QLabel(tr("Not known while a number is wrong."), this))
{
    setObjectName(u"estimateCard"_s);
    m_grid->setHorizontalSpacing(px(12));
    m_grid->setVerticalSpacing(px(4));
    m_grid->setColumnStretch(2, 1);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_unknown->setObjectName(u"estimateUnknown"_s);
    m_unknown->setProperty("tone", u"secondary"_s);
    m_unknown->setWordWrap(true);
    m_unknown->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_unknown->hide();
    column()->addWidget(m_rows);
    column()->addWidget(m_unknown);
}

void EstimateCard::show(const std::vector<EstimateLine>& lines)
{
    if (lines == m_lines)
        return;
    m_lines = lines;
    if (lines.empty()) {
        m_unknown->setFixedHeight(m_rows->height());
        m_unknown->setMinimumWidth(m_rows->minimumSizeHint().width());
    }
    m_rows->setVisible(!lines.empty());
    m_unknown->setVisible(lines.empty());
    if (lines.empty())
        return;
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int line = 0;
    for (const auto& [name, value, source] : lines) {
        auto* figure = new QLabel(value, m_rows);
        figure->setFont(fontOf(Type::Strong));
        figure->setAccessibleName(u"%1: %2, %3"_s.arg(name, value, source));
        auto* about = quietLabel(source, m_rows);
        about->setFont(fontOf(Type::Secondary));
        about->setWordWrap(true);
        m_grid->addWidget(new QLabel(name, m_rows), line, 0, Qt::AlignTop);
        m_grid->addWidget(figure, line, 1, Qt::AlignTop);
        m_grid->addWidget(about, line++, 2);
    }
}

} // namespace tilewright::ui
