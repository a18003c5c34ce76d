// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidates of a new session wait for a user before they are measured, and how many at most. GUI thread.
#pragma once

#include "ui/welcome/session_choices.h"

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

class QAbstractSpinBox;
class QCheckBox;
class QDoubleSpinBox;
class QSpinBox;

namespace tilewright::ui {

class ChoiceCard;
class LimitBox;

class ReviewRules : public QWidget
{
    Q_OBJECT

public:
    explicit ReviewRules(QWidget* parent = nullptr);
    /// What holds for who proposes, as long as nobody chose.
    void show(const SessionChoices& choices);
    /// These from now on; no policy: what fits who proposes.
    void take(std::optional<ReviewPolicies> policies, int limit);
    /// Writes policy and limit.
    void read(SessionChoices& choices) const;

Q_SIGNALS:
    void changed();

private:
    /// What happens once so many wait.
    void sayWhatComes(const ReviewPolicies& held);
    void add(const ReviewPolicies& policies, const QString& name, const QString& title, const QString& about,
        const QString& icon);

    std::vector<std::pair<ReviewPolicies, ChoiceCard*>> m_cards; ///< first: those that differ by proposer
    QGridLayout* m_grid; ///< two cards in a row
    LimitBox* m_limit;
    QLabel* m_words; ///< behind the limit: what happens then
    QLabel* m_fewer; ///< why at first fewer may wait than that
    std::optional<ReviewPolicies> m_policies; ///< that the user chose
    bool m_showing = false; ///< what is shown is nobody's choice
};

// The budgets and the seed of a new session, a row each: whether it is limited, how much, of what. GUI thread.

class BudgetRows : public QWidget
{
    Q_OBJECT

public:
    explicit BudgetRows(const SessionChoices& choices, QWidget* parent = nullptr);
    /// These limits from now on; where one is none, its number stays for the next time.
    void take(const Budget& budget, quint64 seed);
    /// All of it as in these choices.
    void reset(const SessionChoices& usual);
    void read(SessionChoices& choices) const;
    /// Of the first field that holds no number it takes: its name, why, and how to have no limit instead; else empty.
    QString whyNot() const;
    /// Tokens and money matter where models are asked.
    void showModelBudgets(bool shown);

Q_SIGNALS:
    void changed();

private:
    void sayAll();
    void say(QAbstractSpinBox& box, QLabel& beside, const QString& unit) const;
    QString whyNot(const QAbstractSpinBox& box) const;

    QCheckBox *m_limitEvaluations, *m_limitWall, *m_limitTokens, *m_limitCost, *m_limitNoGain;
    QSpinBox *m_evaluations, *m_minutes, *m_noGain, *m_seed;
    QDoubleSpinBox *m_tokens, *m_cost;
    QList<QWidget*> m_ofModels;
    bool m_asksModels = false;
    QLabel *m_evaluationWords = nullptr, *m_minuteWords = nullptr, *m_noGainWords = nullptr, *m_seedWords = nullptr,
           *m_tokenWords = nullptr, *m_costWords = nullptr;
};

} // namespace tilewright::ui
