// SPDX-License-Identifier: GPL-3.0-or-later
// Figures that views derive from a run. Pure; the words are those of the evaluation rules.
#pragma once

#include "core/model/parent_change.h"

#include <QStringList>
#include <vector>

namespace tilewright::ui {

/// All evaluations of a candidate, oldest first.
std::vector<const Evaluation*> evaluationsOf(const RunState& run, CandidateId candidate);

/// Its best child, else its first one, else none.
CandidateId childOf(const RunState& run, CandidateId candidate);

/// As the one of format.h; "edited into c-0031" where a user put another one in its place.
QString stateWords(const RunState& run, const Candidate& candidate);
bool isFailure(const Candidate& candidate);
/// A user rejected it or took it back, and put none in its place; its text is the reason.
bool isEndedByPerson(const Candidate& candidate);

/// "same program as c-0030" of a copy on another island, whose figures and claim are that one's; else empty.
QString copyWords(const RunState& run, const Candidate& candidate);
/// How that copy came: "migrated from A", "copied from A" where an island was cloned, merged or reset, "moved by
/// hand from A"; empty of what is no copy.
QString howCopied(const RunState& run, const Candidate& candidate);
/// What a glance at a candidate tells of its change: that, and "+2.1 % over parent c-0027" where it is known.
QStringList changeLines(const RunState& run, const Candidate& candidate);

/// The colour scale of the session's scores: logarithmic from 0.9 to the best one; until one is confirmed to the best
/// of those that were screened. None while nothing but the seed has a score: there is nothing to tell apart.
struct ScoreScale {
    static constexpr double lowest = 0.9;
    double top = 1;

    bool operator==(const ScoreScale&) const = default;
    double shadeOf(double score) const; ///< 0 … 1
};
std::optional<ScoreScale> scoreScale(const RunState& run);
/// The same at once; in the middle while there is no scale.
double scoreShade(const RunState& run, double score);

/// "2.31×" of a confirmed candidate, "≈ 2.31×" of a provisional one; the seed is the baseline itself.
QString bestWords(const Candidate& candidate);
bool isProvisional(const Candidate& candidate);
QString aboutSign(const Candidate& candidate); ///< "≈ " before figures of a provisional one, else empty

} // namespace tilewright::ui
