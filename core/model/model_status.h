// SPDX-License-Identifier: GPL-3.0-or-later
// How a model of the ensemble does at this moment: what the engine tells the screen beside the record.
#pragma once

#include "core/model/inquiry.h"
#include "core/model/server_limit.h"

#include <string>
#include <vector>

namespace tilewright {

/// Ready: may be asked. Slow: a request has been under way for long without a byte. Waiting: a request failed and is
/// tried again after a pause, or our own limits a minute hold it back. Resting: its requests failed; it is not asked
/// for a while. Paused: not asked until a person resumes it or the run is started again.
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
