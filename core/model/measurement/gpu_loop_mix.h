// SPDX-License-Identifier: Apache-2.0
// The machine instructions of one turn of a GPU kernel's loop, by kind, and what follows from them. Counts are
// instructions of a warp, as they stand in the code: one that a thread skips is counted too. Pure.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// Accesses to memory by the bits that each thread moves with one instruction: {128: 4, 32: 2}.
using AccessWidths = std::map<int, int>;

struct GpuLoopMix {
    std::string kernel; ///< as the program writes it: "gemm<128,64>"
    bool isLoop = true; ///< else the kernel has no loop with work in it, and this is all of its code
    int instructions = 0;
    int fused = 0; ///< multiply-adds: FFMA, DFMA, HFMA2
    int arithmetic = 0; ///< other floating-point additions, multiplications and comparisons
    int special = 0; ///< of the special function unit: reciprocals, roots, exponentials
    int tensor = 0; ///< of the tensor cores
    std::string tensorKind; ///< the first of them: "HMMA.16816.F32.BF16"; empty for none
    AccessWidths globalLoads, globalStores, sharedLoads, sharedStores;
    AccessWidths asyncCopies; ///< from global to shared memory past the registers: LDGSTS
    int bulkCopies = 0; ///< of the copy engine: UBLKCP, UTMALDG, UTMASTG
    int atomics = 0;
    int shuffles = 0; ///< between the lanes of a warp
    int barriers = 0; ///< of a block: BAR
    int waits = 0; ///< for asynchronous copies or tensor cores: mbarriers, groups
    int spillStores = 0, spillLoads = 0; ///< to and from local memory

    bool operator==(const GpuLoopMix&) const = default;
    nlohmann::json json() const;
    /// None where it is no such object.
    static std::optional<GpuLoopMix> fromJson(const nlohmann::json& json);
};

/// Work of one turn, to tell which of a program's loops is the hottest: multiply-adds of a thread; those of tensor
/// cores by what one instruction does.
std::int64_t workOf(const GpuLoopMix& mix);
/// Instructions that move data of a thread, copies and those between lanes left out.
int accessesOf(const GpuLoopMix& mix);

/// "hot loop of gemm, per iteration: 128 multiply-adds, 16 loads from shared memory (128 bits), 2 barriers in 170
/// instructions".
std::string loopWords(const GpuLoopMix& mix);

/// What the device has, as far as findings depend on it.
struct GpuLoopLimits {
    int multiplyAddsAnAccess
        = 0; ///< warps that a multiprocessor multiplies and adds for while one accesses memory; 0 unknown
    /// Tensor cores multiply numbers of the task's format on this device: "bf16". Empty: they do not, or the task is no
    /// product.
    std::string tensorFormat;
    bool hasWarpgroups
        = false; ///< tensor cores take operands from shared memory by warpgroups (compute capability 9.0)

    bool operator==(const GpuLoopLimits&) const = default;
};

/// What slows the loop down, in sentences with their figures; empty where nothing does. It counts: values in local
/// memory; global accesses of fewer than 128 bits that would fit into fewer; more accesses to memory than the
/// multiply-adds hide; few multiply-adds a barrier; shuffles; tensor cores that are not used.
std::vector<std::string> loopFindings(const GpuLoopMix& mix, const GpuLoopLimits& limits);

} // namespace tilewright
