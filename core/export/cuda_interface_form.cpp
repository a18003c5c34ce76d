// SPDX-License-Identifier: GPL-3.0-or-later
// The plain C form of a CUDA program: a header with the functions, the program behind them, a script that builds a
// library of both, and an example. What evaluates the plan, compiles the kernels and launches them is the harness's own
// source, app/kernel, so the library is part of an export with a harness alone.
#include "core/export/c_interface.h"
#include "core/export/export_form.h"
#include "core/export/harness_sources.h"

#include "core/base/text.h"
#include "core/source/element_types.h"

#include <vector>

namespace tilewright {
namespace {

/// A text as string literals of C++, one a line.
std::string asLiterals(const std::string& text)
{
    std::string all;
    std::string line = "    \"";
    for (const char each : text) {
        switch (each) {
        case '\n':
            all += line + "\\n\"\n";
            line = "    \"";
            break;
        case '"':
        case '\\':
            line += '\\';
            line += each;
            break;
        case '\t':
            line += "\\t";
            break;
        case '?': // no trigraph
            line += "\\?";
            break;
        default:
            line += each;
        }
    }
    return all + line + "\"";
}

std::string cudaHeaderText(const Task& task)
{
    return filledTemplate(R"c(/* SPDX-License-Identifier: Apache-2.0 */
/* @DESCRIPTION@   Buffers are in the memory of the GPU whose context is current in the calling thread, aligned to
   @ALIGNMENT@ bytes, and do not overlap. A call enqueues its launches on a stream and returns; kernels are not waited for.
   The first call with some dimensions compiles the program for them and for the GPU with NVRTC, which takes seconds;
   CUDA_HOME says where NVRTC is, unless it is where CUDA's installer puts it. Several threads may call; calls take turns
   until their launches are enqueued. */
#ifndef TILEWRIGHT_@UPPER@_H
#define TILEWRIGHT_@UPPER@_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int64_t @DIMS@;
} @P@_dims;

typedef enum {
    @P@_ok = 0,
    @P@_bad_dimension = 1, /* below its least value, no multiple, or above 2^31 - 1 */
    @P@_null_pointer = 2,
    @P@_misaligned = 3,
    @P@_small_workspace = 4,
    @P@_failed = 5 /* driver, NVRTC or launch; @P@_error_text() says why */
} @P@_status;

/* 1 where these dimensions can be computed, else 0. Needs no GPU. */
int @P@_can_implement(const @P@_dims* dims);

/* Bytes of workspace that a call with these dimensions needs; may be 0. */
@P@_status @P@_workspace_bytes(const @P@_dims* dims, size_t* bytes);

/* Enqueues the computation of the outputs. stream: a cudaStream_t or CUstream of the current context; null: its default
   stream. The workspace may hold anything; it may be null where 0 bytes are needed, and belongs to the call until the
   stream has passed it. */
@P@_status @P@_run(const @P@_dims* dims, @PARAMETERS@,
    void* workspace, size_t workspace_bytes, void* stream);

/* In words, never null. */
const char* @P@_status_text(@P@_status status);

/* Why this thread's newest call failed, in one line; "" where none did. */
const char* @P@_error_text(void);

#ifdef __cplusplus
}
#endif
#endif
)c",
        {{"DESCRIPTION", interfaceDescription(task)}, {"ALIGNMENT", std::to_string(cudaInterfaceAlignment)},
            {"DIMS", interfaceDims(task)}, {"PARAMETERS", interfaceParameters(task)},
            {"UPPER", uppered(interfacePrefix(task))}, {"P", interfacePrefix(task)}});
}

std::string cudaKernelText(const ExportInput& input)
{
    const Task& task = input.pack.task;
    std::vector<std::string> extents, missing, aligned, addresses;
    for (const Dimension& dimension : task.dims)
        extents.push_back("dims." + dimension.name);
    for (const Tensor& tensor : task.tensors) {
        missing.push_back("!" + tensor.name);
        aligned.push_back("isMisaligned(" + tensor.name + ")");
        addresses.push_back("addressOf(" + tensor.name + ")");
    }
    return filledTemplate(R"cpp(// SPDX-License-Identifier: Apache-2.0
// The program behind tilewright_kernel.h. ../harness/src/app/kernel compiles and launches it.
#pragma GCC visibility push(default)
#include "tilewright_kernel.h"
#pragma GCC visibility pop

#include @LAUNCHER@

#include <exception>
#include <string>

namespace {

const char* const taskText =
@TASK@;

const char* const programText =
@PROGRAM@;

thread_local std::string lastError;

/// Never destroyed: the driver may be gone before it.
tilewright::CudaKernel& kernel()
{
    static auto* const one = new tilewright::CudaKernel(taskText, programText);
    return *one;
}

tilewright::Shape shapeOf(const @P@_dims& dims) { return {@EXTENTS@}; }

bool isMisaligned(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer) % @ALIGNMENT@ != 0; }

tilewright::cu::Pointer addressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

/// What the call says: its own status, or that it failed and why.
template <typename Call> @P@_status statusOf(Call call)
{
    lastError.clear();
    try {
        return call();
    } catch (const std::exception& problem) {
        lastError = problem.what();
        return @P@_failed;
    }
}

@P@_status failed(const tilewright::Error& error)
{
    lastError = error.line();
    return @P@_failed;
}

} // namespace

int @P@_can_implement(const @P@_dims* dims)
{
    return dims
@LIMITS@        ? 1 : 0;
}

@P@_status @P@_workspace_bytes(const @P@_dims* dims, size_t* bytes)
{
    return statusOf([&] {
        if (!dims || !bytes)
            return @P@_null_pointer;
        if (!@P@_can_implement(dims))
            return @P@_bad_dimension;
        const auto needed = kernel().workspaceBytes(shapeOf(*dims));
        if (!needed)
            return failed(needed.error());
        *bytes = *needed;
        return @P@_ok;
    });
}

@P@_status @P@_run(const @P@_dims* dims, @PARAMETERS@,
    void* workspace, size_t workspace_bytes, void* stream)
{
    return statusOf([&] {
        if (!dims || @MISSING@)
            return @P@_null_pointer;
        if (!@P@_can_implement(dims))
            return @P@_bad_dimension;
        if (@ALIGNED@ || isMisaligned(workspace))
            return @P@_misaligned;
        const auto done = kernel().run(shapeOf(*dims), {@ADDRESSES@}, addressOf(workspace),
            workspace_bytes, static_cast<tilewright::cu::Stream>(stream));
        if (!done && done.error().code == "kernel/workspace")
            return @P@_small_workspace;
        return done ? @P@_ok : failed(done.error());
    });
}

const char* @P@_status_text(@P@_status status)
{
    switch (status) {
    case @P@_ok:
        return "ok";
    case @P@_bad_dimension:
        return "a dimension is not supported";
    case @P@_null_pointer:
        return "a pointer is null";
    case @P@_misaligned:
        return "a buffer is not aligned to @ALIGNMENT@ bytes";
    case @P@_small_workspace:
        return "the workspace is too small";
    case @P@_failed:
        return "the driver, the compiler or the launch failed";
    }
    return "unknown status";
}

const char* @P@_error_text(void) { return lastError.c_str(); }
)cpp",
        {{"LAUNCHER", "\"app/kernel/cuda_kernel.h\""}, {"EXTENTS", joined(extents, ", ")},
            {"ALIGNMENT", std::to_string(cudaInterfaceAlignment)}, {"LIMITS", interfaceLimits(task)},
            {"PARAMETERS", interfaceParameters(task)}, {"MISSING", joined(missing, " || ")},
            {"ALIGNED", joined(aligned, " || ")}, {"ADDRESSES", joined(addresses, ", ")}, {"P", interfacePrefix(task)},
            // Last: what they hold is not filled in.
            {"TASK", asLiterals(input.pack.json)}, {"PROGRAM", asLiterals(input.source)}});
}

std::string cudaLibraryScript(const Task& task, const std::string& version)
{
    return filledTemplate(R"sh(#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds interface/out/libtilewright_@P@.so: needs g++ 12 or newer (or CXX), and no CUDA. What it loads when it is called:
# NVIDIA's driver and NVRTC.
set -eu
cd "$(dirname "$0")"
cxx=${CXX:-g++}
mkdir -p out
export cxx
ls kernel.cpp units/*.cpp | xargs -P "${JOBS:-$(nproc 2>/dev/null || echo 2)}" -I '{}' sh -c '
    object=out/$(basename "{}" .cpp).o
    [ -e "$object" ] && [ -z "$(find kernel.cpp units tilewright_kernel.h ../harness/src -newer "$object" | head -n 1)" ] && exit 0
    "$cxx" -std=c++23 -O2 -DNDEBUG -fPIC -fvisibility=hidden -w -DTILEWRIGHT_VERSION=\"@VERSION@\" -I. -I../harness/src \
        -isystem ../harness/third-party -c "{}" -o "$object.new" && mv "$object.new" "$object" || exit 255
'
objects=
for source in kernel.cpp units/*.cpp; do objects="$objects out/$(basename "$source" .cpp).o"; done
# The functions of the header alone: a C++ library that g++ links in must not take the place of the caller's own.
echo '{ global: @P@_*; local: *; };' >out/exports.map
"$cxx" -shared -Wl,--version-script=out/exports.map $objects -pthread -ldl -o out/libtilewright_@P@.so.new
mv out/libtilewright_@P@.so.new out/libtilewright_@P@.so
)sh",
        {{"VERSION", version}, {"P", interfacePrefix(task)}});
}

/// Fills its inputs with zeros: what the program computes is judged by the harness.
std::string cudaExampleText(const Task& task)
{
    std::string allocate, release, extents;
    for (const Tensor& tensor : task.tensors) {
        std::vector<std::string> factors;
        for (const std::string& extent : tensor.shape)
            factors.push_back(isFixedExtent(extent) ? extent : "(size_t)dims." + extent);
        const std::string bytes = joined(factors, " * ") + " * sizeof(" + elementType(tensor.dtype).c + ")";
        allocate += "    " + elementType(tensor.dtype).c + "* " + tensor.name + " = device(" + bytes + ");\n";
        release += "    cudaFree(" + tensor.name + ");\n";
    }
    for (const std::int64_t extent : task.train.front())
        extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    return filledTemplate(R"c(/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the kernel once, on a stream of its own, with inputs of zeros, and makes the mistakes that a caller may make. Exit
   code 0: as it should be. */
#include "tilewright_kernel.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

static void* device(size_t bytes)
{
    void* memory = NULL;
    if (cudaMalloc(&memory, bytes > 0 ? bytes : 1) == cudaSuccess && cudaMemset(memory, 0, bytes > 0 ? bytes : 1) == cudaSuccess)
        return memory;
    puts("the GPU has not enough memory");
    return NULL;
}

static int failed(const char* what, @P@_status status)
{
    printf("%s: %s %s\n", what, @P@_status_text(status), @P@_error_text());
    return 1;
}

int main(void)
{
    const @P@_dims dims = {@EXTENTS@};
    cudaStream_t stream;
    if (!@P@_can_implement(&dims))
        return failed("can_implement", @P@_bad_dimension);
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) {
        puts("there is no GPU that can be used");
        return 1;
    }
@ALLOCATE@    size_t bytes = 0;
    @P@_status status = @P@_workspace_bytes(&dims, &bytes);
    if (status != @P@_ok)
        return failed("workspace_bytes", status);
    char* workspace = device(bytes);
    status = @P@_run(&dims, @ARGUMENTS@, workspace, bytes, stream);
    if (status != @P@_ok)
        return failed("run", status);
    if (cudaStreamSynchronize(stream) != cudaSuccess) {
        printf("the kernel failed: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    if (@P@_run(NULL, @ARGUMENTS@, workspace, bytes, stream) != @P@_null_pointer)
        return failed("a null pointer", @P@_ok);
    @P@_dims bad = dims;
    bad.@FIRST@ = @BELOW@;
    if (@P@_can_implement(&bad) || @P@_run(&bad, @ARGUMENTS@, workspace, bytes, stream) != @P@_bad_dimension)
        return failed("a bad dimension", @P@_ok);
    if (bytes > 0 && @P@_run(&dims, @ARGUMENTS@, workspace, bytes - 1, stream) != @P@_small_workspace)
        return failed("a small workspace", @P@_ok);
    if (@P@_run(&dims, @ARGUMENTS@, workspace + 1, bytes, stream) != @P@_misaligned)
        return failed("a misaligned workspace", @P@_ok);
@RELEASE@    cudaFree(workspace);
    puts("ok");
    return 0;
}
)c",
        {{"EXTENTS", extents}, {"ALLOCATE", allocate}, {"RELEASE", release}, {"ARGUMENTS", interfaceArguments(task)},
            {"FIRST", task.dims.front().name}, {"BELOW", std::to_string(task.dims.front().min - 1)},
            {"P", interfacePrefix(task)}});
}

std::string cudaExampleScript(const Task& task)
{
    return filledTemplate(R"sh(#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the library and the example in interface/out and runs it: needs g++, a C compiler, CUDA's runtime with its headers
# (CUDA_HOME, else /usr/local/cuda), and a GPU.
set -eu
cd "$(dirname "$0")"
./make-library
cuda=${CUDA_HOME:-/usr/local/cuda}
"${CC:-cc}" -std=c11 -O2 -I. -I"$cuda/include" example.c -Lout -ltilewright_@P@ -L"$cuda/lib64" -lcudart \
    -Wl,-rpath,"$PWD/out" -Wl,-rpath,"$cuda/lib64" -o out/example
exec out/example
)sh",
        {{"P", interfacePrefix(task)}});
}

} // namespace

bool hasCudaInterface(const ExportInput& input)
{
    return input.pack.task.target == Target::Cuda && input.sources.has_value();
}

Result<Bundle> cudaInterfaceForm(const ExportInput& input)
{
    if (!hasCudaInterface(input))
        return Bundle();
    const Task& task = input.pack.task;
    const std::filesystem::path& root = input.sources->root;
    auto sources = harnessClosure(root, {cudaKernelMain, "kernels/include/tilewright/plan.h", planHeaderTemplate});
    if (!sources)
        return std::unexpected(sources.error());
    // The same files as the harness form's, which the bundle holds too.
    sources->at(planHeaderTemplate)
        = planHeaderSource(sources->at(planHeaderTemplate), sources->at("kernels/include/tilewright/plan.h"));
    auto generated = sources->extract(planHeaderTemplate);
    generated.key() = "core/source/plan_header.cpp";
    sources->insert(std::move(generated));
    Bundle bundle;
    for (auto& [unit, text] : harnessUnits(*sources, [](const std::string&) { return std::string("kernel"); }))
        bundle["interface/units/" + unit + ".cpp"] = {std::move(text)};
    for (auto& [path, text] : *sources)
        bundle["harness/src/" + path] = {std::move(text)};
    bundle["interface/tilewright_kernel.h"] = {cudaHeaderText(task)};
    bundle["interface/kernel.cpp"] = {cudaKernelText(input)};
    bundle["interface/make-library"] = {cudaLibraryScript(task, input.record.source.version), true};
    bundle["interface/example.c"] = {cudaExampleText(task)};
    bundle["interface/make-example"] = {cudaExampleScript(task), true};
    return bundle;
}

std::vector<RepeatCommand> cudaInterfaceCommands(const ExportInput& input)
{
    if (!hasCudaInterface(input))
        return {};
    return {
        {"Use the program from C, on a CUDA stream of yours: tilewright_kernel.h declares it, and the example calls "
         "it once:",
            "./interface/make-example"}};
}

} // namespace tilewright
