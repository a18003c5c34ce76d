// SPDX-License-Identifier: Apache-2.0
// Is a program right? Runs it on fresh inputs of every kind, with two poisons and both placements, and applies every
// gate. One object for one check; measuring thread only.
#pragma once

#include "core/node/arena.h"
#include "core/node/reference.h"

#include <functional>

namespace tilewright {

struct CheckPlan {
    std::string seedText; ///< secret-derived; with the shape and sample it seeds the inputs
    bool all = false; ///< held-out shapes as well
    std::function<bool()> cancelled = [] { return false; };
    std::function<void(double done, double of)> progress = [](double, double) {};
};

class Checker
{
public:
    Checker(const Task& task, const Reference& reference, Arena& arena)
        : m_task(task)
        , m_reference(reference)
        , m_arena(arena)
    {
    }

    /// The gates that were passed, and what they measured. Errors: the rules of gates.h, arena.h and guest_process.h,
    /// with the shape in the evidence; cancelled.
    Result<PassedChecks> check(const CheckPlan& plan);
    /// Every shape check() will use, for making the arena.
    static std::vector<Shape> shapesOf(const Task& task, const CheckPlan& plan);

private:
    struct Sample {
        Shape shape;
        InputKind kind = InputKind::Normal;
        bool isUnannounced = false;
    };
    std::vector<Sample> samplesOf(const CheckPlan& plan) const;
    Result<MeasuredChecks> checkSample(const Sample& sample, const CheckPlan& plan, std::uint64_t ordinal);
    /// The outputs, in their order.
    Result<std::vector<std::vector<float>>> runOnce(
        const Sample& sample, Placement placement, std::uint8_t pattern, std::uint64_t seed);
    std::chrono::nanoseconds limitFor(const Shape& shape) const;

    const Task& m_task;
    const Reference& m_reference;
    Arena& m_arena;
    double m_slowest = 0; ///< ns per flop seen so far
};

/// SHA-256-based seed of one sample.
std::uint64_t sampleSeed(const std::string& seedText, const Shape& shape, std::uint64_t sample);

} // namespace tilewright
