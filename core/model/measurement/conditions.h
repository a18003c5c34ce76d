// SPDX-License-Identifier: Apache-2.0
// What was seen of a device while it measured: clock, temperature, power, and what held its clock down. Only what the
// node read beside the blocks of a measurement, nothing between them. Pure.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tilewright {

/// Version of how programs are measured and judged, "protocol" of the environment: it rises where figures of before and
/// after cannot stand side by side. Records before it was written have none.
inline constexpr int measurementProtocol = 1;

/// The lowest and the highest of some readings.
struct Readings {
    double lo = 0, hi = 0;

    bool operator==(const Readings&) const = default;
    double middle() const { return (lo + hi) / 2; }
};

/// Of one measurement. What the device does not report is none.
struct Conditions {
    std::int64_t runNs = 0; ///< run time at which its result came
    EvaluationId evaluation;
    CandidateId candidate;
    std::string device; ///< id; empty: the run's first
    std::optional<Readings> mhz, celsius, watts;
    /// By what held the clock down, in words, the blocks that saw it; empty: nothing did; none: not reported.
    std::optional<std::map<std::string, int>> throttling;
    int blocks = 0; ///< that were looked at; 0: one look only, after the last (sessions of older versions)

    bool operator==(const Conditions&) const = default;
    bool isThrottled() const { return throttling && !throttling->empty(); }
    std::string throttlingWords() const; ///< "power limit, hardware thermal slowdown"; empty if nothing
};

/// What NVML's bits of clock reasons say is slowing the GPU: the power limit, heat, a fault of the supply.
std::map<std::string, int> throttlingOf(std::uint64_t reasons);

/// Of a measurement's blocks [{"temp_c", "power_w", "reasons"}, …] what is kept with its result, as "observed" of the
/// environment: {"blocks": 40, "temp_c": [58, 61], "power_w": [540, 562], "throttling": {"power limit": 12}}. What no
/// block reports is null. Null where no block reports anything.
nlohmann::json observedOf(const nlohmann::json& blocks);

/// What a result's environment tells of them, without whose they are and when; none where it tells nothing: whatever
/// failed before it was timed.
std::optional<Conditions> conditionsIn(const nlohmann::json& environment);

} // namespace tilewright
