// SPDX-License-Identifier: GPL-3.0-or-later
// How a model of the ensemble does at this moment: what the engine tells the screen beside the record.
#pragma once

#include "core/model/requests/model_request.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilewright {

// What a model server told of a limit of its own with an answer: how much is left, of how many, until when. As told:
// what was sent since is not taken off.

struct ServerLimit {
    std::string kind; ///< "requests", "tokens", "input-tokens", as the server calls it
    std::int64_t left = 0;
    std::int64_t of = -1; ///< -1: not told
    std::string refillsUtc; ///< when all of it is there again, by our clock; "" where it did not tell
    std::string readUtc; ///< when this was read, at its answer's end

    bool operator==(const ServerLimit&) const = default;
};

/// {kind, left, of, refills_utc, read_utc}; null for what was not told.
nlohmann::json toJson(const ServerLimit& limit);
/// "499 of 500 requests left, all again at 18:03:20 (read at 18:02:21 UTC)".
std::string wordsOf(const ServerLimit& limit);

/// Ready: may be asked. Slow: a request has been under way for long without a byte. Waiting: a request failed and is
/// tried again after a pause, or our own limits a minute hold it back. Resting: its requests failed; it is not asked
/// for a while. Paused: not asked until a user resumes it or the run is started again.
enum class ModelCondition { Ready, Slow, Waiting, Resting, Paused };
std::string nameOf(ModelCondition condition);

struct ModelStatus {
    std::string name; ///< in the models file
    std::string endpoint;
    std::string servedAs; ///< as its server calls it
    double weight = 0; ///< in the models file; islands may have their own
    bool priced = false; ///< what it costs is known
    int inFlight = 0; ///< requests under way, those that wait for a line included
    int failuresInRow = 0; ///< calls, or tries of one, that failed since the last answer
    ModelCondition condition = ModelCondition::Ready;
    std::string text; ///< "3 failures, waiting 8 s: HTTP 503"; empty while Ready
    std::vector<IslandId> islands; ///< that ask it and are held up by its condition; empty while Ready
    std::vector<ServerLimit> limits; ///< that its server told and that still hold; empty where it told none

    bool operator==(const ModelStatus&) const = default;
};

} // namespace tilewright
