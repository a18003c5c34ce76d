// SPDX-License-Identifier: GPL-3.0-or-later
// What a run knows about one model of its ensemble: how its edits paid, what they cost, and whether it may be asked.
// A value that is stored with every change and shown as it stands; the rules stand in core/llm/ensemble.h.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilewright {

struct ModelStatistics {
    std::int64_t asked = 0; ///< outcomes that count: good or bad edits, not connections that broke
    double reward = 0; ///< sum of rewards, each in [0, 1]
    double usd = 0; ///< of outcomes with a known cost
    std::int64_t priced = 0; ///< how many those are
    bool hasAnswered = false; ///< in this run: then it fails because it is out of reach, not because it is not there
    std::string address; ///< hash of the one at which it was asked last: what it did at another one says nothing
    std::int64_t failedCalls = 0;
    int authInRow = 0, quotaInRow = 0;
    int failuresInRow = 0; ///< rounds of failed calls since the last answer
    std::string failingSinceUtc; ///< ISO 8601; of the first of them
    std::string lastError; ///< of the last failed or refused call; empty after an answer
    std::string pausedBecause; ///< empty: it may be asked. Only a user, or a new start of the run, ends a pause
    std::string restsUntilUtc; ///< ISO 8601; it is not asked before
    bool restIsAsked = false; ///< the server asked for that rest: an answer that was under way does not end it
    std::vector<std::string> refusedParameters; ///< by their wire names, in the order in which its server refused them

    bool operator==(const ModelStatistics&) const = default;
    double meanReward() const { return asked > 0 ? reward / static_cast<double>(asked) : 0; }
};

/// By the model's name in the models file.
using ModelStatisticsMap = std::map<std::string, ModelStatistics>;

nlohmann::json toJson(const ModelStatistics& statistics);
/// Never throws: what is absent or of another type has its default.
ModelStatistics modelStatisticsFromJson(const nlohmann::json& json);

} // namespace tilewright
