// SPDX-License-Identifier: Apache-2.0
#include "core/node/output_gates.h"

#include "core/node/inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tilewright {
namespace {

using Values = std::vector<float>;

std::vector<const Tensor*> outputsOf(const Task& task)
{
    std::vector<const Tensor*> outputs;
    for (const Tensor& tensor : task.tensors)
        if (tensor.role == TensorRole::Output)
            outputs.push_back(&tensor);
    return outputs;
}

Result<void> named(Result<void> verdict, const Task& task, const Tensor& tensor)
{
    if (verdict || outputsOf(task).size() == 1)
        return verdict;
    Error error = verdict.error();
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["tensor"] = tensor.name;
    error.text += " (" + tensor.name + ")";
    return std::unexpected(std::move(error));
}

/// Small enough to be quick, large enough that a part can be left out: the smallest shape with 256 elements or more.
Shape calibrationShape(const Task& task)
{
    constexpr std::int64_t enough = 256;
    const auto size = [&](const Shape& shape) {
        std::int64_t elements = 0;
        for (const Tensor& tensor : task.tensors)
            elements += task.elementsOf(tensor, shape);
        return elements;
    };
    std::vector<Shape> shapes = task.train;
    shapes.insert(shapes.end(), task.verify.begin(), task.verify.end());
    std::ranges::sort(shapes, {}, size);
    const auto first = std::ranges::find_if(shapes, [&](const Shape& shape) { return size(shape) >= enough; });
    return first == shapes.end() ? shapes.back() : *first;
}

std::vector<Values> drawn(const Task& task, const Shape& shape, std::uint64_t seed)
{
    std::vector<Values> inputs;
    for (const Tensor& tensor : task.tensors)
        if (tensor.role == TensorRole::Input) {
            Values values(static_cast<std::size_t>(task.elementsOf(tensor, shape)));
            fillInput(values, InputKind::Normal, static_cast<int>(inputs.size()), seed);
            std::ranges::transform(values, values.begin(), [&](float value) { return rounded(value, tensor.dtype); });
            inputs.push_back(std::move(values));
        }
    return inputs;
}

/// The next type that a cheat would compute in.
Dtype typeBelow(const Task& task)
{
    const Dtype in = task.tensors.front().dtype;
    return in == Dtype::Bf16 ? Dtype::E4m3 : in == Dtype::Fp16 || task.numeric.allowTf32 ? Dtype::Bf16 : Dtype::Tf32;
}

/// As a program would write them.
std::vector<Values> stored(const Task& task, const std::vector<ReferenceProduct>& truths)
{
    std::vector<Values> written;
    for (const ReferenceProduct& truth : truths) {
        const Dtype type = outputsOf(task)[written.size()]->dtype;
        Values values(truth.values.size());
        std::ranges::transform(
            truth.values, values.begin(), [type](double value) { return rounded(static_cast<float>(value), type); });
        written.push_back(std::move(values));
    }
    return written;
}

/// What of a truth cannot be compared with; empty if all of it can.
std::string objectionToTruth(const ReferenceProduct& truth)
{
    for (const double value : truth.values) {
        if (!std::isfinite(value))
            return "NaN or infinity";
        if (std::abs(value) > std::numeric_limits<float>::max())
            return threeDigits(value) + ", above the range of float,";
    }
    return {};
}

/// Norm and elements of one output; adds what they measured.
Result<void> checkRounded(const ProductView& view, const ReferenceProduct& truth, const Task& task, Dtype type,
    Rounding rounding, MeasuredChecks& measured)
{
    // The relative error of few numbers says little: a sum may be zero by chance, and the reference of an operation
    // tells the size of its terms as a bound, not as their sum. Their own bounds decide then.
    constexpr std::int64_t few = 16;
    const bool ofElements = task.numeric.error == ErrorMeasure::Componentwise;
    if (task.numeric.bound != NumericBound::Sum || !ofElements || view.shape.sizeC() >= few) {
        const double tau = normLimit(task.numeric.tau, rounding, view.shape.depth);
        const auto norm = checkNorm(view, truth, tau);
        if (!norm)
            return std::unexpected(norm.error());
        measured.add({"norm", *norm, tau});
    }
    if (!ofElements)
        return {};
    const auto elements = checkElements(view, truth, type, roundingGrowth(rounding, view.shape.depth));
    if (!elements)
        return std::unexpected(elements.error());
    measured.add({"elementwise", *elements, 1});
    return {};
}

OutputValues viewed(const std::vector<Values>& values) { return OutputValues(values.begin(), values.end()); }

} // namespace

Result<void> checkOutputsWritten(
    const Task& task, const Shape& shape, const OutputValues& outputs, std::uint32_t poisonBits)
{
    const auto tensors = outputsOf(task);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const ProductView view{outputShape(task, *tensors[i], shape), {}, {}, outputs[i]};
        if (auto written = named(checkWritten(view, poisonBits), task, *tensors[i]); !written)
            return written;
    }
    return {};
}

Result<MeasuredChecks> checkOutputs(const Task& task, const Shape& shape, InputKind kind, const OutputValues& outputs,
    const std::vector<ReferenceProduct>& truths)
{
    const auto tensors = outputsOf(task);
    // Sums of small integers are exact in a product; an operation may hold a root or an exponential.
    const bool exact = task.numeric.bound == NumericBound::Exact || (kind == InputKind::Integer && isProduct(task));
    MeasuredChecks measured;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const ProductView view{outputShape(task, *tensors[i], shape), {}, {}, outputs[i]};
        if (const std::string objection = objectionToTruth(truths[i]); !objection.empty())
            return fail("task/reference",
                "the task's reference returns " + objection + " for " + tensors[i]->name + " with " + nameOf(kind)
                    + " inputs",
                "correct the reference for it, or remove that kind from inputs; a reference that reads outside of its "
                "tensors returns such numbers too: check the shapes",
                {{"tensor", tensors[i]->name}});
        Result<void> verdict;
        if (exact)
            verdict = checkExact(view, truths[i]);
        else {
            const Rounding rounding = isProduct(task) ? Rounding::ByChance : roundingOf(kind);
            verdict = checkRounded(view, truths[i], task, tensors[i]->dtype, rounding, measured);
        }
        if (!verdict)
            return std::unexpected(named(verdict, task, *tensors[i]).error());
    }
    return measured;
}

Result<void> calibrateOutputs(const Task& task, const Reference& reference)
{
    return calibrateOutputs(
        task, [&](const Shape& shape, const std::vector<Values>& inputs) -> Result<std::vector<ReferenceProduct>> {
            return reference.outputs(task, shape, viewed(inputs));
        });
}

Result<void> calibrateOutputs(const Task& task, const TruthOn& truthOn)
{
    const Shape shape = calibrationShape(task);
    const std::vector<Values> inputs = drawn(task, shape, 1);
    const auto truth = truthOn(shape, inputs);
    if (!truth)
        return std::unexpected(truth.error());
    const std::vector<ReferenceProduct>& truths = *truth;
    const std::vector<Values> honest = stored(task, truths);
    if (auto fine = checkOutputs(task, shape, InputKind::Normal, viewed(honest), truths); !fine)
        return fine.error().code == "task/reference"
            ? std::unexpected(fine.error())
            : fail("task/tight",
                "numeric.tau: the reference's own result, stored as " + nameOf(outputsOf(task).front()->dtype)
                    + ", would be refused",
                "increase numeric.tau",
                {{"file", "task.json"}, {"field", "numeric.tau"}, {"reason", "a correct result would be refused"}});

    Error trouble;
    const auto computed = [&](const std::vector<Values>& from) {
        const auto found = truthOn(shape, from);
        if (!found)
            trouble = found.error();
        return found ? stored(task, *found) : honest;
    };
    const auto changed = [&](auto&& change) {
        std::vector<Values> others = inputs;
        for (Values& values : others)
            change(values);
        return computed(others);
    };
    struct Cheat {
        std::string name;
        std::vector<Values> outputs;
        bool mayBeTheTruth; ///< computing just that can be what the operation is
    };
    std::vector<Cheat> cheats;
    cheats.push_back({"zeros", honest, false});
    for (Values& values : cheats.back().outputs)
        std::ranges::fill(values, 0.0f);
    if (!inputs.empty()) {
        cheats.push_back({"a stale output", computed(drawn(task, shape, 2)), false});
        cheats.push_back({"a downcast of the inputs", changed([type = typeBelow(task)](Values& values) {
                              std::ranges::transform(
                                  values, values.begin(), [type](float value) { return rounded(value, type); });
                          }),
            true});
        cheats.push_back({"omitting the end of the inputs", changed([](Values& values) {
                              const std::size_t left = std::max<std::size_t>(1, values.size() / 64);
                              std::fill_n(values.rbegin(), std::min(left, values.size()), 0.0f);
                          }),
            true});
        cheats.push_back({"a copied input", honest, true});
        for (Values& values : cheats.back().outputs)
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = inputs.front()[i % inputs.front().size()];
    }
    if (!trouble.code.empty())
        return std::unexpected(trouble);
    for (const Cheat& cheat : cheats) {
        if (cheat.mayBeTheTruth && cheat.outputs == honest)
            continue;
        if (!checkOutputs(task, shape, InputKind::Normal, viewed(cheat.outputs), truths))
            continue;
        const std::string reason = cheat.name + " would be accepted as correct";
        if (cheat.outputs == honest)
            return fail("task/loose",
                "reference: " + reason
                    + (cheat.name == "zeros" ? ", because the result is zero for random inputs"
                                             : ", because the result does not depend on the inputs"),
                "a task needs a result that depends on its inputs",
                {{"file", task.reference}, {"field", ""}, {"reason", reason}});
        return fail("task/loose", "numeric.tau: " + reason, "reduce numeric.tau",
            {{"file", "task.json"}, {"field", "numeric.tau"}, {"reason", reason}});
    }
    return {};
}

} // namespace tilewright
