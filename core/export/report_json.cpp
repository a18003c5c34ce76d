// SPDX-License-Identifier: GPL-3.0-or-later
// report.json: all of an export's record, in the units of the session (nanoseconds, ratios, UTC).
#include "core/export/export_record.h"

#include <utility>

namespace tilewright {
namespace {

using Json = nlohmann::json;

Json intervalJson(const std::optional<Interval>& interval) { return interval ? interval->json() : Json(nullptr); }
Json nameJson(CandidateId id) { return id ? Json(candidateName(id)) : Json(nullptr); }

Json namesJson(const std::vector<CandidateId>& ids)
{
    Json names = Json::array();
    for (const CandidateId id : ids)
        names.push_back(candidateName(id));
    return names;
}

Json shapesJson(const std::vector<ShapeResult>& shapes)
{
    Json all = Json::array();
    const auto time = [](const std::optional<double>& ns) { return ns ? Json(*ns) : Json(nullptr); };
    for (const ShapeResult& shape : shapes)
        all.push_back({{"shape", shape.shape}, {"split", nameOf(shape.split)}, {"candidate_ns", shape.candidateNs},
            {"baseline_ns", time(shape.baselineNs)}, {"previous_best_ns", time(shape.incumbentNs)},
            {"vendor_ns", time(shape.vendorNs)}, {"vs_baseline", intervalJson(shape.versusBaseline)},
            {"vs_previous_best", intervalJson(shape.versusIncumbent)}, {"vs_vendor", intervalJson(shape.versusVendor)},
            {"samples", shape.samples}, {"void_blocks", shape.voidBlocks}});
    return all;
}

Json stepJson(const LineageStep& step)
{
    Json reviews = Json::array();
    for (const Review& review : step.reviews)
        reviews.push_back({{"decision", nameOf(review.decision)}, {"by", review.by}, {"reason", review.reason},
            {"risks", review.risks}, {"asked_at", review.askedAtUtc}});
    Json change = nullptr;
    if (step.change)
        change = {{"parent", candidateName(step.change->parent)}, {"ratio", step.change->ratio.json()},
            {"side_by_side", step.change->paired}, {"pairs", step.change->pairs}, {"noise_floor", step.change->noise},
            {"noise_assumed", step.change->assumed}, {"within_noise", step.change->isWithinNoise()}};
    return {{"candidate", candidateName(step.candidate)}, {"generation", step.generation}, {"author", step.author},
        {"proposer", step.proposer}, {"focus", step.focus}, {"title", step.title}, {"reasoning", step.reasoning},
        {"claim", step.claim}, {"moves", step.moves}, {"repairs", step.repairs},
        {"other_parents", namesJson(step.otherParents)}, {"diff", step.diff}, {"lines_added", step.linesAdded},
        {"lines_removed", step.linesRemoved}, {"score", intervalJson(step.score)}, {"confirmed", step.confirmed},
        {"versus_parent", std::move(change)}, {"reviews", std::move(reviews)}};
}

Json slowerJson(const std::vector<SlowerThan>& lists)
{
    Json all = Json::array();
    for (const SlowerThan& list : lists) {
        Json shapes = Json::array();
        for (const SlowerShape& shape : list.slower)
            shapes.push_back({{"shape", shape.shape}, {"split", nameOf(shape.split)}, {"ratio", shape.ratio.json()}});
        all.push_back({{"opponent", list.opponent}, {"name", list.name}, {"shapes_measured", list.measured},
            {"faster", list.faster}, {"undecided", list.undecided}, {"slower", std::move(shapes)}});
    }
    return all;
}

Json rerunsJson(const std::vector<RerunFigures>& reruns)
{
    Json all = Json::array();
    for (const RerunFigures& each : reruns)
        all.push_back({{"evaluation", each.evaluation.value}, {"against", nameJson(each.against)},
            {"asked_at", each.askedAtUtc.empty() ? Json(nullptr) : Json(each.askedAtUtc)},
            {"conditions", each.conditions}, {"score", intervalJson(each.score)},
            {"vs_opponent", intervalJson(each.versusOpponent)}, {"vs_vendor", intervalJson(each.versusVendor)},
            {"finding", each.finding}});
    return all;
}

} // namespace

Json toJson(const ExportRecord& record)
{
    Json lineage = Json::array(), rejected = Json::array(), inReview = Json::array(), contributions = Json::array(),
         trace = Json::array();
    for (const LineageStep& step : record.lineage)
        lineage.push_back(stepJson(step));
    for (const RejectedByRule& each : record.rejected)
        rejected.push_back({{"rule", each.rule}, {"count", each.count},
            {"of", each.isReply ? "proposals" : "candidates"}, {"example", each.example}, {"text", each.text}});
    for (const RejectedInReview& each : record.rejectedInReview)
        inReview.push_back(
            {{"candidate", nameJson(each.candidate)}, {"by", each.by}, {"reason", each.reason}, {"edit", each.title}});
    for (const Contribution& each : record.contributions)
        contributions.push_back({{"author", each.author}, {"lineage_steps", each.steps}, {"proposals", each.proposals},
            {"candidates", each.candidates}, {"ranked", each.ranked}, {"tokens", each.tokens}});
    for (const auto& [evaluations, score] : record.bestTrace)
        trace.push_back({{"evaluations", evaluations}, {"score", score}});
    const EvaluationResult& result = record.result;
    return {{"format", 1}, {"exported_at", record.source.exportedAtUtc}, {"tilewright", record.source.version},
        {"session", record.source.session},
        {"task",
            {{"name", record.taskName}, {"title", record.taskTitle}, {"operation", record.operation},
                {"target", record.target}, {"inputs", record.inputKinds}}},
        {"candidate",
            {{"id", candidateName(record.candidate)}, {"program", record.programHash}, {"source", record.sourceHash}}},
        {"finding", nameOf(record.finding)}, {"finding_text", record.findingText}, {"audited", record.audited},
        {"disputed", record.dispute.empty() ? Json(nullptr) : Json(record.dispute)},
        {"reruns", rerunsJson(record.reruns)},
        {"figures",
            {{"evaluation", record.evaluation.value}, {"purpose", nameOf(result.purpose)},
                {"against", nameJson(record.against)}, {"noise_floor", result.noiseFloor},
                {"score", intervalJson(result.score)}, {"vs_previous_best", intervalJson(result.versusIncumbent)},
                {"vs_vendor", intervalJson(result.vsVendor)}, {"heldout_score", intervalJson(result.heldoutScore)},
                {"heldout_vs_vendor", intervalJson(result.heldoutVsVendor)}, {"wall_ns", result.wallNs},
                {"shapes", shapesJson(result.shapes)}}},
        {"sealed",
            {{"score", intervalJson(record.sealedScore)}, {"vs_vendor", intervalJson(record.sealedVsVendor)},
                {"shapes", shapesJson(record.sealed)}, {"candidates_measured", record.measuredOnSealed},
                {"note", record.sealedNote}}},
        {"slower", slowerJson(record.slower)}, {"evidence", toJson(record.evidence)},
        {"environment", result.environment}, {"device_facts", record.deviceFacts}, {"resources", result.resources},
        {"lineage", std::move(lineage)}, {"rejected", std::move(rejected)}, {"rejected_in_review", std::move(inReview)},
        {"confirmed_but_not_better", record.notProven}, {"contributions", std::move(contributions)},
        {"session_counts",
            {{"candidates", record.candidates}, {"evaluations", record.evaluations},
                {"confirmed", record.confirmations}, {"tokens", record.tokens}, {"cost_micro_usd", record.costMicroUsd},
                {"unpriced_answers", record.unpriced}, {"run_s", record.runSeconds}}},
        {"best_after", std::move(trace)}, {"not_covered", record.notCovered}};
}

} // namespace tilewright
