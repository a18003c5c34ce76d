// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/device_card.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pill.h"

#include <QGridLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

DeviceCard::DeviceCard(QWidget* parent)
    : QFrame(parent)
    , m_name(new ElidedLabel({}, this))
    , m_state(new Pill(this))
    , m_grid(new QGridLayout)
{
    setProperty("role", u"card"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(10), px(12), px(12));
    column->setSpacing(px(6));
    QFont font = fontOf(Type::Prose);
    font.setWeight(QFont::DemiBold);
    m_name->setFont(font);
    m_name->setObjectName(u"deviceName"_s);
    column->addWidget(m_name);
    column->addWidget(m_state, 0, Qt::AlignLeft);
    m_grid->setHorizontalSpacing(px(12));
    m_grid->setVerticalSpacing(px(5));
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid);
}

void DeviceCard::addRow()
{
    const Row row{new QLabel(this), new QLabel(this)};
    for (QLabel* label : {row.label, row.value}) {
        label->setFont(fontOf(Type::Secondary));
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    row.label->setProperty("tone", u"secondary"_s);
    row.value->setWordWrap(true);
    const int line = static_cast<int>(m_rows.size());
    m_grid->addWidget(row.label, line, 0);
    m_grid->addWidget(row.value, line, 1);
    m_rows.push_back(row);
}

void DeviceCard::show(const DeviceFacts& device)
{
    setAccessibleName(device.name);
    m_name->setText(device.name);
    m_name->setToolTip(device.id);
    m_state->show(device.state, device.measures ? Pill::Mood::Good : Pill::Mood::Plain, {});
    while (m_rows.size() < device.facts.size())
        addRow();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const bool used = i < device.facts.size();
        row.label->setVisible(used);
        row.value->setVisible(used);
        if (!used)
            continue;
        const DeviceFact& fact = device.facts[i];
        row.label->setText(fact.label);
        row.value->setText(fact.value);
        row.value->setToolTip(fact.tip);
        row.value->setAccessibleName(u"%1: %2"_s.arg(fact.label, fact.value));
        const QString tone = fact.warns ? u"warning"_s : fact.known ? u"plain"_s : u"tertiary"_s;
        if (row.value->property("tone").toString() != tone) {
            row.value->setProperty("tone", tone);
            row.value->style()->unpolish(row.value);
            row.value->style()->polish(row.value);
        }
    }
}

QString DeviceCard::valueOf(const QString& label) const
{
    for (const Row& row : m_rows)
        if (row.label->isVisibleTo(this) && row.label->text() == label)
            return row.value->text();
    return {};
}

} // namespace tilewright::ui
