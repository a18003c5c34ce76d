// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/candidate_header.h"

#include <cstring>

namespace tilewright {

std::string typeName(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Fp64:
        return "double";
    case Dtype::Fp32:
    case Dtype::Tf32:
        return "float";
    case Dtype::Fp16:
        return "fp16";
    case Dtype::Bf16:
        return "bf16";
    case Dtype::E4m3:
        return "e4m3";
    case Dtype::E5m2:
        return "e5m2";
    case Dtype::Int8:
        return "signed char";
    case Dtype::Int32:
        return "int";
    }
    return "void";
}

std::string dimsStruct(const Task& task)
{
    std::string names;
    for (const Dimension& dim : task.dims)
        names += (names.empty() ? "" : ", ") + dim.name;
    return "struct Dims { int " + names + "; };\n";
}

std::string smallTypes(const Task& task)
{
    std::string text;
    for (const Tensor& tensor : task.tensors)
        if (bytesOf(tensor.dtype) <= 2 && tensor.dtype != Dtype::Int8)
            if (const std::string type = typeName(tensor.dtype); text.find("struct " + type + " ") == std::string::npos)
                text += "struct " + type + " { unsigned " + (bytesOf(tensor.dtype) == 2 ? "short" : "char")
                    + " bits; };\n";
    return text;
}

namespace {

std::string lineDirective(const std::string& fileName) { return "#line 1 \"" + fileName + "\"\n"; }

} // namespace

std::string candidateHeader(const Task& task, const std::string& fileName)
{
    std::string text = resultLicence + dimsStruct(task) + smallTypes(task) + "struct Args {\n    Dims dims;\n";
    for (const Tensor& tensor : task.tensors)
        text += "    " + std::string(tensor.role == TensorRole::Input ? "const " : "") + typeName(tensor.dtype) + "* "
            + tensor.name + ";\n";
    text += "    void* workspace;\n    unsigned long workspace_bytes;\n};\n"
            "extern \"C\" unsigned long tilewright_workspace(const Dims&);\n"
            "extern \"C\" void tilewright_run(const Args&);\n";
    return text + lineDirective(fileName);
}

std::string referenceHeader(const Task& task, const std::string& fileName)
{
    return resultLicence + dimsStruct(task) + lineDirective(fileName);
}

std::string referenceFooter(const Task& task)
{
    std::string call, magnitudes;
    int input = 0, output = 0;
    for (const Tensor& tensor : task.tensors) {
        if (tensor.role == TensorRole::Input) {
            call += ", inputs[" + std::to_string(input++) + "]";
            continue;
        }
        call += ", outputs[" + std::to_string(output) + "]";
        magnitudes += ", magnitudes[" + std::to_string(output++) + "]";
    }
    return "\n#line 1 \"the entry behind the reference\"\n"
           "extern \"C\" void tilewright_reference_entry(const Dims& dims, const float* const* inputs, double* const* "
           "outputs, double* const* magnitudes)\n{\n    (void)inputs;\n    tilewright_reference(dims"
        + call + magnitudes + ");\n}\n";
}

std::vector<std::uint8_t> argsBytes(const Shape& shape, const std::vector<std::uint64_t>& tensors,
    std::uint64_t workspace, std::uint64_t workspaceBytes)
{
    std::vector<std::uint8_t> bytes((shape.size() * 4 + 7) / 8 * 8);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto extent = static_cast<std::int32_t>(shape[i]);
        std::memcpy(bytes.data() + 4 * i, &extent, 4);
    }
    std::vector<std::uint64_t> words = tensors;
    words.push_back(workspace);
    words.push_back(workspaceBytes);
    for (const std::uint64_t word : words) {
        const auto at = bytes.size();
        bytes.resize(at + 8);
        std::memcpy(bytes.data() + at, &word, 8);
    }
    return bytes;
}

} // namespace tilewright
