// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/messages.h"

#include "core/protocol/hash_json.h"

#include <algorithm>

namespace tilewright {
namespace {

using Json = nlohmann::json;

std::optional<Interval> intervalAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found == json.end() ? std::nullopt : Interval::fromJson(*found);
}

HelloReply helloFrom(const Json& json)
{
    HelloReply hello;
    hello.protocol = json.at("protocol").get<int>();
    hello.host = json.value("host", "");
    hello.builders = json.value("builders", 1);
    for (const Json& device : json.at("devices"))
        hello.devices.push_back({device.at("id"), device.value("name", ""), device.value("arch", ""),
            device.value("isolation", ""), device.value("facts", Json::object())});
    hello.whyNoGpu = json.value("no_gpu", "");
    hello.noGpuHint = json.value("no_gpu_hint", "");
    return hello;
}

BuildReply buildFrom(const Json& json)
{
    BuildReply reply;
    reply.id = json.at("id");
    reply.ok = json.at("ok");
    reply.rule = json.value("rule", "");
    reply.text = json.value("text", "");
    reply.evidence = json.value("evidence", Json());
    reply.artifact = hashIn(json, "artifact");
    reply.log = hashIn(json, "log");
    reply.cached = json.value("cached", false);
    reply.resources = json.value("resources", Json());
    reply.warnings = json.value("warnings", std::vector<std::string>{});
    reply.wallNs = json.value("wall_ns", std::int64_t(0));
    return reply;
}

CheckReply checkFrom(const Json& json)
{
    CheckReply reply;
    reply.id = json.at("id");
    reply.ok = json.at("ok");
    reply.rule = json.value("rule", "");
    reply.text = json.value("text", "");
    reply.evidence = json.value("evidence", Json());
    reply.passed = json.value("passed", std::vector<std::string>{});
    reply.measured = MeasuredChecks::fromJson(json.value("measured_checks", Json()));
    reply.wallNs = json.value("wall_ns", std::int64_t(0));
    return reply;
}

TimeReply timeFrom(const Json& json)
{
    TimeReply reply;
    reply.id = json.at("id");
    auto result = EvaluationResult::fromJson(json.at("result"));
    if (!result)
        throw std::runtime_error(result.error().text);
    reply.result = std::move(*result);
    reply.noiseRatios = json.value("noise_ratios", std::vector<double>{});
    reply.blocks = json.value("blocks", Json::array());
    return reply;
}

Failure failureFrom(const Json& json)
{
    return {json.value("id", std::int64_t(0)), json.at("rule"), json.value("text", ""), json.value("evidence", Json()),
        json.value("device_lost", false), json.value("hint", "")};
}

std::optional<double> figureIn(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

template <typename Value> Json jsonOf(const std::optional<Value>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Telemetry telemetryFrom(const Json& json)
{
    Telemetry telemetry;
    telemetry.device = json.value("device", "");
    telemetry.mhz = json.value("mhz", 0.0);
    telemetry.noiseFloor = json.value("noise_floor", 0.0);
    telemetry.temperature = figureIn(json, "temp_c");
    telemetry.nowMhz = figureIn(json, "now_mhz");
    telemetry.watts = figureIn(json, "power_w");
    if (const auto found = json.find("throttling"); found != json.end() && found->is_string())
        telemetry.throttling = found->get<std::string>();
    telemetry.building = json.value("building", 0);
    telemetry.queued = json.value("queued", 0);
    telemetry.measuring = json.value("measuring", 0);
    telemetry.isolation = json.value("isolation", "");
    return telemetry;
}

BuildRequest buildRequestFrom(const Json& json)
{
    return {json.at("id"), hashIn(json, "task"), hashIn(json, "program"), json.value("device", "")};
}

CheckRequest checkRequestFrom(const Json& json)
{
    return {json.at("id"), json.value("device", ""), hashIn(json, "task"), hashIn(json, "artifact"),
        json.at("evaluation"), json.value("all", false)};
}

TimeRequest timeRequestFrom(const Json& json)
{
    TimeRequest request;
    request.id = json.at("id");
    request.device = json.value("device", "");
    request.purpose = purposeFromName(json.at("purpose").get<std::string>());
    request.task = hashIn(json, "task");
    const Json& slots = json.at("slots");
    request.candidate = hashIn(slots, "candidate");
    request.incumbent = hashIn(slots, "incumbent");
    request.baseline = hashIn(slots, "baseline");
    request.vendor = slots.value("vendor", false);
    request.evaluation = json.at("evaluation");
    request.incumbentScore = intervalAt(json, "incumbent_score");
    request.stopBelow = json.value("stop_below", 0.0);
    request.repeats = std::clamp(json.value("repeats", 1), 1, 20);
    return request;
}

ListingRequest listingRequestFrom(const Json& json)
{
    ListingRequest request;
    request.id = json.at("id");
    request.task = hashIn(json, "task");
    request.program = hashIn(json, "program");
    const auto form = listingFormFromName(json.at("form").get<std::string>());
    if (!form)
        throw std::runtime_error("there is no form of a listing '" + json.at("form").get<std::string>() + "'");
    request.form = *form;
    request.artifact = hashIn(json, "artifact");
    request.builtBy = json.value("built_by", "");
    request.architecture = json.value("arch", "");
    request.kernels = json.value("specialise", std::vector<std::string>{});
    request.ptx = hashIn(json, "ptx");
    request.cubin = hashIn(json, "cubin");
    return request;
}

} // namespace

nlohmann::json toJson(const HelloRequest& request) { return {{"op", "hello"}, {"protocol", request.protocol}}; }

nlohmann::json toJson(const HelloReply& hello)
{
    Json devices = Json::array();
    for (const HelloReply::Device& device : hello.devices)
        devices.push_back({{"id", device.id}, {"name", device.name}, {"arch", device.arch},
            {"isolation", device.isolation}, {"facts", device.facts}});
    return {{"op", "hello"}, {"protocol", hello.protocol}, {"host", hello.host}, {"devices", devices},
        {"builders", hello.builders}, {"no_gpu", hello.whyNoGpu}, {"no_gpu_hint", hello.noGpuHint}};
}

nlohmann::json toJson(const BuildRequest& request)
{
    return {{"op", "build"}, {"id", request.id}, {"task", hexOf(request.task)}, {"program", hexOf(request.program)},
        {"device", request.device}};
}

nlohmann::json toJson(const BuildReply& reply)
{
    return {{"op", "build"}, {"id", reply.id}, {"ok", reply.ok}, {"rule", reply.rule}, {"text", reply.text},
        {"evidence", reply.evidence}, {"artifact", hexOf(reply.artifact)}, {"log", hexOf(reply.log)},
        {"cached", reply.cached}, {"resources", reply.resources}, {"warnings", reply.warnings},
        {"wall_ns", reply.wallNs}};
}

nlohmann::json toJson(const CheckRequest& request)
{
    return {{"op", "check"}, {"id", request.id}, {"device", request.device}, {"task", hexOf(request.task)},
        {"artifact", hexOf(request.artifact)}, {"evaluation", request.evaluation}, {"all", request.all}};
}

nlohmann::json toJson(const CheckReply& reply)
{
    return {{"op", "check"}, {"id", reply.id}, {"ok", reply.ok}, {"rule", reply.rule}, {"text", reply.text},
        {"evidence", reply.evidence}, {"passed", reply.passed}, {"measured_checks", reply.measured.json()},
        {"wall_ns", reply.wallNs}};
}

nlohmann::json toJson(const TimeRequest& request)
{
    return {{"op", "time"}, {"id", request.id}, {"device", request.device}, {"purpose", nameOf(request.purpose)},
        {"task", hexOf(request.task)},
        {"slots",
            {{"candidate", hexOf(request.candidate)}, {"incumbent", hexOf(request.incumbent)},
                {"baseline", hexOf(request.baseline)}, {"vendor", request.vendor}}},
        {"evaluation", request.evaluation},
        {"incumbent_score", request.incumbentScore ? request.incumbentScore->json() : Json(nullptr)},
        {"stop_below", request.stopBelow}, {"repeats", request.repeats}};
}

nlohmann::json toJson(const TimeReply& reply)
{
    return {{"op", "time"}, {"id", reply.id}, {"result", reply.result.json()}, {"noise_ratios", reply.noiseRatios},
        {"blocks", reply.blocks}};
}

nlohmann::json toJson(const ListingRequest& request)
{
    return {{"op", "listing"}, {"id", request.id}, {"task", hexOf(request.task)}, {"program", hexOf(request.program)},
        {"form", nameOf(request.form)}, {"artifact", hexOf(request.artifact)}, {"built_by", request.builtBy},
        {"arch", request.architecture}, {"specialise", request.kernels}, {"ptx", hexOf(request.ptx)},
        {"cubin", hexOf(request.cubin)}};
}

nlohmann::json toJson(const ListingReply& reply)
{
    return {{"op", "listing"}, {"id", reply.id}, {"listing", reply.listing.json()}, {"wall_ns", reply.wallNs}};
}

nlohmann::json toJson(const CancelRequest& request) { return {{"op", "cancel"}, {"id", request.id}}; }

nlohmann::json toJson(const Failure& failure)
{
    return {{"op", "failure"}, {"id", failure.id}, {"ok", false}, {"rule", failure.rule}, {"text", failure.text},
        {"evidence", failure.evidence}, {"device_lost", failure.deviceLost}, {"hint", failure.hint}};
}

nlohmann::json toJson(const Progress& progress)
{
    return {{"op", "progress"}, {"id", progress.id}, {"stage", progress.stage}, {"done", progress.done},
        {"of", progress.of}};
}

nlohmann::json toJson(const Telemetry& telemetry)
{
    return {{"op", "telemetry"}, {"device", telemetry.device}, {"mhz", telemetry.mhz},
        {"noise_floor", telemetry.noiseFloor}, {"temp_c", jsonOf(telemetry.temperature)},
        {"now_mhz", jsonOf(telemetry.nowMhz)}, {"power_w", jsonOf(telemetry.watts)},
        {"throttling", jsonOf(telemetry.throttling)}, {"building", telemetry.building}, {"queued", telemetry.queued},
        {"measuring", telemetry.measuring}, {"isolation", telemetry.isolation}};
}

nlohmann::json toJson(const NoiseRun& noise)
{
    return {{"op", "noise"}, {"device", noise.device}, {"wall_ns", noise.wallNs}};
}

Result<Request> requestFromJson(const nlohmann::json& json)
{
    try {
        const auto op = json.at("op").get<std::string>();
        if (op == "hello")
            return HelloRequest{json.at("protocol").get<int>()};
        if (op == "build")
            return buildRequestFrom(json);
        if (op == "check")
            return checkRequestFrom(json);
        if (op == "time")
            return timeRequestFrom(json);
        if (op == "listing")
            return listingRequestFrom(json);
        if (op == "cancel")
            return CancelRequest{json.at("id").get<std::int64_t>()};
        return fail("protocol/unknown", "the node does not know the operation '" + op + "'");
    } catch (const std::exception& problem) {
        return fail("protocol/field", std::string("a request cannot be read: ") + problem.what());
    }
}

Result<Reply> replyFromJson(const nlohmann::json& json)
{
    try {
        const auto op = json.at("op").get<std::string>();
        if (op == "hello")
            return helloFrom(json);
        if (op == "build")
            return buildFrom(json);
        if (op == "check")
            return checkFrom(json);
        if (op == "time")
            return timeFrom(json);
        if (op == "listing")
            return ListingReply{
                json.at("id"), Listing::fromJson(json.at("listing")), json.value("wall_ns", std::int64_t(0))};
        if (op == "failure")
            return failureFrom(json);
        if (op == "progress")
            return Progress{json.at("id"), json.value("stage", ""), json.value("done", 0.0), json.value("of", 0.0)};
        if (op == "telemetry")
            return telemetryFrom(json);
        if (op == "noise")
            return NoiseRun{json.value("device", ""), json.value("wall_ns", std::int64_t(0))};
        return fail("protocol/unknown", "the node answered with the unknown operation '" + op + "'");
    } catch (const std::exception& problem) {
        return fail("protocol/field", std::string("a reply of the node cannot be read: ") + problem.what());
    }
}

} // namespace tilewright
