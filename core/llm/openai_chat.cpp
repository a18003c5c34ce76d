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
    const Json& usage = memberOf(json, "usage");
    if (takeOpenAiUsage(content, usage, "prompt", "completion"))
        content.reportedUsd = reportedCost(usage);
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
