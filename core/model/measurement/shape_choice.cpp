// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/shape_choice.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace tilewright {
namespace {

constexpr std::size_t mostChosen = 16;
/// Beyond the task's largest shape: what is far larger would keep the device for hours, or not fit into its memory.
constexpr double mostTimesTheWork = 32, mostTimesTheBytes = 16;
constexpr double alwaysFits = 64 << 20; ///< bytes
constexpr std::int64_t largestExtent = 2147483647; ///< of a dimension: programs count in int
const std::string orSplits = "all, train, heldout, or ";

/// "2.5", "48", "32 600": to three places, in plain digits.
std::string timesText(double times)
{
    if (times < 100)
        return generalText(times, 3);
    const double unit = std::pow(10, std::floor(std::log10(times)) - 2);
    std::string digits = std::to_string(std::llround(std::round(times / unit) * unit));
    for (std::size_t at = digits.size(); at > 3;)
        digits.insert(at -= 3, "\u202f");
    return digits;
}

std::string dimensionNames(const Task& task)
{
    std::vector<std::string> names;
    for (const Dimension& dim : task.dims)
        names.push_back(dim.name);
    return joined(names, "×");
}

/// `also`: what else may be said there.
std::unexpected<Error> unreadable(const Task& task, std::string_view words, const std::string& also)
{
    std::string example, byName;
    for (const Dimension& dim : task.dims) {
        example += (example.empty() ? "" : "x") + std::to_string(64 * dim.multiple);
        byName += (byName.empty() ? "" : " ") + dim.name + "=" + std::to_string(64 * dim.multiple);
    }
    return fail("shapes/words", "'" + std::string(words) + "' is not a shape of " + dimensionNames(task),
        "write " + also + "sizes: " + example + ", or '" + byName + "'");
}

std::vector<std::string_view> splitAt(std::string_view text, std::string_view separators)
{
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty())
            found.push_back(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

std::optional<std::int64_t> numberIn(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "M=777 N=1023 K=511", in any order.
std::optional<Shape> shapeByNames(const Task& task, std::string_view words)
{
    Shape shape(task.dims.size(), 0);
    std::size_t known = 0;
    for (const std::string_view part : splitAt(words, " ,")) {
        const std::size_t equals = part.find('=');
        const auto dim = std::ranges::find(task.dims, part.substr(0, equals), &Dimension::name);
        const auto value = equals == std::string_view::npos ? std::nullopt : numberIn(trimmed(part.substr(equals + 1)));
        if (dim == task.dims.end() || !value)
            return std::nullopt;
        std::int64_t& extent = shape[static_cast<std::size_t>(dim - task.dims.begin())];
        known += extent == 0 ? 1 : 0;
        extent = *value;
    }
    return known == shape.size() ? std::optional(shape) : std::nullopt;
}

/// "777x1023x511"; the sign may be x, X, * or ×.
std::optional<Shape> shapeBySizes(const Task& task, std::string_view words)
{
    std::string plain(words);
    for (std::size_t at = plain.find("×"); at != std::string::npos; at = plain.find("×"))
        plain.replace(at, std::string_view("×").size(), "x");
    Shape shape;
    for (const std::string_view part : splitAt(plain, "xX*")) {
        const auto value = numberIn(part);
        if (!value)
            return std::nullopt;
        shape.push_back(*value);
    }
    return shape.size() == task.dims.size() ? std::optional(shape) : std::nullopt;
}

std::optional<Shape> shapeIn(const Task& task, std::string_view words)
{
    return words.find('=') != std::string_view::npos ? shapeByNames(task, words) : shapeBySizes(task, words);
}

bool contains(const std::vector<Shape>& shapes, const Shape& shape)
{
    return std::ranges::find(shapes, shape) != shapes.end();
}

double tensorBytes(const Task& task, const Shape& shape)
{
    double bytes = 0;
    for (const Tensor& tensor : task.tensors) {
        double elements = 1;
        for (const std::string& extent : tensor.shape)
            elements *= static_cast<double>(task.extentOf(extent, shape));
        bytes += elements * static_cast<double>(bytesOf(tensor.dtype));
    }
    return bytes;
}

Result<void> checkSize(const Task& task, const Shape& shape)
{
    double work = 0, bytes = 0;
    for (const auto* shapes : {&task.train, &task.heldout})
        for (const Shape& known : *shapes) {
            work = std::max(work, task.flopsOf(known));
            bytes = std::max(bytes, tensorBytes(task, known));
        }
    const double wantedWork = task.flopsOf(shape), wantedBytes = tensorBytes(task, shape);
    const bool fits = wantedBytes <= std::max(alwaysFits, mostTimesTheBytes * bytes);
    if (fits && wantedWork <= mostTimesTheWork * work)
        return {};
    const double times = fits ? wantedWork / work : wantedBytes / bytes;
    return fail("shapes/large",
        shapeText(shape) + " takes " + timesText(times) + " times the " + (fits ? "work" : "memory")
            + " of the task's largest shape",
        "choose a smaller one: at most " + std::to_string(static_cast<int>(fits ? mostTimesTheWork : mostTimesTheBytes))
            + " times");
}

Result<void> checkAllowed(const Task& task, const Shape& shape, HeldoutSight sight)
{
    if (contains(task.sealed, shape))
        return fail(
            "shapes/sealed", shapeText(shape) + " is sealed: only an export measures it", "choose another shape");
    if (sight == HeldoutSight::Hidden && contains(task.heldout, shape))
        return fail("shapes/heldout",
            shapeText(shape) + " is held out: results on it are shown for confirmed candidates only",
            "choose train shapes, or custom sizes");
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const Dimension& dim = task.dims[i];
        if (shape[i] < dim.min || shape[i] % dim.multiple != 0 || shape[i] > largestExtent)
            return fail("shapes/dimension",
                shapeText(shape) + ": " + dim.name + " cannot be " + std::to_string(shape[i]),
                "the task allows " + dim.name + " from " + std::to_string(dim.min)
                    + (shape[i] > largestExtent ? " to " + std::to_string(largestExtent) : "")
                    + (dim.multiple > 1 ? ", multiples of " + std::to_string(dim.multiple) : ""));
    }
    return splitOf(task, shape) == ShapeSplit::Own ? checkSize(task, shape) : Result<void>();
}

} // namespace

Result<std::vector<Shape>> chosenShapes(const Task& task, std::string_view words, HeldoutSight sight)
{
    std::vector<Shape> wanted;
    const bool byNames = words.find('=') != std::string_view::npos;
    const auto add = [&wanted](const std::vector<Shape>& shapes) {
        for (const Shape& shape : shapes)
            if (!contains(wanted, shape))
                wanted.push_back(shape);
    };
    if (trimmed(words).empty())
        return wanted;
    const auto items = splitAt(words, byNames ? ";" : ",;");
    if (items.empty())
        return unreadable(task, words, orSplits);
    for (const std::string_view item : items) {
        if (item == "all")
            return std::vector<Shape>{};
        if (item == "train" || item == "heldout" || item == "held-out") {
            const std::vector<Shape>& shapes = item == "train" ? task.train : task.heldout;
            if (shapes.empty())
                return fail("shapes/heldout", "the task has no held-out shapes", "choose train shapes");
            add(shapes);
            continue;
        }
        const auto shape = shapeIn(task, item);
        if (!shape)
            return unreadable(task, item, orSplits);
        add({*shape});
    }
    for (const Shape& shape : wanted)
        if (auto allowed = checkAllowed(task, shape, sight); !allowed)
            return std::unexpected(allowed.error());
    if (wanted.size() > std::max(mostChosen, task.train.size() + task.heldout.size()))
        return fail("shapes/many", "these are too many shapes for one measurement",
            "choose at most " + std::to_string(mostChosen));
    std::ranges::stable_sort(wanted, {}, [&](const Shape& shape) { return splitOf(task, shape); });
    const bool isAll
        = wanted.size() == task.train.size() + task.heldout.size() && splitOf(task, wanted.back()) != ShapeSplit::Own;
    return isAll ? std::vector<Shape>{} : wanted;
}

Result<Shape> oneShape(const Task& task, std::string_view words)
{
    const auto shape = shapeIn(task, trimmed(words));
    if (!shape)
        return unreadable(task, words, "");
    if (auto allowed = checkAllowed(task, *shape, HeldoutSight::Shown); !allowed)
        return std::unexpected(allowed.error());
    return *shape;
}

ShapeSplit splitOf(const Task& task, const Shape& shape)
{
    return contains(task.train, shape)  ? ShapeSplit::Train
        : contains(task.heldout, shape) ? ShapeSplit::Heldout
        : contains(task.sealed, shape)  ? ShapeSplit::Sealed
                                        : ShapeSplit::Own;
}

std::string wordsOfShapes(const Task& task, const std::vector<Shape>& shapes)
{
    if (shapes.empty())
        return "all";
    if (shapes == task.train)
        return "train";
    if (shapes == task.heldout)
        return "held-out";
    std::vector<std::string> names;
    for (const Shape& shape : shapes)
        names.push_back(shapeText(shape));
    return joined(names, ", ");
}

Result<TaskPack> packOn(const TaskPack& pack, const std::vector<Shape>& shapes)
{
    auto chosen = packWith(pack, {{"train", shapes}, {"heldout", {}}, {"sealed", {}}});
    if (chosen)
        chosen->moves.clear(); // nobody proposes for it
    return chosen;
}

Result<TaskPack> packWith(const TaskPack& pack, const std::map<std::string, std::vector<Shape>>& splits)
{
    TaskPack chosen = pack;
    try {
        auto json = parsedJson<nlohmann::ordered_json>(pack.json);
        for (const auto& [split, shapes] : splits)
            json["shapes"][split] = shapes;
        chosen.json = dumped(json, 1);
    } catch (const nlohmann::json::exception& problem) {
        return fail("task/syntax", problem.what());
    }
    auto task = parseTask(chosen.json);
    if (!task)
        return std::unexpected(task.error());
    chosen.task = std::move(*task);
    return chosen;
}

} // namespace tilewright
