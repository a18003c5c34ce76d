// SPDX-License-Identifier: Apache-2.0
// How a compiler ended, and what that makes of the program: an outcome of its own, or the machine's trouble. Pure.
#pragma once

#include "core/base/result.h"
#include "core/node/child_process.h"

#include <chrono>
#include <optional>

namespace tilewright {

/// What is known beyond the compiler's own words, which a program can put into its mouth.
struct CompilerEnd {
    ExitStatus status; ///< not clean; without what a sandbox makes of it
    std::string log;
    std::size_t memoryBytes = 0; ///< that it could have at most
    bool ranOutOfRoom = false; ///< nothing can be written any more where it wrote
    bool endedForMemory = false; ///< the system ended a process for want of memory meanwhile
};

struct CompilerVerdict {
    std::string rule; ///< build/limit, build/crash, build/error; machine/… is no outcome
    std::string text;
    bool isKept = false; ///< the same text would end in the same way
};

CompilerVerdict verdictOf(const CompilerEnd& end);
/// What it says of a compiler that could not have more.
std::string tooMuchMemory(std::size_t allowedBytes);
/// The first line that speaks of an error, else the first of all.
std::string firstComplaint(const std::string& log);
/// Whether its words speak of a full disk; whether there is one is asked of the disk.
bool speaksOfRoom(const std::string& log);

// What a compiler may use of this machine, of whatever language: text that nobody has looked at makes it grow.

inline constexpr std::size_t mostCompilerMemory = std::size_t(3) << 30;

/// A share of what is free, so that one that grows without end is stopped by its own limit and not by the system, which
/// might choose another process. Errors: machine/memory where that is too little to compile anything.
Result<std::size_t> memoryForACompiler();

/// Of a compiler that may take this long: work that it does in several threads at once counts as well.
std::chrono::seconds processorTimeFor(double seconds);

} // namespace tilewright
