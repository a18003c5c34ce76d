// SPDX-License-Identifier: GPL-3.0-or-later
// What has to be put right in a description before a pack can be written.
#include "core/base/expression.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/pack/cuda_source.h"
#include "core/pack/cuda_texts.h"
#include "core/pack/tensor_use.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <array>
#include <set>

namespace tilewright {
namespace {

constexpr std::int64_t largestExtent = 1 << 20;

class Findings
{
public:
    Findings(const KernelDescription& description, std::int64_t memoryBytes)
        : m_description(description)
        , m_compiled(description.compiledSource())
        , m_memory(memoryBytes)
    {
    }

    std::vector<DescriptionFinding> all()
    {
        lookAtName();
        lookAtText(m_description.source, m_description.fileName, "file");
        lookAtParameters();
        if (isForGpus()) {
            lookAtSymbols();
            lookAtTypes();
            lookAtLaunch();
        }
        lookAtShapes("train", m_description.train);
        lookAtShapes("held-out", m_description.heldout);
        lookAtShapes("verify", m_description.verify);
        lookAtSizes();
        lookAtTruth();
        lookAtCost();
        return std::move(m_findings);
    }

private:
    void tell(std::string field, std::string text, std::string remedy = {})
    {
        m_findings.push_back({std::move(field), std::move(text), std::move(remedy)});
    }

    void lookAtName()
    {
        const std::string& name = m_description.name;
        if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") != std::string::npos
            || name.starts_with('.') || name.size() > 100)
            tell("name", "'" + name + "' cannot be a task's name",
                "use lower-case letters, digits, '-', '_' and '.', at most 100");
        if (m_description.title.empty())
            tell("title", "is empty", "enter a heading for the task");
    }

    void lookAtText(const std::string& text, const std::string& fileName, const std::string& field)
    {
        int number = 0;
        for (const ScannedLine& line : scanLines(compiledTextOf(text, m_description.macros))) {
            ++number;
            const std::string_view code = trimmed(line.code);
            const std::string where = fileName + ", line " + std::to_string(number) + ": ";
            if (!isForGpus() && code.starts_with('#') && code.find("include") != std::string_view::npos
                && code.find('"') != std::string_view::npos)
                tell(field, where + "includes one of your files",
                    "a program is one file: put the code it needs into it");
        }
        for (const KernelFunction& function : kernelFunctionsOf(text, m_description.macros)) {
            if (function.isOpen)
                tell(field,
                    fileName + ", line " + std::to_string(function.line) + ": the body of " + function.name
                        + "() does not end: a '{' has no '}'",
                    "close it");
            if (function.name.starts_with("tilewright_") && field == "file")
                tell(field, fileName + ", line " + std::to_string(function.line) + ": defines " + function.name + "()",
                    "names that start with tilewright_ are reserved");
        }
    }

    void lookAtParameters()
    {
        std::set<std::string> names;
        const auto lookAtIdentifier = [&](const std::string& field, const std::string& name) {
            static const std::set<std::string> taken{"dims", "workspace", "workspace_bytes", "int", "long", "float",
                "double", "char", "short", "void", "const", "for", "if", "else", "do", "while", "switch", "case",
                "default", "new", "delete", "this", "class", "struct", "union", "enum", "template", "typename", "using",
                "namespace", "operator", "return", "break", "continue", "goto", "static", "inline", "extern", "auto",
                "bool", "true", "false", "signed", "unsigned", "public", "private", "protected", "virtual", "friend",
                "try", "catch", "throw", "and", "or", "not", "xor", "sizeof", "typedef", "volatile", "register",
                "concept", "requires", "magnitude"};
            static const std::set<std::string> fields{
                "map", "user", "launch", "args"}; // of what a GPU program is handed
            constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
            const bool good = !name.empty() && name.size() <= 32 && letters.find(name.front()) != std::string_view::npos
                && name.find_first_not_of(std::string(letters) + "0123456789_") == std::string::npos;
            if (!good)
                tell(field, "'" + name + "' cannot be a name", "a letter, then letters, digits and '_', at most 32");
            else if (taken.contains(name) || (isForGpus() && fields.contains(name)))
                tell(field, "'" + name + "' is reserved by the language or by Tilewright", "choose another name");
            else if (!names.insert(name).second)
                tell(field, "'" + name + "' occurs twice among tensors and dimensions", "choose another name");
        };
        for (const Dimension& dim : m_description.dims) {
            lookAtIdentifier(dim.name, dim.name);
            if (dim.min < 1 || dim.min > largestExtent)
                tell(dim.name, "its least size " + std::to_string(dim.min) + " is not possible", "from 1 to 1048576");
            if (dim.multiple < 1 || dim.multiple > largestExtent)
                tell(dim.name, "a multiple of " + std::to_string(dim.multiple) + " is not possible",
                    "from 1 to 1048576");
        }
        if (m_description.dims.empty())
            tell("dimensions", "there is none: the size of the tensors is unknown",
                "the function needs an integer parameter that is a size");
        bool output = false;
        for (const DescribedParameter& parameter : m_description.parameters) {
            if (parameter.kind == ParameterKind::Constant)
                lookAtConstant(parameter);
            if (parameter.kind == ParameterKind::Dimension && !isDim(parameter.name))
                tell(parameter.name, "is passed as a size, but is not one of the dimensions",
                    "dimensions: " + dimList());
            if (!parameter.isTensor())
                continue;
            output = output || parameter.kind == ParameterKind::Output;
            lookAtIdentifier(parameter.name, parameter.name);
            if (parameter.shape.empty())
                tell(parameter.name + ".shape", "is not given",
                    "enter its dimensions and sizes, outermost first, for example --shape " + parameter.name + "="
                        + (m_description.dims.empty() ? "9" : firstDim()) + "; dimensions: " + dimList());
            if (std::ranges::find(
                    parameter.extents.begin() + (parameter.extents.empty() ? 0 : 1), parameter.extents.end(), 0)
                != parameter.extents.end())
                tell(parameter.name,
                    "is an array of arrays whose inner size is not a number in the file ('" + parameter.type + "')",
                    "pass it as a plain pointer");
            for (const std::string& extent : parameter.shape)
                if (!isDim(extent) && fixedExtent(extent).value_or(largestExtent + 1) > largestExtent)
                    tell(parameter.name + ".shape", "'" + extent + "' is neither a dimension nor a size",
                        "dimensions: " + dimList() + "; sizes are numbers from 1 to 1048576");
            if (parameter.dtype != Dtype::Fp32 && !isForGpus())
                tell(parameter.name + ".dtype",
                    nameOf(parameter.dtype) + " tensors cannot be evaluated on the CPU by this version",
                    "use a kernel with float tensors");
            lookAtRole(parameter);
            if (parameter.kind == ParameterKind::Output && parameter.isConst)
                tell(parameter.name,
                    "is declared as an output, but the function cannot write to it ('" + parameter.type + "')",
                    "make it an input");
        }
        if (!output)
            tell("tensors", "there is no output", "the results of a kernel must be in a tensor");
        if (m_description.tensors().size() > 7)
            tell("tensors", "there are " + std::to_string(m_description.tensors().size()) + ", at most 7 are possible");
    }

    /// What const says of a tensor, and what the function's text does with it.
    void lookAtRole(const DescribedParameter& parameter)
    {
        if (parameter.isConst)
            return;
        const TensorUse use = useOf(m_compiled, m_description.function, parameter.name);
        if (parameter.kind == ParameterKind::Input && (use.isSet || !use.adding.empty()))
            tell(parameter.name, "is declared as an input, but the function writes to it ('" + parameter.type + "')",
                "make it a pointer to const, and write results to a separate output: inputs are never changed, so no "
                "tensor can be read and written");
        else if (parameter.kind == ParameterKind::Output && use.isOnlyRead() && !parameter.roleSaid)
            tell(parameter.name, "is only read, but its type '" + parameter.type + "' allows writes",
                "make it const, or declare it as an input (on the command line: --role " + parameter.name + "=input)");
    }

    void lookAtConstant(const DescribedParameter& parameter)
    {
        const std::string& value = parameter.value;
        if (value.empty())
            return tell(parameter.name, "is a number that the kernel takes, and tasks have no scalar arguments",
                "enter its value in your program (on the command line: --constant " + parameter.name + "=VALUE)");
        const bool literal = value == "true" || value == "false"
            || (value.size() == 3 && value.front() == '\'' && value.back() == '\'' && value[1] != '\\')
            || (value.find_first_of("0123456789") != std::string::npos
                && value.find_first_not_of("0123456789.+-eExXabcdfABCDFpPlLuU'") == std::string::npos);
        if (!literal)
            tell(parameter.name, "'" + value + "' is not a number", "for example 0.5f or 1e-5f");
    }

    void lookAtShapes(const std::string& field, const std::vector<Shape>& shapes)
    {
        if (field == "train" && shapes.empty())
            tell(field, "there is no size to time", "enter at least one");
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const Shape& shape = shapes[i];
            if (shape.size() != m_description.dims.size()) {
                tell(field,
                    shapeText(shape) + " has " + std::to_string(shape.size()) + " sizes, but there are "
                        + std::to_string(m_description.dims.size()) + " dimensions");
                continue;
            }
            for (std::size_t d = 0; d < shape.size(); ++d) {
                const Dimension& dim = m_description.dims[d];
                if (shape[d] < 1 || shape[d] > largestExtent)
                    tell(field,
                        dim.name + " = " + std::to_string(shape[d]) + " in " + shapeText(shape) + " is not possible",
                        "sizes are from 1 to 1048576");
                else if (shape[d] < dim.min || (dim.multiple > 0 && shape[d] % dim.multiple != 0))
                    tell(field,
                        dim.name + " = " + std::to_string(shape[d]) + " in " + shapeText(shape) + " is not at least "
                            + std::to_string(dim.min) + " and a multiple of " + std::to_string(dim.multiple));
            }
            if (std::find(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(i), shape)
                != shapes.begin() + static_cast<std::ptrdiff_t>(i))
                tell(field, shapeText(shape) + " occurs twice", "remove one of them");
            if (field == "held-out" && std::ranges::find(m_description.train, shape) != m_description.train.end())
                tell(field, shapeText(shape) + " is also a train size", "held-out sizes must be different");
        }
    }

    /// Four programs may be measured side by side, each with tensors of its own; the truth is kept in doubles beside
    /// them.
    void lookAtSizes()
    {
        if (m_memory <= 0 || isForGpus()) // a GPU has memory of its own
            return;
        for (const auto* shapes : {&m_description.train, &m_description.heldout, &m_description.verify})
            for (const Shape& shape : *shapes) {
                double bytes = 0;
                for (const DescribedParameter* tensor : m_description.tensors()) {
                    double elements = 1;
                    for (const std::string& name : tensor->shape)
                        elements *= static_cast<double>(fixedExtent(name).value_or(1));
                    for (const std::string& name : tensor->shape)
                        for (std::size_t d = 0; d < m_description.dims.size() && d < shape.size(); ++d)
                            if (m_description.dims[d].name == name)
                                elements *= static_cast<double>(shape[d]);
                    bytes += elements * (4 * 4 + (tensor->kind == ParameterKind::Output ? 16 : 0));
                }
                if (bytes > static_cast<double>(m_memory) / 2)
                    tell("sizes",
                        shapeText(shape) + " takes " + std::to_string(std::int64_t(bytes / (1 << 20)))
                            + " MiB to evaluate, but this machine has " + std::to_string(m_memory >> 20) + " MiB",
                        "choose a smaller size");
            }
    }

    void lookAtTruth()
    {
        if (m_description.tolerance == Tolerance::Sum && !isDim(m_description.reduction))
            tell("tolerance",
                m_description.reduction.empty() ? "the dimension of the sum is not given"
                                                : "'" + m_description.reduction + "' is not a dimension",
                "dimensions: " + dimList());
        if (!(m_description.tau > 0 && m_description.tau <= 1))
            tell("tolerance", "the largest relative error must be above 0 and at most 1");
        if (m_description.inputs.empty() || m_description.inputs.front() != InputKind::Normal)
            tell("inputs", "must begin with normal", "contents around zero distinguish a downcast from rounding");
        if (m_description.truth == TruthSource::Product && !m_description.looksLikeAProduct())
            tell("right is", "tensors and shapes are not those of a product C[m,n] = A[m,k] B[k,n]",
                "correct the shapes, or use the kernel itself or a file as the reference");
        if (m_description.truth != TruthSource::File)
            return;
        if (m_description.referenceSource.empty())
            return tell("right is", "no reference file is chosen", "choose the file that computes the right result");
        lookAtText(m_description.referenceSource, m_description.referenceFileName, "right is");
        lookAtReference();
    }

    void lookAtReference()
    {
        if (m_description.referenceFunction == "tilewright_reference")
            return;
        const auto function
            = kernelFunctionNamed(m_description.referenceSource, m_description.referenceFunction, m_description.macros);
        if (!function)
            return tell("right is", function.error().text, function.error().hint);
        const auto& wanted = m_description.parameters;
        bool same = function->parameters.size() == wanted.size();
        for (std::size_t i = 0; same && i < wanted.size(); ++i) {
            const KernelParameter& given = function->parameters[i];
            same = given.kind == wanted[i].kind
                && (given.kind != ParameterKind::Input || given.dtype == wanted[i].dtype)
                && (given.kind != ParameterKind::Output || given.dtype == wanted[i].dtype
                    || given.dtype == Dtype::Fp64);
        }
        if (same && isForGpus() && referenceLaunchOf(m_description).launch.grid.empty()) {
            const FoundLaunch found = referenceLaunchOf(m_description);
            return tell("right is",
                found.line == 0
                    ? "the file contains no launch of " + function->name + "<<<…>>>"
                    : "the launch in line " + std::to_string(found.line) + " cannot be read: " + found.trouble,
                "add a launch of it to the file, or name a plain function");
        }
        if (!same)
            tell("right is", function->name + "() has other parameters than the kernel",
                "it must have the same parameters in the same order; outputs may be double*");
    }

    void lookAtCost()
    {
        Symbols symbols;
        for (const Dimension& dim : m_description.dims)
            symbols[dim.name] = 64;
        for (const auto& [field, text] :
            {std::pair<std::string, std::string>{"operations", m_description.flops}, {"bytes", m_description.bytes}}) {
            if (text.empty()) {
                tell(field, "are not given", "an expression over the dimensions, such as 2*" + firstDim());
                continue;
            }
            const auto value = evaluate(text, symbols);
            if (!value)
                tell(field, value.error().text, "an expression over the dimensions, such as 2*" + firstDim());
            else if (!(*value > 0))
                tell(field, "'" + text + "' is not positive");
        }
    }

    bool isForGpus() const { return m_description.target == Target::Cuda; }

    /// A task runs no code of the host: what only that would set stays zero.
    void lookAtSymbols()
    {
        for (const HostSetSymbol& symbol :
            hostSetSymbols(m_description.source, m_description.function, m_description.macros))
            tell("file",
                m_description.fileName + ", line " + std::to_string(symbol.line) + ": the "
                    + (symbol.isConstant ? "__constant__" : "__device__") + " variable " + symbol.name
                    + " is not set here, because a task runs no host code",
                "make it a parameter of the kernel: 'const float* " + symbol.name + "'");
    }

    /// A GPU's checks know one type of all inputs and one of all outputs.
    void lookAtTypes()
    {
        const DescribedParameter* first[2] = {};
        for (const DescribedParameter* tensor : m_description.tensors()) {
            const bool input = tensor->kind == ParameterKind::Input;
            if (tensor->dtype != Dtype::Fp32 && tensor->dtype != Dtype::Bf16 && tensor->dtype != Dtype::Fp16)
                tell(tensor->name + ".dtype",
                    nameOf(tensor->dtype) + " tensors cannot be evaluated on a GPU by this version",
                    "take a kernel of float, __half or __nv_bfloat16 tensors");
            else if (first[input] && first[input]->dtype != tensor->dtype)
                tell(tensor->name + ".dtype",
                    std::string("is ") + nameOf(tensor->dtype) + ", and the " + (input ? "input " : "output ")
                        + first[input]->name + " is " + nameOf(first[input]->dtype),
                    "on a GPU all inputs have one type, and all outputs");
            else
                first[input] = tensor;
        }
    }

    void lookAtLaunch()
    {
        const KernelLaunch& launch = m_description.launch;
        const Symbols constants = constantsOf(m_compiled);
        double threads = 1;
        for (const auto& [field, parts] : {std::pair{"grid", &launch.grid}, std::pair{"block", &launch.block}}) {
            if (parts->empty() || parts->size() > 3)
                tell(field,
                    parts->empty() ? "is not given, and no launch in the file determines it"
                                   : "has more than three parts",
                    std::string("an expression over the sizes for x, y and z, such as ")
                        + (field == std::string("grid") ? "ceil_div(" + firstDim() + ", 256)" : "256"));
            for (const std::string& part : *parts)
                lookAtExtent(field, part, constants, field == std::string("block") ? &threads : nullptr);
        }
        if (threads > 1024)
            tell("block", "has " + std::to_string(std::int64_t(threads)) + " threads", "a block has at most 1024");
        if (!launch.shared.empty())
            lookAtExtent("shared", launch.shared, constants, nullptr);
    }

    /// Known names, and more than nothing at every size; `product` is multiplied with what it comes to.
    void lookAtExtent(const std::string& field, const std::string& text, const Symbols& constants, double* product)
    {
        std::vector<Shape> shapes = m_description.train;
        for (const auto* more : {&m_description.heldout, &m_description.verify})
            shapes.insert(shapes.end(), more->begin(), more->end());
        double largest = 1;
        for (const Shape& shape : shapes) {
            Symbols symbols = constants;
            for (const DescribedParameter& parameter : m_description.parameters)
                if (parameter.kind == ParameterKind::Constant)
                    symbols[parameter.name] = decimalOf(parameter.value).value_or(0);
            for (std::size_t d = 0; d < shape.size() && d < m_description.dims.size(); ++d)
                symbols[m_description.dims[d].name] = static_cast<double>(shape[d]);
            const auto value = launchValue(text, symbols);
            if (!value && value.error().code == "expression/syntax"
                && (text.find("sizeof") != std::string::npos || text.find('(') != std::string::npos))
                return; // more than is read here: the compiler judges it
            if (!value)
                return tell(
                    field, value.error().text, "use " + dimList() + ", ceil_div(a, b) and constants of the file");
            if (*value < (field == "shared" ? 0 : 1))
                return tell(
                    field, "'" + text + "' is " + std::to_string(std::int64_t(*value)) + " at " + shapeText(shape));
            largest = std::max(largest, *value);
        }
        if (product)
            *product *= largest;
    }

    bool isDim(const std::string& name) const
    {
        return std::ranges::find(m_description.dims, name, &Dimension::name) != m_description.dims.end();
    }
    std::string dimList() const
    {
        std::string list;
        for (const Dimension& dim : m_description.dims)
            list += (list.empty() ? "" : ", ") + dim.name;
        return list.empty() ? "none" : list;
    }
    std::string firstDim() const { return m_description.dims.empty() ? "N" : m_description.dims.front().name; }

    const KernelDescription& m_description;
    std::string m_compiled; ///< the file as it is compiled
    std::int64_t m_memory;
    std::vector<DescriptionFinding> m_findings;
};

} // namespace

std::vector<DescriptionFinding> findingsIn(const KernelDescription& description, std::int64_t memoryBytes)
{
    return Findings(description, memoryBytes).all();
}

} // namespace tilewright
