// SPDX-License-Identifier: GPL-3.0-or-later
// A first look at what waits for a person: a short measurement beside the incumbent, on request. It is no verdict; the
// candidate's figures come from the measurement after the person's word. GUI thread.
#pragma once

#include "core/model/run_state.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;

namespace tilewright::ui {

class EffectAxis;
class ShapesTable;

/// The newest quick result of it, whatever came of it; null if there is none.
const Evaluation* quickResultOf(const RunState& run, CandidateId candidate);
/// One or two sentences about it.
QString quickWords(const Evaluation& quick);

/// The same of one whose measurement asked for no word.
QString measuredWords(const RunState& run, const Candidate& candidate);

class QuickResult : public QWidget
{
    Q_OBJECT

public:
    /// Where the device is that the session is measured on.
    enum class Device { Here, Elsewhere };

    QuickResult(QAction& look, QWidget* parent = nullptr);
    /// task: null where it is not known yet.
    void show(const RunState& run, const Candidate& candidate, const Task* task, Device device);

private:
    QLabel *m_figure, *m_words;
    EffectAxis* m_axis;
    QPushButton* m_button;
    ShapesTable* m_shapes;
};

} // namespace tilewright::ui
