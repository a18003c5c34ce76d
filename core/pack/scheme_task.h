// SPDX-License-Identifier: GPL-3.0-or-later
// From a scheme to a task: single-precision products on a CPU whose seed multiplies blocks by the scheme. The result is
// an ordinary task pack, which verify, evaluate and evolve take as any other ("evolve from this").
#pragma once

#include "core/model/task/task.h"
#include "core/tensor/code.h"

#include <filesystem>

namespace tilewright {

/// Errors: tensor/task where the task is no product C = A B of fp32 with dims M, N, K on a CPU, or of a scheme itself.
Result<void> checkSchemeOrigin(const Task& from);

/// Whether schemes like this become floating-point programs and tasks, by ring and coefficients alone; whether it is
/// exact is not looked at. Errors: tensor/mod2, tensor/complex, tensor/coefficient.
Result<void> checkBecomesTask(const tensor::Scheme& scheme);

/// The least size of M, N and K at which all levels are used, for blocks of the scheme's largest side.
std::int64_t leastSizeOf(const tensor::Format& format, const tensor::CodeOptions& code);
/// The largest leastSizeOf() of a derived task with its own shapes: above it a check in double precision takes too
/// long.
inline constexpr std::int64_t largestLeastSize = 768;

struct SchemeTaskOptions {
    std::string name; ///< of the task and of its folder
    /// Levels, cut-off and leaf of the seed. The task allows for so many levels, no more.
    tensor::CodeOptions code;
    std::vector<Shape> train = {}; ///< M, N, K; empty: sizes at which all levels are used, odd ones among them
};

/// The derived task, in memory: reference, inputs, build options and vendor library of `from`; its own seed, shapes
/// (held-out and sealed ones included), workspace and source limit; numeric.error normwise, and numeric.scheme with the
/// exact coefficients, from which the gates compute what they allow (core/model/task/task_scheme.h). Figures of it
/// never stand beside those of `from`: it is another task. Pure; may take 0.1 s where the scheme is large.
///
/// Whether the check of timed launches still finds a downcast is judged by the node when the task is first used:
/// task/loose. tilewright-cli asks before it writes.
///
/// Errors: those of checkSchemeOrigin(); tensor/shapes where the levels need shapes that are too large;
/// tensor/coefficient for one that is no multiple of 2^-16; task/field for a name that no task may have; those of
/// tensor::programOf().
Result<TaskPack> schemeTask(const tensor::Scheme& scheme, const TaskPack& from, const SchemeTaskOptions& options);

/// Whether the task of that name may be written as this folder. Errors: tensor/exists, tensor/task.
Result<void> checkTaskFolder(const std::string& name, const std::filesystem::path& folder);

/// Writes a pack in memory as a folder, which must not exist or be empty and is named as the task. For a thread that
/// may wait. What it made is taken away again where it cannot be finished. Errors: those of
/// checkTaskFolder(), file/unwritable and those of saveFile().
Result<void> writeTaskFolder(const TaskPack& pack, const std::filesystem::path& folder);

} // namespace tilewright
