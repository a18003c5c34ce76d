// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/compiled_rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace tilewright {
namespace {

/// A "# 12 "file" 1" that the preprocessor left: which file begins there, entered by an include or left.
struct LineMarker {
    bool isEntry = false, isReturn = false, isSystem = false;
};

std::optional<LineMarker> markerOf(std::string_view line)
{
    if (!line.starts_with("# ") || line.size() < 3 || !std::isdigit(static_cast<unsigned char>(line[2])))
        return {};
    LineMarker marker;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open == std::string_view::npos || close <= open)
        return marker;
    marker.isSystem = line[open + 1] == '/';
    for (const char flag : line.substr(close + 1)) {
        marker.isEntry = marker.isEntry || flag == '1';
        marker.isReturn = marker.isReturn || flag == '2';
    }
    return marker;
}

/// A statement of the assembler: its words, without labels and comments.
struct Statement {
    std::string_view first; ///< mnemonic or directive
    std::string_view rest;
};

std::vector<Statement> statementsOf(std::string_view assembly)
{
    std::vector<Statement> statements;
    const auto add = [&](std::string_view text) {
        text = trimmed(text);
        for (std::size_t colon; (colon = text.find(':')) != std::string_view::npos;) { // labels in front
            const std::string_view label = trimmed(text.substr(0, colon));
            const bool isLabel = !label.empty() && std::ranges::all_of(label, [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '"';
            });
            if (!isLabel)
                break;
            text = trimmed(text.substr(colon + 1));
        }
        const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
        if (end > 0)
            statements.push_back({text.substr(0, end), trimmed(text.substr(end))});
    };
    std::size_t begin = 0;
    bool isInString = false;
    for (std::size_t at = 0; at <= assembly.size(); ++at) {
        const char c = at < assembly.size() ? assembly[at] : '\n';
        if (isInString && c == '\\')
            ++at;
        else if (c == '"')
            isInString = !isInString;
        else if (c == '\n' || (!isInString && (c == ';' || c == '#'))) {
            add(assembly.substr(begin, std::min(at, assembly.size()) - begin));
            isInString = false;
            if (c == '#') // a comment
                at = std::min(assembly.find('\n', at), assembly.size());
            begin = at + 1;
        }
    }
    return statements;
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

/// Whether what follows this statement is executed; nothing where it changes no section.
std::optional<bool> executedAfter(const Statement& statement)
{
    if (isOneOf(statement.first, {".data", ".bss", ".rodata"}))
        return false;
    if (isOneOf(statement.first, {".text", ".previous", ".popsection", ".subsection"}))
        return true; // where it leads back to is not followed
    if (!isOneOf(statement.first, {".section", ".pushsection"}))
        return {};
    const std::size_t comma = statement.rest.find(',');
    const std::string_view name = trimmed(statement.rest.substr(0, comma));
    std::string_view flags = comma == std::string_view::npos ? "" : trimmed(statement.rest.substr(comma + 1));
    flags = flags.starts_with('"') ? flags.substr(1, flags.find('"', 1) - 1) : "";
    if (!flags.empty())
        return !std::ranges::all_of(flags, [](char c) { return std::isalpha(static_cast<unsigned char>(c)); })
            || flags.find('x') != std::string_view::npos;
    constexpr std::array data{".rodata", ".data", ".bss", ".note", ".comment", ".init_array", ".fini_array",
        ".eh_frame", ".tdata", ".tbss", ".dynamic", ".debug", ".gcc_except_table"};
    return std::ranges::none_of(data, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// Directives that put bytes of one's choice into a section.
bool writesBytes(const Statement& statement)
{
    if (isOneOf(statement.first,
            {".p2align", ".p2alignl", ".p2alignw", ".balign", ".balignl", ".balignw", ".align", ".skip", ".space",
                ".org"})) { // of one's choice: a second number, what they fill with
        const std::size_t comma = statement.rest.find(',');
        const std::string_view fill = comma == std::string_view::npos ? "" : trimmed(statement.rest.substr(comma + 1));
        return !fill.empty() && !fill.starts_with(',');
    }
    // Prefixes that g++ itself puts before a call, of thread-local variables.
    if ((statement.first == ".value" && statement.rest == "0x6666")
        || (statement.first == ".byte" && statement.rest == "0x66"))
        return false;
    return isOneOf(statement.first,
               {".byte", ".1byte", ".2byte", ".4byte", ".8byte", ".octa", ".inst", ".insn", ".short", ".hword", ".word",
                   ".int", ".long", ".value", ".quad", ".ascii", ".asciz", ".fill", ".single", ".float", ".double",
                   ".tfloat", ".hfloat", ".bfloat16", ".uleb128", ".sleb128", ".slong", ".reloc"})
        || statement.first.starts_with(".string") || statement.first.starts_with(".dc");
}

std::string asText(const std::string& first, std::string_view rest)
{
    return first + (rest.empty() ? "" : " ") + std::string(rest.substr(0, 60));
}

} // namespace

std::string ownLines(std::string_view preprocessed)
{
    std::string own;
    std::size_t depth = 0; // of system headers
    for (std::size_t at = 0; at < preprocessed.size();) {
        const std::size_t end = std::min(preprocessed.find('\n', at), preprocessed.size());
        const std::string_view line = preprocessed.substr(at, end - at);
        at = end + 1;
        if (const auto marker = markerOf(line)) {
            if (marker->isEntry && (depth > 0 || marker->isSystem))
                ++depth;
            else if (marker->isReturn && depth > 0)
                --depth;
        } else if (depth == 0) {
            own.append(line) += '\n';
        }
    }
    return own;
}

std::optional<MathFinding> findFastMathExpanded(std::string_view preprocessed)
{
    auto found = findFastMath(ownLines(preprocessed));
    if (found)
        found->line = 0;
    return found;
}

std::optional<MathFinding> findFastMathInAssembly(std::string_view assembly)
{
    bool isExecuted = true;
    for (const Statement& statement : statementsOf(assembly)) {
        if (const auto executed = executedAfter(statement)) {
            isExecuted = *executed;
            continue;
        }
        const std::string first = lowered(statement.first);
        const Statement lower{first, statement.rest};
        const bool puts = isOneOf(first, {".macro", ".rept", ".rep", ".irp", ".irpc", ".altmacro"});
        if (puts || (isExecuted && writesBytes(lower)))
            return MathFinding{false, 0, asText(first, statement.rest)};
        if (first.starts_with('.'))
            continue;
        for (const std::string_view name : {"ldmxcsr", "fldcw", "fldenv", "frstor", "fxrstor", "xrstor"})
            if (const std::string text = asText(first, statement.rest);
                text.find(name) != std::string::npos && !isOneOf(first, {"call", "jmp", "lea", "leaq", "movq", "mov"}))
                return MathFinding{false, 0, text};
    }
    return {};
}

} // namespace tilewright
