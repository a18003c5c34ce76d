// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/gpu_messages.h"

#include "core/protocol/frames.h"

#include <cmath>

namespace tilewright {
namespace {

using Json = nlohmann::json;

/// JSON has no NaN: what is not finite travels as null and comes back as NaN.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double numberAt(const Json& json, const char* key)
{
    const Json& value = json.at(key);
    return value.is_null() ? std::nan("") : value.get<double>();
}

Json extentsJson(const ProductExtents& extents) { return {extents.rows, extents.columns, extents.depth}; }
ProductExtents extentsFrom(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }

Json withoutPlan(const VerifyRequest& request)
{
    return {{"slot", request.slot}, {"extents", extentsJson(request.extents)}, {"dims", request.dims},
        {"kind", static_cast<int>(request.kind)}, {"seed", request.seed}, {"twice", request.twice},
        {"elements", request.elements}, {"cold_launch", request.coldLaunch}};
}

VerifyRequest requestWith(GpuPlan plan, const Json& json)
{
    return {json.at("slot"), extentsFrom(json.at("extents")), json.at("dims"), std::move(plan),
        static_cast<FillKind>(json.at("kind").get<int>()), json.at("seed"), json.at("twice"), json.at("elements"),
        json.at("cold_launch")};
}

} // namespace

Json toJson(const GpuFormats& formats)
{
    const auto word = [](GpuElement element) {
        return element == GpuElement::Bf16 ? "bf16" : element == GpuElement::Fp16 ? "fp16" : "fp32";
    };
    return {{"in", word(formats.in)}, {"out", word(formats.out)}, {"inputs", formats.inputs},
        {"outputs", formats.outputs}, {"product", formats.product}};
}

GpuFormats gpuFormatsFrom(const Json& json)
{
    const auto element = [&](const char* key) {
        const std::string word = json.at(key);
        return word == "bf16" ? GpuElement::Bf16 : word == "fp16" ? GpuElement::Fp16 : GpuElement::Fp32;
    };
    return {element("in"), element("out"), json.at("inputs"), json.at("outputs"), json.at("product")};
}

Json toJson(const CompileRequest& request)
{
    return {{"op", "compile"}, {"source", hexOf(request.source)}, {"file", request.fileName},
        {"options", request.options}, {"expressions", request.expressions}};
}

CompileRequest compileRequestFrom(const Json& json)
{
    return {requiredHashAt(json, "source"), json.at("file"), json.at("options"), json.at("expressions")};
}

Json toJson(const CompileReply& reply)
{
    return {{"op", "compile"}, {"ok", reply.ok}, {"code", reply.code}, {"log", reply.log},
        {"cubin", hexOf(reply.cubin)}, {"ptx", hexOf(reply.ptx)}, {"lowered", reply.lowered}};
}

CompileReply compileReplyFrom(const Json& json)
{
    return {json.at("ok"), json.at("code"), json.at("log"), requiredHashAt(json, "cubin"), requiredHashAt(json, "ptx"),
        json.at("lowered")};
}

Json toJson(const VerifyRequest& request)
{
    Json json = withoutPlan(request);
    json["op"] = "verify";
    json["plan"] = request.plan.json();
    return json;
}

VerifyRequest verifyRequestFrom(const Json& json) { return requestWith(GpuPlan::fromJson(json.at("plan")), json); }

Json toJson(const std::vector<VerifyRequest>& requests)
{
    Json items = Json::array(), plans = Json::array();
    const VerifyRequest* last = nullptr;
    for (const VerifyRequest& request : requests) {
        if (!last || !(last->plan == request.plan))
            plans.push_back(request.plan.json());
        last = &request;
        items.push_back(withoutPlan(request));
        items.back()["plan"] = plans.size() - 1;
    }
    return {{"op", "verify_together"}, {"items", std::move(items)}, {"plans", std::move(plans)}};
}

std::vector<VerifyRequest> verifyRequestsFrom(const Json& json)
{
    std::vector<GpuPlan> plans;
    for (const Json& plan : json.at("plans"))
        plans.push_back(GpuPlan::fromJson(plan));
    std::vector<VerifyRequest> requests;
    for (const Json& item : json.at("items")) {
        const auto plan = item.at("plan").get<std::size_t>();
        static_cast<void>(json.at("plans").at(plan)); // throws where there is none
        requests.push_back(requestWith(plans[plan], item));
    }
    return requests;
}

Json toJson(const VerifyReply& reply)
{
    Json more = Json::array();
    for (const VerifyReply& one : reply.more)
        more.push_back(toJson(one));
    return {{"op", "verify"}, {"unwritten", reply.unwritten}, {"not_finite", reply.notFinite},
        {"inexact", reply.inexact}, {"differing", reply.differing}, {"inputs_changed", reply.inputsChanged},
        {"zones_changed", reply.zonesChanged}, {"first_bad", reply.firstBad},
        {"difference_squares", finite(reply.differenceSquares)}, {"reference_squares", finite(reply.referenceSquares)},
        {"worst_excess", finite(reply.worstExcess)}, {"worst_index", reply.worstIndex}, {"got", finite(reply.got)},
        {"want", finite(reply.want)}, {"magnitude", finite(reply.magnitude)}, {"ns", finite(reply.ns)},
        {"spent_ns", reply.spentNs}, {"more", std::move(more)}};
}

VerifyReply verifyReplyFrom(const Json& json)
{
    VerifyReply reply;
    reply.unwritten = json.at("unwritten");
    reply.notFinite = json.at("not_finite");
    reply.inexact = json.at("inexact");
    reply.differing = json.at("differing");
    reply.inputsChanged = json.at("inputs_changed");
    reply.zonesChanged = json.at("zones_changed");
    reply.firstBad = json.at("first_bad");
    reply.differenceSquares = numberAt(json, "difference_squares");
    reply.referenceSquares = numberAt(json, "reference_squares");
    reply.worstExcess = numberAt(json, "worst_excess");
    reply.worstIndex = json.at("worst_index");
    reply.got = numberAt(json, "got");
    reply.want = numberAt(json, "want");
    reply.magnitude = numberAt(json, "magnitude");
    reply.ns = numberAt(json, "ns");
    reply.spentNs = json.at("spent_ns").get<std::map<std::string, double>>();
    for (const Json& one : json.at("more"))
        reply.more.push_back(verifyReplyFrom(one));
    return reply;
}

Json toJson(const BlockRequest& request)
{
    Json programs = Json::object();
    for (const auto& [slot, plan] : request.programs)
        programs[slot] = plan.json();
    return {{"op", "block"}, {"extents", extentsJson(request.extents)}, {"dims", request.dims}, {"programs", programs},
        {"order", request.order}, {"seeds", request.seeds}, {"elements", request.elements},
        {"vendor_choice", request.vendorChoice}, {"ring", request.ring}, {"held", request.held},
        {"graph", request.graph}};
}

BlockRequest blockRequestFrom(const Json& json)
{
    BlockRequest request;
    request.extents = extentsFrom(json.at("extents"));
    request.dims = json.at("dims").get<std::vector<std::int64_t>>();
    for (const auto& [slot, plan] : json.at("programs").items())
        request.programs[slot] = GpuPlan::fromJson(plan);
    request.order = json.at("order").get<std::vector<std::string>>();
    request.seeds = json.at("seeds").get<std::vector<std::uint64_t>>();
    request.elements = json.at("elements").get<std::vector<std::int64_t>>();
    request.vendorChoice = json.at("vendor_choice");
    request.ring = json.at("ring");
    request.held = json.at("held");
    request.graph = json.at("graph");
    return request;
}

Json toJson(const BlockReply& reply)
{
    Json samples = Json::array();
    for (const BlockSample& sample : reply.samples) {
        Json outputs = Json::array(), each = Json::array();
        for (const double ns : sample.launchNs)
            each.push_back(finite(ns));
        for (const VerifyReply& output : sample.outputs)
            outputs.push_back(toJson(output));
        samples.push_back({{"slot", sample.slot}, {"ns", finite(sample.ns)}, {"worst", finite(sample.worst)},
            {"differences", finite(sample.differences)}, {"norms", finite(sample.norms)},
            {"worst_row", sample.worstRow}, {"not_finite", sample.notFinite}, {"inputs_changed", sample.inputsChanged},
            {"zones_changed", sample.zonesChanged}, {"rows_excess", finite(sample.rowsExcess)},
            {"outputs", std::move(outputs)}, {"launches", sample.launches}, {"launch_ns", std::move(each)},
            {"held_changed", sample.heldChanged}});
    }
    return {{"op", "block"}, {"samples", samples}, {"mhz", {finite(reply.mhzBefore), finite(reply.mhzAfter)}},
        {"spent_ns", reply.spentNs}, {"vendor_choice", reply.vendorChoice}, {"vendor_version", reply.vendorVersion}};
}

BlockReply blockReplyFrom(const Json& json)
{
    BlockReply reply;
    for (const Json& item : json.at("samples")) {
        BlockSample sample;
        sample.slot = item.at("slot");
        sample.ns = numberAt(item, "ns");
        sample.worst = numberAt(item, "worst");
        sample.differences = numberAt(item, "differences");
        sample.norms = numberAt(item, "norms");
        sample.worstRow = item.at("worst_row");
        sample.notFinite = item.at("not_finite");
        sample.inputsChanged = item.at("inputs_changed");
        sample.zonesChanged = item.at("zones_changed");
        sample.rowsExcess = numberAt(item, "rows_excess");
        sample.launches = item.at("launches");
        for (const Json& ns : item.at("launch_ns"))
            sample.launchNs.push_back(ns.is_number() ? ns.get<double>() : 0);
        sample.heldChanged = item.at("held_changed");
        for (const Json& output : item.at("outputs"))
            sample.outputs.push_back(verifyReplyFrom(output));
        reply.samples.push_back(std::move(sample));
    }
    reply.spentNs = json.at("spent_ns").get<std::map<std::string, double>>();
    reply.vendorChoice = json.at("vendor_choice");
    reply.vendorVersion = json.value("vendor_version", 0);
    const Json& mhz = json.at("mhz");
    reply.mhzBefore = mhz.at(0).is_number() ? mhz.at(0).get<double>() : 0;
    reply.mhzAfter = mhz.at(1).is_number() ? mhz.at(1).get<double>() : 0;
    return reply;
}

namespace {

Json hashesJson(const std::vector<Hash>& hashes)
{
    Json list = Json::array();
    for (const Hash& hash : hashes)
        list.push_back(hash.hex());
    return list;
}

std::vector<Hash> hashesFrom(const Json& list)
{
    std::vector<Hash> hashes;
    for (const Json& hash : list)
        hashes.push_back(Hash::fromHex(hash.get<std::string>()));
    return hashes;
}

} // namespace

Json produceJson(const VerifyRequest& request, bool lend)
{
    Json json = toJson(request);
    json["op"] = "produce";
    json["lend"] = lend;
    return json;
}

Json toJson(const ProducedReply& reply)
{
    return {{"op", "produce"}, {"around", toJson(reply.around)}, {"outputs", hashesJson(reply.outputs)},
        {"lent", reply.lent}};
}

ProducedReply producedReplyFrom(const Json& json)
{
    return {verifyReplyFrom(json.at("around")), hashesFrom(json.at("outputs")), json.at("lent")};
}

Json toJson(const JudgeRequest& request)
{
    return {{"op", "judge"}, {"launch", toJson(request.launch)}, {"outputs", hashesJson(request.outputs)},
        {"lent", request.lent}};
}

JudgeRequest judgeRequestFrom(const Json& json)
{
    return {verifyRequestFrom(json.at("launch")), hashesFrom(json.at("outputs")), json.at("lent")};
}

Json toJson(const TruthRequest& request)
{
    return {{"op", "truth"}, {"dims", request.dims}, {"elements", request.elements},
        {"inputs", hashesJson(request.inputs)}};
}

TruthRequest truthRequestFrom(const Json& json)
{
    return {json.at("dims"), json.at("elements"), hashesFrom(json.at("inputs"))};
}

Json toJson(const TruthReply& reply) { return {{"op", "truth"}, {"outputs", hashesJson(reply.outputs)}}; }
TruthReply truthReplyFrom(const Json& json) { return {hashesFrom(json.at("outputs"))}; }

Json failedJson(const Error& error, bool lost)
{
    return {{"op", "failed"}, {"rule", error.code}, {"text", error.text}, {"hint", error.hint},
        {"evidence", error.evidence}, {"lost", lost}};
}

} // namespace tilewright
