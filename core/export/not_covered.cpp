// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/not_covered.h"

#include "core/base/text.h"

#include <algorithm>

namespace tilewright {
namespace {

const CheckEvidence* checkNamed(const Evidence& evidence, std::string_view name)
{
    const auto found = std::ranges::find(evidence.checks, name, &CheckEvidence::check);
    return found == evidence.checks.end() ? nullptr : &*found;
}

bool hasPassed(const Evidence& evidence, std::string_view name)
{
    const CheckEvidence* check = checkNamed(evidence, name);
    return check && check->verdict == CheckVerdict::Passed;
}

std::string sizesSentence(const Task& task, const Evidence& evidence)
{
    std::string text = "Sizes: times hold for the " + std::to_string(evidence.shapes.size())
        + " shapes of the tables. Results were also checked on " + std::to_string(task.verify.size())
        + " verify shapes";
    const CheckEvidence* sweep = checkNamed(evidence, "size-sweep");
    if (sweep && sweep->verdict == CheckVerdict::Passed)
        return text + " and on sizes that the task does not list (" + sweep->measuredText
            + "). A program that is wrong only where several dimensions have certain residues of large moduli, or "
              "beyond "
              "the largest checked volume, can pass.";
    return text + ". The sweep over sizes that the task does not list was not run for this candidate.";
}

std::string dimensionsSentence(const Task& task)
{
    std::vector<std::string> limits;
    for (const Dimension& dimension : task.dims) {
        std::string text = dimension.name + " ≥ " + std::to_string(dimension.min);
        if (dimension.multiple > 1)
            text += " and a multiple of " + std::to_string(dimension.multiple);
        limits.push_back(std::move(text));
    }
    return "Dimensions: only " + joined(limits, ", ") + "; other values, zero included, are not checked.";
}

std::string deviceSentence(const Evidence& evidence)
{
    std::string text = "Devices: measured on " + (evidence.device.empty() ? "one device" : evidence.device);
    if (!evidence.compiler.empty())
        text += " with " + evidence.compiler;
    return text + " only. Other models, compilers and drivers give other figures, and may give other results.";
}

} // namespace

std::vector<std::string> notCoveredBy(const Task& task, const Evidence& evidence, const EvaluationResult& result)
{
    const bool isGpu = task.target == Target::Cuda;
    std::vector<std::string> sentences{sizesSentence(task, evidence), dimensionsSentence(task)};
    sentences.push_back(isGpu ? "Alignment and layout: every tensor is contiguous, row-major and aligned to 256 bytes. "
                                "Leading dimensions, "
                                "views and other alignments are not checked."
                              : "Alignment and layout: every tensor is contiguous, row-major and aligned to 64 bytes. "
                                "Leading dimensions, "
                                "views and other alignments are not checked.");
    sentences.push_back(deviceSentence(evidence));
    std::vector<std::string> kinds;
    for (const InputKind kind : task.inputs)
        kinds.push_back(nameOf(kind));
    sentences.push_back("Values: inputs are of the kinds " + joined(kinds, ", ")
        + ". No input contains NaN, infinity or a denormal number: the program's behaviour with them is not checked.");
    if (task.numeric.allowAtomics)
        sentences.emplace_back("Determinism: the task allows atomics, so repeated runs may differ within the bounds.");
    else if (hasPassed(evidence, "determinism"))
        sentences.emplace_back("Determinism: repeated runs agree bit by bit on this device. Equality across devices or "
                               "compilers is not checked.");
    else
        sentences.emplace_back("Determinism: whether repeated runs agree bit by bit was not checked.");
    sentences.push_back("Conditions: timing mode " + task.timingMode + ", " + counted(task.threads, "thread", "threads")
        + ", nothing else on the measuring " + (isGpu ? "GPU" : "core")
        + ". Other cache states and programs that run at the same time are not measured.");
    std::vector<std::string> missed;
    for (const CheckEvidence& check : evidence.checks)
        if (check.verdict == CheckVerdict::NotChecked)
            missed.push_back(check.check);
    if (!missed.empty())
        sentences.push_back("Checks that were not made: " + joined(missed, ", ") + ".");
    for (const std::string& words : evidence.notChecked)
        sentences.push_back("Not checked: " + words + ".");
    if (result.noiseFloor <= 0)
        sentences.emplace_back("Noise floor: it was unknown at the time of this measurement; verdicts use 1 %.");
    if (!evidence.vendorMissing.empty())
        sentences.push_back("Vendor library: not timed, " + evidence.vendorMissing + ".");
    sentences.emplace_back("Checks with inputs are not a proof.");
    return sentences;
}

} // namespace tilewright
