// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/budget_editor.h"

#include "core/engine/proposals/proposing.h"
#include "core/model/spent_budget.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/action_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/room.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString usedUpBudget(const Snapshot& snapshot)
{
    const Budget& budget = snapshot.run.settings.budget;
    if (!snapshot.status.sessionOpen || snapshot.status.readOnly || snapshot.status.phase == events::Phase::Running)
        return {};
    // What has begun is finished still, after a word on it where it waits for one.
    if (budget.evaluations > 0 && snapshot.run.evaluationsDone >= budget.evaluations)
        return BudgetEditor::tr("Evaluation budget (%1) exhausted.").arg(grouped(budget.evaluations));
    if (snapshot.run.phaseCode == "budget/tokens")
        return BudgetEditor::tr("Token budget (%1): too few tokens are left for one more request.")
            .arg(grouped(budget.tokens));
    if (snapshot.run.phaseCode == "budget/cost")
        return BudgetEditor::tr("Cost budget ($%1): too little is left for one more request.")
            .arg(static_cast<double>(budget.costMicroUsd) / 1e6, 0, 'f', 2);
    if (budget.tokens > 0 && snapshot.run.tokensSpent >= budget.tokens)
        return BudgetEditor::tr("Token budget (%1) exhausted.").arg(grouped(budget.tokens));
    if (budget.costMicroUsd > 0 && snapshot.run.costMicroUsd >= budget.costMicroUsd)
        return BudgetEditor::tr("Cost budget ($%1) exhausted.")
            .arg(static_cast<double>(budget.costMicroUsd) / 1e6, 0, 'f', 2);
    if (budget.noGain > 0 && snapshot.run.evaluationsSinceGain() >= budget.noGain)
        return BudgetEditor::tr("Early stopping: no improvement in %1 evaluations.")
            .arg(grouped(snapshot.run.evaluationsSinceGain()));
    const auto limit = static_cast<std::int64_t>(budget.wallSeconds * 1e9);
    return limit > 0 && snapshot.status.runNs >= limit
        ? BudgetEditor::tr("Wall-time budget (%1) exhausted.").arg(duration(limit))
        : QString();
}

namespace {

constexpr int most = mostEvaluations; ///< of the other limits as well

/// As much again, and enough for some requests whatever was asked for first.
std::int64_t moreTokens(const RunState& run)
{
    constexpr std::size_t newest = 64;
    constexpr std::int64_t usual = 30'000, requests = 4;
    std::int64_t worst = 0;
    for (std::size_t i = run.modelRequests.size(); i > 0 && i + newest > run.modelRequests.size(); --i)
        worst = std::max(worst, run.modelRequests[i - 1].mostTokens);
    return std::max(2 * run.settings.budget.tokens, run.tokensSpent + requests * (worst > 0 ? worst : usual));
}

} // namespace

BudgetEditor::BudgetEditor(const Snapshot& snapshot, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_evaluations(numberBox<QSpinBox>(0, most, 0, u"budgetEvaluations"_s, tr("Evaluations, total"), this))
    , m_minutes(numberBox<QSpinBox>(0, most, 0, u"budgetMinutes"_s, tr("Wall time, minutes, total"), this))
    , m_tokens(numberBox<QDoubleSpinBox>(0.0, 1.0 * most, 0.0, u"budgetTokens"_s, tr("Tokens, millions, total"), this))
    , m_cost(numberBox<QDoubleSpinBox>(0.0, 1.0 * most, 0.0, u"budgetCost"_s, tr("Cost, US dollars, total"), this))
    , m_noGain(numberBox<QSpinBox>(0, most, 0, u"budgetNoGain"_s, tr("Early stopping: patience (evaluations)"), this))
    , m_held(snapshot.run.settings.budget)
    , m_spent(spentBy(snapshot.run, snapshot.status.runNs))
    , m_unpriced(text(whyNoMoneyLimit(snapshot.run.settings.proposer)))
    , m_usedUp(usedUpBudget(snapshot))
    , m_note(new QLabel(this))
    , m_apply(new QPushButton(this))
    , m_thenRun(!m_usedUp.isEmpty())
{
    const Budget& budget = snapshot.run.settings.budget;
    // What is offered: as much again of what ran out.
    const bool evaluations = budget.evaluations > 0 && snapshot.run.evaluationsStarted >= budget.evaluations;
    const bool tokens
        = snapshot.run.phaseCode == "budget/tokens" || (budget.tokens > 0 && snapshot.run.tokensSpent >= budget.tokens);
    const bool cost = snapshot.run.phaseCode == "budget/cost"
        || (budget.costMicroUsd > 0 && snapshot.run.costMicroUsd >= budget.costMicroUsd);
    const bool noGain = budget.noGain > 0 && snapshot.run.evaluationsSinceGain() >= budget.noGain;
    const bool minutes = m_thenRun && !evaluations && !tokens && !cost && !noGain;
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"budgetEditor"_s);
    setProperty("role", u"popup"_s);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(14), px(12), px(14), px(12));
    grid->setSpacing(px(8));
    const auto row = [&](int line, auto* box, auto value) {
        box->setSpecialValueText(tr("no limit"));
        box->setValue(value);
        box->setMinimumWidth(px(100));
        grid->addWidget(new QLabel(box->accessibleName(), this), line, 0);
        grid->addWidget(box, line, 1);
    };
    // As many once more, counted from what has begun.
    const std::int64_t once = evaluations ? std::max(m_spent.evaluations, budget.evaluations) : 0;
    row(1, m_evaluations, static_cast<int>(budget.evaluations + (m_thenRun ? once : 0)));
    row(2, m_minutes, static_cast<int>(std::llround(std::ceil(budget.wallSeconds / 60)) * (minutes ? 2 : 1)));
    m_tokens->setDecimals(3);
    row(3, m_tokens, static_cast<double>(tokens ? moreTokens(snapshot.run) : budget.tokens) / 1e6);
    row(4, m_cost, static_cast<double>(budget.costMicroUsd) / 1e6 * (cost ? 2 : 1));
    row(5, m_noGain, static_cast<int>(noGain ? budget.noGain + snapshot.run.evaluationsSinceGain() : budget.noGain));
    m_note->setObjectName(u"budgetNote"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    for (QSpinBox* box : {m_evaluations, m_minutes, m_noGain})
        connect(box, &QSpinBox::valueChanged, this, &BudgetEditor::showNote);
    for (QDoubleSpinBox* box : {m_tokens, m_cost})
        connect(box, &QDoubleSpinBox::valueChanged, this, &BudgetEditor::showNote);
    m_apply->setText(m_thenRun ? tr("Extend and run") : tr("Apply"));
    m_apply->setObjectName(u"applyBudget"_s);
    m_apply->setProperty("kind", u"primary"_s);
    grid->addWidget(m_apply, 6, 1);
    grid->addWidget(m_note, 7, 0, 1, 2); // below all: what it says comes and goes, and nothing else moves
    showNote();
    connect(m_apply, &QPushButton::clicked, this, [this] { accept(); });
    QSpinBox* first = minutes ? m_minutes : noGain && !evaluations ? m_noGain : m_evaluations;
    first->setFocus();
    first->selectAll();
}

void BudgetEditor::follow(const Snapshot& snapshot)
{
    m_spent = spentBy(snapshot.run, snapshot.status.runNs);
    showNote();
}

/// A limit below what is spent already ends the run: it is said before it is given.
void BudgetEditor::showNote()
{
    const Budget budget = typed();
    const std::string spent = budget == m_held ? std::string() : spentAlready(m_spent, budget);
    const QString wrong = wrongNumberIn(*this);
    const bool limitsMoney = budget.costMicroUsd > 0 && budget.costMicroUsd != m_held.costMicroUsd;
    const QString note = !wrong.isEmpty()      ? wrong
        : !spent.empty()                       ? asSentence(text(spent))
        : limitsMoney && !m_unpriced.isEmpty() ? asSentence(m_unpriced)
                                               : m_usedUp;
    const bool endsAtOnce = m_thenRun && !spent.empty();
    m_apply->setEnabled(wrong.isEmpty() && !endsAtOnce);
    restyle(m_note, "tone", wrong.isEmpty() && !endsAtOnce ? QString() : u"bad"_s);
    if (m_note->text() == note && m_note->isHidden() == note.isEmpty())
        return;
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    adjustSize();
}

Budget BudgetEditor::typed() const
{
    Budget budget = m_held;
    budget.evaluations = m_evaluations->value();
    budget.wallSeconds = m_minutes->value() * 60.0;
    budget.tokens = std::llround(m_tokens->value() * 1e6);
    budget.costMicroUsd = std::llround(m_cost->value() * 1e6);
    budget.noGain = m_noGain->value();
    return budget;
}

void BudgetEditor::accept()
{
    if (!m_apply->isEnabled())
        return; // what is wrong stands below
    Q_EMIT accepted(typed(), m_thenRun);
    close();
}

void BudgetEditor::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        accept();
    else if (event->key() == Qt::Key_Escape)
        close();
    else
        QFrame::keyPressEvent(event);
}

} // namespace tilewright::ui
