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

namespace {

constexpr const char* wordsOfButton = "words";

QString wordsOn(const QPushButton& button)
{
    return button.text().isEmpty() ? button.property(wordsOfButton).toString() : button.text();
}

} // namespace

void BriefButtons::add(QPushButton* button)
{
    button->setProperty(wordsOfButton, button->text()); // its owner may take the text away before it is fitted
    m_buttons << button;
}

void BriefButtons::setWords(QPushButton* button, const QString& words)
{
    button->setText(words);
    show(*button);
}

void BriefButtons::fit(int least, int width)
{
    const bool brief = least + (m_brief ? wordsWidth() : 0) > width;
    m_brief = brief;
    for (QPushButton* button : m_buttons)
        show(*button);
}

void BriefButtons::show(QPushButton& button) const
{
    const QString words = wordsOn(button);
    button.setProperty(wordsOfButton, words);
    button.setAccessibleName(words);
    if (button.toolTip().isEmpty() && m_brief)
        button.setToolTip(words);
    if (const QString shown = m_brief && m_buttons.contains(&button) ? QString() : words; shown != button.text())
        button.setText(shown);
}

int BriefButtons::wordsWidth() const
{
    int sum = 0;
    for (const QPushButton* button : m_buttons)
        if (!button->isHidden())
            sum += button->fontMetrics().horizontalAdvance(wordsOn(*button));
    return sum;
}

} // namespace tilewright::ui
