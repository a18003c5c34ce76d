// SPDX-License-Identifier: GPL-3.0-or-later
// How well a prompt does: per template version and per model, how many proposals applied, built and gained. Pure; over
// a small value type, so that it can be fed from whatever knows which prompt a proposal answers.
#pragma once

#include "core/model/run_state.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// How far one proposal came. Each includes those before it, but for Duplicate.
enum class ProposalFate { Refused, Duplicate, Applied, Built, Ranked };

/// One finished proposal.
struct PromptOutcome {
    ModelRequestId modelRequest; ///< what it answers; none: nobody was asked
    std::string templateName; ///< "exploit"; "" unknown
    Hash templateVersion; ///< null unknown
    std::string model; ///< name of the model, else of the proposer
    ProposalFate fate = ProposalFate::Refused;
    std::optional<double> gain; ///< child / parent speed, for ranked ones

    bool operator==(const PromptOutcome&) const = default;
};

inline constexpr int enoughForAMean = 5; ///< ranked ones

enum class PromptGrouping { TemplateVersion, Model };

struct PromptStatistics {
    std::string templateName; ///< empty when grouped by model
    Hash templateVersion;
    std::string model; ///< empty when grouped by version
    int proposals = 0, applied = 0, duplicates = 0, built = 0, ranked = 0;
    std::optional<Interval> meanGain; ///< geometric mean with 95 % interval; none without a ranked one. Told from
                                      ///< enoughForAMean on
    int asked = 0, unanswered = 0; ///< questions that were put; of them ended without a whole answer that was wanted
    TokenUsage tokens; ///< of their answers
    std::int64_t costMicroUsd = 0; ///< of those whose cost is known
    int unpriced = 0; ///< answers of unknown cost: with any, the cost is "at least"

    bool operator==(const PromptStatistics&) const = default;
    /// Applied and new / all; 0 for none.
    double acceptanceRate() const { return proposals > 0 ? static_cast<double>(applied) / proposals : 0; }
    /// Built / applied; 0 for none.
    double buildRate() const { return applied > 0 ? static_cast<double>(built) / applied : 0; }
};

/// One entry a group, in order of template name, version, model.
std::vector<PromptStatistics> promptStatistics(const std::vector<PromptOutcome>& outcomes, PromptGrouping grouping);

/// The finished proposals of a state, each with the template and the model that it came from where it was asked for.
std::vector<PromptOutcome> promptOutcomesOf(const RunState& state);

/// Both groupings of a run, what the questions cost included. Work grows with the run: not for every snapshot.
struct RunStatistics {
    std::vector<PromptStatistics> byTemplate, byModel;

    bool operator==(const RunStatistics&) const = default;
};
RunStatistics runStatistics(const RunState& state);

} // namespace tilewright
