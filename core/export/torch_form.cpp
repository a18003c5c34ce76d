// SPDX-License-Identifier: GPL-3.0-or-later
// The PyTorch form of a program: an operator over its plain C interface, a Python module that builds and loads it, and
// a check: of a CPU program against the task's reference, of a CUDA program against PyTorch's own product. Dimensions
// come from the shapes of the inputs.
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

/// "{dims.M, dims.N}".
std::string extentsText(const Tensor& tensor)
{
    return "{" + listed(tensor.shape, [](const std::string& each) {
        return isFixedExtent(each) ? each : "dims." + each;
    }) + "}";
}

/// What the operator is for: the dispatch key, and what differs by it.
struct TorchTarget {
    const char* key; ///< "CPU"
    const char* tensors; ///< "CPU tensors"
    const char* headers;
    const char* checkDevice; ///< of an input, against the first one's
    const char* guard; ///< the device and stream that the call is on
    const char* options; ///< of the workspace
    const char* stream; ///< last argument of the call
    const char* why; ///< what is said of a failure beside its status
    int alignment;
};

const TorchTarget& torchTarget(const Task& task)
{
    static const TorchTarget cpu{
        "CPU", "CPU tensors", "", "", "", "at::TensorOptions().dtype(at::kByte)", "", "", interfaceAlignment};
    static const TorchTarget cuda{"CUDA", "CUDA tensors, on PyTorch's current stream of their device",
        "#include <c10/cuda/CUDAGuard.h>\n#include <c10/cuda/CUDAStream.h>\n",
        R"cpp(
void checkDevice(const at::Tensor& tensor, const char* name, const at::Device& device)
{
    TORCH_CHECK(tensor.is_cuda(), "@P@: ", name, " is on ", tensor.device(), "; expected a CUDA device");
    TORCH_CHECK(tensor.device() == device, "@P@: ", name, " is on ", tensor.device(), "; expected ", device,
        ", as the first input");
}
)cpp",
        "    const c10::cuda::CUDAGuard guard(@FIRST@.device());\n", "@FIRST@.options().dtype(at::kByte)",
        ", c10::cuda::getCurrentCUDAStream().stream()", ", \": \", @P@_error_text()", cudaInterfaceAlignment};
    return task.target == Target::Cuda ? cuda : cpu;
}

std::string operatorText(const Task& task)
{
    const TorchTarget& target = torchTarget(task);
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
                    + ", \"@P@: " + tensor->name + " has size \", std::to_string(" + size + "), \" in dimension "
                    + std::to_string(axis) + "; expected "
                    + (isFixedExtent(extent) ? extent + "\");\n"
                                             : extent + " = \", std::to_string(dims." + extent + "));\n");
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
    std::string ready, made, devices;
    if (task.target == Target::Cuda)
        for (const Tensor* tensor : inputs)
            devices += "    checkDevice(" + tensor->name + ", \"" + tensor->name + "\", " + inputs.front()->name
                + ".device());\n";
    for (const Tensor* tensor : inputs)
        ready += "    const at::Tensor ready_" + tensor->name + " = aligned(" + tensor->name + ");\n";
    for (const Tensor* tensor : outputs)
        made += "    const at::Tensor " + tensor->name + " = at::empty(" + extentsText(*tensor) + ", "
            + inputs.front()->name + ".options().dtype(" + elementType(tensor->dtype).scalar + "));\n";
    const std::string returned = isOne ? outputs.front()->name : "{" + listed(outputs, name) + "}";
    return filledTemplate(R"cpp(// SPDX-License-Identifier: Apache-2.0
// The PyTorch operator tilewright::@P@ for @TENSORS@, over the plain C interface in
// tilewright_kernel.h. It has no derivative. Inputs that are not contiguous, or not aligned, are copied first; outputs,
// copies and workspace come from PyTorch's allocator.
#include "../tilewright_kernel.h"

#include <ATen/ATen.h>
@HEADERS@#include <torch/library.h>

#include <cstdint>
#include <string>
#include <tuple>

namespace {

// Numbers of a refusal are put into words by std::to_string(): where g++ links libstdc++ statically, a stream of PyTorch
// finds no facet for them.
void checkInput(const at::Tensor& tensor, const char* name, at::ScalarType type, int64_t dimensions)
{
    TORCH_CHECK(tensor.dim() == dimensions, "@P@: ", name, " has ", std::to_string(tensor.dim()), " dimensions; expected ", std::to_string(dimensions));
    TORCH_CHECK(tensor.scalar_type() == type, "@P@: ", name, " is of type ", tensor.scalar_type(), "; expected ", type);
}
@CHECK_DEVICE@
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
@DEVICES@@GUARD@    const @P@_dims dims = dimsOf(@ARGUMENTS@);
@READY@@MADE@    size_t bytes = 0;
    @P@_status status = @P@_workspace_bytes(&dims, &bytes);
    TORCH_CHECK(status == @P@_ok, "@P@: ", @P@_status_text(status)@WHY@);
    at::Tensor workspace;
    if (bytes > 0)
        workspace = at::empty({static_cast<int64_t>(bytes)}, @OPTIONS@);
    status = @P@_run(&dims, @POINTERS@,
        bytes > 0 ? workspace.data_ptr() : nullptr, bytes@STREAM@);
    TORCH_CHECK(status == @P@_ok, "@P@: ", @P@_status_text(status)@WHY@);
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
TORCH_LIBRARY_IMPL(tilewright, @KEY@, library) { library.impl("@P@", run); }
TORCH_LIBRARY_IMPL(tilewright, Meta, library) { library.impl("@P@", shapesOf); }
// PyTorch 1.13 has no fallback for it.
TORCH_LIBRARY_IMPL(tilewright, AutogradMeta, library) { library.impl("@P@", torch::CppFunction::makeFallthrough()); }
)cpp",
        {{"HEADERS", target.headers}, {"CHECK_DEVICE", target.checkDevice}, {"DEVICES", devices},
            {"GUARD", target.guard}, {"OPTIONS", target.options}, {"STREAM", target.stream}, {"WHY", target.why},
            {"KEY", target.key}, {"TENSORS", target.tensors}, {"FIRST", inputs.front()->name},
            {"FROM_INPUTS", fromInputs}, {"CHECKS", checks}, {"ALIGNMENT", std::to_string(target.alignment)},
            {"PARAMETERS", joined(parameters, ", ")}, {"ARGUMENTS", joined(arguments, ", ")}, {"READY", ready},
            {"MADE", made}, {"POINTERS", joined(pointers, ", ")}, {"RESULTS", results}, {"RETURNED", returned},
            {"SCHEMA", joined(schema, ", ")}, {"SCHEMA_RESULTS", schemaResults},
            {"DIMS_TEXT",
                listed(
                    task.dims,
                    [](const Dimension& each) {
                        return ", \" " + each.name + " = \", std::to_string(dims." + each.name + ")";
                    },
                    "")},
            {"P", interfacePrefix(task)}});
}

std::string moduleText(const Task& task)
{
    return filledTemplate(R"py(# SPDX-License-Identifier: Apache-2.0
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
    return filledTemplate(R"py(# SPDX-License-Identifier: Apache-2.0
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

/// Over the library that the C interface is built to; operator.cpp alone includes PyTorch's headers.
std::string cudaModuleText(const Task& task)
{
    std::vector<std::string> names{
        listed(tensorsOf(task, TensorRole::Input), [](const Tensor* each) { return each->name; })};
    for (const std::string& each : passedDimensions(task))
        names.push_back(each);
    return filledTemplate(R"py(# SPDX-License-Identifier: Apache-2.0
"""Builds the operator torch.ops.tilewright.@P@ beside this file and loads it.

@P@(@ARGUMENTS@) takes CUDA tensors of one device and returns @OUTPUTS@, computed on PyTorch's current stream of that
device. Importing this module for the first time compiles it, which needs g++, ninja and CUDA's headers; the first call
with some dimensions compiles the program for them with NVRTC.
"""
import os
import subprocess

import torch
from torch.utils import cpp_extension

_here = os.path.dirname(os.path.abspath(__file__))
_interface = os.path.dirname(_here)
_build = os.path.join(_here, "out")
os.makedirs(_build, exist_ok=True)
subprocess.check_call([os.path.join(_interface, "make-library")])
_library = os.path.join(_interface, "out")
cpp_extension.load(
    name="tilewright_@P@",
    sources=[os.path.join(_here, "operator.cpp")],
    extra_cflags=["-std=c++20"],
    extra_ldflags=["-L" + _library, "-ltilewright_@P@", "-Wl,-rpath," + _library],
    build_directory=_build,
    with_cuda=True,
    is_python_module=False,
)
@P@ = torch.ops.tilewright.@P@
)py",
        {{"ARGUMENTS", joined(names, ", ")},
            {"OUTPUTS", listed(tensorsOf(task, TensorRole::Output), [](const Tensor* each) { return each->name; })},
            {"P", interfacePrefix(task)}});
}

/// C = A B of two matrices, which PyTorch computes as well.
bool isPlainProduct(const Task& task)
{
    const auto inputs = tensorsOf(task, TensorRole::Input), outputs = tensorsOf(task, TensorRole::Output);
    if (task.numeric.bound != NumericBound::Product || inputs.size() != 2 || outputs.size() != 1)
        return false;
    const auto &a = inputs[0]->shape, &b = inputs[1]->shape, &c = outputs[0]->shape;
    return a.size() == 2 && b.size() == 2 && c.size() == 2 && a[1] == b[0] && c[0] == a[0] && c[1] == b[1];
}

std::string cudaCheckText(const Task& task)
{
    const auto inputs = tensorsOf(task, TensorRole::Input);
    std::string dims, made;
    const Shape& shape = task.train.front();
    for (std::size_t i = 0; i < task.dims.size(); ++i)
        dims += (i > 0 ? ", " : "") + task.dims[i].name + "=" + std::to_string(shape[i]);
    for (const Tensor* tensor : inputs)
        made += tensor->name + " = torch.randint(-4, 5, ("
            + listed(tensor->shape,
                [](const std::string& each) { return isFixedExtent(each) ? each : "dims[\"" + each + "\"]"; })
            + ",), generator=drawn).to(torch." + elementType(tensor->dtype).torch + ").cuda()\n";
    std::vector<std::string> arguments;
    for (const Tensor* tensor : inputs)
        arguments.push_back(tensor->name);
    for (const std::string& each : passedDimensions(task))
        arguments.push_back("dims[\"" + each + "\"]");
    const auto with = [&arguments](std::size_t place, const std::string& other) {
        std::vector<std::string> changed = arguments;
        changed[place] = other;
        return joined(changed, ", ");
    };
    const std::string first = inputs.front()->name;
    return filledTemplate(R"py(# SPDX-License-Identifier: Apache-2.0
"""Runs the operator and compares it with @WITH@. Exit code 0: the result is right. What a program
computes on other inputs and sizes is what the harness verifies."""
import sys

import torch

from tilewright_operator import @P@

if not torch.cuda.is_available():
    sys.exit("PyTorch finds no CUDA device")
dims = dict(@DIMS@)
drawn = torch.Generator().manual_seed(1)
@MADE@

def outputs(result):
    return result if isinstance(result, tuple) else (result,)


def error(result, wanted):
    """Relative error in the Frobenius norm over all outputs."""
    off = sum(float(((got.double() - exact.double()) ** 2).sum()) for got, exact in zip(outputs(result), wanted))
    size = sum(float((exact.double() ** 2).sum()) for exact in wanted)
    return (off / size) ** 0.5 if size > 0 else off ** 0.5


limit = @TAU@
here = outputs(@P@(@ARGUMENTS@))
wanted = @WANTED@
measured = error(here, wanted)
print("relative error %.3g, limit %g" % (measured, limit))
if not measured <= limit:
    sys.exit(1)
# The same values at an odd address and with strides, on another stream.
strided = torch.empty(@FIRST@.numel() * 2 + 1, dtype=@FIRST@.dtype, device="cuda")[1::2].view(@FIRST@.shape)
strided.copy_(@FIRST@)
stream = torch.cuda.Stream()
stream.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(stream):
    there = outputs(@P@(@STRIDED@))
torch.cuda.current_stream().wait_stream(stream)
if not error(there, wanted) <= limit:
    sys.exit("wrong on another stream, where the first input is not contiguous")
for meta, got in zip(outputs(torch.ops.tilewright.@P@(@META@)), here):
    if meta.shape != got.shape or meta.dtype != got.dtype:
        sys.exit("shapes without values are wrong: %s instead of %s" % (tuple(meta.shape), tuple(got.shape)))
for what, call in (("of another type", lambda: @P@(@SWAPPED@)),
                   ("on the CPU", lambda: @P@(@ON_CPU@))):
    try:
        call()
        sys.exit("an input %s was accepted" % what)
    except (RuntimeError, NotImplementedError) as refused:
        if isinstance(refused, RuntimeError) and "expected" not in str(refused) and "CPU" not in str(refused):
            raise
print("ok")
)py",
        {{"WITH", isPlainProduct(task) ? "PyTorch's own product in double precision" : "itself on another stream"},
            {"DIMS", dims}, {"MADE", made}, {"TAU", generalText(task.numeric.tau)},
            {"WANTED",
                isPlainProduct(task) ? "(" + inputs[0]->name + ".double() @ " + inputs[1]->name + ".double(),)"
                                     : "here"},
            {"ARGUMENTS", joined(arguments, ", ")}, {"STRIDED", with(0, "strided")}, {"FIRST", first},
            {"SWAPPED",
                with(0, first + ".to(torch." + (inputs.front()->dtype == Dtype::Fp64 ? "float32" : "float64") + ")")},
            {"ON_CPU", with(0, first + ".cpu()")},
            {"META",
                [&] {
                    std::vector<std::string> metas = arguments;
                    for (std::size_t i = 0; i < inputs.size(); ++i)
                        metas[i] += ".to(\"meta\")";
                    return joined(metas, ", ");
                }()},
            {"P", interfacePrefix(task)}});
}

bool hasTorchForm(const ExportInput& input)
{
    const Task& task = input.pack.task;
    return (task.target == Target::Cpp || hasCudaInterface(input)) && !tensorsOf(task, TensorRole::Input).empty();
}

} // namespace

Result<Bundle> torchForm(const ExportInput& input)
{
    const Task& task = input.pack.task;
    if (!hasTorchForm(input))
        return Bundle();
    const bool isCuda = task.target == Target::Cuda;
    Bundle bundle;
    const std::string folder = "interface/torch/";
    bundle[folder + "operator.cpp"] = {operatorText(task)};
    bundle[folder + "tilewright_operator.py"] = {isCuda ? cudaModuleText(task) : moduleText(task)};
    bundle[folder + "check.py"] = {isCuda ? cudaCheckText(task) : checkText(task)};
    return bundle;
}

std::vector<RepeatCommand> torchCommands(const ExportInput& input)
{
    if (!hasTorchForm(input))
        return {};
    return {{"Use the program from PyTorch (`from tilewright_operator import " + interfacePrefix(input.pack.task)
            + "`); this builds the operator and compares its result:",
        "python3 interface/torch/check.py"}};
}

} // namespace tilewright
