// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/tool_calls.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/llm/json_access.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

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

namespace {

constexpr std::string_view replacement = "\\ufffd";

/// The code unit of "\uXXXX" at this place.
std::optional<unsigned> unitAt(std::string_view text, std::size_t at)
{
    if (text.substr(at, 2) != "\\u" || at + 6 > text.size())
        return std::nullopt;
    unsigned unit = 0;
    const char* const end = text.data() + at + 6;
    const auto [stop, problem] = std::from_chars(text.data() + at + 2, end, unit, 16);
    return problem == std::errc() && stop == end ? std::optional(unit) : std::nullopt;
}

bool isHigh(unsigned unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool isLow(unsigned unit) { return unit >= 0xdc00 && unit < 0xe000; }

class Mender
{
public:
    explicit Mender(std::string_view text)
        : m_text(text)
    {
    }

    std::string mended()
    {
        m_result.reserve(m_text.size());
        while (m_at < m_text.size()) {
            if (m_text[m_at] == '"')
                takeString();
            else if (isWordPart(m_text[m_at]))
                takeWord();
            else
                m_result += m_text[m_at++];
        }
        return std::move(m_result);
    }

private:
    static bool isWordPart(char c)
    {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-'
            || c == '.' || c == '_';
    }

    void takeString()
    {
        m_result += m_text[m_at++];
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            if (m_text[m_at] == '\\')
                takeEscape();
            else
                takeCharacter();
        }
        if (m_at < m_text.size())
            m_result += m_text[m_at++];
    }

    void takeEscape()
    {
        const auto unit = unitAt(m_text, m_at);
        if (!unit) {
            const char escaped = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
            const bool isKnown = std::string_view("\"\\/bfnrt").find(escaped) != std::string_view::npos;
            if (!isKnown || escaped == '\0') {
                m_result += "\\\\"; // "\d" of somebody who escapes by hand
                ++m_at;
                return;
            }
            m_result += m_text.substr(m_at, 2);
            m_at += 2;
            return;
        }
        const auto next = isHigh(*unit) ? unitAt(m_text, m_at + 6) : std::nullopt;
        if (next && isLow(*next)) {
            m_result += m_text.substr(m_at, 12);
            m_at += 12;
            return;
        }
        m_result += isHigh(*unit) || isLow(*unit) ? replacement : m_text.substr(m_at, 6);
        m_at += 6;
    }

    void takeCharacter()
    {
        const std::size_t length = sequenceLength(m_text.substr(m_at));
        const auto byte = static_cast<unsigned char>(m_text[m_at]);
        if (length == 0) {
            m_result += replacement;
        } else if (byte < 0x20) {
            constexpr std::string_view digits = "0123456789abcdef";
            m_result.append("\\u00") += digits[byte >> 4];
            m_result += digits[byte & 15];
        } else {
            m_result += m_text.substr(m_at, length);
        }
        m_at += length == 0 ? 1 : length;
    }

    void takeWord()
    {
        std::size_t end = m_at;
        while (end < m_text.size() && isWordPart(m_text[end]))
            ++end;
        const std::string_view word = m_text.substr(m_at, end - m_at);
        m_at = end;
        const bool isNumber = !word.starts_with('+') && decimalOf(word).has_value();
        if (word == "true" || word == "false" || word == "null" || isNumber)
            m_result += word;
        else if (word == "True" || word == "False")
            m_result += lowered(word);
        else
            m_result += "null";
    }

    std::string_view m_text;
    std::string m_result;
    std::size_t m_at = 0;
};

} // namespace

std::string mendedJson(std::string_view text) { return Mender(text).mended(); }

} // namespace tilewright
