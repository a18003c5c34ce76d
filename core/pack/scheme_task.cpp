// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/scheme_task.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

namespace fs = std::filesystem;

Result<void> checkSchemeOrigin(const Task& from)
{
    using Extents = std::vector<std::string>;
    const std::pair<std::string, Extents> wanted[] = {{"A", {"M", "K"}}, {"B", {"K", "N"}}, {"C", {"M", "N"}}};
    bool fits = from.target == Target::Cpp && from.numeric.bound == NumericBound::Product
        && from.numeric.reduction == "K" && from.tensors.size() == std::size(wanted) && from.dims.size() == 3;
    for (std::size_t i = 0; fits && i < std::size(wanted); ++i)
        fits = from.tensors[i].name == wanted[i].first && from.tensors[i].shape == wanted[i].second
            && from.tensors[i].dtype == Dtype::Fp32 && from.dims[i].name == std::string(1, "MNK"[i])
            && from.dims[i].multiple == 1;
    if (!fits)
        return fail("tensor/task",
            "the task " + from.name + " is no product C = A B of fp32 with the dimensions M, N, K of any size on a CPU",
            "gemm-fp32-cpu is one");
    if (from.numeric.scheme)
        return fail("tensor/task", "the task " + from.name + " is of a scheme itself", "derive it from gemm-fp32-cpu");
    return {};
}

namespace {

Result<TaskScheme> taskSchemeOf(const tensor::Scheme& scheme, int levels)
{
    TaskScheme made{scheme.format.n, scheme.format.m, scheme.format.p, levels, {}, {}, {}};
    for (const auto& [factor, columns] :
        {std::pair(&scheme.u, &made.u), std::pair(&scheme.v, &made.v), std::pair(&scheme.w, &made.w)})
        for (int product = 0; product < factor->products(); ++product) {
            std::vector<double>& column = columns->emplace_back();
            for (int entry = 0; entry < factor->entries(); ++entry) {
                const tensor::Coefficient& value = factor->at(entry, product);
                column.push_back(static_cast<double>(value.re) / static_cast<double>(value.den));
                if (!isSchemeCoefficient(column.back()))
                    return fail(
                        "tensor/coefficient", "the coefficient " + tensor::textOf(value) + " is no multiple of 2^-16");
            }
        }
    return made;
}

struct SchemeShapes {
    std::vector<Shape> train, heldout, sealed, verify;
};

/// Sizes from the least at which all levels are used up to three times it: even, odd, and of other forms.
SchemeShapes shapesAt(std::int64_t unit)
{
    const std::int64_t half = unit / 2, two = 2 * unit;
    return {{{unit, unit, unit}, {two, two, two}, {two - 1, two + 1, two - 3}, {unit + half + 1, two, two + half},
                {3 * unit, unit + 1, two + 2}},
        {{unit + half, unit + half, unit + half}, {two + 3, unit + 5, two + 7}, {unit, 3 * unit, unit + half + 1}},
        {{two + 5, unit + half + 7, two - 5}, {unit + 9, two + 1, unit + half}},
        {{unit, unit, unit}, {unit + 1, unit + 2, unit + 3}}};
}

Result<SchemeShapes> shapesOf(const tensor::Format& format, const SchemeTaskOptions& options)
{
    const std::int64_t unit = leastSizeOf(format, options.code);
    SchemeShapes shapes = shapesAt(std::min(unit, largestLeastSize));
    if (!options.train.empty()) {
        shapes.train = options.train;
        for (auto* others : {&shapes.heldout, &shapes.sealed})
            std::erase_if(*others,
                [&](const Shape& shape) { return std::ranges::find(shapes.train, shape) != shapes.train.end(); });
    } else if (unit > largestLeastSize) {
        return fail("tensor/shapes",
            std::to_string(options.code.levels) + " levels with the cut-off " + std::to_string(options.code.cutoff)
                + " are used from the size " + std::to_string(unit) + " on, and " + std::to_string(largestLeastSize)
                + " is the largest that is checked in a reasonable time",
            "fewer levels, or a smaller cut-off");
    }
    return shapes;
}

nlohmann::ordered_json shapeList(const std::vector<Shape>& shapes)
{
    auto list = nlohmann::ordered_json::array();
    for (const Shape& shape : shapes)
        list.push_back(shape);
    return list;
}

nlohmann::ordered_json coefficientsOf(const std::vector<std::vector<double>>& columns)
{
    auto list = nlohmann::ordered_json::array();
    for (const auto& column : columns) {
        auto& values = list.emplace_back(nlohmann::ordered_json::array());
        for (const double value : column)
            if (value == std::floor(value))
                values.push_back(static_cast<std::int64_t>(value));
            else
                values.push_back(value);
    }
    return list;
}

/// The text with each list of numbers on one line.
std::string withShortLists(const std::string& text)
{
    std::string shorter;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text[at] == '[' ? text.find_first_of("[]\"{}", at + 1) : std::string::npos;
        if (end == std::string::npos || text[end] != ']') {
            shorter += text[at++];
            continue;
        }
        std::string list = text.substr(at, end + 1 - at);
        std::erase_if(list, [](char c) { return c == '\n' || c == ' '; });
        for (const char c : list)
            shorter += c == ',' ? std::string(", ") : std::string(1, c);
        at = end + 1;
    }
    return shorter;
}

/// Of every shape that a sweep draws: half as large again as the largest in each dimension; and what the leaf may take.
std::int64_t workspaceLimit(const tensor::Scheme& scheme, const SchemeTaskOptions& options, const SchemeShapes& shapes,
    const TaskLimits& limits)
{
    Shape largest(3, 1);
    for (const auto* list : {&shapes.train, &shapes.heldout, &shapes.sealed, &shapes.verify})
        for (const Shape& shape : *list)
            for (std::size_t d = 0; d < largest.size(); ++d)
                largest[d] = std::max(largest[d], shape[d] + shape[d] / 2 + 1);
    constexpr std::int64_t step = 16 << 20, most = std::int64_t(1) << 32;
    const std::int64_t wanted
        = tensor::workspaceBytesOf(scheme, options.code, largest[0], largest[1], largest[2]) + limits.workspaceBytes;
    return std::min(most, (wanted + step - 1) / step * step);
}

} // namespace

Result<void> checkBecomesTask(const tensor::Scheme& scheme)
{
    if (const auto real = tensor::checkRingOfCode(scheme.ring); !real)
        return real;
    const auto declared = taskSchemeOf(scheme, 1);
    return declared ? Result<void>() : std::unexpected(declared.error());
}

std::int64_t leastSizeOf(const tensor::Format& format, const tensor::CodeOptions& code)
{
    std::int64_t size = code.cutoff;
    for (int level = 1; level < code.levels; ++level)
        size *= std::max({format.n, format.m, format.p});
    return size;
}

Result<TaskPack> schemeTask(const tensor::Scheme& scheme, const TaskPack& from, const SchemeTaskOptions& options)
{
    if (const auto fits = checkSchemeOrigin(from.task); !fits)
        return std::unexpected(fits.error());
    tensor::CodeOptions code = options.code;
    code.mostLevels = code.levels;
    auto seed = tensor::programOf(scheme, code);
    if (!seed)
        return std::unexpected(seed.error());
    const auto declared = taskSchemeOf(scheme, code.levels);
    if (!declared)
        return std::unexpected(declared.error());
    const auto shapes = shapesOf(scheme.format, options);
    if (!shapes)
        return std::unexpected(shapes.error());
    std::vector<Shape> verify = from.task.verify;
    for (const Shape& shape : shapes->verify)
        if (std::ranges::find(verify, shape) == verify.end())
            verify.push_back(shape);

    const std::string what = (scheme.name.empty() ? "a scheme" : oneLine(scheme.name, 40)) + " of "
        + tensor::textOf(scheme.format) + " with " + std::to_string(scheme.rank()) + " products, "
        + std::to_string(code.levels) + (code.levels == 1 ? " level" : " levels");
    auto json = parsedJson<nlohmann::ordered_json>(from.json);
    json["name"] = options.name;
    json["title"] = from.task.title + ", by " + what;
    json["operation"] = from.task.operation;
    json["numeric"]["error"] = "normwise";
    json["numeric"]["scheme"]
        = {{"n", declared->n}, {"m", declared->m}, {"p", declared->p}, {"levels", declared->levels},
            {"u", coefficientsOf(declared->u)}, {"v", coefficientsOf(declared->v)}, {"w", coefficientsOf(declared->w)}};
    json["shapes"] = {{"train", shapeList(shapes->train)}, {"heldout", shapeList(shapes->heldout)},
        {"sealed", shapeList(shapes->sealed)}, {"verify", shapeList(verify)}};
    json["source"] = {"seed.cpp"};
    json["moves"] = nullptr; // those of `from` are for its seed
    json["limits"]["workspace_bytes"] = workspaceLimit(scheme, options, *shapes, from.task.limits);
    json["limits"]["source_bytes"]
        = std::max<std::int64_t>(from.task.limits.sourceBytes, 4 * static_cast<std::int64_t>(seed->size()));
    json["niches"] = {{{"feature", "tunables:CUTOFF"}, {"scale", "log2"}, {"bins", 7}},
        {{"feature", "code_bytes"}, {"scale", "log2"}, {"bins", 5}}};
    json.erase("$schema");

    TaskPack pack;
    pack.json = withShortLists(dumped(json, 2)) + "\n";
    auto task = parseTask(pack.json);
    if (!task)
        return std::unexpected(task.error());
    pack.task = std::move(*task);
    pack.files = {{"seed.cpp", std::move(*seed)}, {pack.task.reference, from.files.at(from.task.reference)}};
    return pack;
}

namespace {

/// Without a separator at its end.
fs::path wholeFolder(const fs::path& folder)
{
    std::error_code problem;
    const fs::path whole = fs::absolute(folder, problem).lexically_normal();
    return whole.filename().empty() ? whole.parent_path() : whole;
}

} // namespace

Result<void> checkTaskFolder(const std::string& name, const fs::path& folder)
{
    std::error_code problem;
    const fs::path named = wholeFolder(folder);
    if (named.filename() != name)
        return fail("tensor/task", "a task's folder is named as the task: " + name);
    if (fs::exists(named, problem) && !(fs::is_directory(named, problem) && fs::is_empty(named, problem)))
        return fail("tensor/exists", oneLine(folder.string(), 200) + " exists already", "choose another name");
    return {};
}

Result<void> writeTaskFolder(const TaskPack& pack, const fs::path& folder)
{
    if (const auto possible = checkTaskFolder(pack.task.name, folder); !possible)
        return possible;
    std::error_code problem;
    const fs::path named = wholeFolder(folder);
    const bool isNew = fs::create_directories(named, problem);
    if (problem)
        return fail("file/unwritable", oneLine(folder.string(), 200) + " cannot be made: " + problem.message(),
            "choose a folder that you may write to");
    auto files = std::vector<std::pair<std::string, std::string>>(pack.files.begin(), pack.files.end());
    files.emplace_back("task.json", pack.json); // last: a folder with it is whole
    for (std::size_t at = 0; at < files.size(); ++at) {
        auto saved = saveFile(named / files[at].first, files[at].second);
        if (saved)
            continue;
        for (std::size_t made = 0; made <= at; ++made)
            fs::remove(named / files[made].first, problem);
        if (isNew)
            fs::remove(named, problem); // only where it is empty
        return saved;
    }
    return {};
}

} // namespace tilewright
