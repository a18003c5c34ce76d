// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/cuda_header.h"

#include "core/base/text.h"
#include "core/source/candidate_header.h"

#include <algorithm>

namespace tilewright {
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
        text += "    " + std::string(tensor.role == TensorRole::Input ? "const " : "") + typeName(tensor.dtype) + "* "
            + tensor.name + ";\n";
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
