// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement/overfitting.h"

#include "core/base/format.h"
#include "core/model/candidate.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr double twoSided = 1.96; ///< standard deviations of a 95 % interval

double squareOf(double value) { return value * value; }

std::optional<HeldoutGap> gapOf(const Candidate& candidate)
{
    const bool isByVendor = candidate.vsVendor && candidate.heldoutVsVendor;
    const std::optional<Interval>& train = isByVendor ? candidate.vsVendor : candidate.score;
    const std::optional<Interval>& heldout = isByVendor ? candidate.heldoutVsVendor : candidate.heldoutScore;
    const bool isKnown = candidate.confirmed && candidate.isRanked() && !candidate.migrated
        && !candidate.parents.empty() && train && train->lo > 0 && heldout && heldout->lo > 0;
    if (!isKnown)
        return std::nullopt;
    const double below = std::hypot(std::log(heldout->value / heldout->lo), std::log(train->hi / train->value));
    const double above = std::hypot(std::log(heldout->hi / heldout->value), std::log(train->value / train->lo));
    const double gap = heldout->value / train->value;
    return HeldoutGap{candidate.id, candidate.resultNumber, {gap, gap * std::exp(-below), gap * std::exp(above)}};
}

void summarise(HeldoutGaps& gaps)
{
    std::ranges::sort(
        gaps.candidates, {}, [](const HeldoutGap& gap) { return std::pair(gap.resultNumber, gap.candidate); });
    const auto count = static_cast<double>(gaps.candidates.size());
    if (count == 0)
        return;
    double sum = 0, measured = 0, spread = 0;
    for (const HeldoutGap& one : gaps.candidates) {
        sum += std::log(one.gap.value);
        measured += squareOf(std::log(one.gap.hi / one.gap.lo) / 2 / twoSided);
    }
    const double mean = sum / count;
    for (const HeldoutGap& one : gaps.candidates)
        spread += squareOf(std::log(one.gap.value) - mean);
    // Few candidates say little of their spread: as with the intervals of timings, their width is stretched.
    const double variance
        = count > 1 ? std::max(spread / (count - 1) * count / (count - 1), measured / count) : measured;
    const double half = twoSided * std::sqrt(variance / count);
    gaps.mean = Interval{std::exp(mean), std::exp(mean - half), std::exp(mean + half)};
}

HeldoutGaps& groupOf(std::vector<HeldoutGaps>& groups, const std::string& name)
{
    const auto found = std::ranges::find(groups, name, &HeldoutGaps::name);
    return found != groups.end() ? *found : groups.emplace_back(HeldoutGaps{name, {}, {}});
}

/// "mutator"; of a model its name.
std::string proposerOf(const RunState& run, const Candidate& candidate)
{
    const Proposal* proposal = run.proposal(candidate.proposal);
    const ModelRequest* request = proposal ? run.modelRequest(proposal->modelRequest) : nullptr;
    if (request && !request->answer.model.empty())
        return request->answer.model;
    return proposal ? proposal->proposer : "by hand";
}

std::string lessWords(double ratio) { return fixedText(100 * (1 - ratio), 1) + " %"; }

nlohmann::json groupJson(const HeldoutGaps& gaps, double noiseFloor)
{
    nlohmann::json candidates = nlohmann::json::array();
    for (const HeldoutGap& one : gaps.candidates)
        candidates.push_back(
            {{"candidate", candidateName(one.candidate)}, {"result", one.resultNumber}, {"gap", one.gap.json()}});
    return {{"name", gaps.name}, {"gap", gaps.mean ? gaps.mean->json() : nlohmann::json(nullptr)},
        {"clear", gaps.isClear(noiseFloor)}, {"candidates", candidates}};
}

} // namespace

bool HeldoutGaps::isClear(double noiseFloor) const
{
    return mean && verdictOf(*mean, noiseMargin(noiseFloor)) == Verdict::Worse;
}

OverfittingMeter overfittingOf(const RunState& run)
{
    OverfittingMeter meter;
    meter.all.name = "all";
    for (const Candidate& candidate : run.candidates) {
        const auto gap = gapOf(candidate);
        if (!gap)
            continue;
        meter.all.candidates.push_back(*gap);
        groupOf(meter.islands, islandLetter(candidate.island)).candidates.push_back(*gap);
        groupOf(meter.proposers, proposerOf(run, candidate)).candidates.push_back(*gap);
    }
    summarise(meter.all);
    for (std::vector<HeldoutGaps>* groups : {&meter.islands, &meter.proposers}) {
        std::ranges::sort(*groups, {}, &HeldoutGaps::name);
        std::ranges::for_each(*groups, summarise);
    }
    return meter;
}

std::string overfittingWords(const HeldoutGaps& gaps)
{
    if (!gaps.mean)
        return {};
    const bool isLess = gaps.mean->value <= 1;
    const auto part = [&](double ratio) { return isLess ? lessWords(ratio) : fixedText(100 * (ratio - 1), 1) + " %"; };
    return "held-out shapes gain " + part(gaps.mean->value) + (isLess ? " less" : " more") + " than train shapes ["
        + part(isLess ? gaps.mean->hi : gaps.mean->lo) + ", " + part(isLess ? gaps.mean->lo : gaps.mean->hi) + "], "
        + std::to_string(gaps.candidates.size()) + " confirmed candidate" + (gaps.candidates.size() == 1 ? "" : "s");
}

nlohmann::json toJson(const OverfittingMeter& meter, double noiseFloor)
{
    nlohmann::json islands = nlohmann::json::array(), proposers = nlohmann::json::array();
    for (const HeldoutGaps& gaps : meter.islands)
        islands.push_back(groupJson(gaps, noiseFloor));
    for (const HeldoutGaps& gaps : meter.proposers)
        proposers.push_back(groupJson(gaps, noiseFloor));
    return {{"all", groupJson(meter.all, noiseFloor)}, {"islands", islands}, {"proposers", proposers}};
}

} // namespace tilewright
