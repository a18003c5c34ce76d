// SPDX-License-Identifier: Apache-2.0
#include "core/node/cuda_plan_words.h"

#include "core/base/text.h"
#include "core/node/compiler_end.h"
#include "core/node/cuda_toolkit.h"
#include "core/source/candidate_header.h"
#include "kernels/include/tilewright/plan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace tilewright {
namespace {

constexpr std::string_view notConstant = "tilewright_plan cannot be evaluated at compile time";
constexpr std::size_t mostOfTheLog = 1000;

/// "candidate.cu(5): note #2693-D: called from:", and the line of the source that the compiler shows below. Older
/// compilers give their notes no number.
struct Note {
    std::string_view file, sentence, shown;
    int line = 0;
};

/// "FILE(LINE): KIND … : SENTENCE".
std::optional<Note> noteOf(std::string_view line, std::string_view kind)
{
    const std::size_t close = line.find("): " + std::string(kind));
    const std::size_t open = close == line.npos ? close : line.rfind('(', close);
    const std::size_t colon = open == line.npos ? open : line.find(": ", close + 3 + kind.size());
    if (colon == line.npos)
        return std::nullopt;
    Note note{line.substr(0, open), trimmed(line.substr(colon + 2)), {}, 0};
    std::from_chars(line.data() + open + 1, line.data() + close, note.line);
    return note;
}

/// What is noted of the first shape whose plan is no constant, which is the first of all.
std::vector<Note> notesOfTheFirst(const std::vector<std::string_view>& lines)
{
    std::vector<Note> notes;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (const auto error = noteOf(lines[i], "error")) {
            if (!notes.empty() || error->file != planPlace)
                break; // of the next shape, or of the program's own text
            notes.push_back(*error);
        } else if (auto note = notes.empty() ? std::nullopt : noteOf(lines[i], "note")) {
            note->shown = i + 1 < lines.size() ? lines[i + 1] : std::string_view();
            notes.push_back(*note);
        }
    }
    return notes;
}

struct Cause {
    std::string_view sentence, meaning;
};

/// By a piece of NVRTC's sentence; the first that fits.
constexpr std::array causes{
    Cause{"excessive constexpr", "it does not end, or takes too many steps (an endless loop or recursion)"},
    Cause{"cannot be used as a constant", "it reads a variable that is no constant"},
    Cause{"access run-time storage", "it reads or writes memory that exists only at run time"},
    Cause{"null pointer", "it reads or writes through a null pointer"},
    Cause{"conversion from", "it uses a number as an address, or an address as a number"},
    Cause{"uninitialized", "it reads an uninitialised variable"},
    Cause{"one position past", "it accesses elements outside of an array"},
    Cause{"cannot access position", "it accesses elements outside of an array"},
    Cause{"exceeds range", "a number exceeds the range of its type"},
    Cause{"out of range", "a number exceeds the range of its type, or is divided by zero"},
    Cause{"non-constexpr function", "it calls a function that is not constexpr (TW_FN makes it so)"},
    Cause{"missing return value", "a function ends without returning a value"},
};

bool mentions(std::string_view text, std::string_view words) { return text.find(words) != text.npos; }

/// "" where NVRTC's own sentence has to do.
std::string meaningOf(const Note& reason)
{
    namespace contract = tilewright_contract;
    if (reason.file == planHeaderName && !mentions(reason.sentence, "position -")) { // what our own functions write
        const bool isOutside
            = mentions(reason.sentence, "one position past") || mentions(reason.sentence, "access position");
        if (isOutside && mentions(reason.sentence, "array of " + std::to_string(contract::longestKernelName)))
            return "a kernel's name, with the numbers of its instance, is longer than "
                + std::to_string(contract::longestKernelName - 1) + " characters";
        if (isOutside && (mentions(reason.shown, "request.") || mentions(reason.shown, "map[maps]")))
            return "it asks for more than " + std::to_string(contract::mostMaps) + " tensor maps";
        if (isOutside && (mentions(reason.shown, "next.") || mentions(reason.shown, "launch[launches")))
            return "it adds more than " + std::to_string(contract::mostLaunches) + " launches";
    }
    for (const Cause& cause : causes)
        if (mentions(reason.sentence, cause.sentence))
            return std::string(cause.meaning);
    return {};
}

} // namespace

bool isOfNoConstant(const std::string& log) { return mentions(log, "dynamic initialization is not supported"); }

Error noConstantComplaint(const std::string& log, const std::string& file, const std::vector<Shape>& shapes)
{
    const std::vector<Note> notes = notesOfTheFirst(splitLines(log));
    if (notes.size() < 2)
        return {"build/plan",
            std::string(notConstant)
                + ": it must be a constant expression that ends, without an endless loop, a write past an array, or a "
                  "read of a non-constant",
            "", nullptr};
    const Note& reason = notes[1];
    nlohmann::json evidence{{"said", reason.sentence}, {"compiler", printable(trimmed(log).substr(0, mostOfTheLog))}};
    std::string where;
    for (std::size_t i = 1; i < notes.size() && where.empty(); ++i)
        if (notes[i].file == file) {
            where = "line " + std::to_string(notes[i].line) + " of " + file + ", ";
            evidence["line"] = notes[i].line;
        }
    if (const int shape = notes.front().line; shape >= 1 && static_cast<std::size_t>(shape) <= shapes.size()) {
        where += "for " + shapeText(shapes[static_cast<std::size_t>(shape) - 1]);
        evidence["shape"] = shapes[static_cast<std::size_t>(shape) - 1];
    }
    const std::string meaning = meaningOf(reason);
    return {"build/plan",
        std::string(notConstant) + (meaning.empty() ? "" : ": " + meaning) + " (" + where
            + "); NVRTC: " + std::string(reason.sentence),
        "", std::move(evidence)};
}

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
    return {"build/no-kernel", "the plan names a kernel with a signature that the program does not have: " + line, "",
        nullptr};
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
