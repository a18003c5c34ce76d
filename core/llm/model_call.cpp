// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON forms of requests and replies. Writing never throws, whatever bytes a server sent.
#include "core/llm/model_call.h"

#include "core/llm/json_access.h"

namespace tilewright {
namespace {

using Json = nlohmann::json;

template <typename Enum, std::size_t N>
Enum choiceAt(const Json& json, const char* key, const NameTable<Enum, N>& table, Enum otherwise)
{
    return valueIn(table, textAt(json, key)).value_or(otherwise);
}

std::vector<std::string> textsAt(const Json& json, const char* key)
{
    std::vector<std::string> texts;
    for (const Json& item : listAt(json, key))
        if (item.is_string())
            texts.push_back(item.get<std::string>());
    return texts;
}

std::optional<double> someNumberAt(const Json& json, const char* key)
{
    const Json& member = memberOf(json, key);
    return member.is_number() ? std::optional(member.get<double>()) : std::nullopt;
}

Json errorToJson(const Error& error)
{
    if (error.code.empty())
        return nullptr;
    return {{"code", error.code}, {"text", error.text}, {"hint", error.hint}, {"evidence", error.evidence}};
}

Error errorFromJson(const Json& json)
{
    return {textAt(json, "code"), textAt(json, "text"), textAt(json, "hint"), memberOf(json, "evidence")};
}

Json attemptToJson(const ModelAttempt& attempt)
{
    Json json{{"number", attempt.number}, {"started", attempt.startedUtc}, {"paused_ms", attempt.pausedBefore.count()},
        {"first_byte_ms", attempt.firstByte.count()}, {"took_ms", attempt.took.count()}, {"status", attempt.status},
        {"bytes", attempt.bytes}, {"server_id", attempt.serverId}, {"error", errorToJson(attempt.error)},
        {"wasted", toJson(attempt.wasted)}};
    if (attempt.wasRefused)
        json["refused"] = true;
    return json;
}

ModelAttempt attemptFromJson(const Json& json)
{
    ModelAttempt attempt;
    attempt.number = static_cast<int>(countAt(json, "number"));
    attempt.startedUtc = textAt(json, "started");
    attempt.pausedBefore = std::chrono::milliseconds(countAt(json, "paused_ms"));
    attempt.firstByte = std::chrono::milliseconds(static_cast<std::int64_t>(numberAt(json, "first_byte_ms", -1)));
    attempt.took = std::chrono::milliseconds(countAt(json, "took_ms"));
    attempt.status = static_cast<int>(countAt(json, "status"));
    attempt.bytes = countAt(json, "bytes");
    attempt.serverId = textAt(json, "server_id");
    attempt.error = errorFromJson(memberOf(json, "error"));
    attempt.wasted = usageFromJson(memberOf(json, "wasted"));
    attempt.wasRefused = memberOf(json, "refused") == true;
    return attempt;
}

} // namespace

TokenUsage ModelReply::spent() const
{
    TokenUsage sum = usage;
    for (const ModelAttempt& attempt : attempts)
        sum += attempt.wasted;
    return sum;
}

bool ModelAttempt::wasInVain() const
{
    // A gateway that waited no longer knows as little as we do whether the server behind it worked on.
    if (status == 504 || status == 524)
        return true;
    const std::string& code = error.code;
    return status == 0
        && (code == "llm/connection-lost" || code == "llm/timeout-first-byte" || code == "llm/timeout-total"
            || code == "llm/cancelled");
}

bool ModelAttempt::wasFree() const
{
    const bool isAnswered = status >= 200 && status < 300 && !wasRefused;
    return !wasInVain() && !isAnswered && wasted.total() == 0;
}

int ModelReply::untold() const
{
    int count = 0;
    for (const ModelAttempt& attempt : attempts) {
        const bool isLast = &attempt == &attempts.back();
        const bool isAnswered = attempt.status >= 200 && attempt.status < 300 && !attempt.wasRefused;
        count += attempt.wasInVain() || (isAnswered && !(isLast && usageSource == UsageSource::Reported)) ? 1 : 0;
    }
    return count;
}

Json toJson(const ChatRequest& request)
{
    Json messages = Json::array();
    for (const ChatMessage& message : request.messages)
        messages.push_back({{"role", nameIn(messageRoles, message.role)}, {"text", message.text}});
    Json json{{"model", request.model}, {"conversation", request.conversation}, {"system", request.system},
        {"messages", std::move(messages)}, {"samples", request.samples}, {"max_output_tokens", request.maxOutputTokens},
        {"reasoning_effort", request.reasoningEffort}, {"stop", request.stop}};
    if (request.temperature)
        json["temperature"] = *request.temperature;
    if (request.topP)
        json["top_p"] = *request.topP;
    if (request.seed)
        json["seed"] = *request.seed;
    return json;
}

Result<ChatRequest> chatRequestFromJson(const Json& json)
{
    if (!json.is_object() || textAt(json, "model").empty() || !memberOf(json, "messages").is_array())
        return fail("llm/field", "not a model request: it has no model or no messages");
    ChatRequest request;
    request.model = textAt(json, "model");
    request.conversation = textAt(json, "conversation");
    request.system = textAt(json, "system");
    for (const Json& message : listAt(json, "messages"))
        request.messages.push_back(
            {choiceAt(message, "role", messageRoles, MessageRole::User), textAt(message, "text")});
    request.samples = static_cast<int>(countAt(json, "samples"));
    request.maxOutputTokens = countAt(json, "max_output_tokens");
    request.temperature = someNumberAt(json, "temperature");
    request.topP = someNumberAt(json, "top_p");
    if (memberOf(json, "seed").is_number_integer())
        request.seed = json["seed"].get<std::int64_t>();
    request.reasoningEffort = textAt(json, "reasoning_effort");
    request.stop = textsAt(json, "stop");
    return request;
}

Json toJson(const ModelReply& reply)
{
    Json answers = Json::array(), attempts = Json::array(), limits = Json::object();
    for (const Answer& answer : reply.answers)
        answers.push_back({{"text", answer.text}, {"reasoning", answer.reasoning}, {"refusal", answer.refusal},
            {"finish", nameIn(finishes, answer.finish)}, {"finish_word", answer.finishWord}});
    for (const ModelAttempt& attempt : reply.attempts)
        attempts.push_back(attemptToJson(attempt));
    for (const auto& [kind, limit] : reply.limits)
        limits[kind] = {{"limit", limit.limit}, {"remaining", limit.remaining}, {"reset", limit.reset}};
    Json json{{"id", reply.id.value}, {"conversation", reply.conversation}, {"model", reply.model},
        {"served_by", reply.servedBy}, {"state", nameIn(replyStates, reply.state)}, {"error", errorToJson(reply.error)},
        {"answers", std::move(answers)}, {"usage", toJson(reply.usage)},
        {"usage_source", nameIn(usageSources, reply.usageSource)}, {"usd", reply.usd ? Json(*reply.usd) : Json()},
        {"attempts", std::move(attempts)}, {"limits", std::move(limits)}, {"notes", reply.notes}};
    if (!reply.refusedParameter.empty())
        json["refused_parameter"] = reply.refusedParameter;
    return json;
}

Result<ModelReply> modelReplyFromJson(const Json& json)
{
    const auto state = valueIn(replyStates, textAt(json, "state"));
    if (!state)
        return fail("llm/field", "not a model reply: its state is '" + textAt(json, "state") + "'");
    ModelReply reply;
    reply.id = ModelCallId{countAt(json, "id")};
    reply.conversation = textAt(json, "conversation");
    reply.model = textAt(json, "model");
    reply.servedBy = textAt(json, "served_by");
    reply.state = *state;
    reply.error = errorFromJson(memberOf(json, "error"));
    for (const Json& answer : listAt(json, "answers"))
        reply.answers.push_back({textAt(answer, "text"), textAt(answer, "reasoning"), textAt(answer, "refusal"),
            choiceAt(answer, "finish", finishes, Finish::Unknown), textAt(answer, "finish_word")});
    reply.usage = usageFromJson(memberOf(json, "usage"));
    reply.usageSource = choiceAt(json, "usage_source", usageSources, UsageSource::None);
    reply.usd = someNumberAt(json, "usd");
    for (const Json& attempt : listAt(json, "attempts"))
        reply.attempts.push_back(attemptFromJson(attempt));
    for (const auto& [kind, limit] : memberOf(json, "limits").items())
        reply.limits[kind] = {static_cast<std::int64_t>(numberAt(limit, "limit", -1)),
            static_cast<std::int64_t>(numberAt(limit, "remaining", -1)), textAt(limit, "reset")};
    reply.refusedParameter = textAt(json, "refused_parameter");
    reply.notes = textsAt(json, "notes");
    return reply;
}

} // namespace tilewright
