// SPDX-License-Identifier: GPL-3.0-or-later
// A task pack looked at as its author needs it: all that loading sees, and what would only show while it runs.
#pragma once

#include "core/model/task/task.h"
#include "core/node/build_cache.h"

#include <functional>
#include <optional>
#include <string>

namespace tilewright::cli {

/// What is being done, how far it is and of how much; 0 where that is not known.
using PackProgress = std::function<void(const std::string& stage, double done, double of)>;

struct PackVerdict {
    TaskPack pack;
    std::vector<std::string> passed; ///< gates that the seed passed where it was run
    std::vector<std::string> notJudged; ///< what only a run shows, where there was none
    std::string compiledFor; ///< the GPU that stood for one of this machine, which has none
};

enum class SeedIs { Compiled, Run };

/// The pack in the folder if it is good: it can be loaded, its texts and moves fit, its bounds catch the built-in
/// cheats, its seed and reference compile, and, where it is asked for or the operation is no product, the seed is right
/// on every shape. Errors: those of loadTaskPack(), calibrateGates(), checkCompiles() and runSeed(), task/file.
Result<PackVerdict> checkedPack(const std::filesystem::path& folder, SeedIs wanted, const PackProgress& progress);

/// checkedPack(), and the word on a pack that was written from a kernel kept in its folder.
Result<PackVerdict> checkAndMark(const std::filesystem::path& folder, SeedIs wanted, const PackProgress& progress);
int exitCodeOfCheck(const Error& error);
nlohmann::json verdictJson(const std::filesystem::path& folder, const Result<PackVerdict>& verdict);
void printVerdict(const PackVerdict& verdict);
/// A line on standard error: "checking 12/96".
void printProgress(const std::string& stage, double done, double of);
void quietly(const std::string& stage, double done, double of);

// A task pack's seed and reference, or one program, tried with the compiler alone.

/// The compiler's and the object rules' word on both texts, as a node would hear it. Errors: task/file, and
/// build/no-compiler when there is none to try it with. Returns the GPU that stood for one of this machine, which has
/// none: "NVIDIA H200"; else nothing.
Result<std::string> checkCompiles(const TaskPack& pack);

/// What a compiler makes of a program for a GPU where there is none to run it on.
struct BuiltForAnother {
    std::string gpu; ///< "NVIDIA H200 (sm_90a)"
    BuildOutcome outcome;
};
/// Nothing where no compiler is, or where it is the machine that fails.
std::optional<BuiltForAnother> buildWithoutGpu(const Task& task, const std::string& source);

} // namespace tilewright::cli
