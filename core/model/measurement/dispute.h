// SPDX-License-Identifier: GPL-3.0-or-later
// When a re-run contradicts what is held of a candidate, and when it only says that the machine changed. The test: the
// score is lower by more than the noise floor, the two 95 % intervals do not overlap, and the baseline that it was
// timed beside took as long as before. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>
#include <string>
#include <utility>

namespace tilewright {

/// How a re-run contradicts the figures of its candidate.
struct Disagreement {
    std::string words; ///< "its score was … and is … now", "it was ranked and is refused now (verify/norm)"
    std::optional<std::pair<Interval, Interval>> scores; ///< before and now, over the same shapes; none: the outcomes
    double noise = 0; ///< floor that the scores differ by more than
    bool isAssumed = false; ///< none was measured: it is the margin that is allowed for then

    bool operator==(const Disagreement&) const = default;
    double logShare() const; ///< 0 without scores
};

/// Another outcome, or a score that is lower by more than the noise floor and whose interval lies below the first
/// one's. None where it does not, and where the measurement came to nothing for no fault of the candidate's (node/…,
/// machine/…, device/…, task/…, rerun/…). first: the evaluation that its figures come from; given where the re-run was
/// measured on chosen shapes, of which those that both have are compared.
std::optional<Disagreement> disagreementOf(const Candidate& candidate, const EvaluationResult& rerun, double noiseFloor,
    const EvaluationResult* first = nullptr);
/// The same of the result of a re-run that is in the state: its own noise floor, and its own shapes. None where the
/// baseline moved (drift). A re-run beside the very program that the candidate was first measured against is judged by
/// that pair alone: it contradicts where its verdict is a lower one.
std::optional<Disagreement> disagreementOf(const RunState& run, const Candidate& candidate, const Evaluation& rerun);

/// It was asked for while the candidate waited for a user's word: its result is a quick one, and no verdict.
bool isQuickResult(const RunState& run, const Rerun& rerun);
inline constexpr const char* quickResult = "a quick result"; ///< as RunChange tells of it

/// What the result of a re-run says of the verdict that holds.
enum class Agreement {
    NoVerdict, ///< there is none yet: a quick result while it waits for a word
    OtherModel, ///< it ran on another kind of device: figures of the two cannot stand side by side
    OtherShapes, ///< it was measured on none of the verdict's shapes
    NotMeasured, ///< it came to nothing for no fault of the candidate's
    IsBaseline, ///< it is the baseline itself, whose score is 1 whatever was measured
    Contradicts,
    Drift, ///< the score is lower, but the baseline took another time as well: the machine changed
    Faster, ///< the score is higher by more than noise and intervals allow
    Agrees,
};
/// Time of a re-run / time of the first measurement, geometric means over the shapes that both measured.
struct ArmsMoved {
    double candidate = 1, baseline = 1;

    bool operator==(const ArmsMoved&) const = default;
};
/// None where one of the two did not time the baseline on any common shape.
std::optional<ArmsMoved> armsMoved(const EvaluationResult& first, const EvaluationResult& rerun);
struct RerunFinding {
    Agreement agreement = Agreement::NoVerdict;
    std::optional<Disagreement> disagreement; ///< where it contradicts
    std::optional<std::pair<Interval, Interval>> scores; ///< of the verdict and of it, over what both measured
    std::optional<ArmsMoved> moved; ///< of Drift

    bool operator==(const RerunFinding&) const = default;
};
/// The text of the seed, of which scores are multiples: its own is 1 by definition.
bool isBaseline(const RunState& run, const Candidate& candidate);
/// Of a re-run that is in the state.
RerunFinding findingOf(const RunState& run, const Candidate& candidate, const Evaluation& rerun);

/// Their figures cannot stand side by side.
bool isOnAnotherModel(const Evaluation& a, const Evaluation& b);
/// Geometric means of the baseline's ratio over the shapes that both have; nothing if there are none.
std::optional<std::pair<Interval, Interval>> overCommonShapes(const EvaluationResult& a, const EvaluationResult& b);
/// "31.250 [30.100, 32.400]".
std::string scoreText(const Interval& score);

/// Why a candidate is disputed.
struct Dispute {
    EvaluationId rerun; ///< the newest that contradicts it
    Disagreement disagreement;

    bool operator==(const Dispute&) const = default;
};
inline constexpr int pairedRepeats = 2; ///< times the samples of a confirmation, where it is to decide
/// Whom to measure it beside, to learn which of two verdicts holds: the program that it was first measured against, the
/// seed for a seed's challenger.
CandidateId opponentOfFirst(const RunState& run, const Candidate& candidate);
/// None where it is not disputed, or where none of its re-runs contradicts the figures that it has today.
std::optional<Dispute> disputeOf(const RunState& run, const Candidate& candidate);
/// For a terminal and a report: "Disputed: a re-run of c-0122 (evaluation 110, against c-0079) contradicts …: its score
/// was … and is … now; to decide, …". One sentence; "" where it is not disputed.
std::string disputeText(const RunState& run, const Candidate& candidate);

} // namespace tilewright
