// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/protocol.h"

#include "core/base/reply_marks.h"
#include "core/base/text.h"
#include "core/llm/json_access.h"
#include "core/llm/server_errors.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr std::size_t mostAnswers = 128;
constexpr std::size_t largestWhole = 64u << 20;
constexpr std::size_t shownOfForeign = 300;
constexpr std::int64_t mostTokensOfAReply = 100'000'000; // ten times the longest context that any model has
constexpr double mostUsdOfAReply = 1e6;
constexpr std::size_t largestForeign = 1u << 16;

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
    for (const std::string_view field : {"data", "event", "id", "retry", "error"}) {
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
        if (m_content.answers.empty()) // perhaps one JSON over many lines
            m_whole += bytes.substr(0, largestForeign - std::min(largestForeign, m_whole.size()));
        for (const std::string& line : m_lines.feed(bytes))
            takeText({}, line);
        m_overflowed = m_lines.overflowed();
        break;
    case Form::Whole:
        m_whole += bytes;
        m_overflowed = m_whole.size() > largestWhole;
        break;
    case Form::Foreign:
        m_whole += bytes.substr(0, largestForeign - std::min(largestForeign, m_whole.size()));
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
    if (m_form == Form::Foreign)
        m_foreign = wordsOfPage(m_whole, shownOfForeign);
    if (m_form == Form::Events) {
        for (const StreamEvent& event : m_events.finish())
            takeText(event.name, event.data);
        const bool isSilent = !m_content.anyText() && m_content.toolCalls.empty() && m_content.error.code.empty()
            && m_content.notice.code.empty() && !m_content.terminal;
        if (isSilent && !m_events.stray().empty())
            m_content.notice = errorOfText(m_events.stray());
    } else if (m_form == Form::Lines) {
        if (const auto rest = m_lines.finish())
            takeText({}, *rest);
        const bool hasNothing = m_content.answers.empty() && m_content.error.code.empty();
        if (hasNothing && m_content.garbled > 0 && !parsedOrDiscarded(m_whole).is_discarded()) {
            m_content = {};
            takeWhole();
        }
    } else if (m_form == Form::Whole) {
        takeWhole();
    }
}

void ReplyReader::takeWhole()
{
    const JsonSequence sequence = jsonSequenceOf(m_whole);
    if (sequence.values.empty()) {
        ++m_content.garbled;
        m_foreign = printable(std::string_view(m_whole).substr(0, shownOfForeign));
        return;
    }
    if (sequence.values.size() > 1) { // events without a frame, one behind another
        m_content.streamed = true;
        for (const nlohmann::json& each : sequence.values)
            takeJson({}, each);
        if (!sequence.rest.empty() && !m_content.terminal)
            takeText({}, std::string(sequence.rest));
        return;
    }
    const nlohmann::json& json = sequence.values.front();
    if (!sequence.rest.empty())
        m_content.notes.push_back(
            "text after the server's JSON was ignored: " + printable(sequence.rest.substr(0, shownOfForeign)));
    const nlohmann::json& body = json.is_array() && json.size() == 1 ? json.front() : json; // Gemini wraps errors
    m_content.error = errorObject(body);
    if (!m_content.error.code.empty())
        return;
    m_rules.whole(m_content, body);
    if (m_content.answers.empty())
        for (const char* wrapper : {"data", "result", "response", "body"}) // {"code":200,"data":{"choices":…}}
            if (const nlohmann::json& wrapped = memberOf(body, wrapper);
                wrapped.is_object() && m_content.answers.empty())
                m_rules.whole(m_content, wrapped);
    m_content.terminal = m_content.terminal || !m_content.answers.empty();
    if (!m_content.answers.empty())
        return;
    m_content.error = noticeObject(body);
    if (body.is_structured() && !body.empty())
        m_content.strange = printable(dumped(body).substr(0, shownOfForeign));
}

namespace {

/// "error", "Error", "response.error", "exception".
bool namesError(std::string_view event)
{
    const std::string name = lowered(event);
    return name == "error" || name == "errors" || name == "exception" || name == "failure" || name == "fault"
        || name.ends_with(".error") || name.ends_with("_error") || name.ends_with("-error");
}

} // namespace

void ReplyReader::takeText(const std::string& name, const std::string& data)
{
    const std::string_view text = trimmed(data);
    const bool isError = namesError(name);
    if ((text.empty() && !isError) || m_content.terminal)
        return; // an event without data, or bytes after the end
    if (text == "[DONE]") {
        m_content.terminal = true;
        return;
    }
    if (isError) {
        m_content.error = errorOfText(text);
        m_content.terminal = true;
        return;
    }
    const JsonSequence sequence = jsonSequenceOf(text);
    if (sequence.values.empty()) {
        // What no line end closed was cut off; what one did was sent so.
        m_content.isCut = m_ended;
        m_content.garbled += m_ended ? 0 : 1;
        if (m_content.notice.code.empty() && text.front() != '{' && text.front() != '[')
            m_content.notice = errorOfText(text);
        return;
    }
    for (const nlohmann::json& json : sequence.values)
        takeJson(name, json);
}

void ReplyReader::takeJson(const std::string& name, const nlohmann::json& json)
{
    if (m_content.terminal)
        return;
    if (Error error = errorObject(json); !error.code.empty()) {
        m_content.error = std::move(error);
        m_content.terminal = true;
        return;
    }
    m_rules.event(m_content, name, json);
    if (m_content.notice.code.empty() && !m_content.anyText())
        m_content.notice = noticeObject(json);
}

bool isWhole(ModelProtocol protocol, const ReplyContent& content)
{
    const bool hasNothing = content.garbled > 0 && !content.anyText() && content.toolCalls.empty();
    if (!content.error.code.empty() || hasNothing || content.isCut)
        return false;
    return content.terminal || (rulesOf(protocol).finishEndsIt && content.allFinished());
}

void moveLeadingThought(Answer& answer)
{
    const std::size_t first = answer.text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) {
        // A server's reader of thoughts that saw no opening mark took everything for reasoning.
        const std::string_view all = answer.reasoning;
        for (const ReplyMark& mark : replyMarksIn(all)) {
            const std::string_view before = all.substr(0, mark.begin), behind = all.substr(mark.end);
            const bool stands = before.empty() || before.ends_with('\n') || behind.starts_with('\n');
            if (mark.role != MarkRole::Close || !mark.isFirm || !stands || trimmed(behind).empty())
                continue;
            answer.text = std::string(behind.substr(behind.find_first_not_of("\r\n")));
            answer.reasoning = std::string(trimmed(before));
            return;
        }
        return;
    }
    const std::vector<ReplyMark> marks = replyMarksIn(answer.text);
    if (marks.empty() || marks.front().begin != first || marks.front().role != MarkRole::Open || !marks.front().isFirm)
        return;
    const auto close = std::ranges::find_if(marks,
        [&](const ReplyMark& mark) { return mark.role == MarkRole::Close && mark.family == marks.front().family; });
    const std::string_view text = answer.text;
    const std::size_t from = marks.front().end, to = close == marks.end() ? text.size() : close->begin;
    const std::string thought(trimmed(text.substr(from, to - from)));
    std::string_view rest = close == marks.end() ? std::string_view() : text.substr(close->end);
    rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
    answer.reasoning += (answer.reasoning.empty() || thought.empty() ? "" : "\n") + thought;
    answer.text = std::string(rest);
}

std::vector<ChatMessage> withSystemInFront(const ChatRequest& request)
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

std::optional<double> temperatureOf(const ModelSpec& spec, const ChatRequest& request)
{
    if (!spec.capabilities.temperature)
        return std::nullopt;
    return request.temperature ? request.temperature : spec.temperature;
}

std::optional<double> topPOf(const ModelSpec& spec, const ChatRequest& request)
{
    if (!spec.capabilities.topP)
        return std::nullopt;
    return request.topP ? request.topP : spec.topP;
}

void putSampling(nlohmann::json& into, const ModelSpec& spec, const ChatRequest& request)
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

std::string effortOf(const ModelSpec& spec, const ChatRequest& request)
{
    if (!spec.capabilities.reasoningEffort)
        return {};
    return request.reasoningEffort.empty() ? spec.reasoningEffort : request.reasoningEffort;
}

std::int64_t outputLimitOf(const ModelSpec& spec, const ChatRequest& request)
{
    const std::int64_t asked = request.maxOutputTokens > 0 ? request.maxOutputTokens : spec.maxOutputTokens;
    const std::int64_t most = spec.capabilities.mostOutputTokens;
    return most > 0 ? std::min(asked, most) : asked;
}

} // namespace tilewright
