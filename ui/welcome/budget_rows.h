// SPDX-License-Identifier: GPL-3.0-or-later
// The budgets and the seed of a new session, a row each: whether it is limited, how much, of what. GUI thread.
#pragma once

#include "ui/welcome/session_choices.h"

#include <QWidget>

class QAbstractSpinBox;
class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace tilewright::ui {

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
