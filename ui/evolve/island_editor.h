// SPDX-License-Identifier: GPL-3.0-or-later
// How one island is steered: what its proposals ask for, and the two temperatures. GUI thread.
#pragma once

#include "core/model/candidate.h"
#include "ui/evolve/lever_popup.h"
#include "ui/evolve/proposer_weights.h"

#include <array>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;

namespace tilewright::ui {

class IslandEditor : public LeverPopup
{
    Q_OBJECT

public:
    /// A sampling temperature is offered where it reaches somebody.
    enum class Asks { Models, Others };
    IslandEditor(const Island& island, Asks asks, QWidget* parent);
    /// Weights of who is asked can be given too, beside the others; without it they stay what they are.
    void offer(std::vector<ProposerChoice> choices);
    /// In place of "Holds for proposals from now on."
    void sayFromWhen(const QString& words);

Q_SIGNALS:
    void accepted(const tilewright::IslandSteering& steering);

protected:
    void accept() override;

private:
    /// Weights can be typed where they are used, and are a mix only where not all of them are zero.
    void enable();
    IslandSteering chosen() const;

    Island m_island;
    QGridLayout* m_grid;
    ProposerWeights* m_proposers = nullptr;
    QComboBox* m_aim;
    std::array<QDoubleSpinBox*, 5> m_weights;
    QDoubleSpinBox *m_selection, *m_sampling;
    QLabel* m_note;
    QString m_fromWhen;
    QWidget* m_apply;
};

} // namespace tilewright::ui
