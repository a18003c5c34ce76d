// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/kernel_description.h"

#include "core/base/text.h"
#include "core/pack/cuda_source.h"
#include "core/pack/double_text.h"
#include "core/pack/host_part.h"
#include "core/pack/pack_texts.h"
#include "core/pack/sums.h"
#include "core/pack/tensor_use.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

namespace tilewright {
namespace {

/// A parameter's name as a task may have it: it begins with a letter.
std::string tensorName(const std::string& name, std::size_t ordinal)
{
    const std::size_t letter = name.find_first_not_of("_0123456789");
    if (letter == std::string::npos)
        return "p" + std::to_string(ordinal + 1);
    return name.substr(letter, 32);
}

/// "/home/me/My Kernel.cpp", "softmax" → "my-kernel", or "my-kernel-softmax" where the names differ.
std::string taskName(const std::string& fileName, const std::string& function)
{
    const auto clean = [](std::string_view text) {
        std::string name;
        for (const char c : lowered(std::string(text)))
            if (std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128)
                name += c;
            else if (!name.empty() && name.back() != '-')
                name += '-';
        while (name.ends_with('-'))
            name.pop_back();
        return name;
    };
    const std::size_t slash = fileName.rfind('/');
    std::string stem = slash == std::string::npos ? fileName : fileName.substr(slash + 1);
    stem = clean(stem.substr(0, stem.rfind('.')));
    const std::string what = clean(function);
    if (stem.empty() || stem == what || what.starts_with(stem + "-"))
        return what.empty() ? "my-kernel" : what;
    return what.empty() ? stem : stem + "-" + what;
}

std::string elementsExpression(const DescribedParameter& tensor)
{
    std::string product;
    for (const std::string& dim : tensor.shape)
        product += (product.empty() ? "" : "*") + dim;
    return product.empty() ? "1" : product;
}

/// The extents of an array as numbers, and its shape where all of them are known.
void takeExtents(
    DescribedParameter& parameter, const KernelParameter& from, const Symbols& constants, DerivedDescription& derived)
{
    std::vector<std::string> shape;
    bool isWhole = true;
    for (const std::string& extent : from.extents) {
        const auto value = extent.empty() ? fail("", "") : launchValue(extent, constants);
        const bool isNumber = value && *value >= 1;
        parameter.extents.push_back(isNumber ? static_cast<std::int64_t>(*value) : 0);
        isWhole = isWhole && isNumber;
        shape.push_back(isNumber ? std::to_string(parameter.extents.back()) : extent);
    }
    if (from.extents == std::vector<std::string>{""})
        parameter.extents.clear(); // "float x[]" is a pointer
    if (from.extents.empty() || !isWhole)
        return;
    parameter.shape = std::move(shape);
    derived.readings.push_back(parameter.name + " has the shape [" + joined(parameter.shape, ",")
        + "], as its parameter '" + from.declaration + "' says");
}

std::vector<Shape> fitted(std::vector<Shape> shapes, const std::vector<Dimension>& dims)
{
    std::vector<Shape> kept;
    for (Shape& shape : shapes) {
        for (std::size_t i = 0; i < dims.size(); ++i) {
            const std::int64_t multiple = std::max<std::int64_t>(1, dims[i].multiple);
            const std::int64_t wanted = std::max(shape[i], dims[i].min);
            shape[i] = (wanted + multiple - 1) / multiple * multiple;
        }
        if (std::ranges::find(kept, shape) == kept.end())
            kept.push_back(std::move(shape));
    }
    return kept;
}

/// Of four dimensions and more: all alike.
std::vector<Shape> evenOnes(std::size_t dims, std::size_t which)
{
    static constexpr std::int64_t train[]{24, 33}, heldout[]{29, 20}, verify[]{1, 7};
    const std::int64_t* sizes = which == 0 ? train : which == 1 ? heldout : verify;
    return {Shape(dims, sizes[0]), Shape(dims, sizes[1])};
}

/// On a CPU: some 100 µs to some milliseconds of one thread, round and odd ones; on a GPU from some microseconds on,
/// with odd rows and columns.
std::vector<Shape> usualSizes(Target target, std::size_t dims, ShapeSplit split)
{
    using Sizes = std::vector<Shape>; // of each number of dimensions: training, held-out, verify
    static const Sizes cpu[][3]{{{{262144}, {1000003}, {65537}}, {{524287}, {300000}}, {{1}, {17}, {1031}}},
        {{{512, 1000}, {257, 2048}, {1024, 384}, {37, 8191}}, {{500, 1009}, {1021, 300}, {64, 6500}},
            {{1, 1}, {17, 31}, {3, 257}, {97, 1}}},
        {{{192, 200, 136}, {257, 96, 129}, {64, 512, 100}}, {{160, 211, 150}, {96, 263, 191}},
            {{1, 1, 1}, {17, 31, 13}, {3, 2, 101}}}};
    static const Sizes gpu[][3]{
        {{{1048576}, {1000003}, {655360}}, {{786433}, {524288}}, {{1}, {31}, {257}, {1031}, {65537}}},
        {{{4096, 1024}, {2048, 4096}, {1000, 8191}, {8192, 512}}, {{3001, 1021}, {1024, 6000}},
            {{1, 1}, {17, 31}, {3, 257}, {97, 1}, {64, 1000}}},
        {{{1024, 1024, 1024}, {2048, 1024, 256}, {1000, 1000, 1000}}, {{768, 1280, 1536}, {1023, 2049, 511}},
            {{1, 1, 1}, {17, 31, 13}, {3, 2, 301}, {129, 257, 65}}}};
    const std::size_t which = split == ShapeSplit::Train ? 0 : split == ShapeSplit::Heldout ? 1 : 2;
    return dims > std::size(cpu) ? evenOnes(dims, which) : (target == Target::Cuda ? gpu : cpu)[dims - 1][which];
}

/// The one dimension of a tensor that is used at nothing but plain indices below it, "out[r]" with "r < rows"; else
/// empty.
std::string onlyDimOf(const KernelDescription& description, const DescribedParameter& tensor, std::string& index)
{
    const std::string source = description.compiledSource();
    const TensorUse use = useOf(source, description.function, tensor.name);
    std::vector<std::string> names;
    for (const Dimension& dim : description.dims)
        names.push_back(dim.name);
    std::string only;
    for (const std::string& each : std::set(use.indices.begin(), use.indices.end())) {
        const std::string bound = boundOf(source, description.function, each, names);
        if (bound.empty() || (!only.empty() && bound != only))
            return {};
        only = bound;
        index = each;
    }
    return use.otherwise ? std::string() : only;
}

/// "float (*x)[64]": rows of 64.
void addInnerExtents(DescribedParameter& tensor)
{
    for (std::size_t i = 1; i < tensor.extents.size(); ++i)
        if (tensor.extents[i] > 0) // else it is no number, which a finding says
            tensor.shape.push_back(std::to_string(tensor.extents[i]));
}

/// Every tensor has all dimensions, but those whose indices tell otherwise.
std::string supposeAllDims(const KernelDescription& description, const std::vector<DescribedParameter*>& tensors)
{
    std::string all, told;
    std::vector<std::string> every;
    for (const Dimension& dim : description.dims) {
        every.push_back(dim.name);
        all += (all.empty() ? "" : ",") + dim.name;
    }
    for (DescribedParameter* tensor : tensors) {
        std::string index;
        const std::string only = every.size() > 1 ? onlyDimOf(description, *tensor, index) : std::string();
        tensor->shape = only.empty() ? every : std::vector{only};
        addInnerExtents(*tensor);
        if (!only.empty())
            told += tensor->name + " has the shape [" + only + "], as it is used at " + tensor->name + "[" + index
                + "] with " + index + " below " + only + "; ";
    }
    for (const DescribedParameter* tensor : tensors)
        if (tensor->extents.size() > 1 && tensor->shape.size() > 1)
            told += tensor->name + " has the shape [" + joined(tensor->shape, ",")
                + "], as its rows have a fixed size; ";
    const bool isEach = told.empty() && tensors.size() == description.tensors().size();
    return told + "every " + (isEach ? "" : "other ") + "tensor has the shape [" + all + "]"
        + (every.size() == 2 ? ", row by row" : "");
}

/// Tensors that are used with nothing but constants of the file and counters of loops up to them have a fixed size.
void supposeFixedShapes(
    const KernelDescription& description, std::vector<DescribedParameter*>& bare, std::vector<std::string>& supposed)
{
    const std::string source = description.compiledSource();
    const Symbols constants = constantsOf(source);
    std::erase_if(bare, [&](DescribedParameter* tensor) {
        const auto size = fixedSizeOf(source, description.function, tensor->name, constants);
        if (!size)
            return false;
        tensor->shape = {std::to_string(*size)};
        addInnerExtents(*tensor);
        supposed.push_back(tensor->name + " has the shape [" + joined(tensor->shape, ",") + "], as it is used up to "
            + tensor->name + "[" + std::to_string(*size - 1) + "] whatever the sizes are");
        return true;
    });
}

/// A task's outputs are written only. Of one that the kernel changes where it stands, and that nothing in it sets.
std::string wordsOfInPlace(const KernelDescription& description, const DescribedParameter& output)
{
    const TensorUse use = useOf(description.compiledSource(), description.function, output.name);
    if (use.adding.empty() || use.isSet || use.otherwise)
        return {};
    return output.name + " is assumed to be only written, but the kernel adds to it ('" + use.adding + "' in line "
        + std::to_string(use.addingLine)
        + ") without setting it. Outputs are filled with arbitrary values before a launch, so the check will refuse "
          "it. Set it first, or read the previous values from an input ('const float* "
        + output.name + "_before') and write the result to " + output.name;
}

/// What a CUDA file tells beside the parameters: how its kernel is launched, and what is the host's.
void describeLaunch(DerivedDescription& derived, const KernelFunction& kernel)
{
    KernelDescription& description = derived.description;
    description.target = Target::Cuda;
    FoundLaunch found = launchOf(description.compiledSource(), kernel);
    const std::string line = "line " + std::to_string(found.line);
    if (!found.trouble.empty())
        derived.readings.push_back("the launch in " + line
            + (found.launch.grid.empty() && found.launch.block.empty() ? "" : " is read in part, the rest")
            + " cannot be read: " + found.trouble);
    else if (found.line > 0)
        derived.readings.push_back("it is launched as in " + line + ": " + launchInWords(found.launch)
            + (found.others > 0
                    ? "; " + counted(found.others, "other launch", "other launches") + " of it not looked at"
                    : ""));
    // The launch names the kernel's own parameters; the task may name them otherwise.
    const auto renamed = [&](const std::string& name) {
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
            if (kernel.parameters[i].name == name)
                return description.parameters[i].name;
        return name;
    };
    for (auto* parts : {&found.launch.grid, &found.launch.block})
        for (std::string& part : *parts)
            part = withNames(part, renamed);
    found.launch.shared = withNames(found.launch.shared, renamed);
    description.launch = std::move(found.launch);
    if (const DevicePart part = devicePartOf(description.source, kernel.name, description.macros);
        !part.leftOut.empty())
        derived.readings.push_back("host code and other kernels are left out: " + joined(part.leftOut, ", "));
}

/// How far results may be off, from the sums in the text; told in any case, as evolving may hang on it.
std::string supposeTolerance(KernelDescription& description)
{
    std::vector<std::string> dims;
    for (const Dimension& dim : description.dims)
        dims.push_back(dim.name);
    const auto sum = sumIn(description.compiledSource(), description.function, dims);
    if (!sum || dims.empty()) {
        description.tolerance = Tolerance::Rounding;
        description.reduction.clear();
        return "tolerance: a few roundings per element, as no sum was found in the kernel; if there is one, choose the "
               "tolerance of a sum";
    }
    const auto tensors = description.tensors();
    description.tolerance = Tolerance::Sum;
    description.reduction = !sum->dim.empty() ? sum->dim : dims.back();
    if (sum->dim.empty() && !tensors.empty()) // the innermost dimension of the first tensor
        for (const std::string& extent : tensors.front()->shape)
            if (std::ranges::find(dims, extent) != dims.end())
                description.reduction = extent;
    std::string words = "tolerance: the roundings of a sum over " + description.reduction + ", as line "
        + std::to_string(sum->line) + " adds up ('" + sum->sign + "')";
    if (description.truth != TruthSource::Kernel)
        return words;
    const std::string obstacle = description.obstacleToDouble();
    return words
        + (obstacle.empty() ? "; the reference computes in double precision"
                            : "; the reference computes in single precision, because of " + obstacle);
}

} // namespace

double KernelDescription::relativeTolerance() const
{
    const auto dim = std::ranges::find(dims, reduction, &Dimension::name);
    if (truth == TruthSource::Product || tolerance != Tolerance::Sum || dim == dims.end())
        return tau;
    const auto at = static_cast<std::size_t>(dim - dims.begin());
    std::int64_t longest = 1;
    for (const auto* shapes : {&train, &heldout, &verify})
        for (const Shape& shape : *shapes)
            if (at < shape.size())
                longest = std::max(longest, shape[at]);
    // Over a whole result the roundings of long sums even out: honest forms stay below a tenth of this, see "Long sums"
    // in docs/measurements.md. A GPU's truth is in single precision, and rounds as well. Two digits, upwards.
    const double limit = (target == Target::Cuda ? 8 : 3) * std::sqrt(static_cast<double>(longest)) * 0x1.0p-24;
    const double digit = std::pow(10, std::floor(std::log10(limit)) - 1);
    return std::max(tau, std::ceil(limit / digit) * digit);
}

std::string KernelDescription::obstacleToDouble() const
{
    if (target == Target::Cuda)
        return "its launch, which is for its own types";
    for (const DescribedParameter* tensor : tensors())
        if (tensor->dtype != Dtype::Fp32)
            return tensor->name + ", which is not a float";
    return inDouble(hostPartOf(source, function, macros).text, macros).obstacle;
}

std::vector<std::string> resolvedExtents(const KernelDescription& description, std::vector<std::string> extents)
{
    const Symbols constants = constantsOf(description.compiledSource());
    for (std::string& extent : extents) {
        const bool isDim = std::ranges::find(description.dims, extent, &Dimension::name) != description.dims.end();
        const auto value = isDim || fixedExtent(extent) ? fail("", "") : launchValue(extent, constants);
        if (value && *value >= 1)
            extent = std::to_string(static_cast<long long>(*value));
    }
    return extents;
}

bool isCudaFile(const std::string& fileName) { return fileName.ends_with(".cu") || fileName.ends_with(".cuh"); }

std::vector<const DescribedParameter*> KernelDescription::tensors() const
{
    std::vector<const DescribedParameter*> found;
    for (const DescribedParameter& parameter : parameters)
        if (parameter.isTensor())
            found.push_back(&parameter);
    if (target == Target::Cuda) // llm.c and others write f(out, in, n)
        std::ranges::stable_sort(
            found, {}, [](const DescribedParameter* one) { return one->kind == ParameterKind::Output; });
    return found;
}

bool KernelDescription::looksLikeAProduct() const
{
    const auto t = tensors();
    return t.size() == 3 && t[0]->kind == ParameterKind::Input && t[1]->kind == ParameterKind::Input
        && t[2]->kind == ParameterKind::Output
        && std::ranges::all_of(t,
            [&](const auto* one) {
                return one->shape.size() == 2 && std::ranges::none_of(one->shape, isFixedExtent)
                    && (one->dtype == Dtype::Fp32 || (target == Target::Cuda && one->dtype == Dtype::Bf16));
            })
        && t[0]->dtype == t[1]->dtype && t[0]->shape[1] == t[1]->shape[0] && t[0]->shape[0] == t[2]->shape[0]
        && t[1]->shape[1] == t[2]->shape[1] && t[0]->shape[0] != t[0]->shape[1] && t[1]->shape[0] != t[1]->shape[1]
        && t[2]->shape[0] != t[2]->shape[1];
}

Result<DerivedDescription> describeKernel(const std::string& fileName, const std::string& source,
    const std::string& function, const std::optional<Macros>& macros)
{
    const Macros predefined = macros ? *macros : builtinMacros(isCudaFile(fileName));
    const auto found = kernelFunctionNamed(source, function, predefined);
    if (!found)
        return std::unexpected(found.error());
    if (isCudaFile(fileName) && !found->isGlobal)
        return fail("own/target",
            found->name + "() in line " + std::to_string(found->line) + " is no kernel: it lacks __global__",
            "name a kernel, or use a C++ file for a CPU function", {{"function", found->name}, {"line", found->line}});
    DerivedDescription derived;
    KernelDescription& description = derived.description;
    description.fileName = printable(fileName);
    description.source = source;
    description.macros = predefined;
    const CompiledText compiled = asCompiled(source, predefined);
    const Symbols constants = constantsOf(compiled.text);
    if (!compiled.trouble.empty())
        derived.readings.push_back("the condition " + compiled.trouble + " cannot be read, its branch is left out");
    description.function = found->name;
    description.name = taskName(fileName, found->name);
    for (std::size_t i = 0; i < found->parameters.size(); ++i) {
        const KernelParameter& from = found->parameters[i];
        DescribedParameter parameter{
            tensorName(from.name, i), from.type, from.kind, from.dtype.value_or(Dtype::Fp32), {}, {}};
        parameter.isConst = from.isConst;
        parameter.isReference = from.isReference;
        takeExtents(parameter, from, constants, derived);
        if (parameter.kind == ParameterKind::Dimension)
            description.dims.push_back({parameter.name, 1, 1});
        description.parameters.push_back(std::move(parameter));
    }
    if (found->isGlobal)
        describeLaunch(derived, *found);
    else if (const HostPart part = hostPartOf(source, found->name, predefined); !part.leftOut.empty())
        derived.readings.push_back("code that the kernel does not call is left out: " + joined(part.leftOut, ", "));
    derived.suppositions = supposeTheRest(description);
    return derived;
}

std::vector<KernelFunction> kernelChoices(
    const std::string& fileName, const std::string& source, const std::optional<Macros>& macros)
{
    const Macros predefined = macros ? *macros : builtinMacros(isCudaFile(fileName));
    std::vector<KernelFunction> functions = kernelFunctionsOf(source, predefined);
    if (!isCudaFile(fileName))
        std::erase_if(functions, [](const KernelFunction& function) { return function.name == "main"; });
    if (!isCudaFile(fileName) && std::ranges::none_of(functions, &KernelFunction::isGlobal))
        return functions;
    std::vector<KernelFunction> instances = launchedInstancesOf(source, predefined);
    std::erase_if(functions, [&](const KernelFunction& function) {
        const bool launched = function.isTemplate
            && std::ranges::any_of(instances,
                [&](const KernelFunction& instance) { return instance.name.starts_with(function.name + "<"); });
        return launched || !function.isGlobal;
    });
    functions.insert(functions.end(), instances.begin(), instances.end());
    return functions;
}

std::vector<std::string> supposeTheRest(KernelDescription& description)
{
    std::vector<std::string> supposed;
    const auto& dims = description.dims;
    std::vector<DescribedParameter*> bare;
    bool isSaid = false; // of one whose shape holds a dimension: then those of the others are for the user to say
    for (DescribedParameter& parameter : description.parameters) {
        if (parameter.isTensor() && parameter.shape.empty())
            bare.push_back(&parameter);
        isSaid = isSaid || (parameter.isTensor() && !std::ranges::all_of(parameter.shape, isFixedExtent));
    }
    if (!bare.empty() && !isSaid)
        supposeFixedShapes(description, bare, supposed);
    if (!bare.empty() && !isSaid) {
        const auto dimNamed = [&](const char* name) {
            const auto found = std::ranges::find(dims, name, [](const Dimension& dim) { return lowered(dim.name); });
            return found == dims.end() ? std::string() : found->name;
        };
        const std::string m = dimNamed("m"), n = dimNamed("n"), k = dimNamed("k");
        const bool matrices = bare.size() == 3 && bare[2]->kind == ParameterKind::Output
            && bare[0]->kind == ParameterKind::Input && bare[1]->kind == ParameterKind::Input;
        if (dims.size() == 3 && matrices && !m.empty() && !n.empty() && !k.empty()) {
            bare[0]->shape = {m, k};
            bare[1]->shape = {k, n};
            bare[2]->shape = {m, n};
            supposed.push_back("the shapes are those of a product: " + bare[0]->name + "[" + m + "," + k + "], "
                + bare[1]->name + "[" + k + "," + n + "], " + bare[2]->name + "[" + m + "," + n + "], row by row");
        } else if (!bare.empty() && (dims.size() == 1 || dims.size() == 2)) {
            supposed.push_back(supposeAllDims(description, bare));
        }
    }
    if (!dims.empty() && description.train.empty()) {
        const auto usual
            = [&](ShapeSplit split) { return fitted(usualSizes(description.target, dims.size(), split), dims); };
        description.train = usual(ShapeSplit::Train);
        description.heldout = usual(ShapeSplit::Heldout);
        description.verify = usual(ShapeSplit::Verify);
        std::erase_if(description.heldout,
            [&](const Shape& shape) { return std::ranges::find(description.train, shape) != description.train.end(); });
        supposed.emplace_back("sizes are typical ones, not yours: choose sizes that your program uses");
    }
    if (description.looksLikeAProduct() && description.truth == TruthSource::Kernel && description.flops.empty()) {
        description.truth = TruthSource::Product;
        description.tolerance = Tolerance::Sum;
        description.reduction = description.tensors()[0]->shape[1];
        supposed.emplace_back("it is the product C = A B: the reference is Tilewright's own product");
    }
    if (description.truth != TruthSource::Product && !description.toleranceSaid)
        supposed.push_back(supposeTolerance(description));
    const auto tensors = description.tensors();
    for (const auto* tensor : tensors)
        if (description.target == Target::Cuda && tensor->kind == ParameterKind::Output)
            description.tau = tensor->dtype == Dtype::Bf16 ? 4e-3 : tensor->dtype == Dtype::Fp16 ? 4e-4 : 2e-5;
    const bool shaped = std::ranges::all_of(tensors, [](const auto* tensor) { return !tensor->shape.empty(); });
    if (shaped && !tensors.empty() && description.flops.empty()) {
        std::string outputs, all, traffic;
        bool even = true; // one type everywhere
        for (const auto* tensor : tensors) {
            const std::string elements = elementsExpression(*tensor);
            all += (all.empty() ? "" : "+") + elements;
            traffic += (traffic.empty() ? "" : "+") + std::to_string(bytesOf(tensor->dtype)) + "*" + elements;
            even = even && tensor->dtype == tensors.front()->dtype;
            if (tensor->kind == ParameterKind::Output)
                outputs += (outputs.empty() ? "" : "+") + elements;
        }
        if (description.truth == TruthSource::Product) {
            const auto t = tensors;
            description.flops = "2*" + t[0]->shape[0] + "*" + t[1]->shape[1] + "*" + t[0]->shape[1];
        } else {
            description.flops = outputs;
            supposed.emplace_back("work is counted as one operation per element of the result, the minimum");
        }
        if (description.bytes.empty())
            description.bytes = even ? std::to_string(bytesOf(tensors.front()->dtype)) + "*(" + all + ")" : traffic;
    }
    for (const auto* tensor : tensors)
        if (std::string words = wordsOfInPlace(description, *tensor);
            tensor->kind == ParameterKind::Output && !words.empty())
            supposed.push_back(std::move(words));
    if (description.title.empty())
        description.title = description.function + "(), my kernel";
    return supposed;
}

Result<std::vector<Shape>> parsedShapes(std::string_view text, std::size_t dims)
{
    std::vector<Shape> shapes;
    if (trimmed(text) == "none")
        return shapes;
    Shape shape;
    const auto refuse = [&](const std::string& why) {
        return fail("own/sizes", "'" + std::string(text) + "': " + why,
            dims == 1
                ? "enter sizes separated by commas: 1000, 65536"
                : "enter the sizes of a shape with 'x' between them, shapes separated by commas: 512x1000, 64x64");
    };
    for (std::size_t at = 0; at <= text.size();) {
        while (at < text.size() && text[at] == ' ')
            ++at;
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), value);
        if (problem != std::errc()) {
            if (at >= text.size() && shape.empty())
                break; // nothing, or a comma at the end
            return refuse(at >= text.size()
                    ? "a number is missing at the end"
                    : "'" + std::string(trimmed(text.substr(at, text.find_first_of(",x", at) - at)).substr(0, 24))
                        + "' is not a whole number");
        }
        shape.push_back(value);
        at = static_cast<std::size_t>(end - text.data());
        while (at < text.size() && text[at] == ' ')
            ++at;
        if (text.substr(at).starts_with("×")) {
            at += std::string_view("×").size();
            continue;
        }
        if (at < text.size() && (text[at] == 'x' || text[at] == '*')) {
            ++at;
            continue;
        }
        if (shape.size() != dims)
            return refuse(
                std::to_string(shape.size()) + " sizes, but there are " + std::to_string(dims) + " dimensions");
        shapes.push_back(std::move(shape));
        shape.clear();
        if (at >= text.size())
            break;
        if (text[at] != ',' && text[at] != ';' && text[at] != '\n')
            return refuse("'" + std::string(text.substr(at, 8)) + "' cannot be read");
        ++at;
    }
    if (!shape.empty())
        return refuse("a number is missing at the end");
    return shapes;
}

std::string writtenShapes(const std::vector<Shape>& shapes)
{
    std::string text;
    for (const Shape& shape : shapes)
        text += (text.empty() ? "" : ", ") + shapeText(shape);
    return text;
}

std::vector<std::string> parsedNames(std::string_view text)
{
    std::vector<std::string> names;
    std::string name;
    const auto isNumber = [](const std::string& part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    };
    for (const char c : std::string(text) + ",") {
        const bool isTimes = (c == 'x' || c == '*') && isNumber(name); // "3x3"
        if (!isTimes && c != ',' && c != ' ' && c != '[' && c != ']' && c != '(' && c != ')') {
            name += c;
        } else if (!name.empty()) {
            names.push_back(std::move(name));
            name.clear();
        }
    }
    return names;
}

} // namespace tilewright
