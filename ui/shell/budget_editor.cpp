// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/budget_editor.h"

#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

BudgetEditor::BudgetEditor(const Budget& budget, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_evaluations(new QSpinBox(this))
    , m_minutes(new QSpinBox(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"budgetEditor"_s);
    setProperty("role", u"card"_s);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(14), px(12), px(14), px(12));
    grid->setSpacing(px(8));
    const auto row = [&](int line, const QString& name, QSpinBox* box, qint64 value) {
        box->setRange(0, 10'000'000);
        box->setSpecialValueText(tr("no limit"));
        box->setValue(static_cast<int>(value));
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setAlignment(Qt::AlignRight);
        box->setMinimumWidth(px(100));
        box->setAccessibleName(name);
        grid->addWidget(new QLabel(name, this), line, 0);
        grid->addWidget(box, line, 1);
    };
    row(0, tr("Evaluations"), m_evaluations, budget.evaluations);
    row(1, tr("Wall time, minutes"), m_minutes, std::llround(std::ceil(budget.wallSeconds / 60)));
    auto* apply = new QPushButton(tr("Apply"), this);
    apply->setProperty("kind", u"primary"_s);
    apply->setDefault(true);
    grid->addWidget(apply, 2, 1);
    connect(apply, &QPushButton::clicked, this, [this] {
        Q_EMIT accepted(Budget{m_evaluations->value(), m_minutes->value() * 60.0});
        close();
    });
    m_evaluations->setFocus();
    m_evaluations->selectAll();
}

} // namespace tilewright::ui
