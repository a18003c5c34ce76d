// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/cuda_plan_words.h"

#include "core/base/text.h"
#include "core/source/cuda_header.h"
#include "kernels/include/tilewright/plan.h"

#include <array>
#include <charconv>
#include <optional>

namespace tilewright {
namespace {

constexpr std::string_view notConstant = "tilewright_plan cannot be evaluated while it is compiled";
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
    Cause{"excessive constexpr", "it has no end, or takes too many steps (an endless loop or recursion)"},
    Cause{"cannot be used as a constant", "it reads a variable that is no constant"},
    Cause{"access run-time storage", "it reads or writes memory that is there only while the program runs"},
    Cause{"null pointer", "it reads or writes through a null pointer"},
    Cause{"conversion from", "it takes a number for an address, or an address for a number"},
    Cause{"uninitialized", "it reads a variable that was given no value"},
    Cause{"one position past", "it goes outside of an array"},
    Cause{"cannot access position", "it goes outside of an array"},
    Cause{"exceeds range", "a number is larger than its type can hold"},
    Cause{"out of range", "a number is larger than its type can hold, or is divided by zero"},
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
                  "read of what is no constant",
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

} // namespace tilewright
