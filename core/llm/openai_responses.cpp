// SPDX-License-Identifier: GPL-3.0-or-later
// OpenAI Responses. Shapes: openai-python src/openai/types/responses; the stream ends with response.completed,
// response.incomplete, response.failed or error, each but the last with the whole response.
#include "core/llm/json_access.h"
#include "core/llm/protocol.h"
#include "core/llm/server_errors.h"
#include "core/llm/tool_calls.h"

namespace tilewright {
namespace {

using Json = nlohmann::json;

HttpCall build(const ModelEndpoint& endpoint, const ModelSpec& spec, const ChatRequest& request)
{
    Json input = Json::array();
    for (const ChatMessage& message : request.messages)
        input.push_back({{"role", nameIn(messageRoles, message.role)}, {"content", message.text}});
    Json body{{"model", spec.model}, {"input", std::move(input)}, {"stream", true}, {"store", false}};
    if (!request.system.empty())
        body["instructions"] = request.system;
    if (const std::int64_t limit = outputLimitOf(spec, request); limit > 0)
        body["max_output_tokens"] = limit;
    putSampling(body, spec, request);
    if (const std::string effort = effortOf(spec, request); !effort.empty())
        body["reasoning"] = {{"effort", effort}};
    // There is no n, no seed and no stop.
    return bearerCall(endpoint, "responses", body, {{"Accept", "text/event-stream"}});
}

/// A call of a function or of a tool of free text; the whole one replaces its pieces.
void takeCall(ReplyContent& content, std::int64_t place, const Json& item)
{
    const std::string type = textAt(item, "type");
    if (type != "function_call" && type != "custom_tool_call")
        return;
    ToolCall& call = toolCallOf(content, 0, place);
    call.name = textAt(item, "name");
    const std::string all = argumentsText(memberOf(item, type == "function_call" ? "arguments" : "input"));
    if (!all.empty())
        call.arguments = all;
}

/// The final response repeats every text: it replaces what the deltas gave, so that a lost delta does no harm.
void takeResponse(ReplyContent& content, const Json& response)
{
    content.servedBy = textAt(response, "model");
    content.replyId = textAt(response, "id");
    takeOpenAiUsage(content, memberOf(response, "usage"), "input", "output");
    Answer said;
    std::int64_t place = 0;
    for (const Json& item : listAt(response, "output")) {
        const std::string type = textAt(item, "type");
        takeContent(said, Json{{"type", "reasoning"}, {"summary", memberOf(item, "summary")}});
        if (type == "message")
            takeContent(said, memberOf(item, "content"));
        else if (type == "reasoning")
            takeContent(said, Json{{"type", "reasoning"}, {"content", memberOf(item, "content")}});
        else
            takeCall(content, place, item);
        ++place;
    }
    if (said.text.empty())
        said.text = textAt(response, "output_text");
    Answer& answer = *content.answer(0);
    if (!said.text.empty())
        answer.text = said.text;
    if (!said.reasoning.empty())
        answer.reasoning = said.reasoning;
    if (!said.refusal.empty())
        answer.refusal = said.refusal;
    const std::string status = textAt(response, "status");
    const std::string reason = textAt(memberOf(response, "incomplete_details"), "reason");
    answer.finishWord = reason.empty() ? status : reason;
    if (status == "completed")
        answer.finish = answer.refusal.empty() ? Finish::Stop : Finish::Refused;
    else if (reason == "max_output_tokens")
        answer.finish = Finish::Length;
    else if (reason == "content_filter")
        answer.finish = Finish::Refused;
    else
        answer.finish = Finish::Failed;
    if (status == "failed") {
        content.error = errorObject(response);
        if (content.error.code.empty())
            content.error = {"llm/server", "the server reported that the reply failed, without a reason", {}, nullptr};
    }
    content.terminal = true;
}

void event(ReplyContent& content, const std::string& name, const Json& json)
{
    const std::string own = textAt(json, "type");
    const std::string& type = own.empty() ? name : own;
    if (type == "response.completed" || type == "response.incomplete" || type == "response.failed")
        return takeResponse(content, memberOf(json, "response"));
    if (type == "response.created") {
        content.servedBy = textAt(memberOf(json, "response"), "model");
        content.replyId = textAt(memberOf(json, "response"), "id");
    } else if (type == "response.output_text.delta") {
        content.answer(0)->text += textAt(json, "delta");
    } else if (type == "response.reasoning_summary_text.delta" || type == "response.reasoning_text.delta") {
        content.answer(0)->reasoning += textAt(json, "delta");
    } else if (type == "response.output_item.added" || type == "response.output_item.done") {
        takeCall(content, countAt(json, "output_index"), memberOf(json, "item"));
    } else if (type == "response.function_call_arguments.delta" || type == "response.custom_tool_call_input.delta") {
        toolCallOf(content, 0, countAt(json, "output_index")).arguments += textAt(json, "delta");
    } else if (type == "response.refusal.delta") {
        content.answer(0)->refusal += textAt(json, "delta");
    }
}

void whole(ReplyContent& content, const Json& json)
{
    if (json.is_object() && (json.contains("output") || json.contains("status")))
        takeResponse(content, json);
}

} // namespace

const ProtocolRules& openAiResponsesRules()
{
    static constexpr ProtocolRules rules{build, event, whole, false};
    return rules;
}

} // namespace tilewright
