// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/kernel_description.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tilewright {
namespace {

bool isCudaFile(const std::string& fileName) { return fileName.ends_with(".cu") || fileName.ends_with(".cuh"); }

std::string lowered(std::string text)
{
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

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
    if (stem.empty() || stem == what)
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

/// Sizes that keep one thread busy for some 100 µs to some milliseconds, round and odd ones.
std::vector<Shape> usualSizes(std::size_t dims, ShapeSplit split)
{
    static const std::vector<Shape> one[]{{{262144}, {1000003}, {65537}}, {{524287}, {300000}}, {{1}, {17}, {1031}}};
    static const std::vector<Shape> two[]{{{512, 1000}, {257, 2048}, {1024, 384}, {37, 8191}},
        {{500, 1009}, {1021, 300}, {64, 6500}}, {{1, 1}, {17, 31}, {3, 257}, {97, 1}}};
    static const std::vector<Shape> three[]{{{192, 200, 136}, {257, 96, 129}, {64, 512, 100}},
        {{160, 211, 150}, {96, 263, 191}}, {{1, 1, 1}, {17, 31, 13}, {3, 2, 101}}};
    const std::size_t which = split == ShapeSplit::Train ? 0 : split == ShapeSplit::Heldout ? 1 : 2;
    if (dims == 1)
        return one[which];
    if (dims == 2)
        return two[which];
    if (dims == 3)
        return three[which];
    static constexpr std::int64_t train[]{24, 33}, heldout[]{29, 20}, verify[]{1, 7};
    const std::int64_t* sizes = which == 0 ? train : which == 1 ? heldout : verify;
    return {Shape(dims, sizes[0]), Shape(dims, sizes[1])};
}

} // namespace

std::vector<const DescribedParameter*> KernelDescription::tensors() const
{
    std::vector<const DescribedParameter*> found;
    for (const DescribedParameter& parameter : parameters)
        if (parameter.isTensor())
            found.push_back(&parameter);
    return found;
}

bool KernelDescription::looksLikeAProduct() const
{
    const auto t = tensors();
    return t.size() == 3 && t[0]->kind == ParameterKind::Input && t[1]->kind == ParameterKind::Input
        && t[2]->kind == ParameterKind::Output
        && std::ranges::all_of(t, [](const auto* one) { return one->shape.size() == 2 && one->dtype == Dtype::Fp32; })
        && t[0]->shape[1] == t[1]->shape[0] && t[0]->shape[0] == t[2]->shape[0] && t[1]->shape[1] == t[2]->shape[1]
        && t[0]->shape[0] != t[0]->shape[1] && t[1]->shape[0] != t[1]->shape[1] && t[2]->shape[0] != t[2]->shape[1];
}

Result<DerivedDescription> describeKernel(
    const std::string& fileName, const std::string& source, const std::string& function)
{
    const auto found = kernelFunctionNamed(source, function);
    if (!found)
        return std::unexpected(found.error());
    if (isCudaFile(fileName) || found->isGlobal)
        return fail("own/target", "a CUDA kernel cannot be made a task of by itself in this version",
            "write its launch as a plan and its pack by hand, as kernels/README.md describes; "
            "a C++ function for the CPU can be taken as it is");
    DerivedDescription derived;
    KernelDescription& description = derived.description;
    description.fileName = fileName;
    description.source = source;
    description.function = found->name;
    description.name = taskName(fileName, found->name);
    for (std::size_t i = 0; i < found->parameters.size(); ++i) {
        const KernelParameter& from = found->parameters[i];
        DescribedParameter parameter{
            tensorName(from.name, i), from.type, from.kind, from.dtype.value_or(Dtype::Fp32), {}, {}};
        if (parameter.kind == ParameterKind::Dimension)
            description.dims.push_back({parameter.name, 1, 1});
        description.parameters.push_back(std::move(parameter));
    }
    derived.suppositions = supposeTheRest(description);
    return derived;
}

std::vector<std::string> supposeTheRest(KernelDescription& description)
{
    std::vector<std::string> supposed;
    const auto& dims = description.dims;
    std::vector<DescribedParameter*> bare;
    for (DescribedParameter& parameter : description.parameters)
        if (parameter.isTensor() && parameter.shape.empty())
            bare.push_back(&parameter);
    if (!bare.empty() && bare.size() == description.tensors().size()) {
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
        } else if (dims.size() == 1 || dims.size() == 2) {
            std::string all;
            for (const Dimension& dim : dims)
                all += (all.empty() ? "" : ",") + dim.name;
            for (DescribedParameter* tensor : bare)
                for (const Dimension& dim : dims)
                    tensor->shape.push_back(dim.name);
            supposed.push_back("every tensor has the shape [" + all + "]" + (dims.size() == 2 ? ", row by row" : ""));
        }
    }
    if (!dims.empty() && description.train.empty()) {
        description.train = fitted(usualSizes(dims.size(), ShapeSplit::Train), dims);
        description.heldout = fitted(usualSizes(dims.size(), ShapeSplit::Heldout), dims);
        description.verify = fitted(usualSizes(dims.size(), ShapeSplit::Verify), dims);
        std::erase_if(description.heldout,
            [&](const Shape& shape) { return std::ranges::find(description.train, shape) != description.train.end(); });
        supposed.emplace_back("sizes are usual ones, not yours: choose those that your program meets");
    }
    if (description.looksLikeAProduct() && description.truth == TruthSource::Kernel && description.flops.empty()) {
        description.truth = TruthSource::Product;
        description.tolerance = Tolerance::Sum;
        description.reduction = description.tensors()[0]->shape[1];
        supposed.emplace_back("it is the product C = A B: right is what Tilewright's own plain product says");
    }
    const auto tensors = description.tensors();
    const bool shaped = std::ranges::all_of(tensors, [](const auto* tensor) { return !tensor->shape.empty(); });
    if (shaped && !tensors.empty() && description.flops.empty()) {
        std::string outputs, all;
        for (const auto* tensor : tensors) {
            const std::string elements = elementsExpression(*tensor);
            all += (all.empty() ? "" : "+") + elements;
            if (tensor->kind == ParameterKind::Output)
                outputs += (outputs.empty() ? "" : "+") + elements;
        }
        if (description.truth == TruthSource::Product) {
            const auto t = tensors;
            description.flops = "2*" + t[0]->shape[0] + "*" + t[1]->shape[1] + "*" + t[0]->shape[1];
        } else {
            description.flops = outputs;
            supposed.emplace_back(
                "work is counted as one operation for each element of the result, the least it can be");
        }
        if (description.bytes.empty())
            description.bytes = "4*(" + all + ")";
    }
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
            dims == 1 ? "write sizes with commas between them: 1000, 65536"
                      : "write the sizes of one shape with 'x' between them, shapes with commas: 512x1000, 64x64");
    };
    for (std::size_t at = 0; at <= text.size();) {
        while (at < text.size() && text[at] == ' ')
            ++at;
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), value);
        if (problem != std::errc()) {
            if (at >= text.size() && shape.empty())
                break; // nothing, or a comma at the end
            return refuse(at >= text.size() ? "a number is missing at the end"
                                            : "'" + std::string(text.substr(at, 8)) + "' is not a whole number");
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
                std::to_string(shape.size()) + " sizes where there are " + std::to_string(dims) + " dimensions");
        shapes.push_back(std::move(shape));
        shape.clear();
        if (at >= text.size())
            break;
        if (text[at] != ',' && text[at] != ';' && text[at] != '\n')
            return refuse("'" + std::string(text.substr(at, 8)) + "' is not understood");
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
    for (const char c : std::string(text) + ",") {
        if (c != ',' && c != ' ' && c != '[' && c != ']' && c != '(' && c != ')') {
            name += c;
        } else if (!name.empty()) {
            names.push_back(std::move(name));
            name.clear();
        }
    }
    return names;
}

} // namespace tilewright
