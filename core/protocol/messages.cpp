// SPDX-License-Identifier: Apache-2.0
// Every message once: its "op" and its members. One without an entry does not compile.
#include "core/protocol/messages.h"

#include "core/model/measurement/evaluation_members.h"

#include <algorithm>

namespace tilewright {

template <> struct JsonMembers<HelloReply::Device> {
    using Device = HelloReply::Device;
    static constexpr std::tuple list{required("id", &Device::id), always("name", &Device::name),
        always("arch", &Device::arch), always("isolation", &Device::isolation), always("facts", &Device::facts)};
};
template <> struct JsonForm<MeasuredChecks> {
    static nlohmann::json write(const MeasuredChecks& checks) { return checks.json(); }
    static MeasuredChecks read(const nlohmann::json& json) { return MeasuredChecks::fromJson(json); }
};
template <> struct JsonForm<Listing> {
    static nlohmann::json write(const Listing& listing) { return listing.json(); }
    static Listing read(const nlohmann::json& json) { return Listing::fromJson(json); }
};
template <> struct JsonForm<ListingForm> {
    static nlohmann::json write(ListingForm form) { return nameOf(form); }
    static ListingForm read(const nlohmann::json& json)
    {
        const auto form = listingFormFromName(json.get<std::string>());
        return form ? *form : throw UnknownWord(json);
    }
};

namespace {

/// The artefacts that are timed stand in an object of their own, "slots".
struct Slots {
    static constexpr std::tuple list{always("candidate", &TimeRequest::candidate),
        always("incumbent", &TimeRequest::incumbent), always("baseline", &TimeRequest::baseline),
        always("vendor", &TimeRequest::vendor)};
};

void writeMember(nlohmann::json& json, const TimeRequest& request, Slots)
{
    writeAll(json["slots"], request, Slots::list);
}
void readMember(const nlohmann::json& json, TimeRequest& request, Slots)
{
    readAll(json.at("slots"), request, Slots::list);
}

/// Written, not read: a failure says "ok": false where other replies have theirs.
struct NotOk {
};
void writeMember(nlohmann::json& json, const Failure&, NotOk) { json["ok"] = false; }
void readMember(const nlohmann::json&, Failure&, NotOk) { }

constexpr std::tuple messages{
    message<HelloRequest>("hello", required("protocol", &HelloRequest::protocol)),
    message<BuildRequest>("build", required("id", &BuildRequest::id), always("task", &BuildRequest::task),
        always("program", &BuildRequest::program), always("device", &BuildRequest::device)),
    message<CheckRequest>("check", required("id", &CheckRequest::id), always("device", &CheckRequest::device),
        always("task", &CheckRequest::task), always("artifact", &CheckRequest::artifact),
        required("evaluation", &CheckRequest::evaluation), always("all", &CheckRequest::all)),
    message<TimeRequest>("time", required("id", &TimeRequest::id), always("device", &TimeRequest::device),
        required("purpose", &TimeRequest::purpose), always("task", &TimeRequest::task), Slots(),
        required("evaluation", &TimeRequest::evaluation), always("incumbent_score", &TimeRequest::incumbentScore),
        always("stop_below", &TimeRequest::stopBelow), always("repeats", &TimeRequest::repeats),
        rare("count_above", &TimeRequest::countAbove)),
    message<ListingRequest>("listing", required("id", &ListingRequest::id), always("task", &ListingRequest::task),
        always("program", &ListingRequest::program), required("form", &ListingRequest::form),
        always("artifact", &ListingRequest::artifact), always("built_by", &ListingRequest::builtBy),
        always("arch", &ListingRequest::architecture), always("specialise", &ListingRequest::kernels),
        always("ptx", &ListingRequest::ptx), always("cubin", &ListingRequest::cubin)),
    message<CancelRequest>("cancel", required("id", &CancelRequest::id)),

    message<HelloReply>("hello", required("protocol", &HelloReply::protocol), always("host", &HelloReply::host),
        required("devices", &HelloReply::devices), always("builders", &HelloReply::builders),
        always("no_gpu", &HelloReply::whyNoGpu), always("no_gpu_hint", &HelloReply::noGpuHint)),
    message<BuildReply>("build", required("id", &BuildReply::id), required("ok", &BuildReply::ok),
        always("rule", &BuildReply::rule), always("text", &BuildReply::text), always("evidence", &BuildReply::evidence),
        always("artifact", &BuildReply::artifact), always("log", &BuildReply::log),
        always("cached", &BuildReply::cached), always("resources", &BuildReply::resources),
        always("warnings", &BuildReply::warnings), always("wall_ns", &BuildReply::wallNs)),
    message<CheckReply>("check", required("id", &CheckReply::id), required("ok", &CheckReply::ok),
        always("rule", &CheckReply::rule), always("text", &CheckReply::text), always("evidence", &CheckReply::evidence),
        always("passed", &CheckReply::passed), always("measured_checks", &CheckReply::measured),
        always("wall_ns", &CheckReply::wallNs)),
    message<TimeReply>("time", required("id", &TimeReply::id), required("result", &TimeReply::result),
        always("noise_ratios", &TimeReply::noiseRatios), always("blocks", &TimeReply::blocks)),
    message<ListingReply>("listing", required("id", &ListingReply::id), required("listing", &ListingReply::listing),
        always("wall_ns", &ListingReply::wallNs)),
    message<Failure>("failure", always("id", &Failure::id), NotOk(), required("rule", &Failure::rule),
        always("text", &Failure::text), always("evidence", &Failure::evidence),
        always("device_lost", &Failure::deviceLost), always("hint", &Failure::hint)),
    message<Progress>("progress", required("id", &Progress::id), always("stage", &Progress::stage),
        always("done", &Progress::done), always("of", &Progress::of)),
    message<Telemetry>("telemetry", always("device", &Telemetry::device), always("mhz", &Telemetry::mhz),
        always("noise_floor", &Telemetry::noiseFloor), always("temp_c", &Telemetry::temperature),
        always("now_mhz", &Telemetry::nowMhz), always("power_w", &Telemetry::watts),
        always("throttling", &Telemetry::throttling), always("building", &Telemetry::building),
        always("queued", &Telemetry::queued), always("measuring", &Telemetry::measuring),
        always("isolation", &Telemetry::isolation)),
    message<NoiseRun>("noise", always("device", &NoiseRun::device), always("wall_ns", &NoiseRun::wallNs)),
};

/// The message of this "op"; none where the variant has none.
template <typename... Messages>
std::optional<std::variant<Messages...>> readAs(const std::string& op, const nlohmann::json& json)
{
    std::optional<std::variant<Messages...>> found;
    const auto tryOne = [&]<typename Message>(const Message*) {
        if (found || entryOf<Message, messages>().op != op)
            return;
        found = messageFrom<Message, messages>(json);
    };
    (tryOne(static_cast<const Messages*>(nullptr)), ...);
    return found;
}
template <typename... Messages>
std::optional<std::variant<Messages...>> readAny(const nlohmann::json& json, const std::variant<Messages...>*)
{
    return readAs<Messages...>(json.at("op").get<std::string>(), json);
}

} // namespace

nlohmann::json toJson(const Request& request)
{
    return std::visit([](const auto& each) { return messageJson<messages>(each); }, request);
}
nlohmann::json toJson(const Reply& reply)
{
    return std::visit([](const auto& each) { return messageJson<messages>(each); }, reply);
}

Result<Request> requestFromJson(const nlohmann::json& json)
{
    try {
        auto request = readAny(json, static_cast<const Request*>(nullptr));
        if (!request)
            return fail("protocol/unknown", "the node has no operation '" + json.at("op").get<std::string>() + "'");
        if (auto* time = std::get_if<TimeRequest>(&*request))
            time->repeats = std::clamp(time->repeats, 1, 20);
        return std::move(*request);
    } catch (const std::exception& problem) {
        return fail("protocol/field", std::string("a request cannot be read: ") + problem.what());
    }
}

Result<Reply> replyFromJson(const nlohmann::json& json)
{
    try {
        auto reply = readAny(json, static_cast<const Reply*>(nullptr));
        if (!reply)
            return fail("protocol/unknown",
                "the node replied with the unknown operation '" + json.at("op").get<std::string>() + "'");
        return std::move(*reply);
    } catch (const std::exception& problem) {
        return fail("protocol/field", std::string("a reply of the node cannot be read: ") + problem.what());
    }
}

} // namespace tilewright
