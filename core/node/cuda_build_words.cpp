// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/cuda_build_words.h"

#include "core/base/text.h"
#include "core/node/compiler_end.h"
#include "core/node/cuda_toolkit.h"

#include <algorithm>

namespace tilewright {
namespace {

/// "plan(7): error: …": the text that the builder has put behind the program.
constexpr std::string_view ofThePlan = "plan(", ofTheNames = "__nv_name_map(";

bool says(const std::string& log, std::string_view words) { return log.find(words) != std::string::npos; }

std::string_view firstLineFrom(const std::string& log, std::string_view place)
{
    const auto lines = splitLines(log);
    const auto found = std::ranges::find_if(lines, [&](std::string_view line) { return line.starts_with(place); });
    return found == lines.end() ? std::string_view() : *found;
}

/// What stands between the first two quotes of a line.
std::string firstQuoted(std::string_view line)
{
    const std::size_t open = line.find('"'), close = open == line.npos ? open : line.find('"', open + 1);
    return close == line.npos ? std::string() : std::string(line.substr(open + 1, close - open - 1));
}

/// A program that did not compile: its own fault, or that of a toolkit without all of its headers.
Error unbuilt(const std::string& log)
{
    if (const std::string header = missingHeader(log); !header.empty() && !header.starts_with('/'))
        return {"build/no-headers", "this machine's CUDA headers are incomplete: " + header + " is missing",
            header.starts_with("cuda/") || header.starts_with("nv/")
                ? "install the toolkit's libcu++ (the package cuda-cccl)"
                : "install the CUDA toolkit's headers",
            {{"header", header}}};
    return {"build/error", firstComplaint(log), "", nullptr};
}

} // namespace

Error planComplaint(const std::string& log, const std::string& source)
{
    const std::string line = firstComplaint(log);
    if (!line.starts_with(ofThePlan))
        return unbuilt(log);
    if (says(line, "has no \"tilewright_plan\""))
        return {"build/no-entry",
            std::string("the program does not define tilewright_plan")
                + (says(source, "tilewright_run") ? ": it looks like one for the CPU, and the task is for the GPU"
                                                  : ""),
            "", nullptr};
    return {"build/plan", "the plan cannot be evaluated by the compiler: " + line, "", nullptr};
}

Error kernelsComplaint(const std::string& log)
{
    const std::string line = firstComplaint(log);
    if (!line.starts_with(ofTheNames))
        return unbuilt(log);
    const std::string name = firstQuoted(line);
    if (says(line, "is undefined") && !name.empty())
        return {"build/no-kernel", "the plan names the kernel " + name + ", which is not in the program", "",
            {{"found", name}}};
    return {"build/no-kernel", "the plan names a kernel that the program does not have so: " + line, "", nullptr};
}

std::string withoutRepeats(const std::string& log)
{
    if (firstLineFrom(log, ofThePlan).empty())
        return log;
    std::string kept;
    int complaints = 0, left = 0;
    for (const std::string_view line : splitLines(log)) {
        const bool isOfPlan = line.starts_with(ofThePlan) && says(std::string(line), ": error");
        complaints += isOfPlan;
        left += isOfPlan && complaints > 1;
        if (complaints < 2)
            (kept += line) += '\n';
    }
    if (left > 0)
        kept += "and so for " + counted(left, "other shape", "other shapes") + "\n";
    return std::string(trimmed(kept));
}

std::int64_t spilledBytes(const std::string& log)
{
    std::int64_t bytes = 0;
    for (const std::string_view line : splitLines(log)) {
        const std::size_t at = line.find(" bytes spill stores");
        if (at == std::string_view::npos)
            continue;
        const std::size_t begin = line.substr(0, at).find_last_of(" ,") + 1;
        bytes += std::atoll(std::string(line.substr(begin, at - begin)).c_str());
    }
    return bytes;
}

std::string withoutReport(const std::string& log)
{
    std::string text;
    for (const std::string_view line : splitLines(log))
        if (!line.starts_with("ptxas"))
            (text += line) += '\n';
    return std::string(trimmed(text));
}

Error foreignHeader(const std::string& found)
{
    std::string names = "tilewright/plan.h";
    for (const std::string& name : allowedHeaders())
        names += ", " + name;
    return {"build/include", "only these headers may be included: " + names + "; not " + found, "", {{"found", found}}};
}

} // namespace tilewright
