// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segments.h"

#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

Segments::Segments(const QString& accessibleName, const QStringList& choices, QWidget* parent)
    : QWidget(parent)
    , m_group(new QButtonGroup(this))
{
    setAccessibleName(accessibleName);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(2), 0, px(4), 0); // the first one's border needs a pixel
    row->setSpacing(0);
    for (qsizetype i = 0; i < choices.size(); ++i) {
        auto* button = new QPushButton(choices[i], this);
        button->setProperty("kind", u"segment"_s);
        button->setCheckable(true);
        button->setFont(fontOf(Type::Secondary));
        button->setAccessibleName(u"%1: %2"_s.arg(accessibleName, choices[i]));
        m_group->addButton(button, static_cast<int>(i));
        row->addWidget(button);
    }
    m_group->setExclusive(true);
    // Tab comes to the one that is chosen; the arrows lead to the others.
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool isChosen) {
        m_group->button(id)->setFocusPolicy(isChosen ? Qt::StrongFocus : Qt::ClickFocus);
    });
    for (QAbstractButton* each : m_group->buttons())
        each->setFocusPolicy(Qt::ClickFocus);
    if (QAbstractButton* first = m_group->button(0))
        first->setChecked(true);
    connect(m_group, &QButtonGroup::idClicked, this, &Segments::chosen);
}

int Segments::current() const { return m_group->checkedId(); }

void Segments::setCurrent(int index)
{
    if (QAbstractButton* button = m_group->button(index))
        button->setChecked(true);
}

} // namespace tilewright::ui
