// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/task_from_options.h"

#include "core/base/text.h"
#include "core/model/task/pack_rules.h"
#include "core/pack/pack_writer.h"

#include <algorithm>
#include <charconv>

namespace tilewright::cli {
namespace {

std::unexpected<Error> wrong(const std::string& option, const std::string& value, const std::string& why)
{
    return fail("usage", option + " '" + value + "': " + why, "see tilewright-cli task-from --help");
}

/// "x=rows,columns" → x and the rest.
std::pair<std::string, std::string> halves(const std::string& text)
{
    const std::size_t equal = text.find('=');
    return equal == std::string::npos
        ? std::pair<std::string, std::string>{text, ""}
        : std::pair{std::string(trimmed(text.substr(0, equal))), std::string(trimmed(text.substr(equal + 1)))};
}

DescribedParameter* parameterNamed(KernelDescription& description, const std::string& name)
{
    const auto found = std::ranges::find(description.parameters, name, &DescribedParameter::name);
    return found == description.parameters.end() ? nullptr : &*found;
}

Result<void> applyParameters(KernelDescription& description, const Options& options)
{
    std::string known;
    for (const DescribedParameter& parameter : description.parameters)
        known += (known.empty() ? "" : ", ") + parameter.name;
    for (const char* option : {"--shape", "--role", "--constant"})
        for (const std::string& text : options.texts(option)) {
            const auto [name, value] = halves(text);
            DescribedParameter* parameter = parameterNamed(description, name);
            if (!parameter)
                return wrong(option, text, "the function has no parameter '" + name + "'; it has " + known);
            if (option == std::string("--shape")) {
                parameter->shape = resolvedExtents(description, parsedNames(value));
            } else if (option == std::string("--role")) {
                if (value != "input" && value != "output")
                    return wrong(option, text,
                        "a role is input or output; inputs are never changed, so for a tensor that the function reads "
                        "and writes, use an input that it reads and an output that it writes");
                parameter->kind = value == "input" ? ParameterKind::Input : ParameterKind::Output;
                parameter->roleSaid = true;
            } else {
                // A whole number may be a constant as well: then it is no dimension.
                std::erase_if(description.dims, [&](const Dimension& dim) { return dim.name == name; });
                for (DescribedParameter& other : description.parameters)
                    std::erase(other.shape, name);
                parameter->kind = ParameterKind::Constant;
                parameter->value = value;
            }
        }
    return {};
}

Result<void> applyDimensions(KernelDescription& description, const Options& options)
{
    for (const std::string& text : options.texts("--dimension")) {
        const auto [name, value] = halves(text);
        const auto dim = std::ranges::find(description.dims, name, &Dimension::name);
        if (dim == description.dims.end())
            return wrong("--dimension", text, "there is no dimension '" + name + "'");
        const std::size_t comma = value.find(',');
        const auto number = [](std::string_view part, std::int64_t& into) {
            return std::from_chars(part.data(), part.data() + part.size(), into).ptr == part.data() + part.size()
                && !part.empty();
        };
        const std::string_view least = std::string_view(value).substr(0, comma);
        const bool good = number(least, dim->min)
            && (comma == std::string::npos || number(std::string_view(value).substr(comma + 1), dim->multiple));
        if (!good)
            return wrong("--dimension", text, "write NAME=LEAST or NAME=LEAST,MULTIPLE");
    }
    return {};
}

Result<void> applyLaunch(KernelDescription& description, const Options& options)
{
    for (const auto& [option, parts] :
        {std::pair{"--grid", &description.launch.grid}, std::pair{"--block", &description.launch.block}})
        if (options.has(option)) {
            if (description.target != Target::Cuda)
                return wrong(option, options.text(option), "CPU functions have no launch");
            *parts = expressionParts(options.text(option));
        }
    if (options.has("--shared") && description.target != Target::Cuda)
        return wrong("--shared", options.text("--shared"), "CPU functions have no shared memory");
    description.launch.shared = options.text("--shared", description.launch.shared);
    return {};
}

} // namespace

Result<void> applySizes(KernelDescription& description, const Options& options)
{
    for (const auto& [option, shapes] : {std::pair<const char*, std::vector<Shape>*>{"--train", &description.train},
             {"--heldout", &description.heldout}, {"--verify", &description.verify}})
        if (options.has(option)) {
            auto parsed = parsedShapes(options.text(option), description.dims.size());
            if (!parsed)
                return std::unexpected(parsed.error());
            *shapes = std::move(*parsed);
        }
    return {};
}

namespace {

Result<void> applyTruth(KernelDescription& description, const Options& options)
{
    const std::string truth = options.text("--right");
    if (truth == "kernel")
        description.truth = TruthSource::Kernel;
    else if (truth == "product")
        description.truth = TruthSource::Product;
    else if (!truth.empty())
        return wrong("--right", truth, "use kernel or product; name a file with --reference");
    if (options.has("--reference")) {
        const std::string text = options.text("--reference");
        const std::size_t colon = text.rfind(':');
        const bool named = colon != std::string::npos && text.find('/', colon) == std::string::npos;
        description.truth = TruthSource::File;
        description.referenceFileName = named ? text.substr(0, colon) : text;
        auto source = readKernelFile(description.referenceFileName);
        if (!source)
            return std::unexpected(source.error());
        description.referenceSource = std::move(*source);
        const auto functions = kernelFunctionsOf(description.referenceSource, description.macros);
        description.referenceFunction = named ? text.substr(colon + 1)
            : functions.size() == 1           ? functions.front().name
                                              : "";
        if (description.referenceFunction.empty()
            && std::ranges::find(functions, "tilewright_reference", &KernelFunction::name) != functions.end())
            description.referenceFunction = "tilewright_reference";
        if (description.referenceFunction.empty())
            return wrong("--reference", text, "the file defines several functions: choose one with FILE:FUNCTION");
    }
    const std::string tolerance = options.text("--tolerance");
    description.toleranceSaid = !tolerance.empty();
    if (tolerance == "exact")
        description.tolerance = Tolerance::Exact;
    else if (tolerance == "rounding")
        description.tolerance = Tolerance::Rounding;
    else if (tolerance.starts_with("sum:")) {
        description.tolerance = Tolerance::Sum;
        description.reduction = tolerance.substr(4);
    } else if (!tolerance.empty())
        return wrong("--tolerance", tolerance, "use exact, rounding or sum:DIMENSION");
    return {};
}

} // namespace

Result<void> applyOptions(KernelDescription& description, const Options& options)
{
    if (auto done = applyParameters(description, options); !done)
        return done;
    if (auto done = applyDimensions(description, options); !done)
        return done;
    if (auto done = applyLaunch(description, options); !done)
        return done;
    description.name = options.text("--name", description.name);
    description.title = options.text("--title", description.title);
    if (auto done = applySizes(description, options); !done)
        return done;
    if (auto done = applyTruth(description, options); !done)
        return done;
    if (options.has("--inputs")) {
        description.inputs.clear();
        for (const std::string& kind : parsedNames(options.text("--inputs"))) {
            const auto known = valueIn(inputKinds, kind);
            if (!known)
                return wrong("--inputs", kind, "use normal, scaled, mixed or integer");
            description.inputs.push_back(*known);
        }
    }
    description.flops = options.text("--flops", description.flops);
    description.bytes = options.text("--bytes", description.bytes);
    return {};
}

} // namespace tilewright::cli
