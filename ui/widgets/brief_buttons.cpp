// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/brief_buttons.h"

#include <QPushButton>

namespace tilewright::ui {

namespace {

constexpr const char* wordsOfButton = "words";

QString wordsOn(const QPushButton& button)
{
    return button.text().isEmpty() ? button.property(wordsOfButton).toString() : button.text();
}

} // namespace

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
