// SPDX-License-Identifier: GPL-3.0-or-later
// Why a candidate has no score: where it stands, or the rule, the finding in words, the evidence, and what can be done.
// GUI thread.
#pragma once

#include "core/model/run_state.h"

#include <QFrame>

class QGridLayout;
class QLabel;

namespace tilewright::ui {

class OutcomeCard : public QFrame
{
    Q_OBJECT

public:
    explicit OutcomeCard(QWidget* parent = nullptr);
    void show(const RunState& run, const Candidate& candidate);

private:
    QLabel *m_icon, *m_title, *m_rule, *m_text, *m_remedy, *m_evidence;
};

} // namespace tilewright::ui
