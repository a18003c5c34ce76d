// SPDX-License-Identifier: GPL-3.0-or-later
// How one island is steered: what its proposals ask for, and the two temperatures. GUI thread.
#pragma once

#include "core/engine/proposals/proposing.h"
#include "core/model/candidate.h"
#include "ui/evolve/edit_popup.h"

#include <QWidget>
#include <array>
#include <utility>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace tilewright::ui {

// Who is asked for an island's edits: as the session says, or by weights of the island's own. Who cannot be asked says
// why. GUI thread.

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

class IslandEditor : public EditPopup
{
    Q_OBJECT

public:
    /// A sampling temperature and repair turns are offered where they reach somebody.
    enum class Asks { Models, Others };
    IslandEditor(const Island& island, Asks asks, QWidget* parent);
    /// Weights of who is asked can be given too, beside the others; without it they stay what they are.
    void offer(std::vector<ProposerChoice> choices);
    /// In place of "Applies to proposals from now on."
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
    std::vector<std::pair<const SteeredCount*, QSpinBox*>> m_counts;
    QLabel* m_note;
    QString m_fromWhen;
    QWidget* m_apply;
};

} // namespace tilewright::ui
