// SPDX-License-Identifier: GPL-3.0-or-later
// The estimate of a new session as a card: a line a figure, with what it stands on. GUI thread.
#pragma once

#include "ui/welcome/run_estimate.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QLabel;

namespace tilewright::ui {

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
