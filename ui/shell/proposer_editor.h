// SPDX-License-Identifier: GPL-3.0-or-later
// Who is asked for edits in the open run, from here on. GUI thread; closes itself.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/evolve/lever_popup.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace tilewright::ui {

class ProposerEditor : public LeverPopup
{
    Q_OBJECT

public:
    ProposerEditor(const Snapshot& snapshot, QWidget* parent);

Q_SIGNALS:
    /// In the words of the settings: "tuner", "model:FILE", "manual".
    void accepted(const QString& proposer);

protected:
    void accept() override;

private:
    QString chosen() const;
    void judge();

    QString m_now; ///< the run's
    QString m_whyNoTuner; ///< empty if it fits
    bool m_isRunning;
    QComboBox* m_kind;
    QLabel* m_withName;
    QLineEdit* m_with;
    QLabel* m_note;
    QWidget* m_apply;
};

} // namespace tilewright::ui
