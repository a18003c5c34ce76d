// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/findings.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace tilewright {
namespace {

constexpr std::size_t longestLog = 4000;
constexpr std::size_t longestLine = 160; ///< bytes of a program's line that are shown
/// What compilers call the program. NVRTC shows the lines itself.
constexpr std::string_view compiled = "candidate.cpp", compiledForGpu = "candidate.cu";
constexpr int digits = 4;

/// "candidate.cpp:124:9: error: …" is about line 124.
std::optional<std::size_t> lineNumberOf(std::string_view message)
{
    std::size_t line = 0;
    if (!message.starts_with(std::string(compiled) + ":"))
        return std::nullopt;
    message.remove_prefix(compiled.size() + 1);
    const auto [end, problem] = std::from_chars(message.data(), message.data() + message.size(), line);
    return problem == std::errc{} && line > 0 ? std::optional(line) : std::nullopt;
}

/// "M 16 to 63, odd": as much as tells which paths of a program a size takes.
std::string classOf(const std::string& name, std::int64_t size)
{
    constexpr std::int64_t bounds[] = {16, 64, 256, 1024};
    const auto* above = std::ranges::upper_bound(bounds, size);
    std::string text = name;
    if (above == std::ranges::begin(bounds))
        text += " below " + std::to_string(*above);
    else if (above == std::ranges::end(bounds))
        text += " from " + std::to_string(*(above - 1)) + " on";
    else
        text += " " + std::to_string(*(above - 1)) + " to " + std::to_string(*above - 1);
    for (const std::int64_t multiple : {16, 8, 4, 2})
        if (size % multiple == 0)
            return text + ", a multiple of " + std::to_string(multiple);
    return text + ", odd";
}

std::string shapeLine(const nlohmann::json& evidence, const Task& task)
{
    const auto found = evidence.find("shape");
    if (found == evidence.end() || !found->is_array() || found->size() != task.dims.size())
        return {};
    const auto shape = found->get<Shape>();
    if (std::ranges::find(task.train, shape) != task.train.end())
        return {}; // it is told
    std::vector<std::string> sizes;
    for (std::size_t i = 0; i < shape.size(); ++i)
        sizes.push_back(classOf(task.dims[i].name, shape[i]));
    return "- the shape's sizes: " + joined(sizes, "; ") + "\n";
}

std::string valueText(const nlohmann::json& value)
{
    return value.is_number() ? generalText(value.get<double>(), digits)
        : value.is_string()  ? value.get<std::string>()
                             : std::string();
}

/// "got -14.3, right is -7.14". Of elements that were not written, or are no numbers, nobody knows what is right.
std::string valuesText(std::string_view rule, const nlohmann::json& evidence)
{
    const std::string got = valueText(evidence.at("got")), want = valueText(evidence.at("want"));
    if (rule == "verify/determinism")
        return "one run gave " + want + ", another " + got;
    return rule == "verify/poison" || rule == "verify/nan" ? "got " + got : "got " + got + ", right is " + want;
}

/// "- C[15, 28]: got -14.3, right is -7.14".
std::string elementLine(std::string_view rule, const nlohmann::json& evidence, const Task& task)
{
    if (!evidence.contains("got") || !evidence.contains("want"))
        return {};
    std::vector<std::string> outputs, index;
    for (const Tensor& tensor : task.tensors)
        if (tensor.role == TensorRole::Output)
            outputs.push_back(tensor.name);
    if (const auto place = evidence.find("index"); place != evidence.end())
        for (const nlohmann::json& each : place->is_array() ? *place : nlohmann::json::array({*place}))
            index.push_back(dumped(each));
    const std::string tensor = evidence.value("tensor", outputs.size() == 1 ? outputs.front() : "element ");
    return "- " + tensor + (index.empty() ? "" : "[" + joined(index, ", ") + "]") + ": " + valuesText(rule, evidence)
        + "\n";
}

} // namespace

std::string underItsName(std::string_view message, const std::string& fileName)
{
    for (const std::string_view name : {compiled, compiledForGpu})
        if (message.starts_with(name))
            return fileName + std::string(message.substr(name.size()));
    return std::string(message);
}

std::string logWithLines(const std::string& log, const std::string& program, const std::string& fileName)
{
    const std::vector<std::string_view> lines = splitLines(program);
    std::string text;
    std::size_t shown = 0; ///< line of the program that stands last in the text
    for (const std::string_view message : splitLines(log)) {
        const auto number = lineNumberOf(message);
        std::string added = underItsName(message, fileName) + '\n';
        if (number && *number <= lines.size() && *number != shown) {
            added += "    | " + std::string(trimmed(lines[*number - 1]).substr(0, longestLine)) + "\n";
            shown = *number;
        }
        if (text.size() + added.size() > longestLog)
            return text + "[further lines omitted]\n";
        text += added;
    }
    return text;
}

std::string evidenceText(std::string_view rule, const nlohmann::json& evidence, const Task& task)
{
    if (!evidence.is_object())
        return {};
    const std::string element = elementLine(rule, evidence, task);
    std::string text = element + shapeLine(evidence, task);
    const auto isTold = [&](std::string_view key) {
        if (!element.empty() && (key == "got" || key == "want"))
            return true;
        if (rule == "verify/norm"
            && (key == "error" || key == "bound")) // of the whole result: the rule's text has them
            return true;
        return key == "shape" || key == "exit" || key == "index";
    };
    for (const auto& [key, value] : evidence.items())
        if (value.is_number() && !isTold(key))
            text += "- " + key + ": " + generalText(value.get<double>(), digits) + "\n";
    return text;
}

bool looksUnwritten(std::string_view rule, const nlohmann::json& evidence)
{
    constexpr double farOff = 1e6;
    if (rule == "verify/determinism")
        return true;
    if (!evidence.is_object() || !evidence.contains("got"))
        return false;
    const nlohmann::json &got = evidence.at("got"), want = evidence.value("want", nlohmann::json());
    if (!got.is_number())
        return got.is_string();
    const double right = want.is_number() ? std::abs(want.get<double>()) : 0;
    return std::abs(got.get<double>()) > farOff * std::max(1.0, right);
}

} // namespace tilewright
