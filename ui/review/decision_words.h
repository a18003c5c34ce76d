// SPDX-License-Identifier: GPL-3.0-or-later
// What a person's word would do to the candidate that is read in Review, and why it waits for one. Pure.
#pragma once

#include "core/model/run_state.h"
#include "ui/review/decision_bar.h"

namespace tilewright::ui {

/// "c-0012 waits: touches casts"; empty where it asks for no word.
QString whyItWaits(const RunState& run, const Candidate& candidate);

/// It was to be rejected, and only the reason is left to be said. InVain: it was sent off without one.
enum class ReasonAsked { No, Yes, InVain };

struct WordAtHand {
    int chosen = 1; ///< on so many it would be
    bool waits = false;
    bool hasDraft = false; ///< a person began another text of it
    bool isElsewhere = false; ///< the device of the session is not on this machine
    ReasonAsked asksReason = ReasonAsked::No;
    DecisionBar::Reader reader = DecisionBar::Reader::Model;
    QString reason, givenBack; ///< given back: with a rejection that was taken back
    QString next; ///< the key that leads to what waits; empty where nothing does
};

/// Beside the buttons.
QString decisionWords(const RunState& run, const Candidate& candidate, const WordAtHand& word);

} // namespace tilewright::ui
