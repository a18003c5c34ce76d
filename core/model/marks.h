// SPDX-License-Identifier: GPL-3.0-or-later
// What a user marks a candidate with: for themselves (star, tags, note) and for the search (pin, ban, boost).
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

struct Marks {
    bool starred = false;
    bool pinned = false; ///< it never leaves its island's population, and may always be a parent
    bool banned
        = false; ///< never again parent, inspiration, migrant or crossover partner; holds no cell, is not the best
    double boost = 1; ///< multiplies the chance of it and its descendants to be a parent; above 0
    std::vector<std::string> tags; ///< sorted, each once
    std::string note;

    bool operator==(const Marks&) const = default;
    bool isBlank() const { return *this == Marks{}; }
};

/// Marks that a user gave at some time.
struct Marking {
    Marks marks;
    std::int64_t seq = 0; ///< of the event that brought them

    bool operator==(const Marking&) const = default;
};

/// In the one form that is recorded: tags sorted, each once, without blanks around them. Errors: mark/boost (not above
/// 0, or above 1000), mark/contradiction (pinned and banned), mark/tag (empty, too long, or with a blank or a comma),
/// mark/note (too long).
Result<Marks> orderly(Marks marks);
/// "starred, pinned, boost 2, tags a b, note"; "no marks" for blank ones.
std::string wordsOf(const Marks& marks);

struct RunState;
struct LogLine;

namespace events {
/// The candidate's marks are these from here on.
struct Marked {
    CandidateId candidate;
    Marks marks;
    bool operator==(const Marked&) const = default;
};
/// Its marks are again what they were before the last word on them.
struct MarkUndone {
    CandidateId candidate;
    bool operator==(const MarkUndone&) const = default;
};
} // namespace events

/// Whose ban holds for it: its own, or that of what it is a copy of; none where it is not banned.
CandidateId banOf(const RunState& state, CandidateId candidate);
inline bool isBanned(const RunState& state, CandidateId candidate) { return bool(banOf(state, candidate)); }
/// Whether it is that one, or came of it by copying alone.
bool isCopyOf(const RunState& state, CandidateId candidate, CandidateId original);
/// Whether it is pinned itself.
bool isPinned(const RunState& state, CandidateId candidate);

/// What apply() in run_state.h does for each, and what the log says of it; errors as there.
Result<LogLine> applyMarks(RunState& state, const events::Marked& event);
Result<LogLine> applyMarks(RunState& state, const events::MarkUndone& event);

// When a user's ban of a candidate came or went: what was known until then was known, and stays told so.

struct BanMark {
    CandidateId candidate; ///< its copies share the ban
    bool isLifted = false;
    std::int64_t evaluations = 0; ///< results before it, as RunState::resultsEver
    std::int64_t runNs = 0; ///< time spent running, as the last event before it tells

    bool operator==(const BanMark&) const = default;
};

} // namespace tilewright
