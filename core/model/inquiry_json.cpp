// SPDX-License-Identifier: GPL-3.0-or-later
// Inquiries and their answers as the session file stores them.
#include "core/model/candidate_names.h"
#include "core/model/event_fields.h"

namespace tilewright {

using Json = nlohmann::json;

Json toJson(const Tokens& t)
{
    return {{"input", t.input}, {"cache_read", t.cacheRead}, {"cache_write", t.cacheWrite}, {"output", t.output},
        {"reasoning", t.reasoning}};
}

namespace {

Tokens tokensFrom(const Json& json)
{
    const auto at = [&](const char* key) { return json.value(key, std::int64_t(0)); };
    return {at("input"), at("cache_read"), at("cache_write"), at("output"), at("reasoning")};
}

} // namespace

Json toJson(const Inquiry& q)
{
    return {{"id", q.id.value}, {"proposer", q.proposer}, {"place", q.place}, {"island", q.island.value},
        {"ordinal", q.ordinal}, {"focus", nameOf(q.focus)}, {"parents", idsJson(q.parents)},
        {"repair_of", q.repairOf.value}, {"attempt", q.attempt}, {"prompt_name", q.promptName},
        {"prompt_version", hexOf(q.promptVersion)}, {"system", hexOf(q.system)}, {"prompt", hexOf(q.prompt)},
        {"asked_ns", q.askedNs}};
}

Inquiry inquiryFrom(const Json& json)
{
    Inquiry q;
    q.id = idAt<InquiryId>(json, "id");
    q.proposer = json.at("proposer").get<std::string>();
    q.place = json.value("place", "");
    q.island = idAt<IslandId>(json, "island");
    q.ordinal = json.value("ordinal", std::int64_t(0));
    q.focus = enumAt(json, "focus", focusNames);
    q.parents = idsAt(json, "parents");
    q.repairOf = idAt<ProposalId>(json, "repair_of");
    q.attempt = json.value("attempt", 1);
    q.promptName = json.value("prompt_name", "");
    q.promptVersion = hashAt(json, "prompt_version");
    q.system = hashAt(json, "system");
    q.prompt = hashAt(json, "prompt");
    q.askedNs = json.value("asked_ns", std::int64_t(0));
    return q;
}

Json toJson(const InquiryAnswer& a)
{
    return {{"state", nameOf(a.state)}, {"reply", hexOf(a.reply)}, {"finish", a.finish}, {"model", a.model},
        {"tokens", toJson(a.tokens)}, {"cost_micro_usd", a.costMicroUsd ? Json(*a.costMicroUsd) : Json(nullptr)},
        {"tries", a.tries}, {"rule", a.rule}, {"detail", a.detail}};
}

InquiryAnswer answerFrom(const Json& json)
{
    InquiryAnswer a;
    a.state = enumAt(json, "state", inquiryStateNames);
    a.reply = hashAt(json, "reply");
    a.finish = json.value("finish", "");
    a.model = json.value("model", "");
    a.tokens = tokensFrom(json.value("tokens", Json::object()));
    if (const auto cost = json.find("cost_micro_usd"); cost != json.end() && !cost->is_null())
        a.costMicroUsd = cost->get<std::int64_t>();
    a.tries = json.value("tries", 1);
    a.rule = json.value("rule", "");
    a.detail = json.value("detail", "");
    return a;
}

} // namespace tilewright
