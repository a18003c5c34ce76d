// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about this machine's processor, read from the kernel; and which core measures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

struct CpuFacts {
    std::string model; ///< "AMD EPYC"
    std::string microarchitecture; ///< "Zen 4"; "" unknown
    std::vector<std::string> features; ///< the vector extensions a kernel author asks about: avx2 fma avx512f …
    int cores = 1; ///< usable by this process
    std::int64_t l1dBytes = 0, l2Bytes = 0, l3Bytes = 0; ///< seen by one core; 0 unknown
    std::int64_t memoryBytes = 0;
};

CpuFacts readCpuFacts();

/// The split of this process's cores: one measures, one beside it holds the clock, the rest builds (on two cores the
/// clock's core builds as well). On a single core (or one with all its siblings) the clock shares the measuring core,
/// builders is empty, and builds have to wait while something is timed.
struct CoreSplit {
    int measuring = 0;
    int clock = 0;
    std::vector<int> builders;
};
CoreSplit splitCores();

/// Takes the calling process off the measuring core, if there is another: for the window and the command line, before
/// they have threads. What they start inherits that; a node takes the cores back by takeGivenCores().
void leaveMeasuringCore();
void takeGivenCores();
/// The same for the calling thread alone, and what it starts.
void keepThreadOffMeasuringCore(const CoreSplit& split);

} // namespace tilewright
