// SPDX-License-Identifier: Apache-2.0
#include "core/node/timing_record.h"

#include "core/base/format.h"
#include "core/model/measurement/progress_stages.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr double farOff = 0.08; ///< who is this much slower or faster needs no third digit
constexpr int quickResamples = 200;

/// 0 %, 5 %, … 100 %.
std::vector<double> quantilesOf(const std::vector<double>& times)
{
    constexpr int steps = 20;
    std::vector<double> quantiles;
    for (int i = 0; i <= steps && !times.empty(); ++i)
        quantiles.push_back(std::round(quantile(times, static_cast<double>(i) / steps)));
    return quantiles;
}

} // namespace

void TimingRecord::begin(std::uint64_t seedOf, const std::vector<Shape>& train, const std::vector<Shape>& heldout)
{
    seed = seedOf;
    for (const Shape& shape : train)
        records.push_back({shape, ShapeSplit::Train, {}, {}});
    for (const Shape& shape : heldout)
        records.push_back({shape, ShapeSplit::Heldout, {}, {}});
}

void TimingRecord::file(ShapeRecord& record, const std::vector<std::string>& contestants,
    const std::vector<double>& medianNs, const std::vector<std::vector<double>>& ratiosOf, int samples)
{
    for (std::size_t i = 0; i < contestants.size(); ++i) {
        BlockRatios& known = record.logRatios[contestants[i]];
        known.insert(known.end(), ratiosOf[i].begin(), ratiosOf[i].end());
        record.times.resize(std::max(record.times.size(), names.size()));
        const auto slot = std::ranges::find(names, contestants[i]) - names.begin();
        record.times[static_cast<std::size_t>(slot)].push_back(medianNs[i]);
    }
    record.lastNs = *std::ranges::max_element(medianNs);
    record.samples += samples;
    ++record.blocks;
}

void TimingRecord::fileVoid(ShapeRecord& record, const std::string& why)
{
    ++record.voided;
    lastVoid = why;
    int voided = 0, all = 0;
    for (const ShapeRecord& each : records) {
        voided += each.voided;
        all += each.voided + each.blocks;
    }
    job.progress(std::string(disturbedStage) + why, voided, all);
}

std::unexpected<Error> TimingRecord::unstable(const ShapeRecord& record) const
{
    return fail("time/unstable",
        "the machine was too busy to measure " + shapeText(record.shape) + ": " + std::to_string(record.voided)
            + " blocks were void, the last because " + lastVoid,
        "end other programs on this machine, or try again",
        {{"because", lastVoid}, {"shape_text", shapeText(record.shape)}, {"void", record.voided},
            {"blocks", record.voided + record.blocks}});
}

const ShapeRecord* TimingRecord::lacking(const std::string& name) const
{
    const auto found = std::ranges::find_if(records, [&](const ShapeRecord& record) {
        const auto told = record.logRatios.find(name);
        return told == record.logRatios.end() || told->second.empty();
    });
    return found == records.end() ? nullptr : &*found;
}

std::vector<BlockRatios> TimingRecord::ratios(const std::string& name, ShapeSplit split) const
{
    std::vector<BlockRatios> list;
    for (const ShapeRecord& record : records)
        if (record.split == split) {
            const auto found = record.logRatios.find(name);
            list.push_back(found == record.logRatios.end() ? BlockRatios{} : found->second);
        }
    return list;
}

std::optional<Interval> TimingRecord::ratio(const std::string& name, ShapeSplit split, int resamples) const
{
    const auto list = ratios(name, split);
    return list.empty() ? std::nullopt : geometricMeanRatio(list, seed + static_cast<std::uint64_t>(split), resamples);
}

std::optional<Interval> TimingRecord::quickRatio() const
{
    return ratio("incumbent", ShapeSplit::Train, quickResamples);
}

double TimingRecord::halfWidth(const BlockRatios& ratios) const
{
    const auto interval = geometricMeanRatio({ratios}, seed, quickResamples);
    return interval ? (interval->hi - interval->lo) / 2 / interval->value : 1;
}

/// Rounds that the shapes have still to be gone through, after `done` of them. Long samples are steady ones: a few
/// rounds tell as much. Else the width of the interval decides, never the side of 1 on which it lies, so that stopping
/// favours nobody.
int TimingRecord::roundsAfter(int done, const ScreeningPace& pace) const
{
    double sweep = 0;
    for (const ShapeRecord& record : records)
        sweep += record.sampleNs();
    if (sweep > pace.slowSweepNs)
        return std::max(0, pace.slow - done);
    if (done < pace.fewest)
        return pace.fewest - done;
    const auto ratio = quickRatio();
    const bool told = !ratio || std::log(ratio->hi / ratio->lo) / 2 <= task.precision || ratio->lo > 1 + farOff
        || ratio->hi < 1 / (1 + farOff);
    return told || done >= pace.most ? 0 : 1;
}

/// Blocks of every shape until each has so many that count; who was disturbed has its turn again. Where another round
/// is to follow, its first block is posted behind the last of this one, so that nobody waits for a verdict in between.
Result<void> TimingRecord::measureUntil(int blocksOfEach, bool another, const Steps& steps)
{
    const auto lacking = [&](int wanted) {
        return std::ranges::find_if(records,
            [&](const ShapeRecord& record) { return record.blocks + std::ranges::count(m_posted, &record) < wanted; });
    };
    const auto post = [&](ShapeRecord& record) -> Result<void> {
        m_posted.push_back(&record);
        return steps.post ? steps.post(record) : Result<void>();
    };
    while (std::ranges::any_of(records, [&](const ShapeRecord& record) { return record.blocks < blocksOfEach; })) {
        if (job.cancelled())
            return fail("cancelled", "the measurement was cancelled");
        while (m_posted.size() < steps.ahead) {
            auto next = lacking(blocksOfEach);
            if (next == records.end() && another)
                next = lacking(blocksOfEach + 1);
            if (next == records.end()) {
                if (!another && steps.posted)
                    steps.posted();
                break;
            }
            if (auto sent = post(*next); !sent)
                return sent;
        }
        ShapeRecord& record = *m_posted.front();
        m_posted.pop_front();
        const auto filed = steps.take(record);
        if (!filed)
            return std::unexpected(filed.error());
        if (!*filed && record.voided > mostVoid + record.blocks)
            return unstable(record);
    }
    return {};
}

Result<void> TimingRecord::screen(const ScreeningPace& pace, const Steps& steps)
{
    int done = 0;
    m_posted.clear();
    for (int left = roundsAfter(0, pace); left > 0; left = roundsAfter(++done, pace)) {
        if (done % 2 == 1 && steps.turnAround)
            steps.turnAround(); // ABBA, then BAAB
        if (auto measured = measureUntil(done + 1, left > 1, steps); !measured)
            return measured;
        job.progress("screening", done + 1, done + left);
        if (done > 0 || request.stopBelow <= 0)
            continue;
        const auto sofar = ratio("incumbent", ShapeSplit::Train);
        if (sofar && sofar->hi < request.stopBelow)
            break; // clearly below half of its island's median
    }
    return {};
}

void TimingRecord::shareRatios()
{
    const bool own = request.candidate == request.incumbent;
    for (ShapeRecord& record : records) {
        if (own)
            record.logRatios["incumbent"] = record.logRatios["candidate"];
        if (request.baseline == request.incumbent)
            record.logRatios["baseline"] = record.logRatios["incumbent"];
    }
}

ShapeResult TimingRecord::shapeResult(const ShapeRecord& record) const
{
    ShapeResult shape;
    shape.shape = record.shape;
    shape.split = record.split;
    shape.samples = record.samples;
    shape.voidBlocks = record.voided;
    const auto timesOf = [&](const char* name) {
        const auto slot = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
        return slot < record.times.size() ? record.times[slot] : std::vector<double>();
    };
    const auto time = [&](const char* name) -> std::optional<double> {
        const std::vector<double> times = timesOf(name);
        return times.empty() ? std::nullopt : std::optional(median(times));
    };
    const auto versus = [&](const char* name) -> std::optional<Interval> {
        const auto found = record.logRatios.find(name);
        return found == record.logRatios.end() ? std::nullopt : geometricMeanRatio({found->second}, seed);
    };
    shape.candidateNs = time("candidate").value_or(0);
    shape.incumbentNs = time("incumbent");
    shape.baselineNs = time("baseline");
    shape.vendorNs = time("vendor");
    if (isConfirming())
        shape.quantilesNs = quantilesOf(timesOf("candidate"));
    shape.versusIncumbent = versus("incumbent");
    shape.versusBaseline = versus("baseline");
    shape.versusVendor = versus("vendor");
    return shape;
}

void TimingRecord::judge(
    EvaluationResult& result, double noiseFloor, const std::function<double(const Shape&)>& floorNs)
{
    passed.clear();
    m_believed = {};
    result.rule.clear();
    result.text.clear();
    result.evidence = nullptr;
    result.shapes.clear();
    for (const ShapeRecord& record : records)
        result.shapes.push_back(shapeResult(record));
    result.outcome = Outcome::Ranked;
    result.versusIncumbent = ratio("incumbent", ShapeSplit::Train);
    if (result.versusIncumbent)
        result.verdict = verdictOf(*result.versusIncumbent, noiseFloor);
    if (!isConfirming()) {
        if (request.incumbentScore && result.versusIncumbent)
            result.score = timesInterval(*request.incumbentScore, *result.versusIncumbent);
    } else {
        result.score = ratio("baseline", ShapeSplit::Train);
        result.vsVendor = ratio("vendor", ShapeSplit::Train);
        result.heldoutScore = ratio("baseline", ShapeSplit::Heldout);
        result.heldoutVsVendor = ratio("vendor", ShapeSplit::Heldout);
    }
    for (const ShapeResult& shape : result.shapes) {
        const double floor = floorNs(shape.shape);
        if (shape.candidateNs > 0)
            m_believed.add({"roofline", floor / shape.candidateNs, 1, shape.shape});
        if (shape.candidateNs >= floor)
            continue;
        result.outcome = Outcome::Refused;
        result.rule = "time/roofline";
        result.text = shapeText(shape.shape) + " took less time than its work and traffic need at the device's peak";
        result.evidence = {{"shape", shape.shape}, {"ns", shape.candidateNs}, {"floor_ns", floor}};
        return;
    }
    if (launches > 0)
        passed.emplace_back(timedLaunchesCheck);
    passed.emplace_back("roofline");
    if (sweptSizes > 0)
        passed.emplace_back("size-sweep");
    const bool lacksBound = isConfirming() && request.vendor && !task.vendor.empty() && !result.vsVendor;
    const bool isOver = result.vsVendor && result.vsVendor->value > task.limits.quarantineOverVendor;
    if ((isOver || lacksBound) && !audited)
        return quarantine(result);
    if (result.vsVendor && !isOver)
        passed.emplace_back("vendor-bound");
    if (audited)
        passed.emplace_back("audit");
}

void TimingRecord::quarantine(EvaluationResult& result) const
{
    result.outcome = Outcome::Quarantined;
    result.rule = result.vsVendor ? "audit/vendor" : "audit/no-vendor";
    result.text = result.vsVendor
        ? "more than " + fixedText(task.limits.quarantineOverVendor, 2) + " times as fast as the vendor library"
        : "the vendor library could not be timed beside it";
    if (!auditFinding)
        return;
    result.text += ", and the audit was not passed: " + auditFinding->text;
    result.evidence = {
        {"audit", {{"rule", auditFinding->code}, {"text", auditFinding->text}, {"evidence", auditFinding->evidence}}}};
}

Result<void> TimingRecord::lookInto(
    EvaluationResult& result, const std::function<Result<void>()>& audit, const std::function<void()>& judgeAgain)
{
    if (result.outcome != Outcome::Quarantined)
        return {};
    auto cleared = audit();
    if (!cleared && isNodesOwn(cleared.error()))
        return cleared;
    audited = cleared.has_value();
    if (!cleared)
        auditFinding = cleared.error();
    judgeAgain();
    return {};
}

void TimingRecord::tell(nlohmann::json& environment) const
{
    environment["launches_checked"] = launches;
    if (isConfirming())
        environment["processes"] = confirmProcesses;
    if (sweptSizes > 0)
        environment["size_sweep"] = {{"residues", sweptSizes}, {"pairs", sweptPairs}, {"suggested", suggestedSizes},
            {"large", largeSizes}, {"ns", sweepNs}};
    environment["audited"] = audited;
    environment["rules_passed"] = passed;
    MeasuredChecks all = measured;
    all.add(m_believed);
    environment["measured_checks"] = all.json();
    if (audited || auditFinding)
        environment["audit"] = audited
            ? nlohmann::json{{"cleared", true}, {"processes", confirmProcesses}}
            : nlohmann::json{{"cleared", false}, {"rule", auditFinding->code}, {"text", auditFinding->text}};
    if (!vendorMissing.empty())
        environment["vendor_missing"] = vendorMissing;
}

TimeRequest againstItself(const TimeRequest& request)
{
    TimeRequest self = request;
    self.candidate = request.incumbent;
    self.evaluation += "/noise";
    self.stopBelow = 0;
    return self;
}

Result<void> refuse(EvaluationResult& result, const Error& error)
{
    if (isNodesOwn(error))
        return std::unexpected(error);
    result.outcome = outcomeOfRule(error.code);
    result.rule = error.code;
    result.text = error.text;
    result.evidence = error.evidence;
    return {};
}

} // namespace tilewright
