// SPDX-License-Identifier: GPL-3.0-or-later
// The big figures of a ranked candidate: × baseline, × vendor, held-out after confirmation, change against the parent
// beside what was claimed of it. GUI thread.
#pragma once

#include "ui/models/figures.h"

#include <QFrame>

class QLabel;

namespace tilewright::ui {

class EffectAxis;
class ShapeClaims;

class FiguresCard : public QFrame
{
    Q_OBJECT

public:
    explicit FiguresCard(QWidget* parent = nullptr);
    /// Besides against the reference that a person chose, if they chose one.
    void show(const RunState& run, const Candidate& candidate, CandidateId reference = {});

private:
    void compare(const RunState& run, const Candidate& candidate, CandidateId reference);

    QLabel *m_score, *m_scoreWord, *m_vendor, *m_vendorWord, *m_vendorLibrary, *m_heldout, *m_heldoutWarning;
    QLabel* m_versusReference;
    QLabel* m_notBest; ///< why it is not, though it is confirmed
    QWidget* m_changeRow;
    QLabel *m_beside, *m_change, *m_interval, *m_note, *m_claim;
    EffectAxis* m_axis;
    ShapeClaims* m_shapeClaims;
};

} // namespace tilewright::ui
