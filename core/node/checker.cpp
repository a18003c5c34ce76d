// SPDX-License-Identifier: Apache-2.0
#include "core/node/checker.h"

#include "core/node/inputs.h"
#include "core/node/output_gates.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Slowest program that is waited for: one flop in 20 ns, then the watchdog.
constexpr double slowestNsPerFlop = 20;

std::unexpected<Error> withShape(Error error, const Shape& shape, InputKind kind)
{
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["shape"] = shape;
    error.evidence["inputs"] = nameOf(kind);
    error.text += " (" + shapeText(shape) + ", " + nameOf(kind) + " inputs)";
    return std::unexpected(std::move(error));
}

/// Two runs on the same inputs that differ: dependence on old contents, or no determinism.
Error differenceError(const std::vector<float>& first, const std::vector<float>& second, std::int64_t columns)
{
    std::size_t at = 0;
    while (at < first.size() && std::bit_cast<std::uint32_t>(first[at]) == std::bit_cast<std::uint32_t>(second[at]))
        ++at;
    const auto index = static_cast<std::int64_t>(at);
    return {"verify/determinism",
        "two runs on the same inputs differ: the result depends on previous memory contents or on chance", "",
        {{"index", {index / columns, index % columns}}, {"want", first[at]}, {"got", second[at]}}};
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return std::ranges::equal(
        a, b, [](float x, float y) { return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y); });
}

} // namespace

std::uint64_t sampleSeed(const std::string& seedText, const Shape& shape, std::uint64_t sample)
{
    return leading64(sha256(seedText + "/" + shapeText(shape) + "/" + std::to_string(sample)));
}

std::vector<Checker::Sample> Checker::samplesOf(const CheckPlan& plan) const
{
    const std::uint64_t seed = sampleSeed(plan.seedText, {}, 0);
    std::vector<Sample> samples;
    // Small shapes first: most wrong programs fail there, in microseconds.
    for (const Shape& shape : m_task.verify)
        for (const InputKind kind : m_task.inputs)
            samples.push_back({shape, kind});
    for (const Shape& shape : unannouncedShapes(m_task, seed, 3)) {
        samples.push_back({shape, InputKind::Normal, true});
        samples.push_back({shape, InputKind::Integer, true});
    }
    std::vector<Shape> large = m_task.train;
    if (plan.all)
        large.insert(large.end(), m_task.heldout.begin(), m_task.heldout.end());
    for (std::size_t i = 0; i < large.size(); ++i) {
        samples.push_back({large[i], InputKind::Normal});
        samples.push_back({large[i], InputKind::Integer});
        if (plan.all || i % 4 == seed % 4) // one of the other kinds, on shapes nobody can foresee
            samples.push_back({large[i], seed / 4 % 2 == i % 2 ? InputKind::Scaled : InputKind::Mixed});
    }
    if (!isProduct(m_task)) // not every operation takes every kind: its pack says which
        std::erase_if(samples,
            [&](const Sample& sample) { return std::ranges::find(m_task.inputs, sample.kind) == m_task.inputs.end(); });
    return samples;
}

std::vector<Shape> Checker::shapesOf(const Task& task, const CheckPlan& plan)
{
    std::vector<Shape> shapes = unannouncedShapes(task, sampleSeed(plan.seedText, {}, 0), 3);
    for (const auto* list : {&task.verify, &task.train, &task.heldout})
        shapes.insert(shapes.end(), list->begin(), list->end());
    return shapes;
}

Result<PassedChecks> Checker::check(const CheckPlan& plan)
{
    const std::vector<Sample> samples = samplesOf(plan);
    MeasuredChecks measured;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (plan.cancelled())
            return fail("cancelled", "the check was cancelled");
        const auto checked = checkSample(samples[i], plan, i);
        if (!checked)
            return withShape(checked.error(), samples[i].shape, samples[i].kind);
        const MeasuredChecks found = checked->on(samples[i].shape, nameOf(samples[i].kind));
        measured.add(found);
        if (samples[i].isUnannounced)
            measured.add(found.asPartOf("unannounced-shapes"));
        plan.progress(static_cast<double>(i + 1), static_cast<double>(samples.size()));
    }
    const bool exact = m_task.numeric.bound == NumericBound::Exact;
    std::vector<std::string> passed{"written"};
    if (exact)
        passed.emplace_back("exact");
    else
        passed.emplace_back("norm");
    if (!exact && m_task.numeric.error == ErrorMeasure::Componentwise)
        passed.emplace_back("elementwise");
    if (isProduct(m_task))
        passed.emplace_back("exact-integer");
    for (const char* gate : {"poison", "guard-pages", "surroundings", "inputs-unchanged"})
        passed.emplace_back(gate);
    if (!unannouncedShapes(m_task, 0, 1).empty())
        passed.emplace_back("unannounced-shapes");
    if (!m_task.numeric.allowAtomics)
        passed.emplace_back("determinism");
    return PassedChecks{std::move(passed), std::move(measured)};
}

Result<MeasuredChecks> Checker::checkSample(const Sample& sample, const CheckPlan& plan, std::uint64_t ordinal)
{
    const std::uint64_t seed = sampleSeed(plan.seedText, sample.shape, ordinal);
    const bool twice = sample.kind == InputKind::Normal;
    const Placement placement = ordinal % 2 ? Placement::FlushRight : Placement::FlushLeft;
    const auto first = runOnce(sample, placement, firstPoison, seed);
    if (!first)
        return std::unexpected(first.error());
    const OutputValues outputs(first->begin(), first->end());
    if (auto written = checkOutputsWritten(m_task, sample.shape, outputs, 0xffffffffu); !written)
        return std::unexpected(written.error());
    const auto inputs = m_arena.inputs();
    const auto truths = m_reference.outputs(m_task, sample.shape, {inputs.begin(), inputs.end()});
    auto right = checkOutputs(m_task, sample.shape, sample.kind, outputs, truths);
    if (!right || !twice)
        return right;
    const auto second = runOnce(
        sample, placement == Placement::FlushLeft ? Placement::FlushRight : Placement::FlushLeft, secondPoison, seed);
    if (!second)
        return std::unexpected(second.error());
    if (!m_task.numeric.allowAtomics)
        for (std::size_t i = 0, output = 0; i < m_task.tensors.size(); ++i)
            if (const Tensor& tensor = m_task.tensors[i]; tensor.role == TensorRole::Output) {
                const std::vector<float>&one = (*first)[output], &other = (*second)[output];
                ++output;
                if (!sameBits(one, other))
                    return std::unexpected(
                        differenceError(one, other, outputShape(m_task, tensor, sample.shape).columns));
            }
    return right;
}

Result<std::vector<std::vector<float>>> Checker::runOnce(
    const Sample& sample, Placement placement, std::uint8_t pattern, std::uint64_t seed)
{
    if (auto bound = m_arena.bind(sample.shape, placement); !bound)
        return std::unexpected(bound.error());
    const auto inputs = m_arena.inputs();
    std::vector<std::uint64_t> digests;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        fillInput(inputs[i], sample.kind, static_cast<int>(i), seed);
        digests.push_back(digestOf(inputs[i]));
    }
    m_arena.poison(pattern);
    const auto time = m_arena.run(limitFor(sample.shape));
    if (!time)
        return std::unexpected(time.error());
    m_slowest = std::max(m_slowest, static_cast<double>(time->count()) / std::max(1.0, m_task.flopsOf(sample.shape)));
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (digestOf(inputs[i]) != digests[i])
            return fail("verify/input-write", "the program changed an input");
    if (auto surroundings = m_arena.checkSurroundings(pattern); !surroundings)
        return std::unexpected(surroundings.error());
    std::vector<std::vector<float>> outputs;
    for (const std::span<const float> output : m_arena.outputs())
        outputs.emplace_back(output.begin(), output.end());
    return outputs;
}

std::chrono::nanoseconds Checker::limitFor(const Shape& shape) const
{
    const double expected
        = m_task.flopsOf(shape) * (m_slowest > 0 ? std::min(5 * m_slowest, slowestNsPerFlop) : slowestNsPerFlop);
    return std::chrono::seconds(2) + std::chrono::nanoseconds(static_cast<std::int64_t>(expected));
}

} // namespace tilewright
