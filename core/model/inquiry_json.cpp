// SPDX-License-Identifier: GPL-3.0-or-later
// Inquiries and their answers as the session file stores them.
#include "core/model/candidate_names.h"
#include "core/model/event_fields.h"

namespace tilewright {

using Json = nlohmann::json;

Json toJson(const InquiryBody& body)
{
    return {
        {"attempt", body.attempt}, {"status", body.status}, {"protocol", body.protocol}, {"bytes", hexOf(body.bytes)}};
}

InquiryBody bodyFrom(const Json& json)
{
    return {json.value("attempt", 1), json.value("status", 0), json.value("protocol", ""), hashAt(json, "bytes")};
}

Json toJson(const InsightNote& note)
{
    return {{"number", note.number}, {"author", note.author}, {"evaluations", note.evaluations},
        {"text", hexOf(note.text)}, {"inquiry", note.inquiry.value}};
}

InsightNote noteFrom(const Json& json)
{
    return {json.value("number", 1), json.at("author").get<std::string>(), json.value("evaluations", std::int64_t(0)),
        hashAt(json, "text"), idAt<InquiryId>(json, "inquiry")};
}

Json toJson(const Inquiry& q)
{
    Json json{{"id", q.id.value}, {"proposer", q.proposer}, {"place", q.place}, {"ordinal", q.ordinal},
        {"focus", nameOf(q.focus)}, {"parents", idsJson(q.parents)}, {"repair_of", q.repairOf.value},
        {"attempt", q.attempt}, {"prompt_name", q.promptName}, {"prompt_version", hexOf(q.promptVersion)},
        {"system", hexOf(q.system)}, {"prompt", hexOf(q.prompt)}, {"asked_ns", q.askedNs}};
    if (q.island)
        json["island"] = q.island.value;
    if (!q.model.empty())
        json["model"] = q.model;
    if (q.mostTokens)
        json["most_tokens"] = q.mostTokens;
    if (q.mostMicroUsd)
        json["most_micro_usd"] = q.mostMicroUsd;
    if (q.continues)
        json["continues"] = q.continues.value;
    if (q.repeats)
        json["repeats"] = q.repeats.value;
    if (q.wish)
        json["wish"] = q.wish.value;
    if (!q.leftOut.empty())
        json["left_out"] = q.leftOut;
    return json;
}

Inquiry inquiryFrom(const Json& json)
{
    Inquiry q;
    q.id = idAt<InquiryId>(json, "id");
    q.proposer = json.at("proposer").get<std::string>();
    q.model = json.value("model", "");
    q.place = json.value("place", "");
    q.island = idAt<IslandId>(json, "island");
    q.ordinal = json.value("ordinal", std::int64_t(0));
    q.focus = enumAt(json, "focus", focusNames);
    q.parents = idsAt(json, "parents");
    q.repairOf = idAt<ProposalId>(json, "repair_of");
    q.attempt = json.value("attempt", 1);
    q.mostTokens = json.value("most_tokens", std::int64_t(0));
    q.mostMicroUsd = json.value("most_micro_usd", std::int64_t(0));
    q.continues = idAt<InquiryId>(json, "continues");
    q.repeats = idAt<InquiryId>(json, "repeats");
    q.wish = idAt<WishId>(json, "wish");
    q.promptName = json.value("prompt_name", "");
    q.promptVersion = hashAt(json, "prompt_version");
    q.system = hashAt(json, "system");
    q.prompt = hashAt(json, "prompt");
    q.leftOut = json.value("left_out", std::vector<std::string>{});
    q.askedNs = json.value("asked_ns", std::int64_t(0));
    return q;
}

Json toJson(const InquiryAnswer& a)
{
    Json json{{"state", nameOf(a.state)}, {"reply", hexOf(a.reply)}, {"finish", a.finish}, {"model", a.model},
        {"tokens", toJson(a.tokens)}, {"cost_micro_usd", a.costMicroUsd ? Json(*a.costMicroUsd) : Json(nullptr)},
        {"tries", a.tries}, {"untold", a.untold}, {"rule", a.rule}, {"detail", a.detail}};
    if (a.guessed.total() > 0)
        json["guessed"] = toJson(a.guessed);
    return json;
}

InquiryAnswer answerFrom(const Json& json)
{
    InquiryAnswer a;
    a.state = enumAt(json, "state", inquiryStateNames);
    a.reply = hashAt(json, "reply");
    a.finish = json.value("finish", "");
    a.model = json.value("model", "");
    a.tokens = usageFromJson(json.value("tokens", Json::object()));
    a.guessed = usageFromJson(json.value("guessed", Json::object()));
    if (const auto cost = json.find("cost_micro_usd"); cost != json.end() && !cost->is_null())
        a.costMicroUsd = cost->get<std::int64_t>();
    a.tries = json.value("tries", 1);
    a.rule = json.value("rule", "");
    a.detail = json.value("detail", "");
    // The first sessions did not count: of a try that was lost, or has neither tokens nor a cost, nobody told.
    const bool nothingTold = a.rule == "llm/lost" || (!a.costMicroUsd && a.tokens.total() == 0);
    a.untold = json.value("untold", nothingTold ? a.tries : 0);
    return a;
}

} // namespace tilewright
