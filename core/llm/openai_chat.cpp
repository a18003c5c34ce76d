// SPDX-License-Identifier: GPL-3.0-or-later
// OpenAI Chat Completions and every server that speaks it. Shapes: openai-python src/openai/types/chat and
// completion_usage.py; reasoning fields of vLLM, DeepSeek and OpenRouter from their documentation.
#include "core/llm/json_access.h"
#include "core/llm/protocol.h"
#include "core/llm/tool_calls.h"

namespace tilewright {
namespace {

using Json = nlohmann::json;

HttpCall build(const ModelEndpoint& endpoint, const ModelSpec& spec, const ChatRequest& request)
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
    const bool failed = word.starts_with("error") || word.ends_with("_error") || word == "failed" || word == "abort"
        || word == "aborted" || word == "insufficient_system_resource"; // DeepSeek: broken off
    return failed ? Finish::Failed : Finish::Unknown;
}

/// Under the one of its names that a server uses: OpenRouter sends two at once.
void takeReasoning(Answer& answer, const Json& message)
{
    for (const char* key : {"reasoning_content", "reasoning", "thinking", "reasoning_details"}) {
        Answer thought;
        takeContent(thought, memberOf(message, key));
        if (thought.text.empty() && thought.reasoning.empty())
            continue;
        answer.reasoning += thought.text + thought.reasoning;
        return;
    }
}

void takeMessage(Answer& answer, const Json& message)
{
    takeContent(answer, memberOf(message, "content"));
    takeReasoning(answer, message);
    answer.refusal += textAt(message, "refusal");
}

void takeCalls(ReplyContent& content, std::int64_t answer, const Json& message)
{
    std::int64_t place = 0;
    for (const Json& each : listAt(message, "tool_calls")) {
        const bool isNumbered = memberOf(each, "index").is_number();
        ToolCall& call = toolCallOf(content, answer, isNumbered ? countAt(each, "index") : place);
        const Json& function
            = memberOf(each, "custom").is_object() ? memberOf(each, "custom") : memberOf(each, "function");
        call.name += textAt(function, "name");
        call.arguments += argumentsText(memberOf(function, "arguments")) + textAt(function, "input");
        ++place;
    }
    if (const Json& function = memberOf(message, "function_call"); function.is_object()) {
        ToolCall& call = toolCallOf(content, answer, 0);
        call.name += textAt(function, "name");
        call.arguments += argumentsText(memberOf(function, "arguments"));
    }
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
        // Some that stream send whole messages, some that do not send deltas; old ones have a text.
        const Json& usual = memberOf(choice, messageKey);
        const char* const otherKey = std::string_view(messageKey) == "delta" ? "message" : "delta";
        const Json& message = usual.is_object() || !answer->text.empty() ? usual : memberOf(choice, otherKey);
        takeMessage(*answer, message);
        takeCalls(content, countAt(choice, "index"), message);
        if (!message.is_object())
            takeContent(*answer, memberOf(choice, "text"));
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
