// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidates wait for a person, to see and to change: for all islands and for the one at hand. GUI thread.
#pragma once

#include "core/model/run_state.h"

#include <QFrame>

class QComboBox;
class QLabel;

namespace tilewright::ui {

class PolicyBox : public QFrame
{
    Q_OBJECT

public:
    explicit PolicyBox(QWidget* parent = nullptr);
    void show(const RunState& run, bool canChange);
    /// Why the chosen one waits.
    void setReason(const QString& reason);

Q_SIGNALS:
    void chosen(tilewright::IslandId island, tilewright::ReviewPolicy policy);

private:
    QComboBox *m_island, *m_policy;
    QLabel *m_about, *m_reason;
    RunSettings m_settings;
    void follow();
};

} // namespace tilewright::ui
