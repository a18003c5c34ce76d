// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/math_rules.h"

#include "core/source/text_scan.h"

#include <regex>
#include <vector>

namespace tilewright {
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
