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
#include <initializer_list>
#include <iterator>
#include <map>

namespace tilewright {
namespace {

/// A device fact that is a number of bytes: key, words before it.
struct Fact {
    const char *key, *words;
};
constexpr Fact caches[] = {{"l1d_bytes", "L1 data "}, {"l2_bytes", "L2 "}, {"l3_bytes", "L3 "}};
constexpr Fact sharedMemories[]
    = {{"shared_per_sm_bytes", " a multiprocessor"}, {"shared_per_block_bytes", " a block at most"}};

double factOf(const nlohmann::json& facts, const char* key)
{
    const auto found = facts.find(key);
    return found != facts.end() && found->is_number() ? found->get<double>() : 0;
}

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
        text += "an error bound for each element that grows with √" + numeric.reduction + ", and a norm-wise one of "
            + tau + "; ";
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
    text += allowed.empty() ? "no lower precision anywhere; the same bits in each run."
                            : "allowed: " + joined(allowed, ", ") + ".";
    return text;
}

/// How the inputs of checks are distributed; timed runs have the first kind of all tasks.
std::string inputsText(const Task& task)
{
    std::vector<std::string> others;
    for (const InputKind kind : task.inputs) {
        if (kind == InputKind::Scaled)
            others.emplace_back("normal values of very different scale");
        else if (kind == InputKind::Mixed)
            others.emplace_back("log-normal ones of either sign");
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
    if (task.target == Target::Cuda)
        return text;
    return text + (task.threads == 1 ? " One thread." : " " + std::to_string(task.threads) + " threads.");
}

/// "M, N ≥ 1; K ≥ 8, a multiple of 8".
std::string sizesText(const Task& task)
{
    std::vector<std::string> parts;
    for (auto dim = task.dims.begin(); dim != task.dims.end();) {
        const auto alike
            = [&](const Dimension& other) { return other.min == dim->min && other.multiple == dim->multiple; };
        const auto end = std::find_if_not(dim, task.dims.end(), alike);
        std::vector<std::string> names;
        std::ranges::transform(dim, end, std::back_inserter(names), &Dimension::name);
        parts.push_back(joined(names, ", ") + " ≥ " + std::to_string(dim->min)
            + (dim->multiple > 1 ? ", a multiple of " + std::to_string(dim->multiple) : ""));
        dim = end;
    }
    return joined(parts, "; ");
}

/// "Inputs: A fp32 [M, K], B fp32 [K, N]. Outputs: C fp32 [M, N]. All row-major, contiguous."
std::string tensorsText(const Task& task)
{
    std::map<TensorRole, std::vector<std::string>> byRole;
    for (const Tensor& tensor : task.tensors)
        byRole[tensor.role].push_back(
            tensor.name + " " + nameOf(tensor.dtype) + " [" + joined(tensor.shape, ", ") + "]");
    const bool isSaid = task.operation.find("row-major, contiguous") != std::string::npos;
    return "Inputs: " + joined(byRole[TensorRole::Input], ", ") + ". Outputs: "
        + joined(byRole[TensorRole::Output], ", ") + "." + (isSaid ? "" : " All row-major, contiguous.");
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

/// "Vectors of 512 bits (16 fp32), 32 registers, fused multiply-add"; "" without an extension.
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
    return "Vectors of " + std::to_string(floatBits * lanes) + " bits (" + std::to_string(lanes) + " fp32), "
        + (lanes == avx512Lanes || isArm ? "32" : "16") + " registers, "
        + (fused ? "fused multiply-add" : "no fused multiply-add");
}

bool hasDtype(const Task& task, std::initializer_list<Dtype> dtypes)
{
    return std::ranges::any_of(dtypes, [&](Dtype dtype) {
        return task.numeric.accumulate == dtype
            || std::ranges::find(task.tensors, dtype, &Tensor::dtype) != task.tensors.end();
    });
}

/// Instruction sets of use for the task, without those that wider vectors or vectorText() contain.
std::vector<std::string> instructionSets(const nlohmann::json& device, const Task& task)
{
    std::vector<std::string> features;
    if (const auto known = device.find("features"); known != device.end() && known->is_array())
        for (const nlohmann::json& feature : *known)
            if (feature.is_string())
                features.push_back(feature.get<std::string>());
    std::ranges::sort(features);
    const bool isWide = std::ranges::find(features, "avx512f") != features.end();
    const bool hasBf16 = hasDtype(task, {Dtype::Bf16}), hasFp16 = hasDtype(task, {Dtype::Fp16});
    const bool hasInt8 = hasDtype(task, {Dtype::Int8});
    std::erase_if(features, [&](const std::string& feature) {
        const auto has = [&](std::string_view part) { return feature.find(part) != std::string::npos; };
        const bool isNarrow = feature == "avx" || feature == "avx2" || feature == "sse4_2";
        return (isWide && isNarrow) || feature == "fma" || (has("bf16") && !hasBf16)
            || ((has("fp16") || has("f16c")) && !hasFp16) || ((has("vnni") || has("int8")) && !hasInt8);
    });
    return features;
}

/// "Measured on one core: 118 GFLOP/s in fp32, 30.8 GB/s from memory"; of a GPU by its units and clock. "" where
/// nothing is known.
std::string ratesText(const nlohmann::json& device, const Task& task)
{
    const DeviceLimits limits = limitsOf(device, task);
    const bool isGpu = task.target == Target::Cuda;
    std::vector<std::string> rates;
    if (limits.gigaflopsPerSecond > 0)
        rates.push_back(numberText(limits.gigaflopsPerSecond) + " GFLOP/s in "
            + nameOf(isGpu && !task.tensors.empty() ? task.tensors.front().dtype : task.numeric.accumulate));
    if (limits.gigabytesPerSecond > 0)
        rates.push_back(numberText(limits.gigabytesPerSecond) + " GB/s from memory");
    if (const double outer = factOf(device, "measured_outer_gb_s"); outer > 0)
        rates.push_back(numberText(outer) + " GB/s from the outer cache");
    return rates.empty() ? std::string()
                         : (isGpu ? "Peaks by units and clock: " : "Measured on one core: ") + joined(rates, ", ");
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

/// The generated header's structs in one line, without its licence, the entry points, which the rules name, and the
/// line that sends error messages elsewhere.
std::string headerText(const Task& task)
{
    const std::string header = candidateHeader(task, "candidate.cpp");
    const std::size_t begin = std::string_view(resultLicence).size();
    std::string text;
    for (const std::string_view line :
        splitLines(std::string_view(header).substr(begin, header.find("extern \"C\"") - begin)))
        if (!trimmed(line).empty())
            text += (text.empty() ? "" : " ") + std::string(trimmed(line));
    return text;
}

} // namespace

std::string deviceText(const RunState& state, const Task& task)
{
    const nlohmann::json known = deviceFactsOf(state);
    if (known.empty())
        return {};
    const auto word = [&](const char* key) {
        return known.contains(key) && known[key].is_string() ? known[key].get<std::string>() : std::string();
    };
    std::vector<std::string> lines;
    const auto add = [&](const std::vector<std::string>& parts, const char* separator) {
        std::vector<std::string> told;
        std::ranges::copy_if(parts, std::back_inserter(told), [](const std::string& part) { return !part.empty(); });
        if (!told.empty())
            lines.push_back("- " + joined(told, separator));
    };
    add({word("name"), word("arch") == "native" ? "" : word("arch"), word("microarchitecture"), word("compiler")},
        ", ");
    const std::vector<std::string> sets = instructionSets(known, task);
    add({vectorText(known), sets.empty() ? "" : "instruction sets " + joined(sets, " ")}, "; ");
    if (const std::string cores = tensorCores(word("arch")); !cores.empty()) {
        const bool isOfUse = task.numeric.allowTf32 || std::ranges::any_of(task.tensors, [](const Tensor& tensor) {
            return tensor.dtype != Dtype::Fp32 && tensor.dtype != Dtype::Fp64;
        });
        const std::size_t copies = cores.find("; ");
        add({isOfUse                             ? "Tensor cores: " + cores
                    : copies < std::string::npos ? "Copies: " + cores.substr(copies + 2)
                                                 : ""},
            "");
    }
    const auto bytes = [&](const Fact& fact) { return bytesText(factOf(known, fact.key)); };
    std::vector<std::string> levels, memories;
    for (const Fact& cache : caches)
        if (factOf(known, cache.key) > 0)
            levels.push_back(cache.words + bytes(cache));
    for (const Fact& memory : sharedMemories)
        if (factOf(known, memory.key) > 0)
            memories.push_back(bytes(memory) + memory.words);
    if (const double multiprocessors = factOf(known, "sms"); multiprocessors > 0) {
        const double clock = factOf(known, "clock_mhz"), registers = factOf(known, "registers_per_sm");
        add({numberText(multiprocessors) + " multiprocessors"
                    + (clock > 0 ? " at " + numberText(clock / 1000) + " GHz" : ""),
                memories.empty() ? "" : "shared memory: " + joined(memories, ", "),
                registers > 0 ? numberText(registers) + " registers a multiprocessor" : ""},
            "; ");
    }
    add({ratesText(known, task), levels.empty() ? "" : "Caches: " + joined(levels, ", ")}, ". ");
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
    // NVRTC is without fast math unless an option asks for it.
    const bool isFlagged = task.target == Target::Cpp && !task.numeric.allowFastMath;
    values["build"] = redactedForPrompt(joined(task.buildOptions, " ") + (isFlagged ? " -fno-fast-math" : ""), task);
    values["workspace"] = bytesText(static_cast<double>(task.limits.workspaceBytes));
    values["source_limit"] = bytesText(static_cast<double>(task.limits.sourceBytes));
    values["vendor"] = task.vendor;
    values["device"] = redactedForPrompt(deviceText(state, task), task);
    if (task.target == Target::Cpp) {
        values["cpp"] = "yes";
        values["header"] = headerText(task);
    }
    if (task.target == Target::Cuda)
        values["cuda"] = "yes";
}

} // namespace tilewright
