// SPDX-License-Identifier: GPL-3.0-or-later
// What a person recognises a session by, small enough to be kept beside the list of recent ones: the task, how far it
// came, the curve of its confirmed bests, and what it took. Pure.
#pragma once

#include "ui/models/first_result.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::ui {

struct SessionSketch {
    std::string task; ///< its heading
    std::string device;
    std::string lastEventUtc;
    std::int64_t evaluations = 0; ///< that have a result
    std::optional<Interval> best; ///< speedup over the baseline, confirmed; none before
    std::vector<std::pair<std::int64_t, double>> curve; ///< (evaluations done, confirmed score)
    std::string taskName; ///< its id
    std::string proposer; ///< who was asked to begin with, without a file: "model", "mutator"
    int devices = 1; ///< that measured side by side
    std::int64_t runNs = 0;
    std::int64_t tokens = 0; ///< read and written by models
    std::optional<std::int64_t> costMicroUsd; ///< none: not all of it is known
    std::int64_t bytes = 0; ///< of its file, and of the log beside it
    std::string shapes; ///< that it measured on, by listWords()
    std::int64_t seedNs = 0, firstNs = 0; ///< as SessionStart has them
    std::string host;
    std::string beganUtc; ///< of its first event: copies of a session have it in common

    bool operator==(const SessionSketch&) const = default;
    SessionStart start() const { return {taskName, device, shapes, proposer, seedNs, firstNs, host}; }
    nlohmann::json json() const;
    /// None for what is no sketch.
    static std::optional<SessionSketch> fromJson(const nlohmann::json& json);
};

SessionSketch sketchOf(const RunState& run, const Task& task, const std::string& lastEventUtc);

} // namespace tilewright::ui
