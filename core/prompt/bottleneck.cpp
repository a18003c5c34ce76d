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

/// On which shapes the vendor's library is ahead, and what catching up there would bring.
std::string vendorSentence(const Shapes& all)
{
    Shapes behind;
    bool isKnown = false;
    for (const MeasuredShape* shape : all) {
        isKnown |= shape->ofVendor() > 0;
        const bool isClear = shape->versusVendor ? shape->versusVendor->hi < 1 : shape->ofVendor() < 1;
        if (shape->ofVendor() > 0 && isClear)
            behind.push_back(shape);
    }
    if (!isKnown)
        return {};
    if (behind.empty())
        return "On no shape clearly slower than the vendor library.";
    constexpr std::size_t mostTold = 3;
    std::ranges::sort(behind, {}, &MeasuredShape::ofVendor);
    std::string text = "Behind the vendor library on " + std::to_string(behind.size())
        + (behind.size() == 1 ? " shape" : " shapes") + "; its speed there would raise the score"
        + (behind.size() > mostTold ? ", most of all: " : ": ");
    for (std::size_t i = 0; i < std::min(mostTold, behind.size()); ++i)
        text += (i == 0 ? "" : ", ") + shapeText(behind[i]->shape) + " by "
            + scoreGain(1 / behind[i]->ofVendor(), all.size());
    return text + ".";
}

double numberOf(const nlohmann::json& facts, const char* key)
{
    return facts.is_object() && facts.contains(key) && facts[key].is_number() ? facts[key].get<double>() : 0.0;
}

struct CacheLevel {
    const char *key, *name;
};
constexpr CacheLevel cacheLevels[] = {{"l1d_bytes", "L1"}, {"l2_bytes", "L2"}, {"l3_bytes", "L3"}};

/// "2.28 MiB, which fit in L3".
std::string cacheWords(double bytes, const nlohmann::json& facts)
{
    std::string text = bytesText(bytes), last;
    for (const CacheLevel& level : cacheLevels) {
        const double size = numberOf(facts, level.key);
        if (size > 0 && bytes <= size)
            return text + ", which fit in " + level.name;
        if (size > 0)
            last = level.name;
    }
    return last.empty() ? text : text + ", more than " + last + " holds";
}

/// Where a shape's data come from: memory, or on a CPU the outer cache where it holds them.
struct Source {
    double gigabytesPerSecond = 0;
    std::string words;
};

Source sourceOf(double bytes, const DeviceLimits& limits, const nlohmann::json& facts)
{
    const double outer = numberOf(facts, "measured_outer_gb_s");
    if (outer > 0 && bytes > numberOf(facts, "l2_bytes") && bytes <= numberOf(facts, "l3_bytes"))
        return {outer, "bandwidth of L3"};
    return {limits.gigabytesPerSecond, "memory bandwidth"};
}

/// What limits the slowest shape: its two rates against what the device can do. Without that nothing is concluded: the
/// program's own best rate is no limit of anything.
std::string limitSentence(
    const MeasuredShape& slow, const Measured& measured, const nlohmann::json& facts, const Task& task)
{
    const DeviceLimits limits = limitsOf(facts, task);
    const std::string head = "Lowest rate: " + shapeText(slow.shape);
    const std::string what
        = " (" + numberText(slow.flopsPerByte()) + " flop per byte; " + cacheWords(slow.bytes, facts) + ")";
    const Source source = sourceOf(slow.bytes, limits, facts);
    if (limits.gigaflopsPerSecond <= 0 || source.gigabytesPerSecond <= 0) {
        const VendorRate vendor = vendorRate(measured);
        const std::string least = vendor.gigaflopsPerSecond > slow.gigaflopsPerSecond()
            ? std::string("; the device can do at least ") + (vendor.timed ? "" : "≈ ")
                + numberText(vendor.gigaflopsPerSecond) + " GFLOP/s, reached by the vendor library on "
                + shapeText(vendor.shape)
            : "";
        return head + ", " + numberText(slow.gigaflopsPerSecond()) + " GFLOP/s, at least "
            + numberText(slow.gigabytesPerSecond()) + " GB/s" + what + least
            + ". The device's peak rate and bandwidth are not known, so which limit it meets is unknown.";
    }
    const double work = slow.gigaflopsPerSecond() / limits.gigaflopsPerSecond;
    const double traffic = slow.gigabytesPerSecond() / source.gigabytesPerSecond;
    const std::string figures = head + ", " + shareText(work) + " of the peak, at least " + shareText(traffic)
        + " of the " + source.words + what + ". ";
    if (traffic >= nearLimit && traffic >= work)
        return figures + "Memory-bound: touch each byte less often.";
    if (work >= nearLimit)
        return figures + "Compute-bound: less arithmetic helps, as on padding.";
    const bool isCpu = task.target == Target::Cpp;
    return figures + "Bound by latency or overhead, as neither limit is near"
        + (isCpu ? ": edges, packing, short loops, dependent instructions or cache conflicts." : ".");
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
    const MeasuredShape& slow = **std::ranges::min_element(
        shapes, {}, [](const MeasuredShape* shape) { return shape->gigaflopsPerSecond(); });
    std::vector<std::string> sentences;
    const auto add = [&](std::string sentence) {
        if (!sentence.empty())
            sentences.push_back(std::move(sentence));
    };
    add(vendorSentence(shapes));
    add(limitSentence(slow, measured, facts, task));
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
