// SPDX-License-Identifier: GPL-3.0-or-later
// The big figures of a ranked candidate: × baseline, × vendor, held-out after confirmation, change against the parent
// beside what was claimed of it. GUI thread.
#pragma once

#include "core/model/measurement/evaluation.h"
#include "core/model/run_state.h"
#include "core/model/task/task.h"
#include "ui/models/figures.h"

#include <QFrame>
#include <QString>

class QLabel;

class QGridLayout;

namespace tilewright::ui {

class EffectAxis;
class ShapeClaims;

class FiguresCard : public QFrame
{
    Q_OBJECT

public:
    explicit FiguresCard(QWidget* parent = nullptr);
    /// Besides against the reference that a user chose, if they chose one.
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

// Why a candidate has no score: where it stands, or the rule, the finding in words, the evidence, and what can be done.
// GUI thread.

class OutcomeCard : public QFrame
{
    Q_OBJECT

public:
    explicit OutcomeCard(QWidget* parent = nullptr);
    void show(const RunState& run, const Candidate& candidate);

private:
    QLabel *m_icon, *m_title, *m_rule, *m_text, *m_remedy, *m_evidence;
};

// What stands in the build log of a program that its compiler had nothing to say about: with what it was built, and
// what came of it, kernel by kernel. Pure.

/// Empty where the result does not tell that it was built. `task`: whose options it was built with; may be null.
QString silentBuildWords(const EvaluationResult& result, const Task* task);

} // namespace tilewright::ui
