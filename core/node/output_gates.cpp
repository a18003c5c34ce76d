// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/output_gates.h"

#include "core/node/inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>

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
            inputs.push_back(std::move(values));
        }
    return inputs;
}

/// Ten bits of a fraction, as TF32 keeps.
float oneStepDown(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return std::bit_cast<float>((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu);
}

std::vector<Values> storedAsFloat(const std::vector<ReferenceProduct>& truths)
{
    std::vector<Values> stored;
    for (const ReferenceProduct& truth : truths) {
        Values values(truth.values.size());
        std::ranges::transform(truth.values, values.begin(), [](double value) { return static_cast<float>(value); });
        stored.push_back(std::move(values));
    }
    return stored;
}

OutputValues viewed(const std::vector<Values>& values) { return OutputValues(values.begin(), values.end()); }

std::vector<ReferenceProduct> referenceOn(
    const Task& task, const Reference& reference, const Shape& shape, const std::vector<Values>& inputs)
{
    return reference.outputs(task, shape, viewed(inputs));
}

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

Result<void> checkOutputs(const Task& task, const Shape& shape, InputKind kind, const OutputValues& outputs,
    const std::vector<ReferenceProduct>& truths)
{
    const auto tensors = outputsOf(task);
    // Sums of small integers are exact in a product; an operation may hold a root or an exponential.
    const bool exact = task.numeric.bound == NumericBound::Exact || (kind == InputKind::Integer && isProduct(task));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const ProductView view{outputShape(task, *tensors[i], shape), {}, {}, outputs[i]};
        if (!std::ranges::all_of(truths[i].values, [](double value) { return std::isfinite(value); }))
            return fail("task/reference",
                "the task's reference gives no finite number for " + tensors[i]->name + " with " + nameOf(kind)
                    + " inputs",
                "leave that kind out of inputs, or make the reference right for it", {{"tensor", tensors[i]->name}});
        Result<void> verdict;
        if (exact)
            verdict = checkExact(view, truths[i]);
        else {
            verdict = checkNorm(view, truths[i], task.numeric.tau);
            if (verdict && task.numeric.error == ErrorMeasure::Componentwise)
                verdict = checkElements(view, truths[i], tensors[i]->dtype);
        }
        if (!verdict)
            return named(verdict, task, *tensors[i]);
    }
    return {};
}

Result<void> calibrateOutputs(const Task& task, const Reference& reference)
{
    const Shape shape = calibrationShape(task);
    const std::vector<Values> inputs = drawn(task, shape, 1);
    const std::vector<ReferenceProduct> truths = referenceOn(task, reference, shape, inputs);
    const std::vector<Values> honest = storedAsFloat(truths);
    if (auto fine = checkOutputs(task, shape, InputKind::Normal, viewed(honest), truths); !fine)
        return fine.error().code == "task/reference"
            ? fine
            : fail("task/tight", "numeric.tau: the reference's own result, stored as fp32, would be refused",
                "make numeric.tau larger",
                {{"file", "task.json"}, {"field", "numeric.tau"}, {"reason", "an honest result would be refused"}});

    const auto changed = [&](auto&& change) {
        std::vector<Values> others = inputs;
        for (Values& values : others)
            change(values);
        return storedAsFloat(referenceOn(task, reference, shape, others));
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
        cheats.push_back(
            {"a stale output", storedAsFloat(referenceOn(task, reference, shape, drawn(task, shape, 2))), false});
        cheats.push_back({"a downcast of the inputs",
            changed([](Values& values) { std::ranges::transform(values, values.begin(), oneStepDown); }), true});
        cheats.push_back({"leaving out the end of the inputs", changed([](Values& values) {
                              const std::size_t left = std::max<std::size_t>(1, values.size() / 64);
                              std::fill_n(values.rbegin(), std::min(left, values.size()), 0.0f);
                          }),
            true});
        cheats.push_back({"a copied input", honest, true});
        for (Values& values : cheats.back().outputs)
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = inputs.front()[i % inputs.front().size()];
    }
    for (const Cheat& cheat : cheats) {
        if (cheat.mayBeTheTruth && cheat.outputs == honest)
            continue;
        if (!checkOutputs(task, shape, InputKind::Normal, viewed(cheat.outputs), truths))
            continue;
        const std::string reason = cheat.name + " would pass as correct";
        if (cheat.outputs == honest)
            return fail("task/loose",
                "reference: " + reason
                    + (cheat.name == "zeros" ? ", as the result is zero for random inputs"
                                             : ", as the result does not depend on the inputs"),
                "a task needs a result that depends on its inputs",
                {{"file", task.reference}, {"field", ""}, {"reason", reason}});
        return fail("task/loose", "numeric.tau: " + reason, "make numeric.tau smaller",
            {{"file", "task.json"}, {"field", "numeric.tau"}, {"reason", reason}});
    }
    return {};
}

} // namespace tilewright
