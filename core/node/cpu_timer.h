// SPDX-License-Identifier: Apache-2.0
// Timing on the measuring core, by the node's clock: palindromic blocks (ABBA) of cold samples, every one of them with
// fresh inputs and checked, void where time was stolen. Measuring thread only.
#pragma once

#include "core/device/cpu_quota.h"
#include "core/model/measurement/measured_checks.h"
#include "core/node/arena.h"
#include "core/node/reference.h"
#include "core/stats/statistics.h"

#include <functional>

namespace tilewright {

/// One program under the clock.
struct Contestant {
    std::string name; ///< candidate | incumbent | baseline | vendor
    Arena* arena = nullptr;
};

struct Block {
    std::vector<double> medianNs; ///< by contestant
    /// By contestant, one for each palindrome: log(its time / the candidate's).
    std::vector<std::vector<double>> logRatios;
    double mhzLo = 0, mhzHi = 0;
    std::string voided; ///< why, empty if it counts
    int launches = 0;
    int retaken = 0; ///< samples that another process disturbed
};

/// Shortest believable time of a shape in ns: 0.9 × the longer of operations / peak at this frequency and bytes /
/// bandwidth, each with a margin for what a probe may have missed. gigabytesPerSecond: from beyond the caches that are
/// flushed before each call; 0: unknown, the operations decide alone.
double floorNs(const Task& task, const Shape& shape, double mhz, double gigabytesPerSecond);

/// Whether a sample counts: how long it took is known, and others took hardly any of that.
bool isUndisturbed(double ns, double waitedNs);

class CpuTimer
{
public:
    /// reference: the truth of every launch of an operation that is no product.
    CpuTimer(const Task& task, const Reference& reference, int cpu, std::string seedText);

    /// One block: `repeats` times the contestants in order and in reverse order (ABBA), one sample each.
    /// Errors: verify/timed and those of GuestProcess::call, with the shape as evidence and "contestant" saying whose.
    Result<Block> block(const Shape& shape, std::vector<Contestant>& contestants, int repeats);

    /// Touches every page of a shape once; the slowest contestant's time in ns. Errors as block().
    Result<double> warmUp(const Shape& shape, std::vector<Contestant>& contestants);

    /// Samples that make a half block last about 8 ms, between 1 and 4.
    int repeatsFor(double sampleNs) const;
    std::int64_t launches() const { return m_launches; }
    /// Of all launches of the candidate so far.
    const MeasuredChecks& measured() const { return m_measured; }

private:
    /// One undisturbed launch; notes in the block what it took.
    Result<double> sample(const Shape& shape, Contestant& contestant, Block& block);
    /// rested: it waits before the run until a control group's next period has begun.
    Result<double> launch(const Shape& shape, Contestant& contestant, bool rested = false);
    void flushCaches();
    /// What it measured, as one check: "timed-launches".
    Result<MeasuredChecks> checkLaunch(Arena& arena) const;

    const Task& m_task;
    const Reference& m_reference;
    bool m_product;
    int m_cpu;
    std::string m_seedText;
    std::uint64_t m_sample = 0;
    std::int64_t m_launches = 0;
    MeasuredChecks m_measured;
    CpuQuotaGroups m_groups;
    double m_quota = 0; ///< of the control groups, in cores; 0: no limit
    bool m_stopped = false; ///< a control group used up its time during the last launch
    std::vector<std::uint8_t> m_flushBuffer;
};

} // namespace tilewright
