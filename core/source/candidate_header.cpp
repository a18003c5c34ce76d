// SPDX-License-Identifier: Apache-2.0
#include "core/source/candidate_header.h"
#include "core/base/text.h"
#include "core/source/element_types.h"

#include <algorithm>
#include <cstring>

namespace tilewright {

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
            if (const std::string type = elementType(tensor.dtype).program;
                text.find("struct " + type + " ") == std::string::npos)
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
        text += "    " + std::string(tensor.role == TensorRole::Input ? "const " : "")
            + elementType(tensor.dtype).program + "* " + tensor.name + ";\n";
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

namespace {

std::string bufferEnum(const Task& task)
{
    std::string text = "enum Buffer : u8 { ";
    for (const Tensor& tensor : task.tensors)
        text += "BUF_" + uppered(tensor.name) + ", ";
    return text + "BUF_WORKSPACE };\n";
}

/// Calls of the candidate's plan, one for each shape.
std::vector<std::string> planCalls(const std::vector<Shape>& shapes, const CudaFacts& facts)
{
    const std::string device = "{" + std::to_string(facts.sms) + "," + std::to_string(facts.sharedPerBlock) + ","
        + std::to_string(facts.sharedPerSm) + "," + std::to_string(facts.l2Bytes) + ","
        + std::to_string(10 * facts.major + facts.minor) + "}";
    std::vector<std::string> calls;
    for (const Shape& shape : shapes) {
        std::string dims;
        for (const std::int64_t extent : shape)
            dims += (dims.empty() ? "" : ",") + std::to_string(extent);
        calls.push_back("::tilewright_plan({" + dims + "}, " + device + ")");
    }
    return calls;
}

std::string firstLineOfPlans() { return std::string("\n#line 1 \"") + planPlace + "\"\n"; }

} // namespace

std::string cudaCandidateHeader(const Task& task, const std::string& fileName)
{
    std::string text = std::string("#line 1 \"") + planHeaderName + "\"\n" + planHeaderText()
        + "\n#line 1 \"task\"\nusing namespace tilewright_contract;\n" + dimsStruct(task) + smallTypes(task)
        + bufferEnum(task) + "struct Args {\n    TensorMap map[8];\n    Dims dims;\n";
    for (const Tensor& tensor : task.tensors)
        text += "    " + std::string(tensor.role == TensorRole::Input ? "const " : "")
            + elementType(tensor.dtype).program + "* " + tensor.name + ";\n";
    return text + "    unsigned char* workspace;\n    int user[8];\n};\n#line 1 \"" + fileName + "\"\n";
}

std::string cudaReferenceHeader(const Task& task, const std::string& fileName)
{
    return resultLicence + dimsStruct(task) + smallTypes(task) + "#line 1 \"" + fileName + "\"\n";
}

std::string planOnlyPrelude()
{
    std::string text;
    for (const auto& [name, meaning] :
        {std::pair<std::string, std::string>{"__global__", "__device__"}, {"__grid_constant__", ""}})
        text += "#undef " + name + "\n#define " + name + " " + meaning + "\n";
    for (const std::string name : {"__launch_bounds__", "__cluster_dims__", "__block_size__", "__maxnreg__"})
        text += "#undef " + name + "\n#define " + name + "(...)\n";
    return text;
}

std::string planTable(const std::string& name, const std::vector<Shape>& shapes, const CudaFacts& facts)
{
    std::string text = firstLineOfPlans() + "extern \"C\" __device__ tilewright_contract::Plan " + name + "[] = {\n";
    for (const std::string& call : planCalls(shapes, facts))
        text += call + ",\n";
    return text + "};\n";
}

std::string planProbes(const std::vector<Shape>& shapes, const CudaFacts& facts)
{
    std::string text = firstLineOfPlans();
    int count = 0;
    for (const std::string& call : planCalls(shapes, facts))
        text += "static constexpr tilewright_contract::Plan tilewright_probe_" + std::to_string(count++) + " = " + call
            + ";\n";
    return text;
}

} // namespace tilewright
