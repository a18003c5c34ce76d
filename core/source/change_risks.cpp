// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/change_risks.h"

#include "core/base/text.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <array>
#include <map>

namespace tilewright {
namespace {

constexpr std::array<std::string_view, 30> typeWords{"bool", "char", "short", "int", "long", "signed", "unsigned",
    "float", "double", "half", "half2", "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162", "bfloat16", "float2",
    "float4", "double2", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "size_t", "ptrdiff_t", "_Float16"};
constexpr std::array<std::string_view, 7> castWords{
    "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "bit_cast", "start_lifetime_as", "launder"};
/// Words that begin with two underscores and are no intrinsics: they say where code and data live.
constexpr std::array<std::string_view, 10> placeWords{"__global__", "__device__", "__host__", "__shared__",
    "__constant__", "__restrict__", "__restrict", "__forceinline__", "__noinline__", "__grid_constant__"};

bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWordPart(char c) { return isWordStart(c) || (c >= '0' && c <= '9'); }

/// Identifiers and keywords of a line of code, in order.
std::vector<std::string_view> wordsIn(std::string_view code)
{
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < code.size();) {
        if (!isWordPart(code[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < code.size() && isWordPart(code[end]))
            ++end;
        if (isWordStart(code[at]))
            words.push_back(code.substr(at, end - at));
        at = end;
    }
    return words;
}

template <std::size_t N> bool isOneOf(const std::array<std::string_view, N>& list, std::string_view word)
{
    return std::ranges::find(list, word) != list.end();
}

/// "(float)x", "(const float*) p": a type in brackets before an operand.
bool hasBracketCast(std::string_view code)
{
    for (std::size_t open = code.find('('); open != code.npos; open = code.find('(', open + 1)) {
        const std::size_t close = code.find(')', open);
        if (close == code.npos || close + 1 >= code.size())
            continue;
        const bool afterName = open > 0 && isWordPart(code[open - 1]);
        const auto inside = wordsIn(code.substr(open + 1, close - open - 1));
        const bool onlyType = !inside.empty() && std::ranges::all_of(inside, [](std::string_view word) {
            return isOneOf(typeWords, word) || word == "const" || word == "void" || word == "volatile" || word == "std";
        });
        const std::size_t next = code.find_first_not_of(' ', close + 1);
        const bool operand = next != code.npos
            && (isWordPart(code[next]) || code[next] == '(' || code[next] == '&' || code[next] == '*'
                || code[next] == '-');
        if (!afterName && onlyType && operand)
            return true;
    }
    return false;
}

bool isAtomic(std::string_view word)
{
    return word.starts_with("atomic") || word.starts_with("__atomic") || word.starts_with("memory_order")
        || word.starts_with("__threadfence") || word.starts_with("__sync_");
}

/// "__AVX512F__": the compiler tells what it builds for.
bool isCompilersMacro(std::string_view word)
{
    return word.starts_with("__") && word.ends_with("__")
        && std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

bool isIntrinsic(std::string_view word)
{
    return word == "asm" || word == "__asm__" || word.starts_with("_mm") || word.starts_with("__builtin_")
        || (word.starts_with("__") && !isCompilersMacro(word) && !isOneOf(placeWords, word) && !isOneOf(typeWords, word)
            && !isAtomic(word) && word != "__attribute__" && word != "__launch_bounds__" && word != "__syncthreads");
}

bool isPragma(std::string_view code)
{
    const auto words = wordsIn(code);
    return std::ranges::any_of(words, [](std::string_view word) {
        return word == "pragma" || word == "_Pragma" || word == "__attribute__" || word == "__launch_bounds__"
            || word == "alignas" || word == "assume_aligned";
    });
}

struct Difference {
    std::vector<std::string_view> removed, added;
    std::size_t lines() const { return std::max(removed.size(), added.size()); }
};

/// Of `lines`, trimmed and not empty, those that `others` does not have as often.
std::vector<std::string_view> linesBeyond(const std::vector<ScannedLine>& others, const std::vector<ScannedLine>& lines)
{
    std::map<std::string_view, int> known;
    for (const ScannedLine& line : others)
        ++known[trimmed(line.code)];
    std::vector<std::string_view> beyond;
    for (const ScannedLine& line : lines)
        if (const std::string_view code = trimmed(line.code); !code.empty() && --known[code] < 0)
            beyond.push_back(code);
    return beyond;
}

Difference differenceOf(const std::vector<ScannedLine>& before, const std::vector<ScannedLine>& after)
{
    return {linesBeyond(after, before), linesBeyond(before, after)}; // removed, added
}

std::set<std::string> typesIn(const std::vector<std::string_view>& lines)
{
    std::set<std::string> types;
    for (const std::string_view line : lines)
        for (const std::string_view word : wordsIn(line))
            if (isOneOf(typeWords, word))
                types.emplace(word);
    return types;
}

std::set<std::string> without(const std::set<std::string>& types, const std::set<std::string>& others)
{
    std::set<std::string> left;
    std::ranges::set_difference(types, others, std::inserter(left, left.end()));
    return left;
}

std::string listed(const std::set<std::string>& words)
{
    return words.empty() ? "none" : joined(std::vector<std::string>(words.begin(), words.end()), ", ");
}

/// Words of the changed lines that satisfy a question, at most a few.
template <typename Question> std::set<std::string> wordsWhere(const Difference& difference, Question question)
{
    constexpr std::size_t enough = 4;
    std::set<std::string> found;
    for (const auto* side : {&difference.added, &difference.removed})
        for (const std::string_view line : *side)
            for (const std::string_view word : wordsIn(line))
                if (found.size() < enough && question(word))
                    found.emplace(word);
    return found;
}

template <typename Question> bool anyLine(const Difference& difference, Question question)
{
    return std::ranges::any_of(difference.added, question) || std::ranges::any_of(difference.removed, question);
}

/// The lines of the function that lays out the launch, from its name to the brace that closes it.
std::string planOf(const std::vector<ScannedLine>& lines)
{
    std::string plan;
    int depth = 0;
    bool inside = false;
    for (const ScannedLine& line : lines) {
        const bool begins = !inside && depth == 0 && line.code.find("tilewright_plan") != std::string::npos;
        if (begins)
            inside = true;
        if (!inside)
            continue;
        plan += line.code + "\n";
        depth += static_cast<int>(std::ranges::count(line.code, '{') - std::ranges::count(line.code, '}'));
        if (depth <= 0 && line.code.find_first_of(";}") != std::string::npos) {
            inside = false;
            depth = 0;
        }
    }
    return plan;
}

} // namespace

std::vector<std::string> changeRisks(std::string_view before, std::string_view after)
{
    const std::vector<ScannedLine> oldLines = scanLines(before), newLines = scanLines(after);
    const Difference difference = differenceOf(oldLines, newLines);
    std::vector<std::string> risks;
    if (difference.lines() > static_cast<std::size_t>(largeChange))
        risks.push_back(std::to_string(difference.lines()) + std::string(linesOfCode));

    const std::set<std::string> removed = typesIn(difference.removed), added = typesIn(difference.added);
    std::vector<std::string_view> whole;
    for (const ScannedLine& line : oldLines)
        whole.push_back(line.code);
    const std::set<std::string> gone = without(removed, added), unheard = without(added, removed);
    const bool replaces = !difference.removed.empty() && !gone.empty() && !added.empty();
    const std::set<std::string> unseen = without(added, typesIn(whole));
    if (replaces)
        risks.push_back(unheard.empty() ? "no longer uses the types " + listed(gone)
                                        : "changes types: " + listed(gone) + " → " + listed(unheard));
    else if (!unseen.empty())
        risks.push_back("adds types: " + listed(unseen));

    const auto casts = wordsWhere(difference, [](std::string_view word) { return isOneOf(castWords, word); });
    if (!casts.empty() || anyLine(difference, hasBracketCast))
        risks.push_back("touches casts" + (casts.empty() ? "" : ": " + listed(casts)));
    if (const auto atomics = wordsWhere(difference, isAtomic); !atomics.empty())
        risks.push_back("touches atomics or memory order: " + listed(atomics));
    if (const auto intrinsics = wordsWhere(difference, isIntrinsic); !intrinsics.empty())
        risks.push_back("touches intrinsics or assembly: " + listed(intrinsics));
    if (anyLine(difference, isPragma))
        risks.push_back("touches pragmas or attributes");
    if (planOf(oldLines) != planOf(newLines))
        risks.push_back("touches the launch plan");
    return risks;
}

std::set<std::string> hardwareFeatures(std::string_view program)
{
    struct Sign {
        std::string_view text, feature;
    };
    constexpr std::array<Sign, 11> signs{{{"cp.async.bulk", "tensor memory accelerator"},
        {"tensor_map", "tensor memory accelerator"}, {"CUtensorMap", "tensor memory accelerator"}, {"wgmma", "wgmma"},
        {"mma.sync", "mma.sync"}, {"cluster_dims", "thread block clusters"}, {"this_cluster", "thread block clusters"},
        {".cluster(", "thread block clusters"}, {"cooperative", "cooperative launch"},
        {"this_grid", "cooperative launch"}, {"setmaxnreg", "register reallocation"}}};
    std::set<std::string> features;
    std::string code; // strings stay in it: assembly is written in them
    for (const ScannedLine& line : scanLines(program))
        code += line.code + "\n";
    for (const Sign& sign : signs)
        if (code.find(sign.text) != std::string::npos)
            features.emplace(sign.feature);
    return features;
}

} // namespace tilewright
