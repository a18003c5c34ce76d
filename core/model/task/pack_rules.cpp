// SPDX-License-Identifier: Apache-2.0
#include "core/model/task/pack_rules.h"

#include "core/base/expression.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

namespace tilewright {
namespace {

std::unexpected<Error> broken(const std::string& field, const std::string& reason)
{
    return fail("task/file", "task.json: " + field + ": " + reason, "see kernels/README.md for the format",
        {{"file", "task.json"}, {"field", field}, {"reason", reason}});
}

/// The names that an expression is made of. Errors: expression/syntax.
Result<std::vector<std::string>> namesIn(const std::string& expression)
{
    Symbols known;
    for (std::string_view rest = expression; !rest.empty();) {
        const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
        const auto begin = std::ranges::find_if(rest, isPart);
        const auto end = std::find_if_not(begin, rest.end(), isPart);
        if (begin != end && !std::isdigit(static_cast<unsigned char>(*begin)) && *begin != '.')
            known.emplace(std::string(begin, end), 64.0 + static_cast<double>(known.size()));
        rest = rest.substr(static_cast<std::size_t>(end - rest.begin()));
    }
    if (const auto value = evaluate(expression, known); !value && value.error().code == "expression/syntax")
        return std::unexpected(value.error());
    std::vector<std::string> names;
    for (const auto& [name, value] : known)
        names.push_back(name);
    return names;
}

/// Whether a line of the text gives the name a whole number, as tunables and other constants of a block have one.
bool isNumberOf(const std::string& name, const std::string& text)
{
    const std::regex definition(
        R"((constexpr\s+(unsigned|unsigned\s+int|int|long|auto)|#\s*define)\s+)" + name + R"(\s*=?\s*-?\d+)");
    return std::ranges::any_of(splitLines(text),
        [&](std::string_view line) { return std::regex_search(line.begin(), line.end(), definition); });
}

/// Empty if the feature can be computed for the seed, or after some move.
std::string objectionTo(const std::string& feature, const TaskPack& pack)
{
    constexpr std::string_view key = "tunables:";
    if (feature == "code_bytes")
        return {};
    if (!feature.starts_with(key))
        return "'" + feature + "' is not one of code_bytes, tunables:EXPRESSION";
    const auto names = namesIn(feature.substr(key.size()));
    if (!names)
        return names.error().text;
    for (const std::string& name : *names)
        if (!isNumberOf(name, pack.seed())
            && std::ranges::none_of(pack.moves, [&](const Move& move) { return isNumberOf(name, move.diff); }))
            return "'" + name + "' is neither a tunable nor an integer constant of the seed or of a move";
    return names->empty() ? "'" + feature + "' contains no tunable" : "";
}

} // namespace

Result<void> checkComplete(const std::string& text)
{
    static const std::map<std::string, std::vector<std::string>> needed{
        {"",
            {"format", "name", "title", "target", "operation", "dims", "tensors", "scalars", "cost", "numeric",
                "inputs", "shapes", "source", "reference", "moves", "baseline", "vendor", "build", "limits", "timing",
                "niches", "evaluator"}},
        {"numeric", {"bound", "accumulate", "error", "tau", "allow"}},
        {"shapes", {"train", "heldout", "sealed", "verify"}}, {"build", {"options", "fast_math"}},
        {"limits", {"build_s", "workspace_bytes", "source_bytes", "quarantine_over_vendor"}},
        {"timing", {"mode", "threads"}}};
    const auto json = parsedJson(text);
    for (const auto& [path, fields] : needed) {
        const nlohmann::json& object = path.empty() ? json : json.at(path);
        for (const std::string& field : fields)
            if (!object.is_object() || !object.contains(field))
                return broken(path.empty() ? field : path + "." + field, "is missing");
    }
    const nlohmann::json& axes = json.at("niches");
    if (!axes.is_array())
        return broken("niches", "must be a list, which may be empty");
    for (std::size_t i = 0; i < axes.size(); ++i)
        for (const char* field : {"feature", "scale", "bins"})
            if (!axes[i].contains(field))
                return broken("niches[" + std::to_string(i) + "]." + field, "is missing");
    return {};
}

Result<void> checkName(const std::filesystem::path& folder, const Task& task)
{
    std::error_code problem;
    const std::string name = std::filesystem::canonical(folder, problem).filename().string();
    if (!problem && name == task.name)
        return {};
    return broken("name", "'" + task.name + "' is not the name of the folder, '" + name + "'");
}

Result<void> checkNiches(const TaskPack& pack)
{
    for (std::size_t i = 0; i < pack.task.niches.size(); ++i)
        if (const std::string why = objectionTo(pack.task.niches[i].feature, pack); !why.empty())
            return broken("niches[" + std::to_string(i) + "].feature", why);
    return {};
}

namespace {

using Words = std::string_view;

constexpr std::array<Words, 6> levels{"-O0", "-O1", "-O2", "-O3", "-Os", "-Og"};

/// Without "-f" and "-fno-": each may be turned on and off.
constexpr std::array<Words, 24> optimisations{"unroll-loops", "unroll-all-loops", "peel-loops", "split-loops",
    "unswitch-loops", "tree-vectorize", "tree-loop-vectorize", "tree-slp-vectorize", "tree-loop-distribution",
    "loop-interchange", "loop-unroll-and-jam", "loop-nest-optimize", "prefetch-loop-arrays", "inline-functions",
    "inline-small-functions", "omit-frame-pointer", "strict-aliasing", "schedule-insns", "schedule-insns2",
    "sched-pressure", "rename-registers", "ivopts", "gcse", "plt"};
/// The same, with a value.
constexpr std::array<Words, 4> valued{"-fvect-cost-model=", "-fsimd-cost-model=", "-finline-limit=", "-ffp-contract="};
/// They change no result that a program can see but errno and traps.
constexpr std::array<Words, 3> harmless{"-fno-math-errno", "-fno-trapping-math", "-fno-semantic-interposition"};
/// Sums may be reordered, zeros lose their sign, what is not finite may be anything.
constexpr std::array<Words, 8> fast{"-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-fassociative-math",
    "-freciprocal-math", "-ffinite-math-only", "-fno-signed-zeros", "-fcx-limited-range"};

template <std::size_t N> bool holds(const std::array<Words, N>& list, Words word)
{
    return std::ranges::find(list, word) != list.end();
}

/// "-mavx2", "-march=native": letters, digits and a few signs, no path and no further word.
bool choosesInstructions(Words option)
{
    return option.size() > 2 && option.starts_with("-m")
        && option.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-=.+_", 2)
        == Words::npos;
}

bool optimises(Words option)
{
    if (!option.starts_with("-f"))
        return false;
    Words name = option.substr(2);
    if (name.starts_with("no-"))
        name.remove_prefix(3);
    return holds(optimisations, name) || std::ranges::any_of(valued, [&](Words begin) {
        return option.starts_with(begin)
            && option.substr(begin.size()).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == Words::npos;
    });
}

} // namespace

std::string objectionToOption(std::string_view option, FastMath fastMath)
{
    if (holds(fast, option))
        return fastMath == FastMath::Allowed
            ? std::string()
            : "'" + std::string(option) + "' needs \"fast_math\": true, and a tolerance that allows it";
    if (holds(levels, option) || holds(harmless, option) || choosesInstructions(option) || optimises(option))
        return {};
    return "'" + std::string(option) + "' is not an option that a task may set (-O…, -m…, and optimisations with -f…)";
}

} // namespace tilewright
