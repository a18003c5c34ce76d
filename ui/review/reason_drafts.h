// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the field for a reason: what a person wrote for the candidate that is read and has not said yet, kept
// for it alone until a word with it holds; else the reason that was taken back with the word on it. GUI thread.
#pragma once

#include "ui/session/desk.h"

#include <QObject>

namespace tilewright::ui {

class DecisionBar;

class ReasonDrafts : public QObject
{
public:
    ReasonDrafts(const Desk& desk, DecisionBar& bar);
    void showOf(CandidateId candidate);
    /// The word on it is being taken back: the run does not hold its reason as one that was yet.
    void giveBack(const QString& reason);
    /// It was said. One whose word is refused has its text again.
    void empty();
    /// Of the candidate that is read; "" where there is none, or it was said again.
    const QString& givenBack() const { return m_givenBack; }

private:
    QString placeOf(CandidateId candidate) const;
    void keep();
    void dropSaid();

    Desk m_desk;
    DecisionBar& m_bar;
    CandidateId m_candidate;
    QString m_givenBack;
};

} // namespace tilewright::ui
