// SPDX-License-Identifier: Apache-2.0
// One time request of CudaDevice on its way: what its worker reports is held against bounds, wall clock and machine
// conditions.
#pragma once

#include "core/node/block_field.h"
#include "core/node/checker.h"
#include "core/node/cuda_device.h"
#include "core/node/timing_record.h"

#include <algorithm>

namespace tilewright {

struct CudaDevice::Timing : TimingRecord {
    /// l2: of the device, in bytes.
    Timing(const TimeRequest& what, const TaskPack& of, const DeviceJob& forWhom, const std::string& text,
        std::map<Shape, int>& choices, std::uint64_t l2)
        : TimingRecord(what, of.task, forWhom)
        , pack(of)
        , seedText(text)
        , vendorChoices(choices)
    {
        begin(sampleSeed(seedText, {}, 1), task.train, isConfirming() ? task.heldout : std::vector<Shape>{});
        for (ShapeRecord& record : records) {
            const HotRing ring = ringOf(task, record.shape, l2);
            record.launches = ring.launches;
            record.held = ring.held;
        }
    }

    /// The programs by slot, loaded into the process.
    Result<void> enter(GpuProcess& process, const CudaBuilder& builder, const std::string& slot, const Hash& artifact);
    void tellTools(nlohmann::json& environment) const;
    /// A block of one sample of each of these on one shape, without a ring.
    Result<BlockRequest> requestOf(const Shape& shape, const std::vector<std::string>& slots) const;
    /// Posts one block on one shape.
    Result<void> post(GpuProcess& process, const ShapeRecord& record, const BlockField& field);
    /// Waits for the block that was posted first and files it; false when it was void, as it is where a sample's
    /// launches cannot all have done the same work. Errors are the contestants' (evidence says whose): time/uneven of
    /// whose launches that happens to again and again.
    Result<bool> take(GpuProcess& process, ShapeRecord& record, const BlockField& field, Nvml* nvml);
    /// Both.
    Result<bool> measure(GpuProcess& process, ShapeRecord& record, const BlockField& field, Nvml* nvml);

    /// Screens in this process, whose canary stands behind the last block.
    Result<void> screenIn(GpuProcess& process, const CudaBuilder& builder, Nvml* nvml,
        const std::function<GpuProcess::Canary()>& nextCanary);

    /// Shapes of which a sample of the candidate takes less than twenty times what two events with nothing in between
    /// are apart. Cold launches cannot be put together between two events, as the cache is emptied in front of each:
    /// such a time has the events' own in it, of all contestants the same, and is told.
    std::vector<Shape> nearEventFloor() const;

    const TaskPack& pack;
    std::string seedText;
    std::map<Shape, int>& vendorChoices; ///< among the library's proposals, as the first process found them
    std::map<std::string, std::shared_ptr<const CudaArtifact>> programs;
    std::uint64_t sample = 0;
    /// What NVIDIA's tools told: gates passed, tools that could not look and why, counters of the launches.
    std::vector<std::string> toolsPassed, notChecked;
    static constexpr const char* foundClean = "memcheck"; ///< among the gates passed
    static constexpr const char* judgedOutside = "judged-outside";
    bool isFoundClean() const { return std::ranges::find(toolsPassed, foundClean) != toolsPassed.end(); }
    nlohmann::json counters;
    nlohmann::json energy; ///< {"shape", "idle_watts", "candidate": {"joules", "watts", "launches"}, "vendor": …}; null
    std::string countersMissing; ///< why there will be none beside any measurement; told once
    /// The score as far as it is known before it is judged; none where too little was measured.
    std::optional<double> quickScore() const;
    int vendorVersion = 0; ///< of cublasLt, as the timed process said
    int blocksTaken = 0, blocksUnread = 0; ///< those beside which nothing told whether the clocks were held down
    int judgedLent = 0, judgedCarried = 0; ///< launches whose outputs another process read by CUDA IPC, or was sent
    std::map<std::string, double> spentNs; ///< by the worker
    std::map<Shape, std::map<std::string, double>> lastNs; ///< of each slot, the median of its last block
    double gpuNs = 0, wallNs = 0, eventFloorNs = 0; ///< of timed launches; of the blocks they stand in
};

} // namespace tilewright
