// SPDX-License-Identifier: GPL-3.0-or-later
// Anthropic Messages. Shapes: anthropic-sdk-python src/anthropic/types (usage.py, message_delta_usage.py,
// output_tokens_details.py) and tests/lib/streaming/fixtures.
#include "core/llm/json_access.h"
#include "core/llm/protocol.h"
#include "core/llm/tool_calls.h"

namespace tilewright {
namespace {

using Json = nlohmann::json;

HttpCall build(const ModelEndpoint& endpoint, const ModelSpec& spec, const ChatRequest& request)
{
    Json messages = Json::array();
    for (const ChatMessage& message : request.messages)
        messages.push_back({{"role", nameIn(messageRoles, message.role)}, {"content", message.text}});
    Json body{{"model", spec.model}, {"messages", std::move(messages)}, {"max_tokens", outputLimitOf(spec, request)},
        {"stream", true}};
    if (!request.system.empty()) // the stable front of every prompt: a cached block, read at a tenth of the price
        body["system"]
            = Json::array({{{"type", "text"}, {"text", request.system}, {"cache_control", {{"type", "ephemeral"}}}}});
    putSampling(body, spec, request);
    if (spec.capabilities.stop && !request.stop.empty())
        body["stop_sequences"] = request.stop;
    if (const std::string effort = effortOf(spec, request); !effort.empty())
        body["output_config"] = {{"effort", effort}};
    // There is no seed and no n.
    HttpCall call;
    call.url = resourceUrl(endpoint.url, endpoint.protocol, "messages");
    call.headers
        = {{"Content-Type", "application/json"}, {"Accept", "text/event-stream"}, {"anthropic-version", "2023-06-01"}};
    call.keyHeader = "x-api-key";
    call.body = dumped(body);
    return call;
}

Finish finishOf(const std::string& word)
{
    if (word == "end_turn" || word == "stop_sequence")
        return Finish::Stop;
    if (word == "max_tokens" || word == "model_context_window_exceeded")
        return Finish::Length;
    if (word == "refusal")
        return Finish::Refused;
    return word == "tool_use" ? Finish::Tool : Finish::Unknown;
}

/// Figures are cumulative: each one that comes replaces the former.
void takeUsage(ReplyContent& content, const Json& usage)
{
    if (!usage.is_object())
        return;
    UsageFigures told(usage);
    const auto replace = [&told](std::int64_t& figure, const char* key) {
        if (told.isTold(key))
            figure = told.count(key);
    };
    replace(content.usage.input, "input_tokens");
    replace(content.usage.cacheRead, "cache_read_input_tokens");
    replace(content.usage.cacheWrite, "cache_creation_input_tokens");
    if (told.isTold("output_tokens")) {
        const std::int64_t output = told.count("output_tokens");
        const std::int64_t thought = told.count("output_tokens_details", "thinking_tokens");
        content.usage.reasoning = thought < output ? thought : output;
        content.usage.outputVisible = output - content.usage.reasoning;
    }
    content.usageIsPossible = content.usageIsPossible && told.arePossible();
}

void takeStop(ReplyContent& content, const Json& holder)
{
    const std::string word = textAt(holder, "stop_reason");
    if (word.empty())
        return;
    Answer& answer = *content.answer(0);
    answer.finishWord = word;
    answer.finish = finishOf(word);
    if (answer.finish == Finish::Refused) {
        const std::string why = textAt(memberOf(holder, "stop_details"), "explanation");
        answer.refusal = why.empty() ? "the model refused" : why;
    }
}

void takeBlock(ReplyContent& content, std::int64_t index, const Json& block)
{
    if (textAt(block, "type") == "tool_use") {
        ToolCall& call = toolCallOf(content, 0, index);
        call.name = textAt(block, "name");
        call.arguments = argumentsText(memberOf(block, "input"));
        return;
    }
    takeContent(*content.answer(0), block);
}

void event(ReplyContent& content, const std::string& name, const Json& json)
{
    const std::string own = textAt(json, "type");
    const std::string& type = own.empty() ? name : own;
    if (type == "message_start") {
        const Json& message = memberOf(json, "message");
        content.servedBy = textAt(message, "model");
        content.replyId = textAt(message, "id");
        (void)content.answer(0);
        takeUsage(content, memberOf(message, "usage"));
    } else if (type == "content_block_start") {
        takeBlock(content, countAt(json, "index"), memberOf(json, "content_block"));
    } else if (type == "content_block_delta") {
        if (const std::string piece = textAt(memberOf(json, "delta"), "partial_json"); !piece.empty()) {
            ToolCall& call = toolCallOf(content, 0, countAt(json, "index"));
            call.arguments = (call.arguments == "{}" ? "" : call.arguments) + piece; // it begins with an empty input
        }
        content.answer(0)->text += textAt(memberOf(json, "delta"), "text");
        content.answer(0)->reasoning += textAt(memberOf(json, "delta"), "thinking");
    } else if (type == "message_delta") {
        takeStop(content, memberOf(json, "delta"));
        takeUsage(content, memberOf(json, "usage"));
        content.usageReported = memberOf(json, "usage").is_object(); // the start's output figure is only a beginning
    } else if (type == "message_stop") {
        content.terminal = true;
    } // ping, content_block_stop and whatever comes to be later
}

void whole(ReplyContent& content, const Json& json)
{
    if (textAt(json, "type") != "message")
        return;
    content.servedBy = textAt(json, "model");
    content.replyId = textAt(json, "id");
    if (memberOf(json, "content").is_string())
        content.answer(0)->text += textAt(json, "content");
    std::int64_t place = 0;
    for (const Json& block : listAt(json, "content"))
        takeBlock(content, place++, block);
    (void)content.answer(0);
    takeStop(content, json);
    takeUsage(content, memberOf(json, "usage"));
    content.usageReported = memberOf(json, "usage").is_object();
}

} // namespace

const ProtocolRules& anthropicRules()
{
    static constexpr ProtocolRules rules{build, event, whole, false};
    return rules;
}

} // namespace tilewright
