// SPDX-License-Identifier: Apache-2.0
#include "core/node/shape_sweep.h"

#include "core/base/random.h"
#include "core/node/device.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright {
namespace {

constexpr std::int64_t widestWindow = 2048; ///< from the first to the last value in a row
constexpr std::int64_t fewestValues = 8;
constexpr std::int64_t shortOffsets = 8, highOffsets = 64; ///< where a window may begin, in steps
/// A sweep of one dimension may cost more than the caps by this before its values are taken from lower down: tasks of
/// one dimension have nothing else that could be short.
constexpr double overCaps = 4;
constexpr std::size_t mostNamed = 48; ///< values that each dimension is tried at

enum Stream : std::uint64_t {
    Windows = 41,
    Orders,
    Shrinking,
    Pairs,
    Suggestions,
    SuggestionOrders,
    PairOrders,
    Named = PairOrders + 100'000
};
constexpr std::uint64_t roundsApart = 1000; ///< streams of one kind

std::int64_t roundedUp(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// The smallest from `from` on that leaves this residue and is a multiple of `step`; `from` where there is none.
std::int64_t withResidue(std::int64_t from, std::int64_t step, const SizeResidue& wanted)
{
    for (std::int64_t i = 0, value = from; i < wanted.modulus; ++i, value += step)
        if (value % wanted.modulus == wanted.residue)
            return value;
    return from;
}

bool isPrime(std::int64_t value)
{
    if (value < 2)
        return false;
    for (std::int64_t divisor = 2; divisor * divisor <= value; ++divisor)
        if (value % divisor == 0)
            return false;
    return true;
}

std::vector<std::int64_t> shuffled(std::int64_t count, CounterRandom& random)
{
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
    return order;
}

} // namespace

std::vector<std::int64_t> mostSweepElements(const Task& task, const SweepCaps& caps)
{
    const ShapeSweep sweep(task, 1, caps);
    std::vector<std::int64_t> most(
        task.tensors.size(), static_cast<std::int64_t>(overCaps * static_cast<double>(caps.elements)));
    // Within the caps or, where one dimension alone breaks them, with the others as small as they may be.
    for (std::size_t d = 0; d < task.dims.size(); ++d) {
        Shape shape;
        for (const ShapeSweep::Range& range : sweep.m_ranges)
            shape.push_back(range.least);
        shape[d] = sweep.m_ranges[d].beyond + (highOffsets + 2 * sweepResidues) * sweep.m_ranges[d].step;
        for (std::size_t i = 0; i < most.size(); ++i)
            most[i] = std::max(most[i], task.elementsOf(task.tensors[i], shape));
    }
    return most;
}

Error asSweepFinding(Error error, const Shape& shape)
{
    if (isNodesOwn(error) || error.code.starts_with("task/"))
        return error;
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["shape"] = shape;
    if (error.code.starts_with("verify/")) {
        error.evidence["found_by"] = error.code;
        error.code = "verify/sweep";
    }
    error.text += " (" + shapeText(shape) + ", a size that the task does not list)";
    return error;
}

ShapeSweep::ShapeSweep(const Task& task, std::uint64_t seed, SweepCaps caps, SizeConstants constants)
    : m_task(task)
    , m_seed(seed)
    , m_caps(caps)
    , m_constants(std::move(constants))
{
    CounterRandom random(seed, Windows, 0);
    for (std::size_t d = 0; d < task.dims.size(); ++d) {
        const Dimension& dim = task.dims[d];
        Range range;
        range.step = std::max<std::int64_t>(1, dim.multiple);
        range.count = std::clamp(widestWindow / range.step, fewestValues, sweepResidues);
        range.least = roundedUp(std::max<std::int64_t>(1, dim.min), range.step);
        range.shortest = range.least + range.step * static_cast<std::int64_t>(random.below(shortOffsets));
        std::int64_t largest = 0;
        for (const auto* list : {&task.train, &task.heldout, &task.sealed, &task.verify})
            for (const Shape& shape : *list)
                largest = std::max(largest, shape[d]);
        range.beyond = std::max(range.shortest,
            roundedUp(largest + 1, range.step) + range.step * static_cast<std::int64_t>(random.below(highOffsets)));
        range.high = range.beyond;
        range.top = range.beyond
            + static_cast<std::int64_t>(random.uniform() / 2 * static_cast<double>(range.beyond)) / range.step
                * range.step;
        m_ranges.push_back(range);
    }
    for (std::size_t d = 0; d < m_ranges.size(); ++d) {
        Range& range = m_ranges[d];
        Shape shape;
        for (const Range& each : m_ranges)
            shape.push_back(each.shortest);
        for (shape[d] = range.high; range.high > range.shortest && !fits(shape, overCaps); shape[d] = range.high)
            range.high = std::max(range.shortest, range.high / 2 / range.step * range.step);
        // A launch takes about as long as its long dimension is long: drawn in inverse proportion, all dimensions get
        // as much time.
        m_weights.push_back(1 / static_cast<double>(range.high));
    }
}

std::int64_t ShapeSweep::elements(const Shape& shape) const
{
    std::int64_t sum = 0;
    for (const Tensor& tensor : m_task.tensors)
        sum += m_task.elementsOf(tensor, shape);
    return sum;
}

double ShapeSweep::work(const Shape& shape) const
{
    return std::max(m_task.flopsOf(shape), static_cast<double>(elements(shape)));
}

bool ShapeSweep::isWithin(const Shape& shape, const SweepCaps& caps, double times) const
{
    return m_task.flopsOf(shape) <= caps.flops * times
        && static_cast<double>(elements(shape)) <= static_cast<double>(caps.elements) * times;
}

bool ShapeSweep::fits(const Shape& shape, double times) const { return isWithin(shape, m_caps, times); }

void ShapeSweep::shrink(Shape& shape, std::size_t swept, std::size_t kept, std::uint64_t ordinal, double times) const
{
    CounterRandom random(m_seed, Shrinking, ordinal);
    const auto canShrink = [&](std::size_t d) { return shape[d] > m_ranges[d].least; };
    while (!fits(shape, times)) {
        std::vector<std::size_t> others;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (d != swept && d != kept && canShrink(d))
                others.push_back(d);
        if (others.empty() && kept != swept && canShrink(kept))
            others.push_back(kept);
        if (others.empty())
            return;
        const std::size_t d = others[random.below(others.size())];
        const Range& range = m_ranges[d];
        const std::int64_t steps = (shape[d] - range.least) / range.step;
        shape[d]
            = range.least + range.step * static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(steps)));
    }
}

std::vector<Shape> ShapeSweep::residues() const
{
    std::vector<Shape> shapes;
    CounterRandom random(m_seed, Orders, 0);
    for (std::size_t d = 0; d < m_ranges.size(); ++d) {
        std::vector<std::vector<std::int64_t>> orders;
        for (const Range& range : m_ranges)
            orders.push_back(shuffled(range.count, random));
        const auto add = [&](std::int64_t value, std::int64_t i) {
            Shape shape;
            for (std::size_t e = 0; e < m_ranges.size(); ++e)
                shape.push_back(m_ranges[e].shortest
                    + m_ranges[e].step * orders[e][static_cast<std::size_t>(i) % orders[e].size()]);
            shape[d] = value;
            // Of the others one keeps the residue that was drawn, each in turn.
            const std::size_t others = m_ranges.size() - 1;
            const std::size_t kept = others == 0 ? d : (d + 1 + static_cast<std::size_t>(i) % others) % m_ranges.size();
            shrink(shape, d, kept, shapes.size(), 1);
            shapes.push_back(std::move(shape));
        };
        const Range& range = m_ranges[d];
        for (std::int64_t i = 0; i < range.count; ++i)
            add(range.high + i * range.step, i);
        if (range.high == range.beyond)
            continue;
        bool even = false, odd = false, prime = false;
        for (std::int64_t value = range.beyond; value < range.beyond + sweepResidues * range.step;
             value += range.step) {
            bool& isNew = isPrime(value) ? prime : value % 2 == 0 ? even : odd;
            if (!std::exchange(isNew, true))
                add(value, value % range.count);
        }
    }
    for (std::size_t i = shapes.size(); i > 1; --i)
        std::swap(shapes[i - 1], shapes[random.below(i)]);
    return shapes;
}

std::uint64_t ShapeSweep::nthInRound(std::uint64_t all, std::uint64_t n, std::uint64_t stream) const
{
    CounterRandom random(m_seed, stream, all);
    std::uint64_t stride = random.below(all) | 1;
    while (std::gcd(stride, all) != 1)
        stride += 2;
    return (random.below(all) + n * stride) % all;
}

Shape ShapeSweep::pair(std::uint64_t ordinal)
{
    CounterRandom random(m_seed, Pairs, ordinal);
    const std::size_t dims = m_ranges.size();
    Shape shape;
    for (const Range& range : m_ranges)
        shape.push_back(range.least + range.step * static_cast<std::int64_t>(random.below(3)));
    double place = random.uniform() * std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    std::size_t d = 0;
    while (d + 1 < dims && (place -= m_weights[d]) > 0)
        ++d;
    const std::size_t e = (d + 1 + random.below(std::max<std::size_t>(1, dims - 1))) % dims;
    if (dims == 1 || random.below(10) == 0) { // anything from short to large, even on a logarithmic scale
        for (std::size_t i = 0; i < dims; ++i) {
            const Range& range = m_ranges[i];
            const double last = std::log(static_cast<double>(range.high)),
                         first = std::log(static_cast<double>(range.shortest));
            const auto value = static_cast<std::int64_t>(std::exp(first + random.uniform() * (last - first)));
            shape[i] = std::max(range.shortest, value / range.step * range.step);
        }
        shrink(shape, d, e, ordinal, pairTimes);
        return shape;
    }
    const Range &first = m_ranges[d], &second = m_ranges[e];
    const auto all = static_cast<std::uint64_t>(first.count * second.count);
    const std::uint64_t cell = nthInRound(all, m_walked[d * dims + e]++, PairOrders + (d * dims + e) * roundsApart);
    shape[d] = first.high + first.step * (static_cast<std::int64_t>(cell) / second.count);
    shape[e] = second.least + second.step * (static_cast<std::int64_t>(cell) % second.count);
    shrink(shape, d, e, ordinal, pairTimes);
    return shape;
}

std::vector<Shape> ShapeSweep::pairs(std::size_t count)
{
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < count; ++i)
        shapes.push_back(pair(m_drawn++));
    return shapes;
}

/// Where the long dimension of a suggestion begins: beyond the task's largest size, or beyond a number that the program
/// compares with.
std::int64_t ShapeSweep::longFrom(std::size_t dim, bool byLimit, CounterRandom& random) const
{
    const Range& range = m_ranges[dim];
    const std::int64_t limit
        = m_constants.limits.empty() ? 0 : m_constants.limits[random.below(m_constants.limits.size())];
    if (byLimit && limit > range.least && limit < 2 * range.beyond)
        return roundedUp(limit, range.step) + range.step * static_cast<std::int64_t>(random.below(2));
    return range.high + range.step * static_cast<std::int64_t>(random.below(shortOffsets));
}

Shape ShapeSweep::suggestion(std::uint64_t ordinal) const
{
    CounterRandom random(m_seed, Suggestions, ordinal);
    const std::size_t dims = m_ranges.size();
    const auto& few = m_constants.compared;
    const auto& many = m_constants.near;
    Shape shape;
    for (const Range& range : m_ranges)
        shape.push_back(range.least + range.step * static_cast<std::int64_t>(random.below(shortOffsets)));
    std::size_t first = random.below(dims),
                second = (first + 1 + random.below(std::max<std::size_t>(1, dims - 1))) % dims;
    bool byLimit = random.below(2) == 0, ofSum = random.below(4) == 0;
    SizeResidue ofFirst, ofSecond;
    const std::uint64_t ofEach = few.size() * few.size(), ways = ofEach + few.size() + m_constants.shared.size();
    if (ways > 0 && (many.empty() || ordinal % 4 != 3)) {
        // What the text compares is tried in every way, each once in a round: a residue of each of two dimensions, of
        // their sum, or one that both leave.
        const std::uint64_t all = ways * dims * std::max<std::size_t>(1, dims - 1) * 2;
        std::uint64_t cell = nthInRound(all, many.empty() ? ordinal : ordinal / 4 * 3 + ordinal % 4, SuggestionOrders);
        const auto take = [&cell](std::uint64_t of) { return std::exchange(cell, cell / of) % of; };
        byLimit = take(2) == 0;
        first = take(dims);
        second = (first + 1 + take(std::max<std::size_t>(1, dims - 1))) % dims;
        ofSum = cell >= ofEach;
        if (cell < ofEach + few.size()) {
            ofFirst = few[cell % few.size()];
            ofSecond = few[cell / few.size() % few.size()];
        } else { // what the sum leaves is twice what either leaves
            const std::int64_t modulus = m_constants.shared[cell - ofEach - few.size()];
            ofFirst = {modulus, 2 * shape[second] % modulus};
        }
    } else if (!many.empty()) {
        ofFirst = many[random.below(many.size())];
        ofSecond = many[random.below(many.size())];
    }
    const std::int64_t step = m_ranges[first].step;
    if (second != first && !ofSum)
        shape[second] = withResidue(shape[second], m_ranges[second].step, ofSecond);
    if (second != first && ofSum)
        ofFirst.residue = ((ofFirst.residue - shape[second]) % ofFirst.modulus + ofFirst.modulus) % ofFirst.modulus;
    shape[first] = withResidue(longFrom(first, byLimit, random), step, ofFirst);
    shrink(shape, first, second, ordinal, pairTimes);
    return shape;
}

std::vector<Shape> ShapeSweep::suggested(std::size_t count)
{
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < count && !m_constants.isEmpty(); ++i)
        shapes.push_back(suggestion(m_suggested++));
    return shapes;
}

std::vector<Shape> ShapeSweep::named() const
{
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < std::min(mostNamed, m_constants.values.size()); ++i)
        for (std::size_t d = 0; d < m_ranges.size(); ++d) {
            const std::int64_t value = m_constants.values[i];
            if (value < m_ranges[d].least || value % m_ranges[d].step != 0)
                continue;
            const std::uint64_t ordinal = i * m_ranges.size() + d;
            CounterRandom random(m_seed, Named, ordinal);
            Shape shortest, largest;
            for (const Range& range : m_ranges) {
                shortest.push_back(range.least + range.step * static_cast<std::int64_t>(random.below(shortOffsets)));
                largest.push_back(range.high);
            }
            shortest[d] = largest[d] = value;
            shrink(shortest, d, d, ordinal, 1);
            if (!fits(shortest, overCaps))
                continue;
            shapes.push_back(std::move(shortest));
            if (m_ranges.size() == 1)
                continue;
            const std::size_t others = m_ranges.size() - 1;
            shrink(largest, d, (d + 1 + random.below(others)) % m_ranges.size(), ordinal, 1);
            shapes.push_back(std::move(largest));
        }
    return shapes;
}

std::vector<Shape> ShapeSweep::together(const SweepCaps& caps) const
{
    const std::size_t dims = m_ranges.size();
    if (dims < 2)
        return {};
    std::int64_t step = 1, least = 1, top = 1;
    for (const Range& range : m_ranges) {
        step = std::lcm(step, range.step);
        least = std::max(least, range.least);
        top = std::max(top, range.top);
    }
    // The largest that fits of the sizes that `shapeAt` gives for a limit on every dimension.
    const auto largest = [&](const auto& shapeAt) {
        std::int64_t low = least, high = top;
        while (low < high) {
            const std::int64_t middle = low + (high - low + 1) / 2;
            if (isWithin(shapeAt(middle), caps))
                low = middle;
            else
                high = middle - 1;
        }
        return shapeAt(low);
    };
    std::vector<Shape> shapes;
    const auto upTo = [&](std::size_t d, std::int64_t limit) {
        const Range& range = m_ranges[d];
        return std::max(range.least, std::min(range.top, limit) / range.step * range.step);
    };
    shapes.push_back(largest(
        [&](std::int64_t limit) { return Shape(dims, std::max(roundedUp(least, step), limit / step * step)); }));
    shapes.push_back(largest([&](std::int64_t limit) {
        Shape shape;
        for (std::size_t d = 0; d < dims; ++d)
            shape.push_back(upTo(d, limit));
        return shape;
    }));
    for (std::size_t d = 0; dims > 2 && d < dims; ++d)
        for (std::size_t e = d + 1; e < dims; ++e)
            shapes.push_back(largest([&](std::int64_t limit) {
                Shape shape;
                for (std::size_t i = 0; i < dims; ++i)
                    shape.push_back(i == d || i == e ? upTo(i, limit) : std::min(m_ranges[i].shortest, upTo(i, limit)));
                return shape;
            }));
    std::erase_if(shapes, [&](const Shape& shape) { return !isWithin(shape, caps); });
    return shapes;
}

} // namespace tilewright
