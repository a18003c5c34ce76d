// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/task_text.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/measurement/roofline.h"
#include "core/prompt/examples.h"
#include "core/prompt/measured.h"
#include "core/prompt/redaction.h"
#include "core/source/candidate_header.h"

#include <algorithm>
#include <map>

namespace tilewright {
namespace {

/// A device fact that is a number: key, words, whether it counts bytes.
struct Fact {
    const char *key, *words;
    enum class Unit { Bytes, Count } unit;
};
constexpr Fact facts[] = {
    {"l1d_bytes", "L1 data cache", Fact::Unit::Bytes},
    {"l2_bytes", "L2 cache", Fact::Unit::Bytes},
    {"l3_bytes", "L3 cache", Fact::Unit::Bytes},
    {"measured_memory_gb_s", "Memory, read by one core, GB/s, measured", Fact::Unit::Count},
    {"measured_outer_gb_s", "Outer cache, read by one core, GB/s, measured", Fact::Unit::Count},
    {"sms", "Streaming multiprocessors", Fact::Unit::Count},
    {"smem_sm", "Shared memory of a multiprocessor", Fact::Unit::Bytes},
    {"smem_optin", "Shared memory of a block, at most", Fact::Unit::Bytes},
};

/// "2e-5" for C's "2e-05".
std::string withShortExponent(std::string text)
{
    if (const std::size_t zero = text.find("e-0"); zero != std::string::npos)
        text.erase(zero + 2, 1);
    return text;
}

bool isOfSums(NumericBound bound) { return bound == NumericBound::Product || bound == NumericBound::Sum; }

std::string numericText(const Numeric& numeric)
{
    const std::string tau = withShortExponent(generalText(numeric.tau, 2));
    std::string text = "sums in " + nameOf(numeric.accumulate) + " or better; ";
    if (numeric.bound == NumericBound::Exact)
        text = "every bit is that of the task's reference; ";
    else if (numeric.bound == NumericBound::Ulp && numeric.error == ErrorMeasure::Componentwise)
        text += "an element may be off by a few roundings, the whole result norm-wise by " + tau + "; ";
    else if (numeric.error == ErrorMeasure::Componentwise && isOfSums(numeric.bound))
        text += "an error bound for each element, which grows with the square root of " + numeric.reduction
            + ", and a norm-wise one of " + tau + "; ";
    else if (isOfSums(numeric.bound))
        text += "a norm-wise error bound of " + tau + "; ";
    else
        text += "a relative error of at most " + tau + "; ";
    if (const auto& scheme = numeric.scheme)
        text += "the bounds allow for a fast scheme of " + std::to_string(scheme->n) + "x" + std::to_string(scheme->m)
            + "x" + std::to_string(scheme->p) + " blocks with " + std::to_string(scheme->rank())
            + " products, on at most " + std::to_string(scheme->levels)
            + (scheme->levels == 1 ? " level; " : " levels; ");
    if (numeric.bound == NumericBound::Product)
        text += "sums of small integers are exact; ";
    std::vector<std::string> allowed;
    if (numeric.allowTf32)
        allowed.emplace_back("TF32 products");
    if (numeric.allowFastMath)
        allowed.emplace_back("fast math");
    if (numeric.allowApproximations)
        allowed.emplace_back("approximate instructions and functions");
    if (numeric.allowAtomics)
        allowed.emplace_back("atomics in any order");
    text += allowed.empty() ? "no lower precision anywhere; results are the same bits in each run."
                            : "allowed: " + joined(allowed, ", ") + ".";
    if (!numeric.allowFastMath)
        text += " The compiler does not reorder sums (no fast math): write several accumulators out.";
    return text;
}

/// How the inputs of checks are distributed; timed runs have the first kind of all tasks.
std::string inputsText(const Task& task)
{
    std::vector<std::string> others;
    for (const InputKind kind : task.inputs) {
        if (kind == InputKind::Scaled)
            others.emplace_back("normally distributed values of very different scale");
        else if (kind == InputKind::Mixed)
            others.emplace_back("log-normally distributed values of either sign");
        else if (kind == InputKind::Integer)
            others.emplace_back("integers from -2 to 2");
    }
    return "standard normal values when timed"
        + (others.empty() ? std::string() : "; in checks also " + joined(others, ", ")) + ".";
}

std::string timingText(const Task& task)
{
    std::string text;
    if (task.timingMode == "cold")
        text = task.target == Target::Cuda ? "Caches are cold before each timed call."
                                           : "Before a timed call, L1 and L2 contain none of its data; L3 may.";
    else if (task.timingMode == "hot-rotating")
        text = "Calls follow each other on rotating sets of data, so that no call finds its own data in the cache.";
    else
        text = "Calls follow each other as one CUDA graph on rotating sets of data, so that no call finds its own data "
               "in the cache.";
    return text + (task.threads == 1 ? " One thread." : " " + std::to_string(task.threads) + " threads.");
}

std::string sizesText(const Task& task)
{
    std::vector<std::string> parts;
    for (const Dimension& dim : task.dims)
        parts.push_back(dim.name + " ≥ " + std::to_string(dim.min)
            + (dim.multiple > 1 ? ", a multiple of " + std::to_string(dim.multiple) : ""));
    return joined(parts, "; ");
}

/// "Inputs: A fp32 [M, K], B fp32 [K, N]. Outputs: C fp32 [M, N]. All row-major, contiguous."
std::string tensorsText(const Task& task)
{
    std::map<TensorRole, std::vector<std::string>> byRole;
    for (const Tensor& tensor : task.tensors)
        byRole[tensor.role].push_back(
            tensor.name + " " + nameOf(tensor.dtype) + " [" + joined(tensor.shape, ", ") + "]");
    return "Inputs: " + joined(byRole[TensorRole::Input], ", ")
        + ". Outputs: " + joined(byRole[TensorRole::Output], ", ") + ". All row-major, contiguous.";
}

std::string shapesText(const Task& task)
{
    std::vector<std::string> names, shapes;
    for (const Dimension& dim : task.dims)
        names.push_back(dim.name);
    for (const Shape& shape : task.train)
        shapes.push_back(shapeText(shape));
    return joined(names, "×") + " = " + joined(shapes, ", ");
}

/// "Vectors of 512 bits: 16 fp32 in a register, 32 registers; fused multiply-add"; "" without an extension.
std::string vectorText(const nlohmann::json& device)
{
    const int lanes = vectorLanes(device, Dtype::Fp32);
    if (lanes <= 1)
        return {};
    constexpr int floatBits = 32, avx512Lanes = 16;
    const auto& features = device["features"];
    const bool isArm = std::ranges::find(features, nlohmann::json("asimd")) != features.end();
    const bool fused
        = isArm || lanes == avx512Lanes || std::ranges::find(features, nlohmann::json("fma")) != features.end();
    return "Vectors of " + std::to_string(floatBits * lanes) + " bits: " + std::to_string(lanes)
        + " fp32 in a register, " + (lanes == avx512Lanes || isArm ? "32" : "16") + " registers"
        + (fused ? "; fused multiply-add" : "; no fused multiply-add");
}

/// What tensor cores a GPU of this architecture has; "" for others.
std::string tensorCores(std::string_view architecture)
{
    struct Generation {
        std::string_view head, words;
    };
    constexpr Generation generations[]
        = {{"sm_70", "first generation, mma of fp16"}, {"sm_75", "second generation, mma of fp16 and int8"},
            {"sm_80", "third generation, mma of fp16, bf16 and tf32; cp.async"},
            {"sm_86", "third generation, mma of fp16, bf16 and tf32; cp.async"},
            {"sm_89", "fourth generation, mma of fp8, fp16, bf16 and tf32; cp.async"},
            {"sm_90", "fourth generation, wgmma of fp8, fp16, bf16 and tf32 from shared memory; TMA, clusters"},
            {"sm_100", "fifth generation, tcgen05 with tensor memory; TMA, clusters"},
            {"sm_120", "fifth generation, mma of fp4, fp8, fp16 and bf16; TMA"}};
    for (const Generation& generation : generations)
        if (architecture == generation.head || architecture == std::string(generation.head) + "a")
            return std::string(generation.words);
    return {};
}

/// The generated header without its licence and the line that sends error messages elsewhere.
std::string headerText(const Task& task)
{
    const std::string header = candidateHeader(task, "candidate.cpp");
    const std::size_t begin = std::string_view(resultLicence).size();
    return header.substr(begin, header.rfind("#line") - begin);
}

} // namespace

std::string deviceText(const RunState& state)
{
    const nlohmann::json known = deviceFactsOf(state);
    if (known.empty())
        return {};
    std::vector<std::string> lines;
    const auto word = [&](const char* key) {
        return known.contains(key) && known[key].is_string() ? known[key].get<std::string>() : std::string();
    };
    if (const std::string name = word("name"); !name.empty())
        lines.push_back("- " + name + (word("arch").empty() || word("arch") == "native" ? "" : ", " + word("arch")));
    if (const std::string cores = tensorCores(word("arch")); !cores.empty())
        lines.push_back("- Tensor cores: " + cores);
    if (const std::string architecture = word("microarchitecture"); !architecture.empty())
        lines.push_back("- Micro-architecture: " + architecture);
    if (known.contains("features") && known["features"].is_array()) {
        std::vector<std::string> features;
        for (const nlohmann::json& feature : known["features"])
            if (feature.is_string())
                features.push_back(feature.get<std::string>());
        std::ranges::sort(features);
        // The wider vectors hold the narrower ones.
        if (std::ranges::find(features, "avx512f") != features.end())
            std::erase_if(features, [](const std::string& feature) {
                return feature == "avx" || feature == "avx2" || feature == "sse4_2" || feature == "f16c";
            });
        if (!features.empty())
            lines.push_back("- Instruction sets: " + joined(features, " "));
    }
    if (const std::string vectors = vectorText(known); !vectors.empty())
        lines.push_back("- " + vectors);
    if (known.contains("measured_gflops") && known["measured_gflops"].is_object())
        for (const auto& [dtype, rate] : known["measured_gflops"].items())
            if (rate.is_number())
                lines.push_back(
                    "- Peak of one core, " + dtype + ", GFLOP/s, measured: " + numberText(rate.get<double>()));
    for (const Fact& fact : facts)
        if (known.contains(fact.key) && known[fact.key].is_number() && known[fact.key].get<double>() > 0) {
            const auto value = known[fact.key].get<double>();
            lines.push_back(std::string("- ") + fact.words + ": "
                + (fact.unit == Fact::Unit::Bytes ? bytesText(value) : numberText(value)));
        }
    if (const std::string compiler = word("compiler"); !compiler.empty())
        lines.push_back("- Compiler: " + compiler);
    return joined(lines, "\n");
}

void setTaskValues(PromptValues& values, const RunState& state, const TaskPack& pack)
{
    const Task& task = pack.task;
    values["title"] = redactedForPrompt(task.title, task);
    values["operation"] = redactedForPrompt(task.operation, task);
    values["file"] = task.sources.front();
    values["language"] = task.target == Target::Cuda ? "cuda" : "cpp";
    values["tensors"] = tensorsText(task);
    values["sizes"] = sizesText(task);
    values["shapes"] = shapesText(task);
    values["accuracy"] = numericText(task.numeric);
    values["inputs"] = inputsText(task);
    values["timing"] = timingText(task);
    values["build"] = redactedForPrompt(
        joined(task.buildOptions, " ") + (task.numeric.allowFastMath ? "" : " -fno-fast-math"), task);
    values["workspace"] = bytesText(static_cast<double>(task.limits.workspaceBytes));
    values["source_limit"] = bytesText(static_cast<double>(task.limits.sourceBytes));
    values["vendor"] = task.vendor;
    values["device"] = redactedForPrompt(deviceText(state), task);
    if (task.target == Target::Cpp) {
        values["cpp"] = "yes";
        values["header"] = headerText(task);
    }
    if (task.target == Target::Cuda)
        values["cuda"] = "yes";
}

} // namespace tilewright
