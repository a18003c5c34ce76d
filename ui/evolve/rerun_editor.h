// SPDX-License-Identifier: GPL-3.0-or-later
// How a candidate is measured again: with how many samples, beside whom, on which shapes and which device. What cannot
// be is said while it is typed. GUI thread.
#pragma once

#include "core/engine/command.h"
#include "core/engine/snapshot.h"
#include "ui/evolve/edit_popup.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace tilewright::ui {

class RerunEditor : public EditPopup
{
    Q_OBJECT

public:
    /// reference: offered as an opponent; none where nothing is one.
    RerunEditor(const Snapshot& snapshot, CandidateId candidate, CandidateId reference, QWidget* parent);

Q_SIGNALS:
    void accepted(const tilewright::commands::Rerun& rerun);

protected:
    void accept() override;

private:
    void offerOpponents(const RunState& run, CandidateId reference);
    void offerShapes(const Task& task);
    /// Those of the node that run this task's programs; nothing where there is no choice.
    void offerDevices(const Snapshot& snapshot);
    QString shapeWords() const;
    void judge();

    CandidateId m_candidate, m_usual; ///< m_usual: beside whom, where nobody else is chosen
    bool m_isConfirmed = false;
    std::shared_ptr<const TaskPack> m_pack;
    QSpinBox* m_repeats;
    QComboBox *m_against, *m_shapes, *m_device;
    QLineEdit* m_own;
    QLabel* m_note;
    QString m_whyNot; ///< no device for it is here
    QWidget* m_apply;
};

} // namespace tilewright::ui
