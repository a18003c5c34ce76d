// SPDX-License-Identifier: Apache-2.0
#include "core/source/compiled_rules.h"

#include "core/base/text.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
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

namespace {

/// Options, attributes and control registers. Blanks between the parts of a directive are free.
const std::regex& optionPattern()
{
    static const std::regex pattern(
        R"re((?:^|\n)\s*(?:#|%:)\s*[0-9]|#\s*pragma\s+GCC\s+optimize|_Pragma\s*\(\s*"\s*GCC\s+optimize|#\s*pragma\s+(?:clang\s+)?fp\s|#\s*pragma\s+float_control)re"
        R"re(|#\s*pragma\s+STDC\s+(?:FENV_ACCESS|CX_LIMITED_RANGE)|\b(?:gnu\s*::\s*)?(?:__)?optimize(?:__)?\s*\(\s*(?:"|[0-9]))re"
        R"re(|\b_mm_setcsr\b|\b_MM_SET_(?:FLUSH_ZERO|DENORMALS_ZERO|ROUNDING)_MODE\b|\b__builtin_ia32_ldmxcsr\b|\bv?ldmxcsr\b)re"
        R"re(|\bfldcw\b|\bfldenv\b|\bfrstor\b|\bfxrstor(?:64)?\b|\bxrstors?(?:64)?\b|\bfesetround\b|\bfesetenv\b|\bfeupdateenv\b)re"
        R"re(|\b_controlfp\b|\bmsr\s+fpcr\b|\b__builtin_aarch64_set_fpcr\w*|(?:["\s;]|\\[nt])\.(?:byte|2byte|4byte|8byte|octa|inst)\b)re");
    return pattern;
}

/// Instructions and functions that round more coarsely than the plain ones.
const std::regex& approximationPattern()
{
    static const std::regex pattern(
        R"re(\b(?:ex2|lg2|sin|cos|tanh|rcp|rsqrt|sqrt|div)\.approx\b|\.ftz(?:\.\w+)*\.b?f(?:16|32)|\b__(?:exp|exp10|log|log2|log10|sin|cos|tan|tanh|sincos|pow)f\b|\b__fdividef\b|\b__frsqrt_rn\b)re"
        R"re(|\bh(?:2)?(?:exp|exp2|exp10|log|log2|log10|sin|cos|rcp|rsqrt|tanh)_approx\w*|\bh2?tanh_approx\b)re"
        R"re(|\b_mm(?:256|512)?_(?:mask_|maskz_)?(?:rcp|rsqrt)(?:14|28)?_[ps][sd]\b|\b_mm512_(?:mask_|maskz_)?exp2a23_p[sd]\b)re"
        R"re(|\bv?(?:rcp|rsqrt)(?:14|28)?[ps]s\b|\b__builtin_ia32_r(?:cp|sqrt)\w+)re");
    return pattern;
}

std::optional<std::string> matchIn(const std::string& text, const std::regex& pattern)
{
    std::smatch match;
    if (!std::regex_search(text, match, pattern))
        return {};
    return match.str();
}

/// The code without comments in one piece: continued lines joined, string literals that stand side by side put
/// together. pasted: also what "##" and a macro's arguments put together.
std::string joinedCode(const std::vector<ScannedLine>& lines, bool pasted)
{
    std::string text;
    for (const ScannedLine& line : lines) {
        text += line.code;
        if (text.ends_with('\\'))
            text.pop_back();
        else
            text += '\n';
    }
    static const std::regex betweenLiterals(R"re("\s*")re"), pasting(R"re(\s*##\s*|\s*,\s*)re");
    text = std::regex_replace(text, betweenLiterals, "");
    return pasted ? std::regex_replace(text, pasting, "") : text;
}

std::optional<MathFinding> findWith(
    const std::vector<ScannedLine>& lines, const std::regex& pattern, bool isApproximation, bool hasPasting)
{
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (const auto found = matchIn(lines[i].code, pattern))
            return MathFinding{isApproximation, static_cast<int>(i + 1), *found};
    for (const bool pasted : {false, true})
        if (!pasted || hasPasting)
            if (const auto found = matchIn(joinedCode(lines, pasted), pattern))
                return MathFinding{isApproximation, 0, *found};
    return {};
}

} // namespace

std::optional<MathFinding> findFastMath(std::string_view source)
{
    const std::vector<ScannedLine> lines = scanLines(source);
    const bool hasPasting = source.find("##") != std::string_view::npos;
    if (auto found = findWith(lines, optionPattern(), false, hasPasting))
        return found;
    return findWith(lines, approximationPattern(), true, hasPasting);
}

} // namespace tilewright
