// SPDX-License-Identifier: GPL-3.0-or-later
// Why a candidate has no score: where it stands, or the rule, the finding in words and the evidence. GUI thread.
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
    QLabel *m_icon, *m_title, *m_rule, *m_text, *m_evidence;
};

/// "index [17, 3] · want 0.52 · got 0": evidence as one readable text, a line a field.
QString evidenceText(const nlohmann::json& evidence);

} // namespace tilewright::ui
