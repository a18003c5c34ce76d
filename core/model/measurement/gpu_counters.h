// SPDX-License-Identifier: GPL-3.0-or-later
// What bounds a GPU program, by what Nsight Compute counted in its launches: memory, arithmetic or latency. The rule is
// that of the profiler's own guide ("GPU Speed Of Light"): below 60 % of every peak it is latency, else the highest.
// Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// Of one launch, in per cent where nothing else is said; what the profiler did not tell is missing.
struct GpuCounters {
    std::string kernel;
    std::optional<double> durationNs;
    std::optional<double> multiprocessors, memory, firstCache, secondCache; ///< of their peaks
    std::optional<double> secondCacheHits;
    std::optional<double> warpsAtWork; ///< of those that fit on a multiprocessor
    std::optional<double> issueSlots; ///< that an instruction was issued in
    std::optional<double> sectorBytes; ///< of each 32-byte sector of a load from global memory that threads use
    std::optional<double> sharedPasses, conflictPasses; ///< through shared memory; those of them for bank conflicts
    /// Why warps waited, by the profiler's word: share of all the cycles between two instructions of a warp, 0 to 1.
    /// The longest first.
    std::vector<std::pair<std::string, double>> stalls;

    bool operator==(const GpuCounters&) const = default;
};

/// The longest launch of countersOf(); none where nothing was counted, or in another form.
std::optional<GpuCounters> longestLaunch(const nlohmann::json& counters);

enum class GpuBound { Memory, Compute, Latency };
/// None where the profiler did not tell use of multiprocessors and memory.
std::optional<GpuBound> boundOf(const GpuCounters& counters);

/// "data from global or local memory" for "long_scoreboard"; the profiler's word where it is not known.
std::string stallWords(const std::string& reason);
/// Whether a counter is one of the stall reasons, which stallSentence() reports.
bool isStallCounter(const std::string& name);

/// What it is bound by, with the figures that this follows from; then why warps wait, bank conflicts and unused parts
/// of loads where they are large. Empty where nothing was counted.
std::vector<std::string> boundSentences(const nlohmann::json& counters);

} // namespace tilewright
