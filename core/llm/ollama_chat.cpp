// SPDX-License-Identifier: GPL-3.0-or-later
// Ollama's own /api/chat: one JSON a line instead of server-sent events. Used instead of its compatible interface
// because only here num_ctx can be set; without it Ollama cuts the front off a long prompt and says nothing. Shapes:
// ollama/ollama docs/api.md, "Generate a chat completion".
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
    if (!request.system.empty() && can.systemRole != SystemRole::User)
        messages.push_back({{"role", "system"}, {"content", request.system}});
    for (const ChatMessage& message :
        can.systemRole == SystemRole::User ? withSystemInFront(request) : request.messages)
        messages.push_back({{"role", nameIn(messageRoles, message.role)}, {"content", message.text}});
    Json options = Json::object();
    if (can.contextTokens > 0)
        options["num_ctx"] = can.contextTokens;
    if (const std::int64_t limit = outputLimitOf(spec, request); limit > 0)
        options["num_predict"] = limit;
    putSampling(options, spec, request);
    if (can.seed && request.seed)
        options["seed"] = *request.seed;
    if (can.stop && !request.stop.empty())
        options["stop"] = request.stop;
    Json body{{"model", spec.model}, {"messages", std::move(messages)}, {"stream", true}, {"options", options}};
    return bearerCall(endpoint, "api/chat", body, {});
}

void take(ReplyContent& content, const Json& json)
{
    if (!json.is_object() || !json.contains("message"))
        return;
    content.servedBy = textAt(json, "model");
    Answer& answer = *content.answer(0);
    const Json& message = memberOf(json, "message");
    takeContent(answer, memberOf(message, "content"));
    answer.reasoning += textAt(message, "thinking");
    for (const Json& each : listAt(message, "tool_calls")) {
        const Json& function = memberOf(each, "function");
        ToolCall& call = toolCallOf(content, 0, static_cast<std::int64_t>(content.toolCalls.size()));
        call.name = textAt(function, "name");
        call.arguments = argumentsText(memberOf(function, "arguments"));
    }
    if (memberOf(json, "done") != true)
        return;
    const std::string word = textAt(json, "done_reason");
    answer.finishWord = word.empty() ? "done" : word;
    answer.finish = word == "length" ? Finish::Length : Finish::Stop;
    if (UsageFigures told(json); told.isTold("eval_count")) {
        content.usage = {told.count("prompt_eval_count"), 0, 0, told.count("eval_count"), 0};
        content.usageReported = true;
        content.usageIsPossible = told.arePossible();
    }
    content.terminal = true;
}

void event(ReplyContent& content, const std::string&, const Json& json) { take(content, json); }

} // namespace

const ProtocolRules& ollamaChatRules()
{
    static constexpr ProtocolRules rules{build, event, take, false};
    return rules;
}

} // namespace tilewright
