// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/bottleneck.h"

#include "core/model/measurement/gpu_counters.h"
#include "core/model/measurement/resource_figures.h"
#include "core/model/measurement/roofline.h"
#include "core/prompt/examples.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

/// Below this spread between fastest and slowest shape, efficiency counts as even.
constexpr double evenSpread = 1.2;
/// A rate of at least this share of what the device can do counts as its limit.
constexpr double nearLimit = 0.8;
constexpr double lowOccupancy = 0.25;

using Shapes = std::vector<const MeasuredShape*>;

Shapes measuredShapes(const Measured& measured)
{
    Shapes shapes;
    for (const MeasuredShape& shape : measured.shapes)
        if (shape.ns > 0 && shape.flops > 0)
            shapes.push_back(&shape);
    return shapes;
}

/// What reaching `factor` times its speed on one of n shapes does to the geometric mean.
std::string scoreGain(double factor, std::size_t shapes)
{
    return shareText(std::pow(factor, 1.0 / static_cast<double>(shapes)) - 1);
}

std::string vendorSentence(const Shapes& all)
{
    Shapes behind, known;
    for (const MeasuredShape* shape : all) {
        if (shape->ofVendor() > 0)
            known.push_back(shape);
        if (shape->ofVendor() > 0 && shape->ofVendor() < 1)
            behind.push_back(shape);
    }
    if (known.empty())
        return {};
    if (behind.empty()) {
        const auto closest = *std::ranges::min_element(known, {}, &MeasuredShape::ofVendor);
        return "It is at least as fast as the vendor's library on every shape; least ahead on "
            + shapeText(closest->shape) + " (" + numberText(closest->ofVendor()) + "×).";
    }
    std::ranges::sort(behind, {}, &MeasuredShape::ofVendor);
    std::string text = "The vendor's library is faster on " + std::to_string(behind.size()) + " of "
        + std::to_string(known.size()) + " shapes. Furthest behind: ";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, behind.size()); ++i) {
        const MeasuredShape& shape = *behind[i];
        text += (i == 0 ? "" : "; ") + shapeText(shape.shape) + " at " + numberText(shape.ofVendor())
            + "× of the vendor's speed (reaching it would raise the score by "
            + scoreGain(1 / shape.ofVendor(), all.size()) + ")";
    }
    return text + ".";
}

std::string spreadSentence(const MeasuredShape& slow, const MeasuredShape& fast)
{
    const double spread = fast.gigaflopsPerSecond() / slow.gigaflopsPerSecond();
    const std::string figures = shapeText(slow.shape) + " runs at " + numberText(slow.gigaflopsPerSecond())
        + " GFLOP/s, " + shapeText(fast.shape) + " at " + numberText(fast.gigaflopsPerSecond());
    return spread < evenSpread ? "Efficiency is even over the shapes: " + figures + "."
                               : "Efficiency is uneven: " + figures + ", " + numberText(spread) + " times as much.";
}

std::string cacheWords(double bytes, const nlohmann::json& facts)
{
    const auto size = [&](const char* key) {
        return facts.is_object() && facts.contains(key) && facts[key].is_number() ? facts[key].get<double>() : 0.0;
    };
    const std::string operands = "its operands and result take " + bytesText(bytes);
    struct Level {
        const char *key, *name;
    };
    for (const Level& level : {Level{"l1d_bytes", "L1"}, Level{"l2_bytes", "L2"}, Level{"l3_bytes", "L3"}})
        if (size(level.key) > 0 && bytes <= size(level.key))
            return operands + ", which fits in " + level.name + " (" + bytesText(size(level.key)) + ")";
    for (const Level& level : {Level{"l3_bytes", "L3"}, Level{"l2_bytes", "L2"}})
        if (size(level.key) > 0)
            return operands + ", more than " + level.name + " (" + bytesText(size(level.key)) + ")";
    return operands;
}

/// Why the slowest shape is slow: its two rates against what the device can do. Without that nothing is
/// concluded: the program's own best rate is no limit of anything.
std::string limitSentence(
    const MeasuredShape& slow, const Measured& measured, const nlohmann::json& facts, const Task& task)
{
    const DeviceLimits limits = limitsOf(facts, task);
    const std::string head = "The shape with the lowest rate, " + shapeText(slow.shape) + ", does "
        + numberText(slow.gigaflopsPerSecond()) + " GFLOP/s and moves at least " + numberText(slow.gigabytesPerSecond())
        + " GB/s (" + numberText(slow.flopsPerByte()) + " flop per byte; " + cacheWords(slow.bytes, facts) + ")";
    if (limits.gigaflopsPerSecond <= 0 || limits.gigabytesPerSecond <= 0) {
        const VendorRate vendor = vendorRate(measured);
        const std::string least = vendor.gigaflopsPerSecond > slow.gigaflopsPerSecond()
            ? std::string("; the device can do at least ") + (vendor.timed ? "" : "≈ ")
                + numberText(vendor.gigaflopsPerSecond) + " GFLOP/s, as the vendor's library shows on "
                + shapeText(vendor.shape)
            : "";
        return head + least + ". What the device can do at most was not measured, so which limit it meets is unknown.";
    }
    const double work = slow.gigaflopsPerSecond() / limits.gigaflopsPerSecond;
    const double traffic = slow.gigabytesPerSecond() / limits.gigabytesPerSecond;
    const std::string measuredly = limits.measured ? "measured " : "";
    const std::string figures = head + ": " + shareText(work) + " of the device's " + measuredly + "peak and "
        + shareText(traffic) + " of its " + measuredly + "memory bandwidth. ";
    if (traffic >= nearLimit && work < nearLimit)
        return figures + "It is memory-bound: what helps is touching each byte less often, not faster arithmetic.";
    if (work >= nearLimit)
        return figures + "It is compute-bound: what helps is less arithmetic.";
    return figures
        + "Neither is near its limit: the time goes into latency, edges that do not fill a tile or vector, copies that "
          "are used too seldom, too short loops, or cache conflicts.";
}

std::string pairedSentence(const Shapes& shapes, CandidateId other)
{
    std::string slower, faster;
    int within = 0;
    for (const MeasuredShape* shape : shapes) {
        if (!shape->versusPaired)
            continue;
        std::string& list = shape->versusPaired->hi < 1 ? slower : faster;
        if (shape->versusPaired->hi >= 1 && shape->versusPaired->lo <= 1)
            ++within;
        else
            list += (list.empty() ? "" : ", ") + shapeText(shape->shape) + " " + numberText(shape->versusPaired->value)
                + "×";
    }
    if (slower.empty() && faster.empty())
        return {};
    std::string text = "Side by side with " + candidateName(other) + " it is ";
    text += faster.empty() ? "" : "faster on " + faster;
    text += slower.empty() ? "" : std::string(faster.empty() ? "" : " and ") + "slower on " + slower;
    return text
        + (within > 0 ? "; no clear difference on " + std::to_string(within) + (within == 1 ? " shape." : " shapes.")
                      : ".");
}

std::vector<std::string> resourceSentences(const ResourceFigures& figures)
{
    std::vector<std::string> sentences;
    const bool isToldOfLoop
        = figures.gpuHotLoop && figures.gpuHotLoop->spillStores + figures.gpuHotLoop->spillLoads > 0;
    if (figures.spillBytes.value_or(0) > 0 && !isToldOfLoop)
        sentences.push_back("Registers spill: " + bytesText(static_cast<double>(*figures.spillBytes))
            + " a thread go through local memory; smaller tiles or fewer live values would stop that.");
    if (figures.occupancy && *figures.occupancy < lowOccupancy)
        sentences.push_back("Occupancy is " + numberText(100 * *figures.occupancy)
            + " %: latency is hidden only by what each thread has in flight itself.");
    return sentences;
}

} // namespace

std::vector<std::string> bottlenecks(const Measured& measured, const nlohmann::json& facts, const Task& task)
{
    const Shapes shapes = measuredShapes(measured);
    if (shapes.empty())
        return {};
    const auto rate = [](const MeasuredShape* shape) { return shape->gigaflopsPerSecond(); };
    const MeasuredShape& slow = **std::ranges::min_element(shapes, {}, rate);
    const MeasuredShape& fast = **std::ranges::max_element(shapes, {}, rate);
    std::vector<std::string> sentences;
    const auto add = [&](std::string sentence) {
        if (!sentence.empty())
            sentences.push_back(std::move(sentence));
    };
    add(vendorSentence(shapes));
    if (shapes.size() > 1)
        add(spreadSentence(slow, fast));
    add(limitSentence(slow, measured, facts, task));
    if (measured.pairedWith && measured.pairedWith != measured.candidate)
        add(pairedSentence(shapes, measured.pairedWith));
    for (std::string& sentence : boundSentences(measured.profile))
        add(std::move(sentence));
    const ResourceFigures figures = resourceFigures(measured.resources);
    for (std::string& sentence : resourceSentences(figures))
        add(std::move(sentence));
    if (figures.gpuHotLoop)
        for (std::string& finding : loopFindings(*figures.gpuHotLoop, gpuLoopLimits(facts, task)))
            add(std::move(finding));
    constexpr int floatBits = 32;
    if (const int lanes = vectorLanes(facts, Dtype::Fp32); figures.hotLoop)
        for (std::string& finding : loopFindings(*figures.hotLoop, lanes > 1 ? floatBits * lanes : 0))
            add(std::move(finding));
    return sentences;
}

} // namespace tilewright
