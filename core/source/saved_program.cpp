// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/saved_program.h"

#include "core/base/block_markers.h"
#include "core/base/text.h"
#include "core/model/measurement/evaluation.h"
#include "core/model/measurement/evidence.h"
#include "core/source/candidate_header.h"
#include "core/source/program_text.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

constexpr std::string_view headerBegins = "// tilewright: header that belongs to the program";
constexpr std::string_view headerEnds = "// tilewright: the program";
constexpr std::string_view licence = "// SPDX-License-Identifier: Apache-2.0\n";

std::string lowerCase(std::string_view text)
{
    std::string all(text);
    for (char& letter : all)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return all;
}

/// On one line of a comment: no line break, and no backslash that would join the next line to it.
std::string commentLine(std::string_view text)
{
    std::string line = "// " + printable(text);
    std::ranges::replace(line, '\n', ' ');
    std::ranges::replace(line, '\\', '/');
    return line + "\n";
}

/// Lines of comment and blank ones that stand before the first code and the first marker.
std::size_t headingLines(const std::vector<std::string_view>& lines, std::string_view text)
{
    const std::vector<ScannedLine> scanned = scanLines(text);
    std::size_t count = 0;
    while (count < std::min(lines.size(), scanned.size()) && trimmed(scanned[count].code).empty()
        && !markerOfLine(lines[count]))
        ++count;
    return count;
}

/// A notice that has to stay with the program; the licence line of the shipped kernels is none.
bool isNoticeOfOthers(std::string_view heading)
{
    const std::string words = lowerCase(heading);
    for (const std::string_view line : splitLines(words)) {
        const bool isOwn = line.find("spdx-license-identifier: gpl-3.0-or-later") != std::string_view::npos
            || line.find("spdx-license-identifier: apache-2.0") != std::string_view::npos;
        constexpr std::array notices{"copyright", "license", "licence", "(c) ", "©"};
        if (!isOwn && std::ranges::any_of(notices, [line](std::string_view notice) {
                return line.find(notice) != std::string_view::npos;
            }))
            return true;
    }
    return false;
}

std::string linesFrom(const std::vector<std::string_view>& lines, std::size_t first, std::size_t last)
{
    std::string text;
    for (std::size_t i = first; i < last; ++i)
        text += std::string(lines[i]) + "\n";
    return text;
}

/// What the node puts in front of the program.
std::string headerOf(const Task& task)
{
    const std::string header
        = task.target == Target::Cuda ? cudaCandidateHeader(task, "program") : candidateHeader(task, "program");
    std::string text;
    for (const std::string_view line : splitLines(header))
        if (!line.starts_with("#line ") && !line.starts_with("#pragma once")
            && !line.starts_with("// SPDX-License-Identifier:"))
            text += std::string(line) + "\n";
    return text;
}

std::string figuresLine(const Candidate& candidate)
{
    if (candidate.outcome == Outcome::None)
        return "Not measured yet.";
    if (!candidate.score || !candidate.isRanked())
        return "No score: " + nameOf(candidate.outcome) + (candidate.rule.empty() ? "" : ", " + candidate.rule) + ".";
    std::string line = "Score " + timesText(*candidate.score) + " of the task's baseline, 95 % interval, "
        + (candidate.confirmed ? "confirmed" : "provisional");
    return line + ".";
}

std::string vendorLine(const RunState& state, const Candidate& candidate)
{
    const auto library = vendorLibraryOf(state, candidate);
    return library && candidate.vsVendor
        ? timesText(*candidate.vsVendor) + " of the vendor library: " + describe(*library) + "."
        : std::string();
}

std::string deviceLine(const RunState& state, const Candidate& candidate)
{
    const Evidence evidence = evidenceOf(state, candidate, nullptr);
    if (!evidence.evaluation)
        return {};
    std::string line = "Measured on " + (evidence.device.empty() ? std::string("an unknown device") : evidence.device);
    for (const auto& [name, value] : {std::pair("compiler", evidence.compiler), std::pair("mode", evidence.mode),
             std::pair("isolation", evidence.isolation)})
        if (!value.empty())
            line += std::string(", ") + name + " " + value;
    return line + ".";
}

std::string headingOf(const RunState& state, const Candidate& candidate, const Task& task, const SavedFrom& from)
{
    std::string text = commentLine(candidateName(candidate.id) + " of the session " + from.session + ", task "
        + task.name + ", saved on " + from.date + ".");
    text += commentLine(figuresLine(candidate));
    for (const std::string& line : {vendorLine(state, candidate), deviceLine(state, candidate)})
        if (!line.empty())
            text += commentLine(line);
    text += task.target == Target::Cuda
        ? "// tilewright_plan() says how its kernels are launched for a shape and a device.\n"
        : "// Call tilewright_workspace() for the size of the workspace, then tilewright_run().\n";
    return text;
}

/// The lines strictly inside of each block.
std::vector<std::string> insidesOf(std::string_view text)
{
    const auto blocks = evolveBlocks(text);
    const std::vector<std::string_view> lines = splitLines(text);
    std::vector<std::string> all;
    if (blocks)
        for (const EvolveBlock& block : *blocks)
            all.push_back(block.lastLine < block.firstLine ? std::string()
                                                           : linesFrom(lines, block.firstLine, block.lastLine + 1));
    return all;
}

/// The frame with these texts inside of its blocks.
std::string framed(std::string_view frame, const std::vector<std::string>& insides)
{
    const auto blocks = evolveBlocks(frame);
    const std::vector<std::string_view> lines = splitLines(frame);
    std::string text;
    std::size_t at = 0;
    for (std::size_t i = 0; blocks && i < blocks->size(); ++i) {
        text += linesFrom(lines, at, (*blocks)[i].firstLine) + insides[i];
        at = std::max((*blocks)[i].firstLine, (*blocks)[i].lastLine + 1);
    }
    text += linesFrom(lines, at, lines.size());
    if (!frame.ends_with('\n') && text.ends_with('\n'))
        text.pop_back();
    return text;
}

} // namespace

std::string savedProgram(
    const RunState& state, const Candidate& candidate, const Task& task, std::string_view source, const SavedFrom& from)
{
    const std::vector<std::string_view> lines = splitLines(source);
    const std::size_t heading = headingLines(lines, source);
    const std::string old = linesFrom(lines, 0, heading);
    const bool keepsNotice = isNoticeOfOthers(old);
    std::string text = keepsNotice ? std::string() : std::string(licence);
    text += headingOf(state, candidate, task, from) + "\n" + std::string(headerBegins) + "\n";
    text += keepsNotice ? "// The licence of this header is Apache-2.0.\n" : "";
    text += headerOf(task) + std::string(headerEnds) + "\n";
    return text + (keepsNotice ? old : std::string()) + linesFrom(lines, heading, lines.size());
}

std::string programInSaved(std::string_view text, std::string_view frame)
{
    const std::vector<std::string_view> lines = splitLines(text);
    const auto begins = std::ranges::find(lines, headerBegins);
    const auto ends = std::find(begins, lines.end(), headerEnds);
    if (begins == lines.end() || ends == lines.end())
        return std::string(text);
    const std::string program = linesFrom(lines, static_cast<std::size_t>(ends - lines.begin()) + 1, lines.size());
    const std::vector<std::string> insides = insidesOf(program);
    const bool fits = !frame.empty() && !insides.empty() && insidesOf(frame).size() == insides.size();
    return fits ? framed(frame, insides) : program;
}

} // namespace tilewright
