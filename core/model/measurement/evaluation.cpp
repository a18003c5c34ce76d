// SPDX-License-Identifier: Apache-2.0
#include "core/model/measurement/evaluation.h"

#include "core/base/format.h"
#include "core/base/names.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

constexpr NameTable<Outcome, 7> outcomes{{{Outcome::None, "none"}, {Outcome::Ranked, "ranked"},
    {Outcome::Unranked, "unranked"}, {Outcome::Quarantined, "quarantined"}, {Outcome::Refused, "refused"},
    {Outcome::BuildFailed, "build_failed"}, {Outcome::RunFailed, "run_failed"}}};
constexpr NameTable<Verdict, 4> verdicts{
    {{Verdict::None, "none"}, {Verdict::Better, "better"}, {Verdict::Neutral, "neutral"}, {Verdict::Worse, "worse"}}};
constexpr NameTable<Purpose, 7> purposes{
    {{Purpose::Screen, "screen"}, {Purpose::Confirm, "confirm"}, {Purpose::Rerun, "rerun"}, {Purpose::Audit, "audit"},
        {Purpose::Noise, "noise"}, {Purpose::Export, "export"}, {Purpose::Parent, "parent"}}};
constexpr NameTable<ShapeSplit, 5> splits{{{ShapeSplit::Train, "train"}, {ShapeSplit::Heldout, "heldout"},
    {ShapeSplit::Sealed, "sealed"}, {ShapeSplit::Verify, "verify"}, {ShapeSplit::Own, "own"}}};

/// What the compiler and the linker could not do. All else that is found while building breaks a rule.
constexpr std::array<std::string_view, 8> failuresToBuild{"build/error", "build/crash", "build/limit", "build/killed",
    "build/no-entry", "build/no-kernel", "build/no-compiler", "build/no-artifact"};

template <typename T> nlohmann::json orNull(const std::optional<T>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

nlohmann::json orNull(const std::optional<Interval>& interval)
{
    return interval ? interval->json() : nlohmann::json(nullptr);
}

std::optional<double> numberOf(const nlohmann::json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::optional<Interval> intervalOf(const nlohmann::json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() ? std::nullopt : Interval::fromJson(*found);
}

nlohmann::json toJson(const ShapeResult& result)
{
    nlohmann::json json = {{"shape", result.shape}, {"split", nameOf(result.split)},
        {"candidate_ns", result.candidateNs}, {"incumbent_ns", orNull(result.incumbentNs)},
        {"baseline_ns", orNull(result.baselineNs)}, {"vendor_ns", orNull(result.vendorNs)},
        {"vs_incumbent", orNull(result.versusIncumbent)}, {"vs_baseline", orNull(result.versusBaseline)},
        {"vs_vendor", orNull(result.versusVendor)}, {"samples", result.samples}, {"void_blocks", result.voidBlocks}};
    if (!result.quantilesNs.empty())
        json["quantiles_ns"] = result.quantilesNs;
    return json;
}

ShapeResult shapeFromJson(const nlohmann::json& json)
{
    ShapeResult result;
    result.shape = json.at("shape").get<Shape>();
    result.split = valueIn(splits, json.at("split").get<std::string>()).value_or(ShapeSplit::Train);
    result.candidateNs = json.at("candidate_ns").get<double>();
    result.incumbentNs = numberOf(json, "incumbent_ns");
    result.baselineNs = numberOf(json, "baseline_ns");
    result.vendorNs = numberOf(json, "vendor_ns");
    result.versusIncumbent = intervalOf(json, "vs_incumbent");
    result.versusBaseline = intervalOf(json, "vs_baseline");
    result.versusVendor = intervalOf(json, "vs_vendor");
    result.samples = json.value("samples", 0);
    result.voidBlocks = json.value("void_blocks", 0);
    result.quantilesNs = json.value("quantiles_ns", std::vector<double>());
    return result;
}

nlohmann::json toJson(const ParentPair& pair)
{
    nlohmann::json shapes = nlohmann::json::array();
    for (const auto& [shape, ratio] : pair.shapes)
        shapes.push_back({{"shape", shape}, {"ratio", ratio.json()}});
    return {{"parent", pair.parent.value}, {"ratio", pair.ratio.json()}, {"shapes", shapes}, {"wall_ns", pair.wallNs}};
}

std::optional<ParentPair> parentPairFromJson(const nlohmann::json& json)
{
    const auto found = json.find("vs_parent");
    const auto ratio = found != json.end() && found->is_object() ? intervalOf(*found, "ratio") : std::nullopt;
    if (!ratio)
        return std::nullopt;
    ParentPair pair{CandidateId{found->at("parent").get<std::int64_t>()}, *ratio, {}, 0};
    for (const nlohmann::json& shape : found->value("shapes", nlohmann::json::array()))
        if (const auto onShape = intervalOf(shape, "ratio"))
            pair.shapes.emplace_back(shape.at("shape").get<Shape>(), *onShape);
    pair.wallNs = found->value("wall_ns", std::int64_t(0));
    return pair;
}

} // namespace

std::string nameOf(Outcome outcome) { return nameIn(outcomes, outcome); }
std::string nameOf(Verdict verdict) { return nameIn(verdicts, verdict); }
std::string nameOf(Purpose purpose) { return nameIn(purposes, purpose); }
std::string nameOf(ShapeSplit split) { return nameIn(splits, split); }
Outcome outcomeFromName(std::string_view name) { return valueIn(outcomes, name).value_or(Outcome::None); }
Verdict verdictFromName(std::string_view name) { return valueIn(verdicts, name).value_or(Verdict::None); }
Purpose purposeFromName(std::string_view name) { return valueIn(purposes, name).value_or(Purpose::Screen); }

Outcome outcomeOfRule(std::string_view rule)
{
    const auto of = [&](std::string_view stage) { return rule.starts_with(stage); };
    if (std::ranges::find(failuresToBuild, rule) != failuresToBuild.end())
        return Outcome::BuildFailed;
    if (of("verify/") || of("static/") || of("time/") || of("build/") || of("audit/"))
        return Outcome::Refused;
    // The node and what it says are not the candidate's fault; but while its code ran, they may be its doing. What no
    // rule is known by is no rule's word either.
    return Outcome::RunFailed;
}

nlohmann::json Interval::json() const { return {{"value", value}, {"lo", lo}, {"hi", hi}}; }

std::optional<Interval> Interval::fromJson(const nlohmann::json& json)
{
    if (!json.is_object())
        return std::nullopt;
    return Interval{json.at("value").get<double>(), json.at("lo").get<double>(), json.at("hi").get<double>()};
}

nlohmann::json EvaluationResult::json() const
{
    nlohmann::json table = nlohmann::json::array();
    for (const ShapeResult& shape : shapes)
        table.push_back(toJson(shape));
    nlohmann::json json = {{"purpose", nameOf(purpose)}, {"outcome", nameOf(outcome)}, {"rule", rule}, {"text", text},
        {"evidence", evidence}, {"verdict", nameOf(verdict)}, {"vs_incumbent", orNull(versusIncumbent)},
        {"score", orNull(score)}, {"vs_vendor", orNull(vsVendor)}, {"heldout_score", orNull(heldoutScore)},
        {"heldout_vs_vendor", orNull(heldoutVsVendor)}, {"noise_floor", noiseFloor}, {"shapes", table},
        {"resources", resources}, {"environment", environment}, {"artifact", artifact.isNull() ? "" : artifact.hex()},
        {"log", log.isNull() ? "" : log.hex()}, {"wall_ns", wallNs}};
    if (versusParent)
        json["vs_parent"] = toJson(*versusParent);
    return json;
}

Result<EvaluationResult> EvaluationResult::fromJson(const nlohmann::json& json)
{
    try {
        EvaluationResult result;
        result.purpose = purposeFromName(json.at("purpose").get<std::string>());
        result.outcome = outcomeFromName(json.at("outcome").get<std::string>());
        result.rule = json.value("rule", "");
        result.text = json.value("text", "");
        result.evidence = json.value("evidence", nlohmann::json());
        result.verdict = verdictFromName(json.value("verdict", "none"));
        result.versusIncumbent = intervalOf(json, "vs_incumbent");
        result.score = intervalOf(json, "score");
        result.vsVendor = intervalOf(json, "vs_vendor");
        result.heldoutScore = intervalOf(json, "heldout_score");
        result.heldoutVsVendor = intervalOf(json, "heldout_vs_vendor");
        result.noiseFloor = json.value("noise_floor", 0.0);
        for (const nlohmann::json& shape : json.value("shapes", nlohmann::json::array()))
            result.shapes.push_back(shapeFromJson(shape));
        result.versusParent = parentPairFromJson(json);
        result.resources = json.value("resources", nlohmann::json());
        result.environment = json.value("environment", nlohmann::json());
        result.artifact = Hash::fromHex(json.value("artifact", ""));
        result.log = Hash::fromHex(json.value("log", ""));
        result.wallNs = json.value("wall_ns", std::int64_t(0));
        return result;
    } catch (const nlohmann::json::exception& problem) {
        return fail("evaluation/field", std::string("an evaluation result cannot be read: ") + problem.what());
    }
}

double verdictMargin(double noiseFloor) { return std::max(0.005, 2 * noiseFloor); }

Verdict verdictOf(const Interval& ratio, double noiseFloor)
{
    const double margin = verdictMargin(noiseFloor);
    if (ratio.lo > 1 + margin)
        return Verdict::Better;
    if (ratio.hi < 1 / (1 + margin))
        return Verdict::Worse;
    return Verdict::Neutral;
}

std::string timesText(const Interval& interval)
{
    const bool isNarrow = interval.lo < interval.hi && fixedText(interval.lo, 2) == fixedText(interval.hi, 2);
    const int decimals = isNarrow ? 3 : 2;
    return fixedText(interval.value, decimals) + "× [" + fixedText(interval.lo, decimals) + ", "
        + fixedText(interval.hi, decimals) + "]";
}

} // namespace tilewright
