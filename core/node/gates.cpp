// SPDX-License-Identifier: Apache-2.0
#include "core/node/gates.h"

#include "core/base/format.h"
#include "core/base/random.h"
#include "core/node/inputs.h"
#include "core/node/vectorised.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace tilewright {
namespace {

nlohmann::json place(const ProductView& product, std::int64_t index, double want, double bound)
{
    const double got = product.c[static_cast<std::size_t>(index)];
    return {{"index", {index / product.shape.columns, index % product.shape.columns}}, {"want", want},
        {"got", std::isfinite(got) ? nlohmann::json(got) : nlohmann::json(got != got ? "NaN" : "Inf")},
        {"bound", bound}};
}

TILEWRIGHT_VECTORISED double dotSigns(const float* values, const double* signs, std::int64_t count)
{
    double sum = 0;
    double lanes[8] = {};
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int lane = 0; lane < 8; ++lane)
            lanes[lane] += static_cast<double>(values[i + lane]) * signs[i + lane];
    for (; i < count; ++i)
        sum += static_cast<double>(values[i]) * signs[i];
    for (const double lane : lanes)
        sum += lane;
    return sum;
}

TILEWRIGHT_VECTORISED double squareSum(const float* values, std::int64_t count)
{
    double lanes[8] = {}, sum = 0;
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int lane = 0; lane < 8; ++lane)
            lanes[lane] += static_cast<double>(values[i + lane]) * static_cast<double>(values[i + lane]);
    for (; i < count; ++i)
        sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    for (const double lane : lanes)
        sum += lane;
    return sum;
}

/// A plain product in double, for calibration on small shapes.
ReferenceProduct plainProduct(const ProductShape& shape, std::span<const float> a, std::span<const float> b)
{
    ReferenceProduct product;
    product.values.assign(static_cast<std::size_t>(shape.sizeC()), 0);
    product.magnitudes = product.values;
    for (std::int64_t i = 0; i < shape.rows; ++i)
        for (std::int64_t k = 0; k < shape.depth; ++k)
            for (std::int64_t j = 0; j < shape.columns; ++j) {
                const double term = static_cast<double>(a[static_cast<std::size_t>(i * shape.depth + k)])
                    * static_cast<double>(b[static_cast<std::size_t>(k * shape.columns + j)]);
                product.values[static_cast<std::size_t>(i * shape.columns + j)] += term;
                product.magnitudes[static_cast<std::size_t>(i * shape.columns + j)] += std::abs(term);
            }
    return product;
}

/// The next type that a cheat would compute in.
Dtype oneStepDown(const Task& task)
{
    return task.tensors[0].dtype == Dtype::Bf16 ? Dtype::E4m3 : task.numeric.allowTf32 ? Dtype::Bf16 : Dtype::Tf32;
}

std::vector<float> productOf(const ProductShape& shape, std::span<const float> a, std::span<const float> b,
    std::int64_t depth, const std::function<float(float)>& seen)
{
    std::vector<float> c(static_cast<std::size_t>(shape.sizeC()));
    for (std::int64_t i = 0; i < shape.rows; ++i)
        for (std::int64_t k = 0; k < depth; ++k)
            for (std::int64_t j = 0; j < shape.columns; ++j)
                c[static_cast<std::size_t>(i * shape.columns + j)]
                    += seen(a[static_cast<std::size_t>(i * shape.depth + k)])
                    * seen(b[static_cast<std::size_t>(k * shape.columns + j)]);
    return c;
}

std::unexpected<Error> looseScheme(const Task& task, const ProductShape& shape, const std::string& cheat)
{
    const std::string levels
        = std::to_string(task.numeric.scheme->levels) + (task.numeric.scheme->levels == 1 ? " level" : " levels");
    const std::string reason = "with " + levels + " of it the timed check allows so much rounding at depth "
        + std::to_string(shape.depth) + " (" + threeDigits(timedBounds(shape, task.numeric.growthOf(shape.depth)).r)
        + " of the result) that " + cheat + " would pass as correct";
    return fail("task/loose", "numeric.scheme: " + reason, "fewer levels, or shapes of which less is summed",
        {{"file", "task.json"}, {"field", "numeric.scheme"}, {"reason", reason}});
}

/// Whether a downcast, whose error does not depend on the shape, exceeds what timed launches of each of the task's
/// shapes are allowed: by twice, as what a launch shows of it scatters.
Result<void> calibrateScheme(const Task& task, double downcastError)
{
    constexpr double margin = 2;
    for (const auto* shapes : {&task.train, &task.heldout, &task.sealed})
        for (const Shape& timed : *shapes) {
            const ProductShape shape = productShape(task, timed);
            const TimedBounds bounds = timedBounds(shape, task.numeric.growthOf(shape.depth));
            if (margin * (shape.depth < leastDepthOfR ? bounds.z : bounds.r) > downcastError)
                return looseScheme(task, shape, "a downcast of the inputs");
        }
    return {};
}

} // namespace

float rounded(float value, Dtype type)
{
    const int dropped = type == Dtype::Tf32 || type == Dtype::Fp16 ? 13
        : type == Dtype::Bf16                                      ? 16
        : type == Dtype::E4m3                                      ? 20
                                                                   : 0;
    if (dropped == 0)
        return value;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t half = (1u << (dropped - 1)) - 1 + (bits >> dropped & 1);
    return std::bit_cast<float>((bits + half) & ~((1u << dropped) - 1));
}

std::string threeDigits(double value) { return generalText(value, 3); }

Result<void> checkWritten(const ProductView& product, std::uint32_t poisonBits)
{
    constexpr std::uint32_t withoutSign = 0x7fffffff;
    const bool isNanPoison = std::isnan(std::bit_cast<float>(poisonBits));
    for (std::int64_t i = 0; i < product.shape.sizeC(); ++i) {
        const float value = product.c[static_cast<std::size_t>(i)];
        const auto bits = std::bit_cast<std::uint32_t>(value);
        if (bits == poisonBits)
            return fail("verify/poison", unwrittenText, unwrittenHint, place(product, i, 0, 0));
        // Arithmetic keeps the bits of a NaN that it takes, but for the sign; one that it makes has others.
        if (isNanPoison && (bits & withoutSign) == (poisonBits & withoutSign))
            return fail("verify/poison", propagatedText, unwrittenHint, place(product, i, 0, 0));
        if (!std::isfinite(value))
            return fail("verify/nan", "an output element is not a finite number", "", place(product, i, 0, 0));
    }
    return {};
}

double relativeError(double differenceSquares, double referenceSquares, double termSquares, std::int64_t depth)
{
    const double squares
        = std::max(referenceSquares, termSquares / static_cast<double>(std::max<std::int64_t>(1, depth)));
    return squares > 0 ? std::sqrt(differenceSquares / squares) : std::sqrt(differenceSquares);
}

Result<double> checkNorm(const ProductView& product, const ReferenceProduct& reference, double tau)
{
    double difference = 0, norm = 0, terms = 0, farthest = -1;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < reference.values.size(); ++i) {
        const double d = static_cast<double>(product.c[i]) - reference.values[i];
        if (std::abs(d) > farthest) {
            farthest = std::abs(d);
            worst = i;
        }
        difference += d * d;
        norm += reference.values[i] * reference.values[i];
        terms += reference.magnitudes[i] * reference.magnitudes[i];
    }
    const double error = relativeError(difference, norm, terms, product.shape.depth);
    if (error <= tau)
        return error;
    nlohmann::json evidence = place(product, static_cast<std::int64_t>(worst), reference.values[worst], tau);
    evidence["error"] = error;
    return fail("verify/norm", "the relative error " + threeDigits(error) + " is above the limit " + threeDigits(tau),
        "", std::move(evidence));
}

Result<double> checkElements(const ProductView& product, const ReferenceProduct& reference, Dtype out, double growth)
{
    const double perValue = 1.05 * unitRoundoff(out);
    const double perMagnitude
        = growth * 4 * std::sqrt(static_cast<double>(product.shape.depth)) * unitRoundoff(Dtype::Fp32);
    double worst = 0;
    std::int64_t where = 0;
    for (std::size_t i = 0; i < reference.values.size(); ++i) {
        const double bound
            = perValue * std::abs(reference.values[i]) + perMagnitude * reference.magnitudes[i] + leastBound;
        const double excess = std::abs(static_cast<double>(product.c[i]) - reference.values[i]) / bound;
        if (!(excess <= worst) && !std::isnan(worst)) {
            worst = excess;
            where = static_cast<std::int64_t>(i);
        }
    }
    if (worst <= 1)
        return worst;
    const auto at = static_cast<std::size_t>(where);
    const double bound
        = perValue * std::abs(reference.values[at]) + perMagnitude * reference.magnitudes[at] + leastBound;
    nlohmann::json evidence = place(product, where, reference.values[at], bound);
    if (std::isfinite(worst)) {
        evidence["measured"] = worst;
        evidence["limit"] = 1;
    }
    return fail("verify/elementwise",
        "an element is " + threeDigits(worst) + " times its error bound away from the truth", "", std::move(evidence));
}

Result<void> checkExact(const ProductView& product, const ReferenceProduct& reference)
{
    for (std::size_t i = 0; i < reference.values.size(); ++i)
        if (static_cast<double>(product.c[i]) != reference.values[i])
            return fail("verify/exact", "a sum of small integers is not exact", "",
                place(product, static_cast<std::int64_t>(i), reference.values[i], 0));
    return {};
}

TimedBounds timedBounds(const ProductShape& shape, double growth)
{
    const double u = growth * 0.15 * 0x1.0p-23 * std::sqrt(static_cast<double>(shape.depth));
    // An honest sequential sum has r close to u; the fewer rows it is averaged over, the more it scatters.
    return {8 * u, 1.3 * u * (1 + 4 / std::sqrt(2 * static_cast<double>(shape.rows)))};
}

Result<double> checkFreivalds(const ProductView& product, std::uint64_t seed, double growth)
{
    const auto [rows, columns, depth] = product.shape;
    std::vector<double> v(static_cast<std::size_t>(columns)), bv(static_cast<std::size_t>(depth));
    CounterRandom random(seed, 99, 0);
    for (std::size_t j = 0; j < v.size(); ++j)
        v[j] = random.next() >> 63 ? 1 : -1;
    for (std::int64_t k = 0; k < depth; ++k)
        bv[static_cast<std::size_t>(k)] = dotSigns(product.b.data() + k * columns, v.data(), columns);
    const TimedBounds bound = timedBounds(product.shape, growth);
    double squares = 0, norms = 0, worst = 0;
    std::int64_t worstRow = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
        const double* signs = v.data();
        const float* row = product.c.data() + i * columns;
        const double d = dotSigns(row, signs, columns) - dotSigns(product.a.data() + i * depth, bv.data(), depth);
        // A row cannot honestly be much smaller than its inputs make it (unit variance): no hiding behind zeros.
        const double norm = std::max(squareSum(row, columns),
            0.04 * squareSum(product.a.data() + i * depth, depth) * static_cast<double>(columns));
        const double z = d == 0 ? 0 : std::abs(d) / std::sqrt(norm); // NaN stays NaN, and NaN is not small
        if (!(z <= worst)) {
            worst = z;
            worstRow = i;
        }
        squares += d * d;
        norms += norm;
    }
    const double r = squares == 0 ? 0 : std::sqrt(squares / norms);
    const bool isDeep = depth >= leastDepthOfR;
    if (std::isfinite(worst) && std::isfinite(r) && worst <= bound.z && (!isDeep || r <= bound.r))
        return std::max(worst / bound.z, isDeep ? r / bound.r : 0);
    return fail("verify/timed", "a timed launch gave a wrong result", "",
        {{"row", worstRow}, {"z", std::isfinite(worst) ? worst : -1}, {"r", std::isfinite(r) ? r : -1},
            {"bound_z", bound.z}, {"bound_r", bound.r}});
}

Result<void> calibrateGates(const Task& task)
{
    const ProductShape shape{48, 40, 160};
    const Dtype in = task.tensors[0].dtype, out = task.tensors[2].dtype;
    const auto drawn = [in](std::int64_t size, int tensor, std::uint64_t seed) {
        std::vector<float> values(static_cast<std::size_t>(size));
        fillInput(values, InputKind::Normal, tensor, seed);
        std::ranges::transform(values, values.begin(), [in](float value) { return rounded(value, in); });
        return values;
    };
    const std::vector<float> a = drawn(shape.sizeA(), 0, 1), b = drawn(shape.sizeB(), 1, 1),
                             other = drawn(shape.sizeA(), 0, 2);
    const ReferenceProduct truth = plainProduct(shape, a, b);
    const auto same = [](float x) { return x; };
    const auto lower = [type = oneStepDown(task)](float x) { return rounded(x, type); };
    std::vector<float> copied(static_cast<std::size_t>(shape.sizeC()));
    std::ranges::copy_n(a.begin(), static_cast<std::ptrdiff_t>(std::min(a.size(), copied.size())), copied.begin());
    const auto written = [out](std::vector<float> c) {
        std::ranges::transform(c, c.begin(), [out](float value) { return rounded(value, out); });
        return c;
    };
    const std::pair<std::string, std::vector<float>> cheats[] = {{"zeros", std::vector<float>(truth.values.size())},
        {"a downcast of the inputs", written(productOf(shape, a, b, shape.depth, lower))},
        {"skipping the last K/64",
            written(productOf(shape, a, b, shape.depth - std::max<std::int64_t>(1, shape.depth / 64), same))},
        {"a stale output", written(productOf(shape, other, b, shape.depth, same))}, {"a copied input", copied}};
    for (const auto& [name, c] : cheats) {
        const ProductView view{shape, a, b, c};
        const bool elements = task.numeric.error == ErrorMeasure::Componentwise;
        if (task.numeric.scheme && checkFreivalds(view, 3, task.numeric.growthOf(shape.depth)))
            return looseScheme(task, shape, name);
        if (checkNorm(view, truth, task.numeric.tau) && (!elements || checkElements(view, truth, out)))
            return fail("task/loose", "numeric.tau: " + name + " would pass as correct", "make numeric.tau smaller",
                {{"file", "task.json"}, {"field", "numeric.tau"}, {"reason", name + " would pass"}});
    }
    if (task.numeric.scheme) {
        const ProductView downcast{shape, a, b, cheats[1].second};
        if (auto strict = calibrateScheme(task, *checkNorm(downcast, truth, 1e9)); !strict)
            return strict;
    }
    const std::vector<float> honest = written(productOf(shape, a, b, shape.depth, same));
    if (auto norm = checkNorm({shape, a, b, honest}, truth, task.numeric.tau); !norm) {
        const std::string reason = "an honest " + nameOf(out) + " product would be refused";
        return fail("task/tight", "numeric.tau: " + reason, "make numeric.tau larger",
            {{"file", "task.json"}, {"field", "numeric.tau"}, {"reason", reason}});
    }
    return {};
}

} // namespace tilewright
