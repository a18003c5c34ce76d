// SPDX-License-Identifier: GPL-3.0-or-later
// Private to CpuDevice: one time request on its way, what it has measured so far, and the device's lock.
#pragma once

#include "core/node/cpu_device.h"

#include <algorithm>
#include <cmath>
#include <sys/file.h>
#include <thread>

namespace tilewright {

/// Waits for the device's lock without starving a cancel.
inline bool lockDevice(int fd, const DeviceJob& job)
{
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (job.cancelled())
            return false;
        job.progress("waiting for the device", 0, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return true;
}

/// Voided blocks of one shape, beyond those that counted, before the machine is called too busy.
constexpr int mostVoid = 6;

/// What the hand-over itself costs: median of 15 calls that do nothing. Shown, never subtracted.
double emptyCallNs(Arena& arena);

/// Holds the device's lock for one job.
class DeviceLock
{
public:
    DeviceLock(int fd, const DeviceJob& job)
        : m_fd(fd)
        , m_held(fd < 0 || lockDevice(fd, job))
    {
    }
    ~DeviceLock()
    {
        if (m_fd >= 0 && m_held)
            flock(m_fd, LOCK_UN);
    }
    DeviceLock(const DeviceLock&) = delete;
    DeviceLock& operator=(const DeviceLock&) = delete;
    bool held() const { return m_held; }

private:
    int m_fd;
    bool m_held;
};

/// Everything measured on one shape.
struct ShapeRecord {
    Shape shape;
    ShapeSplit split = ShapeSplit::Train;
    std::vector<std::vector<double>> times; ///< by contestant, one median a block
    std::map<std::string, BlockRatios> logRatios; ///< other / candidate, one for each palindrome
    int samples = 0, blocks = 0, voided = 0;
    double lastNs = 0; ///< slowest contestant's sample, to choose the repeats
};

struct CpuDevice::Timing {
    Timing(const TimeRequest& what, const TaskPack& of, const DeviceJob& forWhom)
        : request(what)
        , pack(of)
        , job(forWhom)
    {
    }

    /// Draws the seeds and lays out a record for each shape.
    void begin(const std::string& seedText, const std::vector<Shape>& train, const std::vector<Shape>& heldout)
    {
        plan.seedText = seedText;
        plan.cancelled = job.cancelled;
        seed = sampleSeed(seedText, {}, 1);
        for (const Shape& shape : train)
            records.push_back({shape, ShapeSplit::Train, {}, {}, 0, 0, 0, 0});
        for (const Shape& shape : heldout)
            records.push_back({shape, ShapeSplit::Heldout, {}, {}, 0, 0, 0, 0});
    }

    const TimeRequest& request;
    const TaskPack& pack;
    const DeviceJob& job;
    CheckPlan plan;
    std::vector<ShapeRecord> records;
    std::vector<std::string> names; ///< contestants, the candidate last of the fast pair
    nlohmann::json blocks = nlohmann::json::array();
    double mhzLo = 1e9, mhzHi = 0;
    std::int64_t launches = 0;
    double emptyCallNs = 0;
    std::uint64_t seed = 1;
    bool audited = false;
    std::string lastVoid; ///< why a block was void

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
            ++record.voided;
            lastVoid = block->voided;
            return false;
        }
        file(record, contestants, *block, repeats);
        return true;
    }

    void file(ShapeRecord& record, const std::vector<Contestant>& contestants, const Block& block, int repeats)
    {
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            BlockRatios& ratios = record.logRatios[contestants[i].name];
            ratios.insert(ratios.end(), block.logRatios[i].begin(), block.logRatios[i].end());
            record.times.resize(std::max(record.times.size(), names.size()));
            const auto slot = std::ranges::find(names, contestants[i].name) - names.begin();
            record.times[static_cast<std::size_t>(slot)].push_back(block.medianNs[i]);
        }
        record.lastNs = *std::ranges::max_element(block.medianNs);
        record.samples += 2 * repeats;
        ++record.blocks;
    }

    std::unexpected<Error> unstable(const ShapeRecord& record) const
    {
        return fail("time/unstable",
            "the machine was too busy to measure " + shapeText(record.shape) + ": " + std::to_string(record.voided)
                + " blocks were void, the last because " + lastVoid,
            "stop other programs on this machine, or try again");
    }

    std::vector<BlockRatios> ratios(const std::string& name, ShapeSplit split) const
    {
        std::vector<BlockRatios> list;
        for (const ShapeRecord& record : records)
            if (record.split == split) {
                const auto found = record.logRatios.find(name);
                list.push_back(found == record.logRatios.end() ? BlockRatios{} : found->second);
            }
        return list;
    }

    std::optional<Interval> ratio(const std::string& name, ShapeSplit split, int resamples = 1000) const
    {
        const auto list = ratios(name, split);
        return list.empty() ? std::nullopt
                            : geometricMeanRatio(list, seed + static_cast<std::uint64_t>(split), resamples);
    }

    int roundsAfter(int done) const; // of screening
};

} // namespace tilewright
