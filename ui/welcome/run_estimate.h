// SPDX-License-Identifier: GPL-3.0-or-later
// What a new session may take: how many evaluations fit its budgets, how long it runs, what it can cost, and how large
// its file becomes. Only from what was earned: earlier sessions of the same task on the same device, prices and limits.
// Where nothing is known it says so; no figure is made up. Pure.
#pragma once

#include "ui/welcome/recent_row.h"
#include "ui/welcome/session_choices.h"
#include "ui/widgets/pane.h"

class QGridLayout;
class QLabel;

namespace tilewright::ui {

struct EstimateLine {
    QString name, value;
    QString source; ///< what the value stands on, or what is missing

    bool operator==(const EstimateLine&) const = default;
};

/// Means over earlier sessions of the task, on devices of that kind and number, with a proposer of that kind.
struct EarnedRates {
    int sessions = 0; ///< 0: none, and nothing else is known
    std::int64_t evaluations = 0; ///< in them
    double secondsPerEvaluation = 0; ///< of running, waits included
    std::optional<double> tokensPerEvaluation; ///< where models were asked
    std::optional<double> usdPerEvaluation; ///< where the cost of all of them is known
    double bytesPerEvaluation = 0; ///< of the session's file

    bool operator==(const EarnedRates&) const = default;
};
EarnedRates earnedRates(const SessionChoices& choices, const std::vector<SessionSketch>& earlier);

/// The most that one request can cost: the dearest of the chosen models with its context full. Dollars; none where a
/// price or a context is unknown.
std::optional<double> dearestRequest(const SessionChoices& choices);

std::vector<EstimateLine> estimateOf(const SessionChoices& choices, const std::vector<SessionSketch>& earlier);

// The estimate of a new session as a card: a line a figure, with what it stands on. GUI thread.

class EstimateCard : public Card
{
    Q_OBJECT

public:
    explicit EstimateCard(QWidget* parent = nullptr);
    /// No lines: nothing is known now. What was there goes and leaves its room, so that nothing around it moves.
    void show(const std::vector<EstimateLine>& lines);

private:
    QWidget* m_rows;
    QGridLayout* m_grid;
    QLabel* m_unknown;
    std::vector<EstimateLine> m_lines;
};

} // namespace tilewright::ui
