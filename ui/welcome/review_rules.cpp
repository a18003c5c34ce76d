// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/review_rules.h"

#include "ui/models/format.h"
#include "ui/review/limit_box.h"
#include "ui/review/review_outlook.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ReviewRules::ReviewRules(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout)
    , m_limit(new LimitBox(this))
    , m_words(new QLabel(this))
    , m_fewer(new QLabel(this))
{
    setAccessibleName(tr("Which candidates wait for your review"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(8));
    m_grid->setSpacing(px(8));
    add(defaultReviewPolicies(), u"by-proposer"_s, tr("By proposer"),
        tr("risky edits of models and manual replies wait"), u"fork"_s);
    add(ReviewPolicy::Every, u"every"_s, words(ReviewPolicy::Every), tr("nothing is measured before you agree"),
        u"chat"_s);
    add(ReviewPolicy::Risky, u"risky"_s, words(ReviewPolicy::Risky),
        tr("types, casts, intrinsics, launch plan, repairs, over 40 lines: most first edits"), u"warn"_s);
    add(ReviewPolicy::Automatic, u"automatic"_s, words(ReviewPolicy::Automatic), tr("nothing waits for you"),
        u"play"_s);
    column->addLayout(m_grid);
    auto* limitRow = new QHBoxLayout;
    limitRow->setSpacing(px(8));
    m_words->setObjectName(u"reviewLimitThen"_s);
    m_words->setWordWrap(true);
    m_words->setBuddy(m_limit);
    m_limit->setObjectName(u"reviewLimitChoice"_s);
    m_limit->setAccessibleName(tr("How many may wait on an island"));
    m_limit->show(SessionChoices().reviewLimit);
    limitRow->addWidget(m_limit);
    limitRow->addWidget(m_words, 1);
    column->addLayout(limitRow);
    m_fewer->setObjectName(u"reviewLimitFewer"_s);
    m_fewer->setWordWrap(true);
    m_fewer->setFont(fontOf(Type::Secondary));
    m_fewer->setProperty("tone", u"secondary"_s);
    column->addWidget(m_fewer);
    sayWhatComes(reviewOf(SessionChoices()));
    connect(m_limit, &LimitBox::limited, this, &ReviewRules::changed);
}

void ReviewRules::add(const ReviewPolicies& policies, const QString& name, const QString& title, const QString& about,
    const QString& icon)
{
    auto* card = new ChoiceCard(title, about, icon, this);
    card->setObjectName(u"review:"_s + name);
    const int at = static_cast<int>(m_cards.size());
    m_grid->addWidget(card, at / 2, at % 2);
    m_cards.emplace_back(policies, card);
    connect(card, &ChoiceCard::toggled, this, [this, policies](bool on) {
        if (!on || m_showing)
            return;
        m_policies = policies;
        Q_EMIT changed();
    });
}

void ReviewRules::sayWhatComes(const ReviewPolicies& held)
{
    const bool isHeldUp = held.canAsk() && m_limit->limit() > 0;
    m_words->setText(isHeldUp ? tr("may wait on an island, then it waits for you") : tr("may wait on an island"));
}

void ReviewRules::show(const SessionChoices& choices)
{
    const QScopedValueRollback showing(m_showing, true);
    SessionChoices wanted = choices;
    wanted.review = m_policies;
    const ReviewPolicies held = reviewOf(wanted);
    if (!held.common())
        m_cards.front().second->setChecked(true);
    for (const auto& [policies, card] : m_cards)
        if (policies == held)
            card->setChecked(true);
    m_limit->setEnabled(held.canAsk());
    sayWhatComes(held);
    const QString fewer = held == ReviewPolicy::Every
        ? waitingAtFirst(choices.limitEvaluations ? choices.evaluations : 0, choices.islands, m_limit->limit())
        : QString();
    m_fewer->setText(fewer);
    m_fewer->setVisible(!fewer.isEmpty());
}

void ReviewRules::take(std::optional<ReviewPolicies> policies, int limit)
{
    m_policies = policies;
    m_limit->show(limit);
    Q_EMIT changed();
}

void ReviewRules::read(SessionChoices& choices) const
{
    choices.review = m_policies;
    choices.reviewLimit = m_limit->limit();
}

} // namespace tilewright::ui
