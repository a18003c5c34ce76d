// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/review_rules.h"

#include "core/model/spent_budget.h"
#include "ui/models/display_text.h"
#include "ui/review/policy_box.h"
#include "ui/review/review_outlook.h"
#include "ui/theme/theme.h"
#include "ui/welcome/choice_card.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/room.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

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
        tr("risky edits of models and manual replies need a review"), u"fork"_s);
    add(ReviewPolicy::Every, u"every"_s, words(ReviewPolicy::Every),
        tr("every edit needs a review before it is measured"), u"chat"_s);
    add(ReviewPolicy::Risky, u"risky"_s, words(ReviewPolicy::Risky),
        tr("types, casts, intrinsics, launch plan, repairs, over 40 lines: most early edits"), u"warn"_s);
    add(ReviewPolicy::Automatic, u"automatic"_s, words(ReviewPolicy::Automatic), tr("no reviews"), u"play"_s);
    column->addLayout(m_grid);
    auto* limitRow = new QHBoxLayout;
    limitRow->setSpacing(px(8));
    m_words->setObjectName(u"reviewLimitThen"_s);
    m_words->setWordWrap(true);
    m_words->setBuddy(m_limit);
    m_limit->setObjectName(u"reviewLimitChoice"_s);
    m_limit->setAccessibleName(tr("Review limit per island"));
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
    m_words->setText(isHeldUp ? tr("pending reviews per island at most") : tr("pending reviews per island"));
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

BudgetRows::BudgetRows(const SessionChoices& choices, QWidget* parent)
    : QWidget(parent)
    , m_limitEvaluations(new QCheckBox(tr("Evaluations"), this))
    , m_limitWall(new QCheckBox(tr("Wall time"), this))
    , m_limitTokens(new QCheckBox(tr("Tokens"), this))
    , m_limitCost(new QCheckBox(tr("Cost"), this))
    , m_limitNoGain(new QCheckBox(tr("Early stopping"), this))
    , m_evaluations(
          numberBox<QSpinBox>(1, mostEvaluations, choices.evaluations, u"evaluations"_s, tr("Evaluations"), this))
    , m_minutes(
          numberBox<QSpinBox>(1, 100'000, choices.wallMinutes, u"wallMinutes"_s, tr("Wall time in minutes"), this))
    , m_noGain(numberBox<QSpinBox>(
          1, mostEvaluations, choices.noGain, u"noGain"_s, tr("Evaluations without improvement"), this))
    , m_seed(numberBox<QSpinBox>(0, 2'000'000'000, static_cast<int>(choices.seed), u"seed"_s, tr("Random seed"), this))
    , m_tokens(numberBox<QDoubleSpinBox>(
          0.001, 1e6, choices.millionTokens, u"millionTokens"_s, tr("Tokens in millions"), this))
    , m_cost(numberBox<QDoubleSpinBox>(0.01, 1e6, choices.costUsd, u"costUsd"_s, tr("Cost in US dollars"), this))
{
    m_tokens->setDecimals(3);
    m_limitNoGain->setObjectName(u"limitNoGain"_s);
    m_limitWall->setObjectName(u"limitWall"_s);
    m_limitTokens->setObjectName(u"limitTokens"_s);
    m_limitCost->setObjectName(u"limitCost"_s);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(px(8));
    grid->setVerticalSpacing(px(4));
    grid->setColumnMinimumWidth(0, px(120));
    grid->setColumnStretch(2, 1);
    int line = 0;
    const auto row = [&](QWidget* name, QAbstractSpinBox* box, const QString& unit, bool ofModels) {
        QLabel* words = quietLabel(unit, this);
        words->setWordWrap(true);
        grid->addWidget(name, line, 0);
        grid->addWidget(box, line, 1);
        grid->addWidget(words, line++, 2);
        if (ofModels)
            m_ofModels << name << box << words;
        if (auto* limit = qobject_cast<QCheckBox*>(name)) {
            box->setEnabled(limit->isChecked());
            connect(limit, &QCheckBox::toggled, this, [this, box](bool on) {
                box->setEnabled(on);
                Q_EMIT changed();
            });
        }
        return words;
    };
    m_evaluationWords = row(m_limitEvaluations, m_evaluations, {}, false);
    m_tokenWords = row(m_limitTokens, m_tokens, {}, true);
    m_costWords = row(m_limitCost, m_cost, {}, true);
    m_minuteWords = row(m_limitWall, m_minutes, {}, false);
    m_noGainWords = row(m_limitNoGain, m_noGain, {}, false);
    m_seedWords = row(new QLabel(tr("Random seed"), this), m_seed, {}, false);
    m_costWords->setProperty("usualTip", tr("A request is sent only if its highest possible cost is within the limit"));
    m_evaluationWords->setObjectName(u"evaluationWords"_s);
    m_seedWords->setObjectName(u"seedWords"_s);
    for (QSpinBox* box : {m_evaluations, m_minutes, m_noGain, m_seed})
        connect(box, &QSpinBox::valueChanged, this, &BudgetRows::changed);
    for (QDoubleSpinBox* box : {m_tokens, m_cost})
        connect(box, &QDoubleSpinBox::valueChanged, this, &BudgetRows::changed);
    connect(this, &BudgetRows::changed, this, &BudgetRows::sayAll);
    reset(choices);
    showModelBudgets(false);
}

void BudgetRows::sayAll()
{
    say(*m_evaluations, *m_evaluationWords, tr("candidates built"));
    say(*m_minutes, *m_minuteWords, tr("minutes of running"));
    say(*m_noGain, *m_noGainWords, tr("without improvement"));
    say(*m_tokens, *m_tokenWords, tr("million, prompt and reply"));
    say(*m_cost, *m_costWords, tr("US dollars"));
    say(*m_seed, *m_seedWords, m_asksModels ? tr("replies may differ") : tr("same seed, same proposals"));
}

/// Beside the field, what it takes where it holds something else; why, in full, stands beside the Start button.
void BudgetRows::say(QAbstractSpinBox& box, QLabel& beside, const QString& unit) const
{
    const QString wrong = box.isEnabled() ? wrongNumber(box) : QString();
    restyle(&box, "invalid", !wrong.isEmpty());
    restyle(&beside, "tone", wrong.isEmpty() ? u"secondary"_s : u"bad"_s);
    beside.setText(wrong.isEmpty() ? unit : rangeWords(box)); // one line: what lies below stays where it is
    beside.setToolTip(wrong.isEmpty() ? beside.property("usualTip").toString() : whyNot(box));
}

QString BudgetRows::whyNot(const QAbstractSpinBox& box) const
{
    const QString wrong = box.isEnabled() && box.isVisibleTo(this) ? wrongNumber(box) : QString();
    return wrong.isEmpty() || &box == m_seed ? wrong : tr("%1 Clear the box at its left for no limit.").arg(wrong);
}

QString BudgetRows::whyNot() const
{
    for (const QAbstractSpinBox* box :
        std::initializer_list<const QAbstractSpinBox*>{m_evaluations, m_tokens, m_cost, m_minutes, m_noGain, m_seed})
        if (const QString wrong = whyNot(*box); !wrong.isEmpty())
            return box->accessibleName() + u": "_s + wrong;
    return {};
}

void BudgetRows::read(SessionChoices& choices) const
{
    choices.limitEvaluations = m_limitEvaluations->isChecked();
    choices.limitWallTime = m_limitWall->isChecked();
    choices.limitTokens = m_limitTokens->isChecked();
    choices.limitCost = m_limitCost->isChecked();
    choices.limitNoGain = m_limitNoGain->isChecked();
    choices.noGain = m_noGain->value();
    choices.evaluations = m_evaluations->value();
    choices.wallMinutes = m_minutes->value();
    choices.millionTokens = m_tokens->value();
    choices.costUsd = m_cost->value();
    choices.seed = static_cast<quint64>(m_seed->value());
}

void BudgetRows::take(const Budget& budget, quint64 seed)
{
    const auto limit = [](QCheckBox* box, auto* field, auto value) {
        box->setChecked(value > 0);
        setNumber(*field, value > 0 ? value : field->value());
    };
    limit(m_limitEvaluations, m_evaluations, static_cast<int>(budget.evaluations));
    limit(m_limitWall, m_minutes, static_cast<int>(std::ceil(budget.wallSeconds / 60)));
    limit(m_limitNoGain, m_noGain, static_cast<int>(budget.noGain));
    limit(m_limitTokens, m_tokens, static_cast<double>(budget.tokens) * 1e-6);
    limit(m_limitCost, m_cost, static_cast<double>(budget.costMicroUsd) * 1e-6);
    setNumber(*m_seed, static_cast<int>(seed));
    sayAll();
}

void BudgetRows::reset(const SessionChoices& usual)
{
    setNumber(*m_evaluations, usual.evaluations);
    setNumber(*m_minutes, usual.wallMinutes);
    setNumber(*m_noGain, usual.noGain);
    setNumber(*m_tokens, usual.millionTokens);
    setNumber(*m_cost, usual.costUsd);
    setNumber(*m_seed, static_cast<int>(usual.seed));
    m_limitEvaluations->setChecked(usual.limitEvaluations);
    m_limitWall->setChecked(usual.limitWallTime);
    m_limitNoGain->setChecked(usual.limitNoGain);
    m_limitTokens->setChecked(usual.limitTokens);
    m_limitCost->setChecked(usual.limitCost);
    sayAll();
}

void BudgetRows::showModelBudgets(bool shown)
{
    for (QWidget* widget : m_ofModels)
        widget->setVisible(shown);
    m_asksModels = shown;
    sayAll();
}

} // namespace tilewright::ui
