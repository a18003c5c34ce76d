// SPDX-License-Identifier: GPL-3.0-or-later
// The PyTorch form of a CPU program: an operator over the plain C interface, a Python module that builds and loads it,
// and a check against the task's reference. Dimensions come from the shapes of the inputs.
#include "core/export/c_interface.h"
#include "core/export/export_form.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/source/element_types.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tilewright {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end();
}

std::vector<const Tensor*> tensorsOf(const Task& task, TensorRole role)
{
    std::vector<const Tensor*> found;
    for (const Tensor& tensor : task.tensors)
        if (tensor.role == role)
            found.push_back(&tensor);
    return found;
}

/// Dimensions that no input has, which a caller passes as integers.
std::vector<std::string> passedDimensions(const Task& task)
{
    std::vector<std::string> passed;
    for (const Dimension& dimension : task.dims)
        if (!std::ranges::any_of(tensorsOf(task, TensorRole::Input),
                [&dimension](const Tensor* tensor) { return holds(tensor->shape, dimension.name); }))
            passed.push_back(dimension.name);
    return passed;
}

template <typename T, typename Word>
std::string listed(const std::vector<T>& values, Word word, const std::string& separator = ", ")
{
    std::vector<std::string> parts;
    for (const T& each : values)
        parts.push_back(word(each));
    return joined(parts, separator);
}

/// The text with each name between @ replaced.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& values)
{
    for (const auto& [name, value] : values)
        for (std::size_t at = 0; (at = text.find("@" + name + "@", at)) != std::string::npos; at += value.size())
            text.replace(at, name.size() + 2, value);
    return text;
}

/// "{dims.M, dims.N}".
std::string extentsText(const Tensor& tensor)
{
    return "{" + listed(tensor.shape, [](const std::string& each) {
        return isFixedExtent(each) ? each : "dims." + each;
    }) + "}";
}

std::string operatorText(const Task& task)
{
    const auto inputs = tensorsOf(task, TensorRole::Input), outputs = tensorsOf(task, TensorRole::Output);
    const auto passed = passedDimensions(task);
    std::string fromInputs, checks;
    for (const std::string& name : passed)
        fromInputs += "    dims." + name + " = " + name + ";\n";
    std::vector<std::string> known = passed;
    for (const Tensor* tensor : inputs) {
        fromInputs += "    checkInput(" + tensor->name + ", \"" + tensor->name + "\", "
            + elementType(tensor->dtype).scalar + ", " + std::to_string(tensor->shape.size()) + ");\n";
        for (std::size_t axis = 0; axis < tensor->shape.size(); ++axis) {
            const std::string& extent = tensor->shape[axis];
            const std::string size = tensor->name + ".size(" + std::to_string(axis) + ")";
            if (!isFixedExtent(extent) && !holds(known, extent)) {
                fromInputs += "    dims." + extent + " = " + size + ";\n";
                known.push_back(extent);
            } else
                checks += "    TORCH_CHECK(" + size + " == " + (isFixedExtent(extent) ? extent : "dims." + extent)
                    + ", \"@P@: " + tensor->name + " has size \", " + size + ", \" in dimension " + std::to_string(axis)
                    + "; expected "
                    + (isFixedExtent(extent) ? extent + "\");\n" : extent + " = \", dims." + extent + ");\n");
        }
    }
    const auto name = [](const Tensor* tensor) { return tensor->name; };
    std::vector<std::string> parameters, schema, arguments, pointers;
    for (const Tensor* tensor : inputs) {
        parameters.push_back("const at::Tensor& " + tensor->name);
        schema.push_back("Tensor " + tensor->name);
        arguments.push_back(tensor->name);
    }
    for (const std::string& each : passed) {
        parameters.push_back("int64_t " + each);
        schema.push_back("int " + each);
        arguments.push_back(each);
    }
    for (const Tensor& tensor : task.tensors)
        pointers.push_back("static_cast<" + std::string(tensor.role == TensorRole::Input ? "const " : "")
            + elementType(tensor.dtype).c + "*>(" + (tensor.role == TensorRole::Input ? "ready_" : "") + tensor.name
            + ".data_ptr())");
    const bool isOne = outputs.size() == 1;
    const std::string results = isOne
        ? "at::Tensor"
        : "std::tuple<" + listed(outputs, [](const Tensor*) { return std::string("at::Tensor"); }) + ">";
    const std::string schemaResults
        = isOne ? "Tensor" : "(" + listed(outputs, [](const Tensor*) { return std::string("Tensor"); }) + ")";
    std::string ready, made;
    for (const Tensor* tensor : inputs)
        ready += "    const at::Tensor ready_" + tensor->name + " = aligned(" + tensor->name + ");\n";
    for (const Tensor* tensor : outputs)
        made += "    const at::Tensor " + tensor->name + " = at::empty(" + extentsText(*tensor) + ", "
            + inputs.front()->name + ".options().dtype(" + elementType(tensor->dtype).scalar + "));\n";
    const std::string returned = isOne ? outputs.front()->name : "{" + listed(outputs, name) + "}";
    return filled(R"cpp(// SPDX-License-Identifier: Apache-2.0
// The PyTorch operator tilewright::@P@ for CPU tensors, over the plain C interface in tilewright_kernel.h. It has no
// derivative. Inputs that are not contiguous, or not aligned, are copied first.
#include "../tilewright_kernel.h"

#include <ATen/ATen.h>
#include <torch/library.h>

#include <cstdint>
#include <tuple>

namespace {

void checkInput(const at::Tensor& tensor, const char* name, at::ScalarType type, int64_t dimensions)
{
    TORCH_CHECK(tensor.dim() == dimensions, "@P@: ", name, " has ", tensor.dim(), " dimensions; expected ", dimensions);
    TORCH_CHECK(tensor.scalar_type() == type, "@P@: ", name, " is of type ", tensor.scalar_type(), "; expected ", type);
}

at::Tensor aligned(const at::Tensor& tensor)
{
    const at::Tensor whole = tensor.contiguous();
    return reinterpret_cast<std::uintptr_t>(whole.data_ptr()) % @ALIGNMENT@ == 0 ? whole : whole.clone();
}

@P@_dims dimsOf(@PARAMETERS@)
{
    @P@_dims dims{};
@FROM_INPUTS@@CHECKS@    TORCH_CHECK(@P@_can_implement(&dims), "@P@: ", @P@_status_text(@P@_bad_dimension)@DIMS_TEXT@);
    return dims;
}

@RESULTS@ run(@PARAMETERS@)
{
    const @P@_dims dims = dimsOf(@ARGUMENTS@);
@READY@@MADE@    size_t bytes = 0;
    @P@_status status = @P@_workspace_bytes(&dims, &bytes);
    TORCH_CHECK(status == @P@_ok, "@P@: ", @P@_status_text(status));
    at::Tensor workspace;
    if (bytes > 0)
        workspace = at::empty({static_cast<int64_t>(bytes)}, at::kByte);
    status = @P@_run(&dims, @POINTERS@,
        bytes > 0 ? workspace.data_ptr() : nullptr, bytes);
    TORCH_CHECK(status == @P@_ok, "@P@: ", @P@_status_text(status));
    return @RETURNED@;
}

/// Shapes and types only, for tracing and torch.compile.
@RESULTS@ shapesOf(@PARAMETERS@)
{
    const @P@_dims dims = dimsOf(@ARGUMENTS@);
@MADE@    return @RETURNED@;
}

} // namespace

TORCH_LIBRARY_FRAGMENT(tilewright, library) { library.def("@P@(@SCHEMA@) -> @SCHEMA_RESULTS@"); }
TORCH_LIBRARY_IMPL(tilewright, CPU, library) { library.impl("@P@", run); }
TORCH_LIBRARY_IMPL(tilewright, Meta, library) { library.impl("@P@", shapesOf); }
// PyTorch 1.13 has no fallback for it.
TORCH_LIBRARY_IMPL(tilewright, AutogradMeta, library) { library.impl("@P@", torch::CppFunction::makeFallthrough()); }
)cpp",
        {{"FROM_INPUTS", fromInputs}, {"CHECKS", checks}, {"ALIGNMENT", std::to_string(interfaceAlignment)},
            {"PARAMETERS", joined(parameters, ", ")}, {"ARGUMENTS", joined(arguments, ", ")}, {"READY", ready},
            {"MADE", made}, {"POINTERS", joined(pointers, ", ")}, {"RESULTS", results}, {"RETURNED", returned},
            {"SCHEMA", joined(schema, ", ")}, {"SCHEMA_RESULTS", schemaResults},
            {"DIMS_TEXT",
                listed(
                    task.dims, [](const Dimension& each) { return ", \" " + each.name + " = \", dims." + each.name; },
                    "")},
            {"P", interfacePrefix(task)}});
}

std::string moduleText(const Task& task)
{
    return filled(R"py(# SPDX-License-Identifier: Apache-2.0
"""Builds the operator torch.ops.tilewright.@P@ beside this file and loads it.

@P@(@ARGUMENTS@) takes CPU tensors and returns @OUTPUTS@. Importing this module for the first time compiles it, which
needs g++ and ninja.
"""
import os

import torch
from torch.utils import cpp_extension

_here = os.path.dirname(os.path.abspath(__file__))
_build = os.path.join(_here, "out")
os.makedirs(_build, exist_ok=True)
_standard = "-std=c++20"
cpp_extension.load(
    name="tilewright_@P@",
    sources=[os.path.join(_here, "operator.cpp"), os.path.join(_here, "..", "kernel.cpp")],
    extra_cflags=[_standard, @OPTIONS@],
    build_directory=_build,
    is_python_module=False,
)
@P@ = torch.ops.tilewright.@P@
)py",
        {{"ARGUMENTS",
             [&task] {
                 std::vector<std::string> names
                     = {listed(tensorsOf(task, TensorRole::Input), [](const Tensor* each) { return each->name; })};
                 for (const std::string& each : passedDimensions(task))
                     names.push_back(each);
                 return joined(names, ", ");
             }()},
            {"OUTPUTS", listed(tensorsOf(task, TensorRole::Output), [](const Tensor* each) { return each->name; })},
            {"OPTIONS", listed(task.buildOptions, [](const std::string& each) { return "\"" + each + "\""; })},
            {"P", interfacePrefix(task)}});
}

/// Element types that the reference reads as float and writes as double are converted by PyTorch itself.
std::string checkText(const Task& task)
{
    const auto inputs = tensorsOf(task, TensorRole::Input), outputs = tensorsOf(task, TensorRole::Output);
    std::string dims, made, pointersIn;
    const Shape& shape = task.train.front();
    for (std::size_t i = 0; i < task.dims.size(); ++i)
        dims += (i > 0 ? ", " : "") + task.dims[i].name + "=" + std::to_string(shape[i]);
    const auto sizes = [](const Tensor& tensor) {
        return listed(tensor.shape,
            [](const std::string& each) { return isFixedExtent(each) ? each : "dims[\"" + each + "\"]"; });
    };
    for (const Tensor* tensor : inputs)
        made += tensor->name + " = torch.randint(-4, 5, (" + sizes(*tensor) + ",), generator=drawn).to(torch."
            + elementType(tensor->dtype).torch + ")\n";
    std::string wanted;
    for (const Tensor* tensor : outputs)
        wanted += "want_" + tensor->name + " = torch.zeros((" + sizes(*tensor) + ",), dtype=torch.float64)\nmagnitude_"
            + tensor->name + " = torch.zeros_like(want_" + tensor->name + ")\n";
    std::vector<std::string> arguments;
    for (const Tensor* tensor : inputs)
        arguments.push_back(tensor->name);
    for (const std::string& each : passedDimensions(task))
        arguments.push_back("dims[\"" + each + "\"]");
    std::vector<std::string> swapped = arguments;
    swapped.front()
        = inputs.front()->name + ".to(torch." + (inputs.front()->dtype == Dtype::Fp64 ? "float32" : "float64") + ")";
    std::vector<std::string> strided = arguments;
    strided.front() = "strided";
    return filled(R"py(# SPDX-License-Identifier: Apache-2.0
"""Runs the operator once and compares it with the task's reference. Exit code 0: the result is right."""
import ctypes
import os
import subprocess
import sys

import torch

from tilewright_operator import @P@

here = os.path.dirname(os.path.abspath(__file__))
library = os.path.join(here, "out", "libreference.so")
subprocess.check_call(["g++", "-std=c++20", "-O2", "-shared", "-fPIC",
                       os.path.join(here, "..", "reference.cpp"), "-o", library])
reference = ctypes.CDLL(library).tilewright_reference_entry

dims = dict(@DIMS@)
drawn = torch.Generator().manual_seed(1)
@MADE@
wide = [each.to(torch.float32).contiguous() for each in (@INPUTS@,)]
@WANTED@
class Dims(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in dims]


def pointers(tensors):
    return (ctypes.c_void_p * len(tensors))(*[each.data_ptr() for each in tensors])


want = [@WANTS@]
reference(ctypes.byref(Dims(**dims)), pointers(wide), pointers(want), pointers([@MAGNITUDES@]))


def outputs(result):
    return result if isinstance(result, tuple) else (result,)


def error(result):
    """Relative error in the Frobenius norm over all outputs."""
    off = sum(float(((got.to(torch.float64) - exact) ** 2).sum()) for got, exact in zip(outputs(result), want))
    size = sum(float((exact ** 2).sum()) for exact in want)
    return (off / size) ** 0.5 if size > 0 else off ** 0.5


limit = @TAU@
measured = error(@P@(@ARGUMENTS@))
print("relative error %.3g, limit %g" % (measured, limit))
if not measured <= limit:
    sys.exit(1)
# The same values at an odd address and with strides.
strided = torch.empty(@FIRST@.numel() * 2 + 1, dtype=@FIRST@.dtype)[1::2].view(@FIRST@.shape)
strided.copy_(@FIRST@)
if not error(@P@(@STRIDED@)) <= limit:
    sys.exit("wrong where the first input is not contiguous")
for meta, got in zip(outputs(torch.ops.tilewright.@P@(@META@)), want):
    if meta.shape != got.shape:
        sys.exit("shapes without values are wrong: %s instead of %s" % (tuple(meta.shape), tuple(got.shape)))
try:
    @P@(@SWAPPED@)
    sys.exit("an input of another type was accepted")
except RuntimeError as refused:
    if "expected" not in str(refused):
        raise
print("ok")
)py",
        {{"DIMS", dims}, {"MADE", made}, {"WANTED", wanted},
            {"INPUTS", listed(inputs, [](const Tensor* each) { return each->name; })},
            {"WANTS", listed(outputs, [](const Tensor* each) { return "want_" + each->name; })},
            {"MAGNITUDES", listed(outputs, [](const Tensor* each) { return "magnitude_" + each->name; })},
            {"TAU", generalText(task.numeric.tau)}, {"ARGUMENTS", joined(arguments, ", ")},
            {"FIRST", inputs.front()->name}, {"STRIDED", joined(strided, ", ")},
            {"META",
                [&] {
                    std::vector<std::string> metas = arguments;
                    for (std::size_t i = 0; i < inputs.size(); ++i)
                        metas[i] += ".to(\"meta\")";
                    return joined(metas, ", ");
                }()},
            {"SWAPPED", joined(swapped, ", ")}, {"P", interfacePrefix(task)}});
}

bool hasTorchForm(const Task& task)
{
    return task.target == Target::Cpp && !tensorsOf(task, TensorRole::Input).empty();
}

} // namespace

Result<Bundle> torchForm(const ExportInput& input)
{
    const Task& task = input.pack.task;
    if (!hasTorchForm(task))
        return Bundle();
    Bundle bundle;
    const std::string folder = "interface/torch/";
    bundle[folder + "operator.cpp"] = {operatorText(task)};
    bundle[folder + "tilewright_operator.py"] = {moduleText(task)};
    bundle[folder + "check.py"] = {checkText(task)};
    return bundle;
}

std::vector<RepeatCommand> torchCommands(const ExportInput& input)
{
    if (!hasTorchForm(input.pack.task))
        return {};
    return {{"Use the program from PyTorch (`from tilewright_operator import " + interfacePrefix(input.pack.task)
            + "`); this builds the operator and compares it with the task's reference:",
        "python3 interface/torch/check.py"}};
}

} // namespace tilewright
