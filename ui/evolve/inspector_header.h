// SPDX-License-Identifier: GPL-3.0-or-later
// Who a candidate is: name, island, generation, states, parents, what the edit did and why. GUI thread.
#pragma once

#include "core/model/run_state.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

class Badge;
class Pill;

class InspectorHeader : public QWidget
{
    Q_OBJECT

public:
    explicit InspectorHeader(QWidget* parent = nullptr);
    void show(const RunState& run, const Candidate& candidate);
    /// Another became the best while this one, which was it, is read; none: nothing is said.
    void tellNewBest(const Candidate* best);
    /// Whether others are compared with it, as a person chose; by this key another one is chosen.
    void tellReference(bool isReference, const QString& key);

Q_SIGNALS:
    void chosen(tilewright::CandidateId candidate);
    void referenceLeft(); ///< each is to be compared with its parent again

private:
    void showEdit(const RunState& run, const Candidate& candidate);

    QLabel* m_name;
    Badge* m_badge;
    Pill *m_best, *m_state;
    QLabel *m_newBest, *m_reference, *m_parents, *m_edited, *m_change, *m_reason, *m_judged, *m_marks, *m_disputed;
};

} // namespace tilewright::ui
