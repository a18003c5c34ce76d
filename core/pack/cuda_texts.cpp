// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/cuda_texts.h"

#include "core/base/block_markers.h"
#include "core/base/text.h"
#include "core/pack/cuda_source.h"
#include "core/pack/pack_texts.h"
#include "core/source/candidate_header.h"
#include "core/source/element_types.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr const char* marksBegin = "// EVOLVE-BLOCK-START\n";

/// The text with names of the user's own where it would define one of the contract's.
struct OwnNames {
    std::vector<std::string> clashing;

    std::string in(const std::string& text) const
    {
        if (clashing.empty())
            return text;
        return withNames(text, [&](const std::string& name) {
            return std::ranges::find(clashing, name) == clashing.end() ? name : "own_" + name;
        });
    }
};

/// A launch's expression as device code has it: dimensions out of `dims`, constants by their value.
std::string inCode(const std::string& expression, const KernelDescription& description, const std::string& dims,
    const std::string& ceilDiv)
{
    return withNames(expression, [&](const std::string& name) {
        if (name == "ceil_div")
            return ceilDiv;
        for (const DescribedParameter& parameter : description.parameters)
            if (parameter.name == name && parameter.kind == ParameterKind::Constant)
                return "(" + parameter.value + ")";
        for (const Dimension& dim : description.dims)
            if (dim.name == name)
                return dims + name;
        return name;
    });
}

/// The type that a parameter's elements have in the file, where the contract's is another one of the same bits.
std::string ownElement(const KernelParameter& parameter, Dtype dtype)
{
    return dtype == Dtype::Fp16 || dtype == Dtype::Bf16 ? parameter.element : std::string();
}

/// "[3][3]" of an array of such arrays, as the file spells them.
std::string innerExtents(const KernelParameter& parameter)
{
    std::string inner;
    for (std::size_t i = parameter.isReference ? 0 : 1; i < parameter.extents.size(); ++i)
        inner += "[" + parameter.extents[i] + "]";
    return inner;
}

/// "softmax(args.x, args.dims.rows, 0.5f)" of a function with the description's parameters.
std::string callWith(const KernelFunction& function, const KernelDescription& description, const std::string& tensors,
    const std::string& dims, const OwnNames& names)
{
    std::string arguments;
    for (std::size_t i = 0; i < description.parameters.size(); ++i) {
        const DescribedParameter& parameter = description.parameters[i];
        std::string argument = parameter.value;
        if (parameter.kind == ParameterKind::Dimension)
            argument = dims + parameter.name;
        if (parameter.isTensor()) {
            argument = tensors + parameter.name;
            const bool wide = function.parameters[i].dtype == Dtype::Fp64;
            const KernelParameter& taken = function.parameters[i];
            const std::string own = ownElement(taken, parameter.dtype);
            const bool isArray = taken.extents.size() > 1 || taken.isReference;
            const bool isWritable = parameter.kind == ParameterKind::Input && !taken.isConst;
            if (!own.empty() && !wide && !isArray && !isWritable)
                argument = "reinterpret_cast<" + std::string(taken.isConst ? "const " : "") + names.in(own) + "*>("
                    + argument + ")";
            else if (isArray || isWritable)
                argument = (taken.isReference ? "*(" : "(") + std::string(taken.isConst ? "const " : "")
                    + names.in(taken.element) + (isArray ? "(*)" + innerExtents(taken) : std::string("*")) + ")("
                    + argument + ")";
        }
        arguments += (arguments.empty() ? "" : ", ") + argument;
    }
    return names.in(function.name) + "(" + arguments + ")";
}

std::string baseNameOf(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// The name under which the kernel is launched: that of the user's function behind one of ours.
std::string entryName(const std::string& function)
{
    const std::string plain = function.substr(0, function.find('<'));
    const std::size_t colons = plain.rfind("::");
    return "tilewright_" + (colons == std::string::npos ? plain : plain.substr(colons + 2)).substr(0, 60);
}

/// "__launch_bounds__(THREADS)" of a template with the instance's arguments in place of its parameters.
std::string boundsOfInstance(const std::string& bounds, const KernelFunction& function)
{
    const std::size_t open = function.name.find('<');
    if (open == std::string::npos)
        return bounds;
    const auto arguments
        = expressionParts(std::string_view(function.name).substr(open + 1, function.name.rfind('>') - open - 1));
    return withNames(bounds, [&](const std::string& name) {
        for (std::size_t i = 0; i < arguments.size() && i < function.templateParameters.size(); ++i)
            if (function.templateParameters[i] == name)
                return arguments[i];
        return name;
    });
}

/// The product in double precision and beside it that of the absolute values, as the packs that come with Tilewright
/// have it.
std::string productOnDevices(const KernelDescription& description)
{
    const auto t = description.tensors();
    const std::string &a = t[0]->name, &b = t[1]->name, &c = t[2]->name;
    const std::string &m = t[0]->shape[0], &k = t[0]->shape[1], &n = t[1]->shape[1];
    const bool narrow = t[0]->dtype == Dtype::Bf16;
    const auto worth
        = [&](const std::string& element) { return narrow ? "worth(" + element + ")" : "double(" + element + ")"; };
    const std::string type = elementType(t[0]->dtype).program;
    return "// The product in double precision, and beside it the product of the absolute values, which bounds how "
           "much\n"
           "// rounding an honest result may show in each element. One thread an element, in blocks of any size along "
           "x.\n\n"
        + std::string(
            narrow ? "__device__ double worth(bf16 x) { return __uint_as_float((unsigned)x.bits << 16); }\n\n" : "")
        + "extern \"C\" __global__ void tilewright_reference(Dims dims, const " + type + "* " + a + ", const " + type
        + "* " + b + ", double* " + c
        + ", double* magnitude)\n{\n"
          "    const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
          "    if (index >= (long long)dims."
        + m + " * dims." + n
        + ")\n        return;\n"
          "    const long long row = index / dims."
        + n + ", column = index % dims." + n
        + ";\n"
          "    double sum = 0.0, sum_of_magnitudes = 0.0;\n"
          "    for (long long k = 0; k < dims."
        + k
        + "; ++k) {\n"
          "        const double term = "
        + worth(a + "[row * dims." + k + " + k]") + " * " + worth(b + "[k * dims." + n + " + column]")
        + ";\n"
          "        sum += term;\n        sum_of_magnitudes += term < 0.0 ? -term : term;\n    }\n    "
        + c + "[index] = sum;\n    magnitude[index] = sum_of_magnitudes;\n}\n";
}

/// Behind a function that computes the truth: the kernel that calls it, and the one that says how it is launched.
std::string wrappedOnDevices(const KernelDescription& description, const KernelFunction& function,
    const KernelLaunch& launch, const OwnNames& names)
{
    bool wide = false;
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
        wide = wide
            || (function.parameters[i].kind == ParameterKind::Output && function.parameters[i].dtype == Dtype::Fp64);
    std::string parameters = "Dims dims";
    for (const DescribedParameter* tensor : description.tensors()) {
        const bool input = tensor->kind == ParameterKind::Input;
        parameters += std::string(", ") + (input ? "const " : "")
            + (!input && wide ? "double" : elementType(tensor->dtype).program) + "* " + tensor->name;
    }
    const auto spelled = [&](const std::vector<std::string>& parts, std::size_t which) {
        return which < parts.size() ? inCode(parts[which], description, "dims.", "tilewright_ceil_div")
                                    : std::string("1");
    };
    std::string numbers;
    for (std::size_t i = 0; i < 3; ++i)
        numbers += "    launch[" + std::to_string(i) + "] = " + spelled(launch.grid, i) + ";\n";
    for (std::size_t i = 0; i < 3; ++i)
        numbers += "    launch[" + std::to_string(i + 3) + "] = " + spelled(launch.block, i) + ";\n";
    numbers += "    launch[6] = " + (launch.shared.empty() ? "0" : spelled({launch.shared}, 0)) + ";\n";
    const std::string divide = numbers.find("tilewright_ceil_div") == std::string::npos
        ? ""
        : "__device__ constexpr int tilewright_ceil_div(int a, int b) { return (a + b - 1) / b; }\n";
    return "\n// What is right, in " + std::string(wide ? "double precision" : "the types of the task")
        + ". How large the terms were that rounded on the way, it does not tell.\nextern \"C\" __global__ void "
        + (wide ? "tilewright_values" : "tilewright_found") + "(" + parameters + ")\n{\n    "
        + callWith(function, description, "", "dims.", names) + ";\n}\n\n" + divide
        + "// How that is launched: grid, block, bytes of dynamic shared memory.\n"
          "extern \"C\" __global__ void tilewright_launch(Dims dims, unsigned* launch)\n{\n"
        + numbers + "}\n";
}

} // namespace

FoundLaunch referenceLaunchOf(const KernelDescription& description)
{
    const auto function
        = kernelFunctionNamed(description.referenceSource, description.referenceFunction, description.macros);
    if (!function)
        return {};
    if (!function->isGlobal) {
        FoundLaunch alone;
        alone.line = function->line;
        alone.launch = {{"1"}, {"1"}, ""};
        return alone;
    }
    FoundLaunch found = launchOf(compiledTextOf(description.referenceSource, description.macros), *function);
    const auto ours = [&](const std::string& name) {
        for (std::size_t i = 0; i < function->parameters.size() && i < description.parameters.size(); ++i)
            if (function->parameters[i].name == name)
                return description.parameters[i].name;
        return name;
    };
    for (auto* parts : {&found.launch.grid, &found.launch.block})
        for (std::string& part : *parts)
            part = withNames(part, ours);
    found.launch.shared = withNames(found.launch.shared, ours);
    return found;
}

std::string cudaSeedOf(const KernelDescription& description)
{
    DevicePart part = devicePartOf(description.source, description.function, description.macros);
    const OwnNames names{clashingNames(part.text)};
    part.text = names.in(part.text);
    const auto function = kernelFunctionNamed(description.source, description.function, description.macros);
    if (!function)
        return part.text;
    const std::string name = entryName(description.function), bounds = boundsOfInstance(part.launchBounds, *function);
    const auto spelled
        = [&](const std::string& expression) { return inCode(expression, description, "d.", "ceil_div"); };
    const KernelLaunch& launch = description.launch;
    std::string more;
    for (std::size_t i = 1; i < 3; ++i) {
        const std::string which = "[" + std::to_string(i) + "] = ";
        if (i < launch.grid.size())
            more += "    launch.grid" + which + spelled(launch.grid[i]) + ";\n";
        if (i < launch.block.size())
            more += "    launch.block" + which + spelled(launch.block[i]) + ";\n";
    }
    const std::string entry = "\n" + std::string(snippetBegin)
        + "// What Tilewright launches: hands the tensors over in the order of " + description.function
        + "().\nextern \"C\" __global__ void " + (bounds.empty() ? "" : bounds + " ") + name
        + "(const __grid_constant__ Args args)\n{\n    "
        + callWith(*function, description, "args.", "args.dims.", names)
        + ";\n}\n\nTW_FN Plan tilewright_plan(Dims d, Device device)\n{\n    Plan plan{};\n    "
        + (more.empty() ? "" : "Launch& launch = ") + "plan.add(\"" + name + "\", " + spelled(launch.grid.front())
        + ", " + spelled(launch.block.front()) + (launch.shared.empty() ? "" : ", " + spelled(launch.shared)) + ");\n"
        + more + "    return plan;\n}\n" + snippetEnd;
    const std::string head = "// " + description.name + ": the device code of " + baseNameOf(description.fileName)
        + ", the kernel as a function, and behind it what launches it.\n";
    const std::string fallbacks = fallbacksFor(part.text);
    if (!blockMarkers(part.text).empty()) // the user said what may change
        return head + fallbacks + part.text + entry;
    return head + fallbacks + marksBegin + part.text + entry + "// EVOLVE-BLOCK-END\n";
}

std::string cudaReferenceOf(const KernelDescription& description)
{
    const std::string head = "// " + description.name + ": " + truthSentence(description) + ".\n";
    if (description.truth == TruthSource::Product)
        return resultLicence + head + productOnDevices(description);
    const bool own = description.truth == TruthSource::Kernel;
    if (!own && description.referenceFunction == "tilewright_reference")
        return head + withUnixLineEnds(description.referenceSource);
    const std::string& source = own ? description.source : description.referenceSource;
    const std::string& name = own ? description.function : description.referenceFunction;
    const auto function = kernelFunctionNamed(source, name, description.macros);
    std::string text = devicePartOf(source, name, description.macros).text;
    const OwnNames names{clashingNames(text)};
    text = names.in(text);
    if (!function)
        return head + text;
    const KernelLaunch launch = own ? description.launch : referenceLaunchOf(description).launch;
    return head + fallbacksFor(text) + "\n" + text + wrappedOnDevices(description, *function, launch, names);
}

} // namespace tilewright
