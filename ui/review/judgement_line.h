// SPDX-License-Identifier: GPL-3.0-or-later
// What a model said of the edit that is read, or why none could be asked; hidden where nobody was. GUI thread.
#pragma once

#include "ui/review/shortened_text.h"
#include "ui/session/desk.h"

namespace tilewright::ui {

class JudgementLine : public ShortenedText
{
    Q_OBJECT

public:
    explicit JudgementLine(const Desk& desk, QWidget* parent = nullptr);
    /// Asks a model what it thinks of the candidate that is shown.
    void ask();
    void show(CandidateId candidate);

private:
    void tell();

    Desk m_desk;
    CandidateId m_candidate;
    QString m_refused; ///< why nobody could be asked
    bool m_isAsking = false; ///< the engine has yet to say whether somebody can be
};

} // namespace tilewright::ui
