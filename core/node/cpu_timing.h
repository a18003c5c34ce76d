// SPDX-License-Identifier: Apache-2.0
// Private to CpuDevice: one time request on its way, and what it has measured so far.
#pragma once

#include "core/node/cpu_device.h"
#include "core/node/timing_record.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

/// Holds a thread that keeps the measuring core awake, as long as something is timed from another core.
class AwakeWhileTimed
{
public:
    AwakeWhileTimed(std::unique_ptr<CoreKeptAwake>& holder, const CoreSplit& cores)
        : m_holder(holder)
    {
        if (cores.hasOwnClock())
            m_holder = std::make_unique<CoreKeptAwake>(cores.measuring);
    }
    ~AwakeWhileTimed() { m_holder.reset(); }
    AwakeWhileTimed(const AwakeWhileTimed&) = delete;
    AwakeWhileTimed& operator=(const AwakeWhileTimed&) = delete;

private:
    std::unique_ptr<CoreKeptAwake>& m_holder;
};

/// {"name", "version", "core_type", "tried"} of what OpenBLAS says in the process that is timed.
nlohmann::json describeVendor(const std::string& text, const nlohmann::json& tried);

/// What the hand-over itself costs: median of 15 calls that do nothing. Shown, never subtracted.
double emptyCallNs(Arena& arena);

struct CpuDevice::Timing : TimingRecord {
    Timing(const TimeRequest& what, const TaskPack& of, const DeviceJob& forWhom)
        : TimingRecord(what, of.task, forWhom)
        , pack(of)
    {
    }

    /// Draws the seeds and lays out a record for each shape.
    void begin(const std::string& seedText, const std::vector<Shape>& train, const std::vector<Shape>& heldout)
    {
        plan.seedText = seedText;
        plan.cancelled = job.cancelled;
        TimingRecord::begin(sampleSeed(seedText, {}, 1), train, heldout);
    }

    const TaskPack& pack;
    CheckPlan plan;
    double emptyCallNs = 0;
    nlohmann::json vendorLibrary; ///< as the timed process said; null where it was not timed
    std::shared_ptr<Sweep> sweep; ///< between its residues and its pairs

    /// Runs one block and files it; false when it was void.
    Result<bool> measure(CpuTimer& timer, ShapeRecord& record, std::vector<Contestant>& contestants, int repeats)
    {
        auto block = timer.block(record.shape, contestants, repeats);
        if (!block)
            return std::unexpected(block.error());
        launches += block->launches;
        mhzLo = std::min(mhzLo, block->mhzLo);
        mhzHi = std::max(mhzHi, block->mhzHi);
        nlohmann::json ns;
        for (std::size_t i = 0; i < contestants.size(); ++i)
            ns[contestants[i].name] = std::llround(block->medianNs[i]);
        blocks.push_back(
            {{"shape", record.shape}, {"ns", ns}, {"mhz", {std::llround(block->mhzLo), std::llround(block->mhzHi)}},
                {"void", block->voided.empty() ? nlohmann::json(nullptr) : nlohmann::json(block->voided)}});
        if (!block->voided.empty()) {
            fileVoid(record, block->voided);
            return false;
        }
        std::vector<std::string> who;
        for (const Contestant& contestant : contestants)
            who.push_back(contestant.name);
        file(record, who, block->medianNs, block->logRatios, 2 * repeats);
        return true;
    }
};

} // namespace tilewright
