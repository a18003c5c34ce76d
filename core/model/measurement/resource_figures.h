// SPDX-License-Identifier: GPL-3.0-or-later
// What a program needs of its device, as its build told it. A GPU program may have several kernels: the figures are
// those of the one that leaves the least room beside it (lowest occupancy, then most registers). Pure.
#pragma once

#include "core/model/measurement/gpu_loop_mix.h"
#include "core/model/measurement/loop_mix.h"
#include "core/model/run_state.h"
#include "core/model/task/task.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

struct ResourceFigures {
    std::optional<std::int64_t> sourceBytes; ///< without comments
    std::optional<std::int64_t> machineCodeBytes, constantBytes;
    std::optional<std::int64_t> registers; ///< of a thread
    std::optional<std::int64_t> sharedBytes; ///< of a block, static and dynamic
    std::optional<std::int64_t> spillBytes; ///< of a thread, over all kernels
    std::optional<double> occupancy; ///< resident warps of those that a multiprocessor can hold, 0 to 1
    std::string kernel; ///< whose these are; empty where there is one program without kernels
    int kernels = 0;
    int threads = 0, blocks = 0; ///< of a block; resident on a multiprocessor
    std::string limitedBy; ///< registers, shared, threads, blocks
    std::optional<LoopMix> hotLoop; ///< of a CPU program, where objdump showed its code
    /// Of a GPU program, where a disassembler showed its code: that of the kernel with the most work a turn.
    std::optional<GpuLoopMix> gpuHotLoop;

    bool operator==(const ResourceFigures&) const = default;
};

/// What the device has of them; nothing where its record does not tell.
struct ResourceLimits {
    std::optional<std::int64_t> sharedBytes; ///< of a block
    std::optional<std::int64_t> registers; ///< of a multiprocessor, and so of a block

    bool operator==(const ResourceLimits&) const = default;
};

/// From deviceFactsOf().
ResourceLimits resourceLimits(const nlohmann::json& deviceFacts);

/// From EvaluationResult::resources or a build's; nothing where the build told nothing.
ResourceFigures resourceFigures(const nlohmann::json& resources);

/// Of a candidate's newest evaluation; none where it is not known.
std::optional<LoopMix> hotLoopOf(const RunState& state, CandidateId candidate);

// The hot loop in words, whichever kind of device it was compiled for.

/// "" where no loop is known.
std::string hotLoopWords(const ResourceFigures& figures);
/// The same, of a candidate's newest evaluation.
std::string hotLoopWordsOf(const RunState& state, CandidateId candidate);
/// Stores of one turn that are there only because registers did not suffice; 0 where no loop is known.
int hotLoopSpills(const RunState& state, CandidateId candidate);
/// What a GPU has for this task, from deviceFactsOf().
GpuLoopLimits gpuLoopLimits(const nlohmann::json& deviceFacts, const Task& task);

// What Nsight Compute counted in a candidate's launches, in plain words. The node keeps its counters by their own
// names, in the environment of the measurement beside which they were read, a re-run or that of a new best: {"shape",
// "launches": [{"kernel", "counters": [{"name", "value", "unit"}]}]}. Pure.

/// "25.5 MB moved to and from memory"; the counter's own name where it is none that is asked for.
std::string counterWords(const std::string& name, double value, const std::string& unit);
/// One line for each launch: its kernel and what was counted, but for why warps wait (gpu_counters.h). Empty where
/// nothing was, or in another form.
std::vector<std::string> profileLines(const nlohmann::json& counters);
/// The newest measurement of a candidate that has counters, on shapes and device of the run; null where no profiler
/// ran.
const Evaluation* countedEvaluationOf(const RunState& state, CandidateId candidate);
/// The same measurement's counters; null where no profiler ran.
nlohmann::json countersOf(const RunState& state, CandidateId candidate);
/// Counters are wanted of what may be the best of its island or of the run: the score that a measurement for this
/// purpose must be above. None where they are known.
std::optional<double> countersWantedAbove(const RunState& state, CandidateId candidate, Purpose purpose);

} // namespace tilewright
