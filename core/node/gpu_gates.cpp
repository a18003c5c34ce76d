// SPDX-License-Identifier: Apache-2.0
#include "core/node/gpu_gates.h"

#include "core/node/gates.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

nlohmann::json at(const ProductShape& shape, std::int64_t index)
{
    return {index / shape.columns, index % shape.columns};
}

Result<void> checkSurroundings(std::int64_t inputsChanged, std::int64_t zonesChanged)
{
    if (zonesChanged != 0)
        return fail(
            "verify/out-of-bounds-write", "the program wrote outside of its buffers", "", {{"bytes", zonesChanged}});
    if (inputsChanged != 0)
        return fail("verify/input-write", "the program changed an input", "", {{"elements", inputsChanged}});
    return {};
}

/// With the place where an element is worst, where that is known.
std::unexpected<Error> offByNorm(double error, double tau, const VerifyReply& found, nlohmann::json place)
{
    if (found.worstIndex < 0)
        place = nlohmann::json::object();
    place["error"] = std::isfinite(error) ? nlohmann::json(error) : nlohmann::json("not finite");
    place["bound"] = tau;
    return fail("verify/norm", "the relative error " + threeDigits(error) + " is above the limit " + threeDigits(tau),
        "", std::move(place));
}

/// Norm and elements, as the worker measured them against these limits.
MeasuredChecks measuredOf(const VerifyReply& found, const Task& task, double error, double tau)
{
    MeasuredChecks measured;
    measured.add({"norm", error, tau});
    if (task.numeric.error == ErrorMeasure::Componentwise)
        measured.add({"elementwise", found.worstExcess, 1});
    return measured;
}

Result<MeasuredChecks> checkOutput(
    const VerifyReply& found, const Task& task, const Tensor& output, const Shape& shape, InputKind kind)
{
    const ProductShape extents = outputShape(task, output, shape);
    const double growth = roundingGrowth(roundingOf(kind), extents.depth),
                 tau = normLimit(task.numeric.tau, roundingOf(kind), extents.depth);
    if (found.unwritten != 0 || found.notFinite != 0)
        return fail(found.unwritten != 0 ? "verify/poison" : "verify/nan",
            found.unwritten != 0 ? unwrittenText : notFiniteText, unwrittenHint,
            {{"index", at(extents, found.firstBad)}, {"elements", found.unwritten + found.notFinite}});
    if (!std::isfinite(found.want) || !std::isfinite(found.referenceSquares))
        return fail("task/reference", "the task's reference returns NaN or infinity for " + output.name,
            "remove that kind from inputs, or correct the reference for it", {{"tensor", output.name}});
    const double bound = 1.05 * unitRoundoff(output.dtype) * std::abs(found.want)
        + growth * 4 * std::sqrt(static_cast<double>(extents.depth)) * unitRoundoff(Dtype::Fp32) * found.magnitude
        + leastBound;
    const nlohmann::json place{
        {"index", at(extents, found.worstIndex)}, {"want", found.want}, {"got", found.got}, {"bound", bound}};
    const bool exact = task.numeric.bound == NumericBound::Exact;
    if (exact && found.inexact != 0)
        return fail("verify/exact", std::to_string(found.inexact) + " elements differ in some bits", "", place);
    // Of the terms' size the worst element's is known: enough where there are few elements.
    const double error = relativeError(found.differenceSquares, found.referenceSquares,
        found.worstIndex < 0 ? 0 : found.magnitude * found.magnitude, extents.depth);
    if (!exact && !(error <= tau))
        return offByNorm(error, tau, found, place);
    if (!exact && task.numeric.error == ErrorMeasure::Componentwise && !(found.worstExcess <= 1))
        return fail("verify/elementwise",
            "the error of an element is " + threeDigits(found.worstExcess) + " times its bound", "", place);
    if ((exact || !task.numeric.allowAtomics) && found.differing != 0)
        return fail("verify/determinism",
            "two runs on the same inputs differ: the result depends on previous memory contents or on chance", "",
            {{"elements", found.differing}});
    return exact ? MeasuredChecks() : measuredOf(found, task, error, tau);
}

} // namespace

Result<MeasuredChecks> checkOperation(const VerifyReply& found, const Task& task, const Shape& shape, InputKind kind)
{
    if (auto around = checkSurroundings(found.inputsChanged, found.zonesChanged); !around)
        return std::unexpected(around.error());
    std::vector<const Tensor*> outputs;
    for (const Tensor& tensor : task.tensors)
        if (tensor.role == TensorRole::Output)
            outputs.push_back(&tensor);
    if (outputs.size() != found.more.size() + 1)
        return fail("run/nonsense", "the GPU worker checked a number of outputs that differs from the task");
    MeasuredChecks measured;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        auto right = checkOutput(i == 0 ? found : found.more[i - 1], task, *outputs[i], shape, kind);
        if (right) {
            measured.add(*right);
            continue;
        }
        if (outputs.size() > 1 && right.error().code.starts_with("verify/")) {
            right.error().evidence["tensor"] = outputs[i]->name;
            right.error().text += " (" + outputs[i]->name + ")";
        }
        return right;
    }
    return measured;
}

Result<MeasuredChecks> checkTimedOperation(const BlockSample& sample, const Task& task, const Shape& shape)
{
    if (auto around = checkSurroundings(0, sample.heldChanged); !around)
        return std::unexpected(around.error());
    MeasuredChecks measured;
    const auto launches = static_cast<std::size_t>(std::max(1, sample.launches));
    const std::size_t outputs = sample.outputs.size() / launches;
    if (outputs == 0 || sample.outputs.size() % launches != 0)
        return fail("run/nonsense", "the GPU worker did not check the result of a timed launch");
    for (auto first = sample.outputs.begin(); first != sample.outputs.end();
         first += static_cast<std::ptrdiff_t>(outputs)) {
        VerifyReply found = *first;
        found.more.assign(first + 1, first + static_cast<std::ptrdiff_t>(outputs));
        const auto right = checkOperation(found, task, shape);
        static constexpr std::string_view ofValues[]{"verify/norm", "verify/elementwise", "verify/exact", "verify/nan"};
        if (!right && std::ranges::find(ofValues, right.error().code) == std::end(ofValues))
            return right;
        if (!right)
            return fail("verify/timed", "a timed launch gave a wrong result: " + right.error().text, "",
                right.error().evidence);
        measured.add(right->asPartOf(timedLaunchesCheck));
    }
    return measured;
}

Result<MeasuredChecks> checkVerified(
    const VerifyReply& found, const Task& task, const ProductShape& shape, InputKind kind)
{
    if (auto around = checkSurroundings(found.inputsChanged, found.zonesChanged); !around)
        return std::unexpected(around.error());
    if (found.unwritten != 0 || found.notFinite != 0)
        return fail(found.unwritten != 0 ? "verify/poison" : "verify/nan",
            found.unwritten != 0 ? unwrittenText : notFiniteText, unwrittenHint,
            {{"index", at(shape, found.firstBad)}, {"elements", found.unwritten + found.notFinite}});
    const double bound = 1.05 * unitRoundoff(task.tensors[2].dtype) * std::abs(found.want)
        + 4 * std::sqrt(static_cast<double>(shape.depth)) * unitRoundoff(Dtype::Fp32) * found.magnitude + leastBound;
    const nlohmann::json place{
        {"index", at(shape, found.worstIndex)}, {"want", found.want}, {"got", found.got}, {"bound", bound}};
    MeasuredChecks measured;
    if (kind == InputKind::Integer) {
        if (found.inexact != 0)
            return fail("verify/exact", "a sum of small integers is not exact", "", place);
    } else {
        const double error = relativeError(found.differenceSquares, found.referenceSquares,
            found.worstIndex < 0 ? 0 : found.magnitude * found.magnitude, shape.depth);
        if (!(error <= task.numeric.tau))
            return offByNorm(error, task.numeric.tau, found, place);
        if (task.numeric.error == ErrorMeasure::Componentwise && !(found.worstExcess <= 1))
            return fail("verify/elementwise",
                "the error of an element is " + threeDigits(found.worstExcess) + " times its bound", "", place);
        measured = measuredOf(found, task, error, task.numeric.tau);
    }
    if (!task.numeric.allowAtomics && found.differing != 0)
        return fail("verify/determinism",
            "two runs on the same inputs differ: the result depends on previous memory contents or on chance", "",
            {{"elements", found.differing}});
    return measured;
}

Result<MeasuredChecks> checkTimed(const BlockSample& sample, const Task& task, const ProductShape& shape)
{
    if (auto around = checkSurroundings(sample.inputsChanged, sample.zonesChanged + sample.heldChanged); !around)
        return std::unexpected(around.error());
    // What an honest program shows: the rounding of its sums, or that of its output where that is coarser.
    const bool coarse = task.tensors[2].dtype == Dtype::Bf16;
    const double u = coarse ? 0.42 * 0x1.0p-8 : 0.15 * 0x1.0p-23 * std::sqrt(static_cast<double>(shape.depth));
    const double r = sample.differences == 0 ? 0 : std::sqrt(sample.differences / sample.norms);
    // An honest sequential sum has r close to u. The sums of d² are over `rows` numbers, so of Gaussian ones r scatters
    // by a share of 1/sqrt(2 rows): four times that is let through, beside the 1.3 of EVALUATION §4, which alone would
    // refuse honest programs that have few rows. From 4 096 rows on it adds 5 % at most, on 256 rows 18 %.
    const double rBound = 1.3 * u * (1 + 4 / std::sqrt(2 * static_cast<double>(shape.rows)));
    const bool right = sample.notFinite == 0 && std::isfinite(sample.worst) && std::isfinite(r) && sample.worst <= 8 * u
        && (shape.depth < 128 || r <= rBound) && sample.rowsExcess <= 1;
    if (right) {
        MeasuredChecks measured;
        measured.add({timedLaunchesCheck,
            std::max({sample.worst / (8 * u), shape.depth < 128 ? 0 : r / rBound, sample.rowsExcess}), 1});
        return measured;
    }
    return fail("verify/timed", "a timed launch gave a wrong result", "",
        {{"row", sample.worstRow}, {"z", std::isfinite(sample.worst) ? sample.worst : -1},
            {"r", std::isfinite(r) ? r : -1}, {"bound_z", 8 * u}, {"bound_r", rBound}, {"not_finite", sample.notFinite},
            {"rows_excess", std::isfinite(sample.rowsExcess) ? sample.rowsExcess : -1}});
}

} // namespace tilewright
