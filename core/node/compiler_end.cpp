// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/compiler_end.h"

#include "core/base/text.h"

#include <csignal>

namespace tilewright {

std::string firstComplaint(const std::string& log)
{
    for (const std::string_view line : splitLines(log))
        if (line.find("error") != std::string_view::npos)
            return std::string(line);
    return log.empty() ? "the compiler said nothing" : std::string(splitLines(log).front());
}

bool speaksOfRoom(const std::string& log)
{
    return log.find("No space left on device") != std::string::npos
        || log.find("Disk quota exceeded") != std::string::npos;
}

std::string tooMuchMemory(std::size_t allowedBytes)
{
    return "the compiler needed more than the " + std::to_string(allowedBytes >> 20) + " MiB it may have";
}

bool isFromOutside(const ExitStatus& status)
{
    return !status.timedOut
        && (status.signal == SIGKILL || status.signal == SIGTERM || status.signal == SIGINT || status.signal == SIGHUP
            || status.signal == SIGQUIT);
}

CompilerVerdict verdictOf(const CompilerEnd& end)
{
    const auto says = [&](const char* words) { return end.log.find(words) != std::string::npos; };
    const bool killed = end.status.signal == SIGKILL || says("Killed signal terminated program");
    if (end.ranOutOfRoom)
        return {"machine/no-room", "the compiler could not write its output: the disk is full"};
    if (killed && !end.status.timedOut && end.endedForMemory)
        return {"machine/memory", "the system ended the compiler for want of memory"};
    if (end.status.signal == SIGXFSZ || says("File size limit exceeded signal terminated program"))
        return {"build/limit", "the compiler wrote a file that is larger than any object may be"};
    if (end.status.timedOut || end.status.signal == SIGXCPU || killed || says("out of memory")
        || says("virtual memory exhausted") || speaksOfRoom(end.log))
        return {"build/limit",
            end.status.timedOut || end.status.signal == SIGXCPU ? "the compiler needed more time than the task allows"
                                                                : tooMuchMemory(end.memoryBytes)};
    const bool crashed = end.status.signal != 0 || says("internal compiler error");
    return {crashed ? "build/crash" : "build/error", firstComplaint(end.log), true};
}

} // namespace tilewright
