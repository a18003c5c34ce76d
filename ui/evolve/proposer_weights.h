// SPDX-License-Identifier: GPL-3.0-or-later
// Who is asked for an island's edits: as the session says, or by weights of the island's own. Who cannot be asked says
// why. GUI thread.
#pragma once

#include "core/engine/proposer_choices.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace tilewright::ui {

/// "Built-in mutator", "Tuner", "By hand", or the name of a model.
QString proposerWords(const std::string& nameInMix);

class ProposerWeights : public QWidget
{
    Q_OBJECT

public:
    /// mix: what holds now; empty: as the session says.
    ProposerWeights(std::vector<ProposerChoice> choices, const ProposerMix& mix, QWidget* parent);
    ProposerMix chosen() const;
    /// Own weights, all of them zero.
    bool isNobody() const;

Q_SIGNALS:
    void changed();

private:
    void enable();

    std::vector<ProposerChoice> m_choices;
    ProposerMix m_mix;
    QComboBox* m_whose;
    std::vector<QDoubleSpinBox*> m_weights; ///< as the choices
};

} // namespace tilewright::ui
