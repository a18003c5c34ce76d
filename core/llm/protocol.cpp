// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/protocol.h"

#include "core/base/text.h"
#include "core/llm/json_access.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr std::size_t mostAnswers = 128;
constexpr std::size_t largestWhole = 64u << 20;
constexpr std::size_t shownOfForeign = 300;
constexpr std::int64_t mostTokensOfAReply = 100'000'000; // ten times the longest context that any model has
constexpr double mostUsdOfAReply = 1e6;
constexpr std::string_view thinkOpen = "<think>", thinkClose = "</think>";

/// "429", 429 and "rate_limit_exceeded" are all codes to somebody.
std::string codeAt(const nlohmann::json& json, std::string_view key)
{
    const nlohmann::json& member = memberOf(json, key);
    return member.is_number_integer() ? std::to_string(member.get<std::int64_t>()) : textAt(json, key);
}

} // namespace

Answer* ReplyContent::answer(std::int64_t index)
{
    if (index < 0 || index >= static_cast<std::int64_t>(mostAnswers))
        return nullptr;
    const auto at = static_cast<std::size_t>(index);
    if (answers.size() <= at)
        answers.resize(at + 1);
    return &answers[at];
}

bool ReplyContent::allFinished() const
{
    return !answers.empty()
        && std::ranges::none_of(answers, [](const Answer& answer) { return answer.finishWord.empty(); });
}

bool ReplyContent::anyText() const
{
    return std::ranges::any_of(answers, [](const Answer& answer) {
        return !answer.text.empty() || !answer.reasoning.empty() || !answer.refusal.empty();
    });
}

bool UsageFigures::isTold(const char* key) const { return !memberOf(m_usage, key).is_null(); }

std::int64_t UsageFigures::count(const char* part, const char* key) { return countIn(memberOf(m_usage, part), key); }

std::int64_t UsageFigures::countIn(const nlohmann::json& json, const char* key)
{
    const nlohmann::json& figure = memberOf(json, key);
    if (figure.is_null())
        return 0;
    const double value = figure.is_number() ? figure.get<double>() : -1;
    if (value >= 0 && value <= static_cast<double>(mostTokensOfAReply) && value == std::floor(value))
        return static_cast<std::int64_t>(value);
    m_arePossible = false;
    return 0;
}

bool takeOpenAiUsage(
    ReplyContent& content, const nlohmann::json& usage, const std::string& read, const std::string& written)
{
    if (!usage.is_object() || usage.empty())
        return false;
    const std::string readDetails = read + "_tokens_details", writtenDetails = written + "_tokens_details";
    UsageFigures told(usage);
    const std::int64_t fromCache = told.count(readDetails.c_str(), "cached_tokens");
    // Whether the tokens read include those written to the cache stands in no document we have seen; as they are
    // tokens of the prompt, it is read so.
    const std::int64_t toCache = told.count(readDetails.c_str(), "cache_write_tokens");
    const std::int64_t reasoning = told.count(writtenDetails.c_str(), "reasoning_tokens");
    content.usage = {tokensBeside(told.count((read + "_tokens").c_str()), fromCache + toCache), fromCache, toCache,
        tokensBeside(told.count((written + "_tokens").c_str()), reasoning), reasoning};
    content.usageReported = true;
    content.usageIsPossible = told.arePossible();
    return true;
}

std::optional<double> reportedCost(const nlohmann::json& usage)
{
    const double usd = numberAt(usage, "cost", -1);
    return usd >= 0 && usd <= mostUsdOfAReply ? std::optional(usd) : std::nullopt;
}

const ProtocolRules& rulesOf(ModelProtocol protocol)
{
    switch (protocol) {
    case ModelProtocol::OpenAiResponses:
        return openAiResponsesRules();
    case ModelProtocol::Anthropic:
        return anthropicRules();
    case ModelProtocol::Gemini:
        return geminiRules();
    case ModelProtocol::OllamaChat:
        return ollamaChatRules();
    case ModelProtocol::OpenAiChat:
        break;
    }
    return openAiChatRules();
}

ReplyReader::ReplyReader(ModelProtocol protocol)
    : m_rules(rulesOf(protocol))
    , m_lineProtocol(protocol == ModelProtocol::OllamaChat)
{
}

void ReplyReader::decideForm()
{
    std::string_view head = m_head;
    if (head.starts_with("\xef\xbb\xbf"))
        head.remove_prefix(3);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return;
    head.remove_prefix(first);
    const char c = head.front();
    if (c == '{' || c == '[' || c == 'n') // n: a JSON null
        m_form = m_lineProtocol && c == '{' ? Form::Lines : Form::Whole;
    else if (c == ':')
        m_form = Form::Events;
    else
        m_form = Form::Foreign;
    for (const std::string_view field : {"data", "event", "id", "retry"}) {
        if (head.starts_with(field))
            m_form = Form::Events;
        else if (field.starts_with(head))
            m_form = Form::Unknown; // too little to tell
    }
}

void ReplyReader::feed(std::string_view bytes)
{
    std::string held;
    if (m_form == Form::Unknown) {
        m_head += bytes;
        decideForm();
        if (m_form == Form::Unknown) {
            m_overflowed = m_head.size() > largestWhole;
            return;
        }
        held = std::exchange(m_head, {});
        bytes = held;
    }
    switch (m_form) {
    case Form::Events:
        m_content.streamed = true;
        for (const StreamEvent& event : m_events.feed(bytes))
            takeText(event.name, event.data);
        m_overflowed = m_events.overflowed();
        break;
    case Form::Lines:
        m_content.streamed = true;
        for (const std::string& line : m_lines.feed(bytes))
            takeText({}, line);
        m_overflowed = m_lines.overflowed();
        break;
    case Form::Whole:
        m_whole += bytes;
        m_overflowed = m_whole.size() > largestWhole;
        break;
    case Form::Foreign:
        m_foreign += bytes.substr(0, shownOfForeign - std::min(shownOfForeign, m_foreign.size()));
        break;
    case Form::Unknown:
        break;
    }
}

void ReplyReader::finish()
{
    m_ended = true;
    if (m_form == Form::Unknown)
        m_foreign = printable(std::string_view(m_head).substr(0, shownOfForeign));
    if (m_form == Form::Events) {
        for (const StreamEvent& event : m_events.finish())
            takeText(event.name, event.data);
    } else if (m_form == Form::Lines) {
        if (const auto rest = m_lines.finish())
            takeText({}, *rest);
    } else if (m_form == Form::Whole) {
        const nlohmann::json json = parsedOrDiscarded(m_whole);
        if (json.is_discarded()) {
            ++m_content.garbled;
            m_foreign = printable(std::string_view(m_whole).substr(0, shownOfForeign));
            return;
        }
        const nlohmann::json& body = json.is_array() && json.size() == 1 ? json.front() : json; // Gemini wraps errors
        m_content.error = errorObject(body);
        if (!m_content.error.code.empty())
            return;
        m_rules.whole(m_content, body);
        m_content.terminal = m_content.terminal || !m_content.answers.empty();
    }
}

void ReplyReader::takeText(const std::string& name, const std::string& data)
{
    const std::string_view text = trimmed(data);
    if (text.empty() || m_content.terminal)
        return; // an event without data, or bytes after the end
    if (text == "[DONE]") {
        m_content.terminal = true;
        return;
    }
    const nlohmann::json json = parsedOrDiscarded(text);
    if (json.is_discarded()) {
        // What no line end closed was cut off; what one did was sent so.
        m_content.isCut = m_ended;
        m_content.garbled += m_ended ? 0 : 1;
        return;
    }
    Error error = errorObject(json);
    if (!error.code.empty()) {
        m_content.error = std::move(error);
        m_content.terminal = true;
        return;
    }
    m_rules.event(m_content, name, json);
}

bool isWhole(ModelProtocol protocol, const ReplyContent& content)
{
    if (!content.error.code.empty() || content.garbled > 0 || content.isCut)
        return false;
    return content.terminal || (rulesOf(protocol).finishEndsIt && content.allFinished());
}

void moveLeadingThought(Answer& answer)
{
    const std::size_t first = answer.text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || answer.text.compare(first, thinkOpen.size(), thinkOpen) != 0)
        return;
    const std::size_t from = first + thinkOpen.size();
    const std::size_t close = answer.text.find(thinkClose, from);
    const std::string thought = answer.text.substr(from, close == std::string::npos ? close : close - from);
    answer.reasoning += std::string(trimmed(thought));
    std::string_view rest = close == std::string::npos
        ? std::string_view{}
        : std::string_view(answer.text).substr(close + thinkClose.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
    answer.text = std::string(rest);
}

std::vector<ChatMessage> withSystemInFront(const ModelRequest& request)
{
    std::vector<ChatMessage> messages = request.messages;
    if (request.system.empty())
        return messages;
    if (!messages.empty() && messages.front().role == MessageRole::User)
        messages.front().text = request.system + "\n\n" + messages.front().text;
    else
        messages.insert(messages.begin(), {MessageRole::User, request.system});
    return messages;
}

std::optional<double> temperatureOf(const ModelSpec& spec, const ModelRequest& request)
{
    if (!spec.capabilities.temperature)
        return std::nullopt;
    return request.temperature ? request.temperature : spec.temperature;
}

std::optional<double> topPOf(const ModelSpec& spec, const ModelRequest& request)
{
    if (!spec.capabilities.topP)
        return std::nullopt;
    return request.topP ? request.topP : spec.topP;
}

void putSampling(nlohmann::json& into, const ModelSpec& spec, const ModelRequest& request)
{
    if (const auto temperature = temperatureOf(spec, request))
        into["temperature"] = *temperature;
    if (const auto topP = topPOf(spec, request))
        into["top_p"] = *topP;
}

HttpCall bearerCall(
    const ModelEndpoint& endpoint, const std::string& resource, const nlohmann::json& body, const HttpHeaders& more)
{
    HttpCall call;
    call.url = resourceUrl(endpoint.url, endpoint.protocol, resource);
    call.headers = {{"Content-Type", "application/json"}};
    call.headers.insert(call.headers.end(), more.begin(), more.end());
    call.keyHeader = "Authorization";
    call.keyPrefix = "Bearer ";
    call.body = dumped(body);
    return call;
}

std::string effortOf(const ModelSpec& spec, const ModelRequest& request)
{
    if (!spec.capabilities.reasoningEffort)
        return {};
    return request.reasoningEffort.empty() ? spec.reasoningEffort : request.reasoningEffort;
}

std::int64_t outputLimitOf(const ModelSpec& spec, const ModelRequest& request)
{
    const std::int64_t asked = request.maxOutputTokens > 0 ? request.maxOutputTokens : spec.maxOutputTokens;
    const std::int64_t most = spec.capabilities.mostOutputTokens;
    return most > 0 ? std::min(asked, most) : asked;
}

Error errorObject(const nlohmann::json& json)
{
    const nlohmann::json* error = &memberOf(json, "error");
    if (error->is_null() && (textAt(json, "object") == "error" || textAt(json, "type") == "error"))
        error = &json; // vLLM, and the error event of Responses
    if (error->is_string())
        return {"llm/server", error->get<std::string>(), {}, {{"message", *error}}}; // Ollama
    if (!error->is_object() || error->empty())
        return {};
    nlohmann::json evidence{{"message", textAt(*error, "message")}};
    for (const char* key : {"type", "code", "param", "status"})
        if (const std::string text = codeAt(*error, key); !text.empty())
            evidence[key] = text;
    if (memberOf(*error, "details").is_structured())
        evidence["details"] = memberOf(*error, "details");
    if (memberOf(*error, "metadata").is_object())
        evidence["metadata"] = memberOf(*error, "metadata");
    const std::string message = textAt(*error, "message");
    return {
        "llm/server", message.empty() ? dumped(*error).substr(0, shownOfForeign) : message, {}, std::move(evidence)};
}

} // namespace tilewright
