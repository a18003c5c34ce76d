// SPDX-License-Identifier: GPL-3.0-or-later
// OpenAI Chat Completions and every server that speaks it. Shapes: openai-python src/openai/types/chat and
// completion_usage.py; reasoning fields of vLLM, DeepSeek and OpenRouter from their documentation.
#include "core/llm/json_access.h"
#include "core/llm/protocol.h"

namespace tilewright {
namespace {

using Json = nlohmann::json;

HttpCall build(const ModelEndpoint& endpoint, const ModelSpec& spec, const ModelRequest& request)
{
    const Capabilities& can = spec.capabilities;
    Json messages = Json::array();
    const bool systemInFront = can.systemRole == SystemRole::User;
    if (!request.system.empty() && !systemInFront)
        messages.push_back({{"role", nameIn(systemRoles, can.systemRole)}, {"content", request.system}});
    for (const ChatMessage& message : systemInFront ? withSystemInFront(request) : request.messages)
        messages.push_back({{"role", nameIn(messageRoles, message.role)}, {"content", message.text}});
    Json body{{"model", spec.model}, {"messages", std::move(messages)}, {"stream", true}};
    if (can.streamUsage)
        body["stream_options"] = {{"include_usage", true}};
    if (const std::int64_t limit = outputLimitOf(spec, request); limit > 0)
        body[nameIn(outputLimitNames, can.outputLimit)] = limit;
    putSampling(body, spec, request);
    if (can.seed && request.seed)
        body["seed"] = *request.seed;
    if (can.stop && !request.stop.empty())
        body["stop"] = request.stop;
    if (can.samples && request.samples > 1)
        body["n"] = request.samples;
    if (const std::string effort = effortOf(spec, request); !effort.empty())
        body["reasoning_effort"] = effort;
    return bearerCall(endpoint, "chat/completions", body, {{"Accept", "text/event-stream"}});
}

Finish finishOf(const std::string& word)
{
    if (word == "stop" || word == "eos")
        return Finish::Stop;
    if (word == "length")
        return Finish::Length;
    if (word == "content_filter")
        return Finish::Refused;
    if (word == "tool_calls" || word == "function_call")
        return Finish::Tool;
    return word == "error" ? Finish::Failed : Finish::Unknown;
}

void takeUsage(ReplyContent& content, const Json& usage)
{
    if (!usage.is_object() || usage.empty())
        return;
    UsageFigures told(usage);
    const std::int64_t read = told.count("prompt_tokens_details", "cached_tokens");
    // Whether prompt_tokens include the tokens written to the cache stands in no document we have seen; as they are
    // tokens of the prompt, it is read so.
    const std::int64_t write = told.count("prompt_tokens_details", "cache_write_tokens");
    const std::int64_t reasoning = told.count("completion_tokens_details", "reasoning_tokens");
    // Cumulative where it comes with every chunk (vLLM): the last one counts.
    content.usage = {tokensBeside(told.count("prompt_tokens"), read + write), read, write,
        tokensBeside(told.count("completion_tokens"), reasoning), reasoning};
    content.usageReported = true;
    content.usageIsPossible = told.arePossible();
    content.reportedUsd = reportedCost(usage);
}

void takeMessage(Answer& answer, const Json& message)
{
    answer.text += textAt(message, "content");
    const std::string reasoning = textAt(message, "reasoning_content");
    answer.reasoning += reasoning.empty() ? textAt(message, "reasoning") : reasoning;
    answer.refusal += textAt(message, "refusal");
}

void take(ReplyContent& content, const Json& json, const char* messageKey)
{
    if (const std::string model = textAt(json, "model"); !model.empty())
        content.servedBy = model;
    if (const std::string id = textAt(json, "id"); !id.empty())
        content.replyId = id;
    for (const Json& choice : listAt(json, "choices")) {
        Answer* answer = content.answer(countAt(choice, "index"));
        if (!answer)
            continue;
        takeMessage(*answer, memberOf(choice, messageKey));
        const std::string word = textAt(choice, "finish_reason");
        if (word.empty())
            continue;
        answer->finishWord = word;
        answer->finish = !answer->refusal.empty() ? Finish::Refused : finishOf(word);
    }
    takeUsage(content, memberOf(json, "usage"));
}

void event(ReplyContent& content, const std::string&, const Json& json) { take(content, json, "delta"); }
void whole(ReplyContent& content, const Json& json) { take(content, json, "message"); }

} // namespace

const ProtocolRules& openAiChatRules()
{
    static constexpr ProtocolRules rules{build, event, whole, true};
    return rules;
}

} // namespace tilewright
