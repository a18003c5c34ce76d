// SPDX-License-Identifier: GPL-3.0-or-later
// Above the diff of a proposal: which one it is, what its author says and claims, what a judge said. GUI thread.
#pragma once

#include "ui/session/desk.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

class Badge;
class ClaimCard;
class JudgementLine;
class ShortenedLabel;

class ProposalHead : public QWidget
{
    Q_OBJECT

public:
    explicit ProposalHead(const Desk& desk, QWidget* parent = nullptr);
    void show(const Candidate& candidate);
    JudgementLine& judgement() { return *m_judgement; }

private:
    Desk m_desk;
    QLabel *m_name, *m_about;
    Badge* m_badge;
    ShortenedLabel* m_reasoning;
    JudgementLine* m_judgement;
    ClaimCard* m_claim;
};

} // namespace tilewright::ui
