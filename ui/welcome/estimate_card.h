// SPDX-License-Identifier: GPL-3.0-or-later
// The estimate of a new session as a card: a line a figure, with what it stands on. GUI thread.
#pragma once

#include "ui/welcome/run_estimate.h"
#include "ui/widgets/card.h"

class QGridLayout;

namespace tilewright::ui {

class EstimateCard : public Card
{
    Q_OBJECT

public:
    explicit EstimateCard(QWidget* parent = nullptr);
    void show(const std::vector<EstimateLine>& lines);

private:
    QGridLayout* m_grid;
    std::vector<EstimateLine> m_lines;
};

} // namespace tilewright::ui
