// SPDX-License-Identifier: Apache-2.0
// Which core measures: chosen among the cores this process may use, by the kind of core and by the processor time that
// the control groups above this process grant. Read from sysfs and cgroupfs; both may be absent.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tilewright {

/// "0-3,8" → {0, 1, 2, 3, 8}; what cannot be read is left out.
std::set<int> cpuList(const std::string& text);

/// The split of this process's cores: one measures, one beside it holds the clock, the rest builds (on two cores the
/// clock's core builds as well). On a single core (or one with all its siblings) the clock shares the measuring core.
struct CoreSplit {
    int measuring = 0;
    int clock = 0;
    std::vector<int> builders; ///< never a sibling of the measuring core; empty on a single core
    /// Processor time that control groups grant this process, in cores; 0: no limit.
    double quota = 0;
    /// Cores that are left out of measuring because they are slower by design (efficiency cores).
    std::vector<int> slower;

    /// The node watches from a core of its own, without sleeping, while a program runs.
    bool hasOwnClock() const { return clock != measuring; }
    /// Nothing may be built while something is timed.
    bool buildsWait() const { return builders.empty() || isQuotaTight(); }
    /// Two threads that never sleep would use up the granted time, and both would be stopped in the middle of a sample.
    bool isQuotaTight() const { return quota > 0 && quota < 2; }
};

/// allowed: cores in rising order. system: where sysfs is mounted. quota: see CoreSplit.
CoreSplit splitCores(const std::vector<int>& allowed, const std::filesystem::path& system, double quota);
/// Of this process.
CoreSplit splitCores();

/// The cores this process may use, those given up by leaveMeasuringCore() included.
std::vector<int> allowedCores();

/// Takes the calling process off the measuring core, if there is another: for the window and the command line, before
/// they have threads. What they start inherits that; a node takes the cores back by takeGivenCores().
void leaveMeasuringCore();
void takeGivenCores();
/// The same for the calling thread alone, and what it starts.
void keepThreadOffMeasuringCore(const CoreSplit& split);

} // namespace tilewright
