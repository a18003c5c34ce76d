// SPDX-License-Identifier: Apache-2.0
// Every message once: its "op" and its members, for both directions.
#include "core/protocol/gpu_messages.h"

#include "core/base/json_members.h"
#include "core/protocol/frames.h"

#include <cmath>

namespace tilewright {
namespace {

using Json = nlohmann::json;

/// JSON has no NaN: a value that is not finite is written as null and read as NaN.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double numberIn(const Json& value) { return value.is_null() ? std::nan("") : value.get<double>(); }

template <typename Owner> struct FiniteMember {
    const char* key;
    double Owner::*at;
};
template <typename Owner> constexpr FiniteMember<Owner> finite(const char* key, double Owner::*at) { return {key, at}; }
template <typename Owner> void writeMember(Json& json, const Owner& owner, const FiniteMember<Owner>& member)
{
    json[member.key] = finite(owner.*member.at);
}
template <typename Owner> void readMember(const Json& json, Owner& owner, const FiniteMember<Owner>& member)
{
    owner.*member.at = numberIn(json.at(member.key));
}

/// The time of each launch: null for one that was not measured, which is read as 0.
struct LaunchTimes {
};
void writeMember(Json& json, const BlockSample& sample, LaunchTimes)
{
    Json& list = json["launch_ns"] = Json::array();
    for (const double ns : sample.launchNs)
        list.push_back(finite(ns));
}
void readMember(const Json& json, BlockSample& sample, LaunchTimes)
{
    for (const Json& ns : json.at("launch_ns"))
        sample.launchNs.push_back(ns.is_number() ? ns.get<double>() : 0);
}

/// The clock before and after the samples; null for one that was not read, which is read as 0.
struct Clocks {
};
void writeMember(Json& json, const BlockReply& reply, Clocks)
{
    json["mhz"] = {finite(reply.mhzBefore), finite(reply.mhzAfter)};
}
void readMember(const Json& json, BlockReply& reply, Clocks)
{
    const Json& mhz = json.at("mhz");
    reply.mhzBefore = mhz.at(0).is_number() ? mhz.at(0).get<double>() : 0;
    reply.mhzAfter = mhz.at(1).is_number() ? mhz.at(1).get<double>() : 0;
}

} // namespace

template <> struct JsonNames<GpuElement> {
    static constexpr NameTable<GpuElement, 3> table{
        {{GpuElement::Fp32, "fp32"}, {GpuElement::Bf16, "bf16"}, {GpuElement::Fp16, "fp16"}}};
};
template <> struct JsonForm<FillKind> {
    static Json write(FillKind kind) { return static_cast<int>(kind); }
    static FillKind read(const Json& json) { return static_cast<FillKind>(json.get<int>()); }
};
template <> struct JsonForm<ProductExtents> {
    static Json write(const ProductExtents& extents) { return {extents.rows, extents.columns, extents.depth}; }
    static ProductExtents read(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }
};
template <> struct JsonForm<GpuPlan> {
    static Json write(const GpuPlan& plan) { return plan.json(); }
    static GpuPlan read(const Json& json) { return GpuPlan::fromJson(json); }
};
template <> struct JsonForm<std::map<std::string, GpuPlan>> {
    static Json write(const std::map<std::string, GpuPlan>& plans)
    {
        Json json = Json::object();
        for (const auto& [slot, plan] : plans)
            json[slot] = plan.json();
        return json;
    }
    static std::map<std::string, GpuPlan> read(const Json& json)
    {
        std::map<std::string, GpuPlan> plans;
        for (const auto& [slot, plan] : json.items())
            plans[slot] = GpuPlan::fromJson(plan);
        return plans;
    }
};
template <> struct JsonMembers<GpuFormats> {
    using T = GpuFormats;
    static constexpr std::tuple list{required("in", &T::in), required("out", &T::out), required("inputs", &T::inputs),
        required("outputs", &T::outputs), required("product", &T::product)};
};
/// Without its plan, which several requests may share.
template <> struct JsonMembers<VerifyRequest> {
    using T = VerifyRequest;
    static constexpr std::tuple list{required("slot", &T::slot), required("extents", &T::extents),
        required("dims", &T::dims), required("kind", &T::kind), required("seed", &T::seed),
        required("twice", &T::twice), required("elements", &T::elements), required("cold_launch", &T::coldLaunch)};
};
template <> struct JsonMembers<VerifyReply> {
    using T = VerifyReply;
    static constexpr std::tuple list{required("unwritten", &T::unwritten), required("not_finite", &T::notFinite),
        required("inexact", &T::inexact), required("differing", &T::differing),
        required("inputs_changed", &T::inputsChanged), required("zones_changed", &T::zonesChanged),
        required("first_bad", &T::firstBad), finite("difference_squares", &T::differenceSquares),
        finite("reference_squares", &T::referenceSquares), finite("worst_excess", &T::worstExcess),
        required("worst_index", &T::worstIndex), finite("got", &T::got), finite("want", &T::want),
        finite("magnitude", &T::magnitude), finite("ns", &T::ns), required("spent_ns", &T::spentNs),
        required("more", &T::more)};
};
template <> struct JsonMembers<BlockSample> {
    using T = BlockSample;
    static constexpr std::tuple list{required("slot", &T::slot), finite("ns", &T::ns), finite("worst", &T::worst),
        finite("differences", &T::differences), finite("norms", &T::norms), required("worst_row", &T::worstRow),
        required("not_finite", &T::notFinite), required("inputs_changed", &T::inputsChanged),
        required("zones_changed", &T::zonesChanged), finite("rows_excess", &T::rowsExcess),
        required("outputs", &T::outputs), required("launches", &T::launches), LaunchTimes(),
        required("held_changed", &T::heldChanged)};
};

namespace {

/// A reply that also stands within others.
struct WholeVerifyReply {
};
void writeMember(Json& json, const VerifyReply& reply, WholeVerifyReply)
{
    writeAll(json, reply, JsonMembers<VerifyReply>::list);
}
void readMember(const Json& json, VerifyReply& reply, WholeVerifyReply)
{
    readAll(json, reply, JsonMembers<VerifyReply>::list);
}

constexpr std::tuple gpuMessages{
    message<CompileRequest>("compile", required("source", &CompileRequest::source),
        required("file", &CompileRequest::fileName), required("options", &CompileRequest::options),
        required("expressions", &CompileRequest::expressions)),
    message<CompileReply>("compile", required("ok", &CompileReply::ok), required("code", &CompileReply::code),
        required("log", &CompileReply::log), required("cubin", &CompileReply::cubin),
        required("ptx", &CompileReply::ptx), required("lowered", &CompileReply::lowered)),
    message<VerifyReply>("verify", WholeVerifyReply()),
    message<ProducedReply>("produce", required("around", &ProducedReply::around),
        required("outputs", &ProducedReply::outputs), required("lent", &ProducedReply::lent)),
    message<JudgeRequest>("judge", required("launch", &JudgeRequest::launch),
        required("outputs", &JudgeRequest::outputs), required("lent", &JudgeRequest::lent)),
    message<BlockRequest>("block", required("extents", &BlockRequest::extents), required("dims", &BlockRequest::dims),
        required("programs", &BlockRequest::programs), required("order", &BlockRequest::order),
        required("seeds", &BlockRequest::seeds), required("elements", &BlockRequest::elements),
        required("vendor_choice", &BlockRequest::vendorChoice), required("ring", &BlockRequest::ring),
        required("held", &BlockRequest::held), required("graph", &BlockRequest::graph)),
    message<BlockReply>("block", required("samples", &BlockReply::samples), Clocks(),
        required("spent_ns", &BlockReply::spentNs), required("vendor_choice", &BlockReply::vendorChoice),
        always("vendor_version", &BlockReply::vendorVersion)),
    message<TruthRequest>("truth", required("dims", &TruthRequest::dims), required("elements", &TruthRequest::elements),
        required("inputs", &TruthRequest::inputs)),
    message<TruthReply>("truth", required("outputs", &TruthReply::outputs)),
    message<HotReply>("hot", required("launches", &HotReply::launches), finite("ns", &HotReply::ns)),
};

VerifyRequest requestWith(GpuPlan plan, const Json& json)
{
    auto request = fromJson<VerifyRequest>(json);
    request.plan = std::move(plan);
    return request;
}

} // namespace

Json toJson(const GpuFormats& formats) { return jsonOf(formats); }
Json toJson(const CompileRequest& request) { return messageJson<gpuMessages>(request); }
Json toJson(const CompileReply& reply) { return messageJson<gpuMessages>(reply); }
Json toJson(const VerifyReply& reply) { return messageJson<gpuMessages>(reply); }
Json toJson(const ProducedReply& reply) { return messageJson<gpuMessages>(reply); }
Json toJson(const JudgeRequest& request) { return messageJson<gpuMessages>(request); }
Json toJson(const BlockRequest& request) { return messageJson<gpuMessages>(request); }
Json toJson(const BlockReply& reply) { return messageJson<gpuMessages>(reply); }
Json toJson(const TruthRequest& request) { return messageJson<gpuMessages>(request); }
Json toJson(const TruthReply& reply) { return messageJson<gpuMessages>(reply); }
Json toJson(const HotReply& reply) { return messageJson<gpuMessages>(reply); }

GpuFormats gpuFormatsFrom(const Json& json) { return fromJson<GpuFormats>(json); }
CompileRequest compileRequestFrom(const Json& json) { return messageFrom<CompileRequest, gpuMessages>(json); }
CompileReply compileReplyFrom(const Json& json) { return messageFrom<CompileReply, gpuMessages>(json); }
VerifyReply verifyReplyFrom(const Json& json) { return messageFrom<VerifyReply, gpuMessages>(json); }
ProducedReply producedReplyFrom(const Json& json) { return messageFrom<ProducedReply, gpuMessages>(json); }
JudgeRequest judgeRequestFrom(const Json& json) { return messageFrom<JudgeRequest, gpuMessages>(json); }
BlockRequest blockRequestFrom(const Json& json) { return messageFrom<BlockRequest, gpuMessages>(json); }
BlockReply blockReplyFrom(const Json& json) { return messageFrom<BlockReply, gpuMessages>(json); }
TruthRequest truthRequestFrom(const Json& json) { return messageFrom<TruthRequest, gpuMessages>(json); }
TruthReply truthReplyFrom(const Json& json) { return messageFrom<TruthReply, gpuMessages>(json); }
HotReply hotReplyFrom(const Json& json) { return messageFrom<HotReply, gpuMessages>(json); }

Json toJson(const VerifyRequest& request)
{
    Json json = jsonOf(request);
    json["op"] = "verify";
    json["plan"] = request.plan.json();
    return json;
}

VerifyRequest verifyRequestFrom(const Json& json) { return requestWith(GpuPlan::fromJson(json.at("plan")), json); }

Json toJson(const HotRequest& request)
{
    Json json = toJson(request.launch);
    json["op"] = "hot";
    json["milliseconds"] = request.milliseconds;
    return json;
}

HotRequest hotRequestFrom(const Json& json) { return {blockRequestFrom(json), json.at("milliseconds").get<int>()}; }

Json toJson(const std::vector<VerifyRequest>& requests)
{
    Json items = Json::array(), plans = Json::array();
    const VerifyRequest* last = nullptr;
    for (const VerifyRequest& request : requests) {
        if (!last || !(last->plan == request.plan))
            plans.push_back(request.plan.json());
        last = &request;
        items.push_back(jsonOf(request));
        items.back()["plan"] = plans.size() - 1;
    }
    return {{"op", "verify_together"}, {"items", std::move(items)}, {"plans", std::move(plans)}};
}

std::vector<VerifyRequest> verifyRequestsFrom(const Json& json)
{
    const auto plans = fromJson<std::vector<GpuPlan>>(json.at("plans"));
    std::vector<VerifyRequest> requests;
    for (const Json& item : json.at("items"))
        requests.push_back(requestWith(plans.at(item.at("plan").get<std::size_t>()), item));
    return requests;
}

Json produceJson(const VerifyRequest& request, bool lend)
{
    Json json = toJson(request);
    json["op"] = "produce";
    json["lend"] = lend;
    return json;
}

Json failedJson(const Error& error, bool lost)
{
    return {{"op", "failed"}, {"rule", error.code}, {"text", error.text}, {"hint", error.hint},
        {"evidence", error.evidence}, {"lost", lost}};
}

} // namespace tilewright
