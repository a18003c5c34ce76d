// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/problem_line.h"

#include "ui/theme/theme.h"
#include "ui/widgets/tone.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ProblemLine::ProblemLine(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_words(new QLabel(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(px(8));
    m_words->setObjectName(u"choicesNote"_s);
    m_words->setWordWrap(true);
    m_words->setProperty("tone", u"bad"_s);
    m_row->addWidget(m_words, 1);
}

void ProblemLine::warn(const QString& words)
{
    tell(words, {});
    restyle(m_words, "tone", u"warning"_s);
}

void ProblemLine::tell(const QString& problem, const Remedies& remedies)
{
    restyle(m_words, "tone", u"bad"_s);
    m_words->setText(problem);
    setVisible(!problem.isEmpty());
    if (remedies == m_remedies)
        return; // a button that has the keyboard keeps it
    m_remedies = remedies;
    for (QPushButton* button : m_buttons)
        button->deleteLater();
    m_buttons.clear();
    for (const auto& [remedy, words] : remedies) {
        auto* button = new QPushButton(words, this);
        button->setObjectName(u"useInstead:"_s + remedy);
        m_row->addWidget(button);
        m_buttons.push_back(button);
        connect(button, &QPushButton::clicked, this, [this, remedy = remedy] { Q_EMIT remedyWanted(remedy); });
    }
}

} // namespace tilewright::ui
