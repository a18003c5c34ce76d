// SPDX-License-Identifier: Apache-2.0
// Reading task.json: every field checked, an unknown one refused, each complaint with the field's path.
#include "core/model/task/task.h"

#include "core/base/expression.h"
#include "core/base/json_text.h"
#include "core/model/task/pack_rules.h"

#include <algorithm>
#include <set>

namespace tilewright {
namespace {

using Json = JsonFields::Json;
using Fields = JsonFields;

constexpr NameTable<TensorRole, 2> roles{{{TensorRole::Input, "input"}, {TensorRole::Output, "output"}}};
constexpr NameTable<ErrorMeasure, 2> measures{
    {{ErrorMeasure::Componentwise, "componentwise"}, {ErrorMeasure::Normwise, "normwise"}}};

constexpr double mostExtent = 1 << 20;

/// It stands in generated code.
void checkIdentifier(const std::string& path, const std::string& name)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    constexpr std::string_view others = "0123456789_";
    const bool good = !name.empty() && name.size() <= 32 && letters.find(name.front()) != std::string_view::npos
        && std::ranges::all_of(name, [&](char c) {
               return letters.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
           });
    if (!good)
        complain(path, "'" + name + "' must be a letter, then letters, digits and '_', at most 32");
}

std::vector<Dimension> readDims(const Json& json)
{
    if (!json.is_object() || json.empty())
        complain("dims", "must name at least one dimension");
    std::vector<Dimension> dims;
    for (const auto& [name, value] : json.items()) {
        checkIdentifier("dims", name);
        const Fields fields(value, "dims." + name, {"min", "multiple"});
        dims.push_back({name, fields.integerOr("min", 1, 1, 1 << 20), fields.integerOr("multiple", 1, 1, 1 << 20)});
    }
    return dims;
}

/// Names of dimensions and numbers: ["rows", 9].
std::vector<std::string> readExtents(const Json& json, const std::string& path)
{
    constexpr std::int64_t largest = 1 << 20;
    if (!json.is_array())
        complain(path, "must be a list of dimensions and numbers");
    std::vector<std::string> extents;
    for (const Json& extent : json) {
        const bool isNumber = extent.is_number_integer();
        if (!isNumber && !extent.is_string())
            complain(path, "must contain names of dims and whole numbers");
        if (isNumber && (extent.get<std::int64_t>() < 1 || extent.get<std::int64_t>() > largest))
            complain(path, "numbers are from 1 to " + std::to_string(largest));
        extents.push_back(isNumber ? std::to_string(extent.get<std::int64_t>()) : extent.get<std::string>());
        if (!isNumber && fixedExtent(extents.back()))
            complain(path, "'" + extents.back() + "' is a number: write it without quotes");
    }
    return extents;
}

std::vector<Tensor> readTensors(const Json& json, const std::vector<Dimension>& dims)
{
    if (!json.is_array() || json.empty())
        complain("tensors", "must be a list that is not empty");
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string path = "tensors[" + std::to_string(i) + "]";
        const Fields fields(json[i], path, {"name", "role", "dtype", "shape"});
        Tensor tensor{fields.text("name"), fields.choice("role", roles), fields.choice("dtype", dtypes),
            readExtents(fields.at("shape"), path + ".shape")};
        checkIdentifier(path + ".name", tensor.name);
        if (tensor.shape.empty())
            complain(path + ".shape", "must name at least one of dims");
        for (const std::string& dim : tensor.shape)
            if (!fixedExtent(dim)
                && std::ranges::none_of(dims, [&](const Dimension& known) { return known.name == dim; }))
                complain(path + ".shape", "'" + dim + "' is not one of dims");
        tensors.push_back(std::move(tensor));
    }
    if (std::ranges::none_of(tensors, [](const Tensor& tensor) { return tensor.role == TensorRole::Output; }))
        complain("tensors", "must contain an output");
    return tensors;
}

using Columns = std::vector<std::vector<double>>;

/// One list of coefficients for each product.
Columns readColumns(const Fields& fields, const std::string& key, int entries)
{
    const Json& list = fields.at(key);
    const std::string path = fields.pathOf(key);
    if (!list.is_array() || list.empty() || list.size() > mostSchemeProducts)
        complain(path, "must be a list of 1 to " + std::to_string(mostSchemeProducts) + " products");
    Columns columns;
    for (std::size_t r = 0; r < list.size(); ++r) {
        const std::string here = path + "[" + std::to_string(r) + "]";
        if (!list[r].is_array() || list[r].size() != static_cast<std::size_t>(entries))
            complain(here, "must have " + std::to_string(entries) + " coefficients");
        std::vector<double>& column = columns.emplace_back();
        for (const Json& value : list[r]) {
            if (!value.is_number() || !isSchemeCoefficient(value.get<double>()))
                complain(here, "coefficients are multiples of 2^-16 from -65536 to 65536");
            column.push_back(value.get<double>());
        }
    }
    return columns;
}

/// Its exactness is proved here: what the gates allow a task's programs follows from it.
TaskScheme readScheme(const Json& json)
{
    const Fields fields(json, "numeric.scheme", {"n", "m", "p", "levels", "u", "v", "w"});
    const auto size = [&](const char* key) {
        (void)fields.at(key);
        return static_cast<int>(fields.integerOr(key, 0, 1, mostSchemeEntries));
    };
    TaskScheme scheme{size("n"), size("m"), size("p"), 1, {}, {}, {}};
    for (const int entries : {scheme.n * scheme.m, scheme.m * scheme.p, scheme.n * scheme.p})
        if (entries > mostSchemeEntries)
            complain("numeric.scheme", "has more than " + std::to_string(mostSchemeEntries) + " entries in a matrix");
    scheme.levels = static_cast<int>(fields.integerOr("levels", 1, 1, mostSchemeLevels));
    scheme.u = readColumns(fields, "u", scheme.n * scheme.m);
    scheme.v = readColumns(fields, "v", scheme.m * scheme.p);
    scheme.w = readColumns(fields, "w", scheme.n * scheme.p);
    if (scheme.v.size() != scheme.u.size() || scheme.w.size() != scheme.u.size())
        complain("numeric.scheme", "u, v and w must have equally many products");
    if (const std::string why = objectionTo(scheme); !why.empty())
        complain("numeric.scheme", "does not multiply matrices: " + why);
    return scheme;
}

/// A scheme bounds the error of the whole result only, and what is allowed for it is that of products in fp32.
void checkSchemeFits(const Task& task)
{
    const Numeric& numeric = task.numeric;
    if (numeric.error != ErrorMeasure::Normwise)
        complain("numeric.scheme", "needs the error normwise: it bounds no single element");
    if (numeric.bound != NumericBound::Product || task.target != Target::Cpp
        || !std::ranges::all_of(task.tensors, [](const Tensor& tensor) { return tensor.dtype == Dtype::Fp32; }))
        complain("numeric.scheme", "needs the bound product, tensors of fp32 and the target cpp");
}

Numeric readNumeric(const Json& json, const Task& task)
{
    const Fields fields(json, "numeric", {"bound", "reduction", "accumulate", "error", "tau", "allow", "scheme"});
    Numeric numeric;
    numeric.bound = fields.choice("bound", numericBounds);
    numeric.reduction = fields.textOr("reduction", "");
    if (!numeric.reduction.empty()
        && std::ranges::none_of(task.dims, [&](const Dimension& dim) { return dim.name == numeric.reduction; }))
        complain("numeric.reduction", "'" + numeric.reduction + "' is not one of dims");
    if (numeric.reduction.empty() && (numeric.bound == NumericBound::Product || numeric.bound == NumericBound::Sum))
        complain("numeric.reduction", "is missing: the bounds product and sum grow with the dimension summed over");
    if (fields.has("accumulate"))
        numeric.accumulate = fields.choice("accumulate", dtypes);
    numeric.error = fields.choice("error", measures);
    numeric.tau = fields.number("tau", 0, 1);
    for (const std::string& allowed : fields.has("allow") ? fields.texts("allow") : std::vector<std::string>{}) {
        if (allowed == "tf32")
            numeric.allowTf32 = true;
        else if (allowed == "fast-math")
            numeric.allowFastMath = true;
        else if (allowed == "approximations")
            numeric.allowApproximations = true;
        else if (allowed == "atomics")
            numeric.allowAtomics = true;
        else
            complain("numeric.allow", "'" + allowed + "' is not one of tf32, fast-math, approximations, atomics");
    }
    if (fields.has("scheme"))
        numeric.scheme = readScheme(fields.at("scheme"));
    return numeric;
}

std::vector<Shape> readShapes(const Fields& fields, const std::string& key, const Task& task)
{
    std::vector<Shape> shapes;
    if (!fields.has(key))
        return shapes;
    const Json& list = fields.at(key);
    const std::string path = fields.pathOf(key);
    if (!list.is_array())
        complain(path, "must be a list of shapes");
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string here = path + "[" + std::to_string(i) + "]";
        if (!list[i].is_array() || list[i].size() != task.dims.size())
            complain(here, "must have " + std::to_string(task.dims.size()) + " extents, one for each of dims");
        Shape shape;
        for (std::size_t d = 0; d < task.dims.size(); ++d) {
            const Dimension& dim = task.dims[d];
            if (!list[i][d].is_number_integer() || list[i][d].get<double>() > mostExtent)
                complain(here, "extents must be whole numbers of at most 1048576");
            const auto extent = list[i][d].get<std::int64_t>();
            if (extent < dim.min || extent % dim.multiple != 0)
                complain(here,
                    dim.name + " = " + std::to_string(extent) + " must be at least " + std::to_string(dim.min)
                        + " and a multiple of " + std::to_string(dim.multiple));
            shape.push_back(extent);
        }
        if (std::ranges::find(shapes, shape) != shapes.end())
            complain(here, "occurs twice");
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

std::string readCost(const Fields& cost, const std::string& key, const Task& task)
{
    const std::string expression = cost.text(key);
    Symbols symbols;
    for (const Dimension& dim : task.dims)
        symbols[dim.name] = 64;
    const auto value = evaluate(expression, symbols);
    if (!value)
        complain(cost.pathOf(key), value.error().text);
    if (!(*value > 0))
        complain(cost.pathOf(key), "must be positive");
    return expression;
}

/// Work and traffic of every shape are numbers that can be counted.
void checkCosts(const Task& task)
{
    constexpr double mostCounted = 9007199254740992.0; // 2^53
    for (const auto* shapes : {&task.train, &task.heldout, &task.sealed, &task.verify})
        for (const Shape& shape : *shapes)
            for (const auto& [field, cost] :
                {std::pair("cost.flops", task.flopsOf(shape)), std::pair("cost.bytes", task.bytesOf(shape))})
                if (!(cost > 0 && cost <= mostCounted)) {
                    std::string extents;
                    for (const std::int64_t extent : shape)
                        extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
                    complain(
                        field, "must be positive and at most 2^53 for every shape, but is not for [" + extents + "]");
                }
}

TaskLimits readLimits(const Json& json)
{
    const Fields fields(json, "limits", {"build_s", "workspace_bytes", "source_bytes", "quarantine_over_vendor"});
    TaskLimits limits;
    limits.buildSeconds = fields.numberOr("build_s", limits.buildSeconds, 1, 600);
    limits.workspaceBytes = fields.integerOr("workspace_bytes", limits.workspaceBytes, 0, std::int64_t(1) << 32);
    limits.sourceBytes = fields.integerOr("source_bytes", limits.sourceBytes, 256, 16 << 20);
    limits.quarantineOverVendor = fields.numberOr("quarantine_over_vendor", limits.quarantineOverVendor, 1, 100);
    return limits;
}

std::vector<NicheAxis> readNiches(const Json& json)
{
    if (!json.is_array() || json.size() > 4)
        complain("niches", "must be a list of at most four axes");
    std::vector<NicheAxis> axes;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string path = "niches[" + std::to_string(i) + "]";
        const Fields fields(json[i], path, {"feature", "scale", "bins"});
        NicheAxis axis;
        axis.feature = fields.text("feature");
        const std::string scale = fields.textOr("scale", "log2");
        if (scale != "log2" && scale != "linear")
            complain(path + ".scale", "'" + scale + "' is not one of log2, linear");
        axis.log2 = scale == "log2";
        axis.bins = static_cast<int>(fields.integerOr("bins", 7, 1, 64));
        axes.push_back(std::move(axis));
    }
    return axes;
}

std::string fileName(const Fields& fields, const std::string& key)
{
    const std::string name = fields.text(key);
    if (name.find("..") != std::string::npos || name.front() == '/')
        complain(fields.pathOf(key), "must name a file or folder inside the pack's folder");
    return name;
}

Task readTask(const Json& json)
{
    const Fields fields(json, "",
        {"$schema", "format", "name", "title", "target", "operation", "dims", "tensors", "scalars", "cost", "numeric",
            "inputs", "shapes", "source", "reference", "moves", "baseline", "vendor", "build", "limits", "timing",
            "niches", "evaluator"},
        "task.json");
    (void)fields.textOr("$schema", ""); // an editor's
    if (fields.integerOr("format", 0, 0, 1000) != 1)
        complain("format", "must be 1, the only supported format");
    Task task;
    task.name = fields.text("name");
    if (task.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") != std::string::npos)
        complain("name", "may contain only a-z, 0-9, '-', '_' and '.'");
    task.title = fields.text("title");
    task.operation = fields.textOr("operation", "");
    task.target = fields.choice("target", targets);
    if (task.target == Target::Outside)
        complain("target", "must be cpp or cuda: external evaluators are not available in this version");
    task.dims = readDims(fields.at("dims"));
    task.tensors = readTensors(fields.at("tensors"), task.dims);
    if (fields.has("scalars") && !(fields.at("scalars").is_array() && fields.at("scalars").empty()))
        complain("scalars", "must be an empty list: tasks with scalar arguments cannot be evaluated by this version");
    const Fields cost(fields.at("cost"), "cost", {"flops", "bytes"});
    task.flops = readCost(cost, "flops", task);
    task.bytes = readCost(cost, "bytes", task);
    task.numeric = readNumeric(fields.at("numeric"), task);
    if (task.numeric.scheme)
        checkSchemeFits(task);
    for (const std::string& kind : fields.texts("inputs"))
        task.inputs.push_back(Fields::choiceOf(kind, "inputs", inputKinds));
    if (std::set(task.inputs.begin(), task.inputs.end()).size() != task.inputs.size())
        complain("inputs", "names a kind twice");
    if (task.inputs.empty() || task.inputs.front() != InputKind::Normal)
        complain("inputs", "must begin with normal: zero-mean inputs distinguish a downcast from rounding");
    const Fields shapes(fields.at("shapes"), "shapes", {"train", "heldout", "sealed", "verify"});
    task.train = readShapes(shapes, "train", task);
    task.heldout = readShapes(shapes, "heldout", task);
    for (std::size_t i = 0; i < task.heldout.size(); ++i)
        if (std::ranges::find(task.train, task.heldout[i]) != task.train.end())
            complain("shapes.heldout[" + std::to_string(i) + "]",
                "is also a train shape: held-out shapes must be different");
    task.sealed = readShapes(shapes, "sealed", task);
    task.verify = readShapes(shapes, "verify", task);
    if (task.train.empty())
        complain("shapes.train", "must contain at least one shape");
    checkCosts(task);
    task.sources = fields.texts("source");
    if (task.sources.size() != 1)
        complain("source", "must name exactly one file");
    if (task.sources.front().find('/') != std::string::npos)
        complain("source", "must name a file in the pack's folder");
    task.reference = fileName(fields, "reference");
    task.moves = fields.has("moves") ? fileName(fields, "moves") : "";
    if (fields.has("baseline"))
        complain("baseline", "must be null: the seed is the baseline");
    task.vendor = fields.textOr("vendor", "");
    if (!task.vendor.empty() && task.target == Target::Cpp && task.vendor != "openblas-sgemm-1t")
        complain("vendor", "'" + task.vendor + "' is unknown; use openblas-sgemm-1t with target cpp");
    if (!task.vendor.empty() && task.target == Target::Cuda && task.vendor != "cublaslt")
        complain("vendor", "'" + task.vendor + "' is unknown; use cublaslt with target cuda");
    if (fields.has("build")) {
        const Fields build(fields.at("build"), "build", {"options", "fast_math"});
        task.buildOptions = build.texts("options");
        if (build.truthOr("fast_math", false))
            task.numeric.allowFastMath = true;
        if (task.target == Target::Cuda && !task.buildOptions.empty())
            complain("build.options",
                "must be an empty list for target cuda: all GPU programs are compiled with the same options; a task "
                "can only set fast_math");
        for (const std::string& option : task.buildOptions)
            if (const std::string why
                = objectionToOption(option, task.numeric.allowFastMath ? FastMath::Allowed : FastMath::Refused);
                !why.empty())
                complain("build.options", why);
    }
    if (fields.has("limits"))
        task.limits = readLimits(fields.at("limits"));
    task.precision = task.target == Target::Cuda ? 0.0025 : 0.005;
    if (fields.has("timing")) {
        const Fields timing(fields.at("timing"), "timing", {"mode", "threads", "precision"});
        task.timingMode = timing.textOr("mode", "cold");
        if (task.timingMode != "cold" && task.timingMode != "hot-rotating" && task.timingMode != "graph")
            complain("timing.mode", "'" + task.timingMode + "' is not one of cold, hot-rotating, graph");
        else if (task.timingMode != "cold" && task.target != Target::Cuda)
            complain("timing.mode",
                "must be cold: only GPU programs are timed in the mode " + task.timingMode
                    + ", and results of different modes are not comparable");
        if (timing.integerOr("threads", 1, 1, 1024) != 1)
            complain("timing.threads", "must be 1: candidates run on one thread");
        task.precision = timing.numberOr("precision", task.precision, 0.0025, 0.05);
    }
    if (fields.has("niches"))
        task.niches = readNiches(fields.at("niches"));
    if (fields.has("evaluator"))
        complain("evaluator", "must be null: external evaluators are not available in this version");
    return task;
}

} // namespace

Result<Task> parseTask(std::string_view text)
{
    try {
        return readTask(parsedStrictly(text));
    } catch (const FieldError& problem) {
        return fail("task/field", "task.json: " + problem.field + ": " + problem.reason,
            "see kernels/README.md for the format",
            {{"file", "task.json"}, {"field", problem.field}, {"reason", problem.reason}});
    } catch (const SyntaxError& problem) {
        const std::string reason = "line " + std::to_string(problem.line) + ": " + problem.reason;
        return fail("task/syntax", "task.json is not valid JSON: " + reason, "see kernels/README.md for the format",
            {{"file", "task.json"}, {"field", ""}, {"line", problem.line}, {"reason", reason}});
    } catch (const Json::exception&) {
        return fail("task/syntax", "task.json contains a number out of range", "see kernels/README.md for the format",
            {{"file", "task.json"}, {"field", ""}, {"reason", "contains a number out of range"}});
    }
}

} // namespace tilewright
