// SPDX-License-Identifier: Apache-2.0
#include "core/node/compiler_end.h"

#include "core/base/text.h"
#include "core/node/machine_trouble.h"
#include "core/protocol/killed.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace tilewright {
namespace {

/// GCC's driver tells so of what it has started, on a line of its own. A program might have it say the same, and gains
/// nothing: it is tried again, and in the end it is that which is held against it.
bool tellsOfAKill(const std::string& log)
{
    for (const std::string_view line : splitLines(log))
        if (line.starts_with("g++: fatal error: Killed signal terminated program ")
            || line.starts_with("collect2: fatal error: ld terminated with signal 9 ["))
            return true;
    return false;
}

} // namespace

std::string firstComplaint(const std::string& log)
{
    for (const std::string_view line : splitLines(log))
        if (line.find("error") != std::string_view::npos)
            return std::string(line);
    return log.empty() ? "no compiler output" : std::string(splitLines(log).front());
}

bool speaksOfRoom(const std::string& log)
{
    return log.find("No space left on device") != std::string::npos
        || log.find("Disk quota exceeded") != std::string::npos;
}

std::string tooMuchMemory(std::size_t allowedBytes)
{
    return "the compiler needed more than its limit of " + std::to_string(allowedBytes >> 20) + " MiB";
}

CompilerVerdict verdictOf(const CompilerEnd& end)
{
    const auto says = [&](const char* words) { return end.log.find(words) != std::string::npos; };
    const bool late = end.status.timedOut || end.status.signal == SIGXCPU
        || says("CPU time limit exceeded signal terminated program");
    const bool killed = isFromOutside(end.status) || tellsOfAKill(end.log);
    if (end.ranOutOfRoom)
        return {"machine/no-room", "the compiler could not write its output: the disk is full"};
    if (killed && !late && end.endedForMemory)
        return {"machine/memory", "the system killed the compiler because memory ran out"};
    if (end.status.signal == SIGXFSZ || says("File size limit exceeded signal terminated program"))
        return {"build/limit", "the compiler wrote a file above the size limit of objects"};
    if (late)
        return {"build/limit", "the compiler needed more time than the task allows"};
    if (killed) // a limit of ours on memory never kills
        return {killedFromOutside, "a compiler was killed by a signal that Tilewright did not send"};
    if (says("out of memory") || says("virtual memory exhausted") || speaksOfRoom(end.log))
        return {"build/limit", tooMuchMemory(end.memoryBytes)};
    if (end.status.signal != 0 || says("internal compiler error"))
        return {"build/crash", firstComplaint(end.log), true};
    const bool isCuda = says("‘__device__’ does not name a type") || says("‘__global__’ does not name a type")
        || says("‘TW_FN’ does not name a type");
    return {"build/error",
        (isCuda ? "this looks like a CUDA program, and the task is for the CPU; " : "") + firstComplaint(end.log),
        true};
}

Result<std::size_t> memoryForACompiler()
{
    constexpr std::size_t least = std::size_t(256) << 20;
    const std::size_t free = availableMemory();
    const std::size_t memory = free == 0 ? mostCompilerMemory : std::min(mostCompilerMemory, free / 2);
    if (memory < least)
        return std::unexpected(noMemory("too little free memory to compile a program", ENOMEM));
    return memory;
}

std::chrono::seconds processorTimeFor(double seconds) { return std::chrono::seconds(static_cast<long>(seconds) + 2); }

} // namespace tilewright
