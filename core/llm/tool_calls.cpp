// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/tool_calls.h"

#include "core/base/text.h"
#include "core/llm/json_access.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

using Json = nlohmann::json;

constexpr std::size_t mostCalls = 64;
constexpr int mostDepth = 8; ///< of lists and objects in one another
constexpr std::array<std::string_view, 8> oldKeys{
    "old_string", "old_str", "old_text", "oldText", "search", "find", "old", "original"};
constexpr std::array<std::string_view, 8> newKeys{
    "new_string", "new_str", "new_text", "newText", "replace", "replacement", "new", "updated"};
constexpr std::array<std::string_view, 14> editKeys{"patch", "diff", "edit", "edits", "changes", "input", "reply",
    "response", "answer", "text", "arguments", "content", "file_text", "code"};

template <std::size_t N> const Json* memberAmong(const Json& json, const std::array<std::string_view, N>& keys)
{
    for (const std::string_view key : keys)
        if (const Json& member = memberOf(json, key); member.is_string())
            return &member;
    return nullptr;
}

std::string withLineEnd(std::string text) { return text.ends_with('\n') ? text : text + "\n"; }

/// A program alone has to stand in a fence; a patch says itself what it is.
std::string asReply(const std::string& text)
{
    for (const std::string_view mark : {"```", "<diff", "<<<<<<<", "@@", "*** ", "--- "})
        if (text.find(mark) != std::string::npos)
            return text;
    return text.find('\n') == std::string::npos ? text : "```\n" + withLineEnd(text) + "```\n";
}

std::string editIn(const Json& json, int depth = 0)
{
    if (depth > mostDepth)
        return {};
    if (json.is_string())
        return asReply(json.get<std::string>());
    if (json.is_array()) {
        std::string all;
        for (const Json& part : json)
            if (const std::string one = editIn(part, depth + 1); !one.empty())
                all += withLineEnd(one);
        return all;
    }
    if (!json.is_object())
        return {};
    const Json *const before = memberAmong(json, oldKeys), *const after = memberAmong(json, newKeys);
    if (before && after)
        return "<<<<<<< SEARCH\n" + withLineEnd(before->get<std::string>()) + "=======\n"
            + withLineEnd(after->get<std::string>()) + ">>>>>>> REPLACE\n";
    for (const std::string_view key : editKeys)
        if (const std::string one = editIn(memberOf(json, key), depth + 1); !one.empty())
            return one;
    const Json* only = nullptr;
    for (const auto& [key, member] : json.items()) {
        if (!member.is_string() || member.get_ref<const std::string&>().find('\n') == std::string::npos)
            continue;
        if (only)
            return {}; // two long texts under unknown names
        only = &member;
    }
    return only ? editIn(*only, depth + 1) : std::string();
}

/// {"name": …, "arguments": …} as text, between the marks with which models write calls where nobody reads them.
std::optional<ToolCall> callInText(std::string_view text)
{
    text = trimmed(text);
    bool isMarked = false;
    for (const std::string_view mark :
        {"<tool_call>", "<function_call>", "[TOOL_CALLS]", "<|tool_call|>", "<|tool_call>", "<tool_code>"})
        if (text.starts_with(mark)) {
            text.remove_prefix(mark.size());
            isMarked = true;
            break;
        }
    if (!isMarked)
        return std::nullopt;
    const std::size_t end = text.find_last_of("]}");
    if (end == std::string_view::npos)
        return std::nullopt;
    Json json = parsedOrDiscarded(trimmed(text.substr(0, end + 1)));
    if (json.is_array() && json.size() == 1)
        json = Json(json.front());
    if (!json.is_object())
        return std::nullopt;
    const Json& function = memberOf(json, "function").is_object() ? memberOf(json, "function") : json;
    for (const char* key : {"arguments", "parameters", "input"})
        if (const Json& arguments = memberOf(function, key); !arguments.is_null())
            return ToolCall{0, 0, textAt(function, "name"), argumentsText(arguments)};
    return std::nullopt;
}

void takeParts(Answer& answer, const Json& content, int depth)
{
    if (depth > mostDepth)
        return;
    if (content.is_string()) {
        answer.text += content.get_ref<const std::string&>();
        return;
    }
    if (content.is_array()) {
        for (const Json& part : content)
            takeParts(answer, part, depth + 1);
        return;
    }
    if (!content.is_object())
        return;
    const std::string type = textAt(content, "type");
    if (type == "refusal")
        answer.refusal += textAt(content, "refusal");
    if (type == "thinking" || type == "reasoning" || type == "reasoning_text" || type == "summary_text") {
        Answer thought;
        for (const char* key : {"thinking", "reasoning", "text", "summary", "content"})
            takeParts(thought, memberOf(content, key), depth + 1);
        answer.reasoning += thought.text + thought.reasoning;
        return;
    }
    const Json& text = memberOf(content, "text");
    takeParts(answer, text.is_object() ? memberOf(text, "value") : text, depth + 1);
    for (const char* key : {"content", "parts"})
        if (text.is_null() && memberOf(content, key).is_structured())
            takeParts(answer, memberOf(content, key), depth + 1);
}

} // namespace

void takeContent(Answer& answer, const Json& content) { takeParts(answer, content, 0); }

ToolCall& toolCallOf(ReplyContent& content, std::int64_t answer, std::int64_t index)
{
    std::vector<ToolCall>& calls = content.toolCalls;
    const auto found = std::ranges::find_if(
        calls, [&](const ToolCall& call) { return call.answer == answer && call.index == index; });
    if (found != calls.end())
        return *found;
    if (calls.size() >= mostCalls)
        return calls.back();
    calls.push_back({answer, index, {}, {}});
    return calls.back();
}

std::string argumentsText(const Json& arguments)
{
    return arguments.is_string() ? arguments.get<std::string>() : arguments.is_null() ? "" : dumped(arguments);
}

std::string editOf(const ToolCall& call)
{
    const Json json = parsedOrDiscarded(call.arguments);
    if (json.is_discarded())
        return call.arguments.find('\n') == std::string::npos ? "" : asReply(call.arguments);
    return editIn(json);
}

std::string readToolCalls(Answer& answer, const std::vector<ToolCall>& calls)
{
    std::vector<ToolCall> own = calls;
    if (const auto inText = callInText(answer.text)) {
        own = {*inText};
        answer.text.clear();
    }
    const bool isAnswer = !trimmed(answer.text).empty() && answer.finish != Finish::Tool;
    if (own.empty() || isAnswer)
        return {};
    std::string edit;
    for (const ToolCall& call : own)
        if (const std::string one = editOf(call); !one.empty())
            edit += withLineEnd(one);
    if (edit.empty())
        return own.front().name.empty() ? "a tool" : "the tool '" + printable(own.front().name.substr(0, 80)) + "'";
    if (!trimmed(answer.text).empty()) // what it says before it acts
        answer.reasoning += (answer.reasoning.empty() ? "" : "\n") + answer.text;
    answer.text = std::move(edit);
    return {};
}

} // namespace tilewright
