// SPDX-License-Identifier: GPL-3.0-or-later
// The plain C form of a CPU program: a header with four functions, the program behind them, and an example in C that
// compares it with the task's reference. The program's text is unchanged.
#include "core/export/c_interface.h"
#include "core/export/export_form.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/source/candidate_header.h"
#include "core/source/element_types.h"
#include "core/source/saved_program.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <cctype>

namespace tilewright {
namespace {

constexpr int alignment = interfaceAlignment;

bool isPlain(Dtype dtype)
{
    return dtype == Dtype::Fp64 || dtype == Dtype::Fp32 || dtype == Dtype::Int8 || dtype == Dtype::Int32;
}

std::string headerText(const Task& task)
{
    const std::string p = interfacePrefix(task);
    return "/* SPDX-License-Identifier: Apache-2.0 */\n/* " + interfaceDescription(task) + "   Buffers are aligned to "
        + std::to_string(alignment)
        + " bytes and do not overlap. Calls keep no state: several threads may call\n   at the same time, each with a "
          "workspace of its own. One call uses "
        + counted(task.threads, "thread", "threads") + ". */\n#ifndef TILEWRIGHT_" + uppered(p)
        + "_H\n#define TILEWRIGHT_" + uppered(p)
        + "_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
          "typedef struct {\n    int64_t "
        + interfaceDims(task) + ";\n} " + p + "_dims;\n\ntypedef enum {\n    " + p + "_ok = 0,\n    " + p
        + "_bad_dimension = 1, /* below its least value, no multiple, or above 2^31 - 1 */\n    " + p
        + "_null_pointer = 2,\n    " + p + "_misaligned = 3,\n    " + p + "_small_workspace = 4\n} " + p
        + "_status;\n\n/* 1 where these dimensions can be computed, else 0. */\nint " + p + "_can_implement(const " + p
        + "_dims* dims);\n\n/* Bytes of workspace that a call with these dimensions needs; may be 0. */\n" + p
        + "_status " + p + "_workspace_bytes(const " + p
        + "_dims* dims, size_t* bytes);\n\n/* Computes the outputs. The "
          "workspace may hold anything; it may be null where 0 bytes are needed. */\n"
        + p + "_status " + p + "_run(const " + p + "_dims* dims, " + interfaceParameters(task)
        + ",\n    void* workspace, size_t workspace_bytes);\n\n/* In words, never null. */\nconst char* " + p
        + "_status_text(" + p + "_status status);\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

/// Whether the program defines the function that says how much workspace it needs.
bool definesWorkspace(std::string_view source)
{
    for (const ScannedLine& line : scanLines(source))
        if (line.code.find("tilewright_workspace") != std::string::npos)
            return true;
    return false;
}

std::string wrapperText(const Task& task, bool hasWorkspace)
{
    const std::string p = interfacePrefix(task);
    std::string pointers, aligned, members;
    for (const Tensor& tensor : task.tensors) {
        pointers += (pointers.empty() ? "!" : " || !") + tensor.name;
        aligned += (aligned.empty() ? "" : " || ") + std::string("tilewright_is_misaligned(") + tensor.name + ")";
        const std::string type
            = (tensor.role == TensorRole::Input ? "const " : "") + elementType(tensor.dtype).program + "*";
        members += "    args." + tensor.name + " = reinterpret_cast<" + type + ">(" + tensor.name + ");\n";
    }
    return "\n// The plain C interface.\n#include \"tilewright_kernel.h\"\n\nnamespace {\n\nDims "
           "tilewright_as_dims(const "
        + p + "_dims& dims)\n{\n    return {" +
        [&] {
            std::vector<std::string> parts;
            for (const Dimension& dimension : task.dims)
                parts.push_back("static_cast<int>(dims." + dimension.name + ")");
            return joined(parts, ", ");
        }()
        + "};\n}\n\nbool tilewright_is_misaligned(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer) % "
        + std::to_string(alignment) + " != 0; }\n\nsize_t tilewright_needed_bytes(const " + p + "_dims& dims)\n{\n"
        + (hasWorkspace ? "    return tilewright_workspace(tilewright_as_dims(dims));\n"
                        : "    (void)dims;\n    return 0;\n")
        + "}\n\n} // namespace\n\nint " + p + "_can_implement(const " + p + "_dims* dims)\n{\n    return dims\n"
        + interfaceLimits(task) + "        ? 1 : 0;\n}\n\n" + p + "_status " + p + "_workspace_bytes(const " + p
        + "_dims* dims, size_t* bytes)\n{\n    if (!dims || !bytes)\n        return " + p + "_null_pointer;\n    if (!"
        + p + "_can_implement(dims))\n        return " + p
        + "_bad_dimension;\n    *bytes = tilewright_needed_bytes(*dims);\n    return " + p + "_ok;\n}\n\n" + p
        + "_status " + p + "_run(const " + p + "_dims* dims, " + interfaceParameters(task)
        + ",\n    void* workspace, size_t workspace_bytes)\n{\n    if (!dims || " + pointers + ")\n        return " + p
        + "_null_pointer;\n    if (!" + p + "_can_implement(dims))\n        return " + p + "_bad_dimension;\n    if ("
        + aligned + " || tilewright_is_misaligned(workspace))\n        return " + p
        + "_misaligned;\n    const size_t needed = tilewright_needed_bytes(*dims);\n    if (workspace_bytes < needed "
          "|| (needed > "
          "0 && "
          "!workspace))\n        return "
        + p + "_small_workspace;\n    Args args{};\n    args.dims = tilewright_as_dims(*dims);\n" + members
        + "    args.workspace = workspace;\n    args.workspace_bytes = workspace_bytes;\n    tilewright_run(args);\n   "
          " "
          "return "
        + p + "_ok;\n}\n\nconst char* " + p + "_status_text(" + p
        + "_status status)\n{\n    switch (status) {\n    case " + p + "_ok:\n        return \"ok\";\n    case " + p
        + "_bad_dimension:\n        return \"a dimension is not supported\";\n    case " + p
        + "_null_pointer:\n        return \"a pointer is null\";\n    case " + p
        + "_misaligned:\n        return \"a buffer "
          "is not aligned to "
        + std::to_string(alignment) + " bytes\";\n    case " + p
        + "_small_workspace:\n        return \"the workspace is too small\";\n    }\n    return \"unknown "
          "status\";\n}\n";
}

std::string elementsText(const Tensor& tensor, const std::string& of)
{
    std::vector<std::string> parts;
    for (const std::string& extent : tensor.shape)
        parts.push_back(isFixedExtent(extent) ? extent : "(size_t)" + of + extent);
    return joined(parts, " * ");
}

/// Compares with the reference where every tensor has a type that C converts by itself.
std::string exampleText(const Task& task, const Shape& shape)
{
    const std::string p = interfacePrefix(task);
    const bool compares = std::ranges::all_of(task.tensors, [](const Tensor& tensor) { return isPlain(tensor.dtype); });
    std::string allocate, reference, inputs, outputs, magnitudes, fill, compare, release, wide;
    for (const Tensor& tensor : task.tensors) {
        const bool isInput = tensor.role == TensorRole::Input;
        const std::string count = "n_" + tensor.name;
        allocate += "    const size_t " + count + " = " + elementsText(tensor, "dims.") + ";\n    "
            + elementType(tensor.dtype).c + "* " + tensor.name + " = buffer(" + count + " * sizeof *" + tensor.name
            + ");\n";
        release += "    free(" + tensor.name + ");\n";
        if (!compares) {
            if (isInput)
                fill += "    memset(" + tensor.name + ", 0, " + count + " * sizeof *" + tensor.name + ");\n";
            continue;
        }
        if (isInput) {
            wide += "    float* wide_" + tensor.name + " = buffer(" + count + " * sizeof(float));\n";
            fill += "    for (size_t i = 0; i < " + count + "; ++i)\n        wide_" + tensor.name
                + "[i] = " + tensor.name + "[i] = (" + elementType(tensor.dtype).c + ")(drawn() % 9 - 4);\n";
            inputs += (inputs.empty() ? "" : ", ") + std::string("wide_") + tensor.name;
            release += "    free(wide_" + tensor.name + ");\n";
        } else {
            for (const char* kind : {"want_", "magnitude_"})
                wide += "    double* " + std::string(kind) + tensor.name + " = buffer(" + count
                    + " * sizeof(double));\n";
            outputs += (outputs.empty() ? "" : ", ") + std::string("want_") + tensor.name;
            magnitudes += (magnitudes.empty() ? "" : ", ") + std::string("magnitude_") + tensor.name;
            compare += "    for (size_t i = 0; i < " + count + "; ++i) {\n        const double off = " + tensor.name
                + "[i] - want_" + tensor.name + "[i];\n        difference += off * off;\n        size += want_"
                + tensor.name + "[i] * want_" + tensor.name + "[i];\n    }\n";
            release += "    free(want_" + tensor.name + ");\n    free(magnitude_" + tensor.name + ");\n";
        }
    }
    std::string extents;
    for (const std::int64_t extent : shape)
        extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    std::string text = "/* SPDX-License-Identifier: Apache-2.0 */\n/* Calls the kernel once"
        + std::string(compares ? " and compares its result with the task's reference" : "")
        + ". Exit code 0: as it should be. */\n#include \"tilewright_kernel.h\"\n\n#include <math.h>\n#include "
          "<stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n";
    if (compares)
        text += "struct reference_dims { int " + interfaceDims(task)
            + "; };\nvoid tilewright_reference_entry(const struct reference_dims*, const float* const* inputs, double* "
              "const* outputs,\n    double* const* magnitudes);\n\nstatic unsigned state = 1;\nstatic int "
              "drawn(void)\n{\n"
              "    state = state * 1664525u + 1013904223u;\n    return (int)(state >> 16);\n}\n\n";
    text += "/* Whole multiples of the alignment, at least one. */\nstatic void* buffer(size_t bytes)\n{\n    return "
            "aligned_alloc("
        + std::to_string(alignment) + ", (bytes / " + std::to_string(alignment) + " + 1) * " + std::to_string(alignment)
        + ");\n}\n\nstatic int failed(const char* what, " + p + "_status status)\n{\n    printf(\"%s: %s\\n\", what, "
        + p + "_status_text(status));\n    return 1;\n}\n\nint main(void)\n{\n    const " + p + "_dims dims = {"
        + extents + "};\n    if (!" + p + "_can_implement(&dims))\n        return failed(\"can_implement\", " + p
        + "_bad_dimension);\n    size_t bytes = 0;\n    " + p + "_status status = " + p
        + "_workspace_bytes(&dims, &bytes);\n    if (status != " + p
        + "_ok)\n        return failed(\"workspace_bytes\", status);\n    void* workspace = buffer(bytes);\n" + allocate
        + wide + fill + "    status = " + p + "_run(&dims, " + interfaceArguments(task)
        + ", workspace, bytes);\n    if (status != " + p + "_ok)\n        return failed(\"run\", status);\n";
    if (compares)
        text += "    const struct reference_dims wanted = {" + extents + "};\n    const float* const inputs[] = {"
            + inputs + "};\n    double* const outputs[] = {" + outputs + "};\n    double* const magnitudes[] = {"
            + magnitudes
            + "};\n    tilewright_reference_entry(&wanted, inputs, outputs, magnitudes);\n    double difference = 0, "
              "size = "
              "0;\n"
            + compare
            + "    const double error = sqrt(difference) / (size > 0 ? sqrt(size) : 1);\n    printf(\"relative "
              "error %.3g, limit "
            + generalText(task.numeric.tau) + "\\n\", error);\n    if (!(error <= " + generalText(task.numeric.tau)
            + "))\n        return 1;\n";
    // What a caller may get wrong is answered by a status, not by a crash.
    text += "    if (" + p + "_run(NULL, " + interfaceArguments(task) + ", workspace, bytes) != " + p
        + "_null_pointer)\n        return failed(\"a null pointer\", " + p + "_ok);\n    " + p
        + "_dims bad = dims;\n    bad." + task.dims.front().name + " = " + std::to_string(task.dims.front().min - 1)
        + ";\n    if (" + p + "_can_implement(&bad) || " + p + "_run(&bad, " + interfaceArguments(task)
        + ", workspace, bytes) != " + p + "_bad_dimension)\n        return failed(\"a bad dimension\", " + p
        + "_ok);\n    if (bytes > 0 && " + p + "_run(&dims, " + interfaceArguments(task)
        + ", workspace, bytes - 1) != " + p + "_small_workspace)\n        return failed(\"a small workspace\", " + p
        + "_ok);\n    if (" + p + "_run(&dims, " + interfaceArguments(task) + ", (char*)workspace + 1, bytes) != " + p
        + "_misaligned)\n        return failed(\"a misaligned workspace\", " + p + "_ok);\n" + release
        + "    free(workspace);\n    puts(\"ok\");\n    return 0;\n}\n";
    return text;
}

std::string makeScript(const Task& task)
{
    return R"sh(#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the example in interface/out and runs it; needs g++ and a C compiler.
set -eu
cd "$(dirname "$0")"
mkdir -p out
"${CXX:-g++}" -std=c++20 )sh"
        + joined(task.buildOptions, " ") + R"sh( -c kernel.cpp -o out/kernel.o
"${CXX:-g++}" -std=c++20 -O2 -c reference.cpp -o out/reference.o
"${CC:-cc}" -std=c11 -O2 -c example.c -o out/example.o
"${CXX:-g++}" out/kernel.o out/reference.o out/example.o -lm -o out/example
exec out/example
)sh";
}

} // namespace

std::string interfacePrefix(const Task& task)
{
    std::string name = task.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) ? "kernel_" + name : name;
}

std::string filledTemplate(std::string text, const std::vector<std::pair<std::string, std::string>>& values)
{
    for (const auto& [name, value] : values)
        for (std::size_t at = 0; (at = text.find("@" + name + "@", at)) != std::string::npos; at += value.size())
            text.replace(at, name.size() + 2, value);
    return text;
}

std::string interfaceParameters(const Task& task)
{
    std::vector<std::string> parts;
    for (const Tensor& tensor : task.tensors)
        parts.push_back(
            (tensor.role == TensorRole::Input ? "const " : "") + elementType(tensor.dtype).c + "* " + tensor.name);
    return joined(parts, ", ");
}

std::string interfaceArguments(const Task& task)
{
    std::vector<std::string> parts;
    for (const Tensor& tensor : task.tensors)
        parts.push_back(tensor.name);
    return joined(parts, ", ");
}

std::string interfaceDescription(const Task& task)
{
    std::string limits, tensors;
    for (const Dimension& dimension : task.dims)
        limits += "   " + dimension.name + " at least " + std::to_string(dimension.min)
            + (dimension.multiple > 1 ? ", a multiple of " + std::to_string(dimension.multiple) : std::string()) + "\n";
    for (const Tensor& tensor : task.tensors)
        tensors += "   " + tensor.name + ": " + (tensor.role == TensorRole::Input ? "input" : "output") + ", "
            + nameOf(tensor.dtype) + ", " + joined(tensor.shape, " × ") + ", row-major, contiguous\n";
    return oneLine(task.operation, 400) + "\n\n   Dimensions:\n" + limits + "   Tensors:\n" + tensors;
}

std::string interfaceDims(const Task& task)
{
    std::vector<std::string> parts;
    for (const Dimension& dimension : task.dims)
        parts.push_back(dimension.name);
    return joined(parts, ", ");
}

std::string interfaceLimits(const Task& task)
{
    std::string limits;
    for (const Dimension& dimension : task.dims) {
        limits += "        && dims->" + dimension.name + " >= " + std::to_string(dimension.min) + " && dims->"
            + dimension.name + " <= 2147483647";
        if (dimension.multiple > 1)
            limits += " && dims->" + dimension.name + " % " + std::to_string(dimension.multiple) + " == 0";
        limits += "\n";
    }
    return limits;
}

Result<Bundle> cInterfaceForm(const ExportInput& input)
{
    const Task& task = input.pack.task;
    if (task.target != Target::Cpp)
        return Bundle(); // a GPU program is device code and a plan: it has no entry that C could call
    Bundle bundle;
    const std::string folder = "interface/";
    bundle[folder + "tilewright_kernel.h"] = {headerText(task)};
    bundle[folder + "kernel.cpp"] = {savedProgram(input.state, input.candidate, task, input.source,
                                         {input.record.source.session, input.record.source.exportedAtUtc.substr(0, 10)})
        + wrapperText(task, definesWorkspace(input.source))};
    bundle[folder + "reference.cpp"]
        = {referenceHeader(task, task.reference) + input.pack.files.at(task.reference) + referenceFooter(task)};
    bundle[folder + "example.c"] = {exampleText(task, task.train.front())};
    bundle[folder + "make-example"] = {makeScript(task), true};
    return bundle;
}

std::vector<RepeatCommand> cInterfaceCommands(const ExportInput& input)
{
    if (input.pack.task.target != Target::Cpp)
        return {};
    return {{"Use the program from C: tilewright_kernel.h declares it, and the example calls it once:",
        "./interface/make-example"}};
}

} // namespace tilewright
