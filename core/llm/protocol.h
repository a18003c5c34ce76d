// SPDX-License-Identifier: GPL-3.0-or-later
// The protocols behind one shape: a pure builder (request → HTTP call) and a pure reader (bytes → what was said). What
// differs between providers stands in one file each: openai_chat.cpp, openai_responses.cpp, anthropic.cpp, gemini.cpp,
// ollama_chat.cpp.
#pragma once

#include "core/llm/event_stream.h"
#include "core/llm/model_call.h"
#include "core/llm/model_endpoint.h"

#include <memory>

namespace tilewright {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// A call ready to be sent, but for the key: that is put in at the last moment and stands in no value.
struct HttpCall {
    std::string method = "POST", url;
    HttpHeaders headers;
    std::string keyHeader, keyPrefix; ///< "Authorization" and "Bearer "; without a key no header is sent at all
    std::string body;

    bool operator==(const HttpCall&) const = default;
};

/// A call of a tool, as far as it came. No tool is ever offered: models write their edit so all the same.
struct ToolCall {
    std::int64_t answer = 0, index = 0; ///< of the answer; the server's own number of the call
    std::string name, arguments; ///< JSON, or free text
};

/// What a reply has told so far.
struct ReplyContent {
    std::vector<Answer> answers;
    TokenUsage usage;
    bool usageReported = false;
    bool usageIsPossible = true; ///< no figure of it is negative, a text or beyond any context
    std::optional<double> reportedUsd; ///< some servers tell the cost themselves
    bool terminal = false; ///< the protocol's last event came
    bool streamed = false; ///< events came; else one whole JSON
    Error error; ///< an error object inside the reply; its evidence holds {"type", "code", "param"} where given
    Error notice; ///< a message that may be the reason why nothing else comes
    std::vector<ToolCall> toolCalls;
    int garbled = 0; ///< events that could not be read
    bool isCut = false; ///< the bytes ended inside an event
    std::string servedBy, replyId;
    std::string strange; ///< first words of a whole JSON that holds nothing of a reply
    std::vector<std::string> notes;

    /// The answer with this index, made if need be; null for an index no server means seriously.
    Answer* answer(std::int64_t index);
    bool allFinished() const;
    bool anyText() const;
};

/// The figures of a usage object, as far as they can be true: one that is no count reads as 0 and leaves a mark.
class UsageFigures
{
public:
    explicit UsageFigures(const nlohmann::json& usage)
        : m_usage(usage)
    {
    }
    /// 0 where nothing is told.
    std::int64_t count(const char* key) { return countIn(m_usage, key); }
    std::int64_t count(const char* part, const char* key);
    bool isTold(const char* key) const;
    bool arePossible() const { return m_arePossible; }

private:
    std::int64_t countIn(const nlohmann::json& json, const char* key);

    const nlohmann::json& m_usage;
    bool m_arePossible = true;
};
/// OpenAI's count, whose figures are called "<read>_tokens" and "<written>_tokens", with "_details" each. Cumulative
/// where it comes with every chunk (vLLM): the last one counts. Whether there was one.
bool takeOpenAiUsage(
    ReplyContent& content, const nlohmann::json& usage, const std::string& read, const std::string& written);
/// What a server says that a reply cost; none if that is no amount of money.
std::optional<double> reportedCost(const nlohmann::json& usage);

/// What one protocol does. All functions are pure.
struct ProtocolRules {
    HttpCall (*build)(const ModelEndpoint&, const ModelSpec&, const ChatRequest&);
    /// Takes the JSON of one event.
    void (*event)(ReplyContent&, const std::string& name, const nlohmann::json&);
    /// Takes the JSON of a reply that came whole.
    void (*whole)(ReplyContent&, const nlohmann::json&);
    /// No event of its own ends the stream: it ends when every answer has its reason and the bytes end. Chat servers
    /// that forget [DONE] are read so too.
    bool finishEndsIt;
};

const ProtocolRules& rulesOf(ModelProtocol protocol);
const ProtocolRules& openAiChatRules();
const ProtocolRules& openAiResponsesRules();
const ProtocolRules& anthropicRules();
const ProtocolRules& geminiRules();
const ProtocolRules& ollamaChatRules();

/// Reads the body of a successful reply, portion by portion or at once: both give the same. Server-sent events, newline
/// delimited JSON and a whole JSON are told apart by the first byte, never by the content type.
class ReplyReader
{
public:
    explicit ReplyReader(ModelProtocol protocol);
    void feed(std::string_view bytes);
    void finish();
    const ReplyContent& content() const { return m_content; }
    /// Nothing after this can change the reply.
    bool terminal() const { return m_content.terminal; }
    /// A line without end, or more than any reply needs.
    bool overflowed() const { return m_overflowed; }
    /// What came has the form of none of the three: an HTML page, say. Its first words.
    const std::string& foreign() const { return m_foreign; }

private:
    enum class Form { Unknown, Events, Lines, Whole, Foreign };
    void decideForm();
    void takeText(const std::string& name, const std::string& data);
    void takeJson(const std::string& name, const nlohmann::json& json);
    void takeWhole();

    const ProtocolRules& m_rules;
    bool m_lineProtocol;
    Form m_form = Form::Unknown;
    std::string m_head, m_whole, m_foreign;
    EventDecoder m_events;
    LineSplitter m_lines;
    ReplyContent m_content;
    bool m_overflowed = false, m_ended = false;
};

/// Whether the text has all that the server meant to say, the bytes having ended.
bool isWhole(ModelProtocol protocol, const ReplyContent& content);

/// Text and a leading thought ("<think>…</think>", "[THINK]…[/THINK]" and their kin) told apart; an unclosed one is all
/// reasoning. Servers that know no reasoning field send it so. The other way round, where all of the text came in the
/// reasoning field with the mark between: what stands behind the mark is the text.
void moveLeadingThought(Answer& answer);

/// The message texts a protocol that has no system field gets: the system text before the first user message.
std::vector<ChatMessage> withSystemInFront(const ChatRequest& request);
/// What the request, else the model's setting says.
std::optional<double> temperatureOf(const ModelSpec& spec, const ChatRequest& request);
std::optional<double> topPOf(const ModelSpec& spec, const ChatRequest& request);
/// temperature and top_p as most protocols call them, where they are set and allowed.
void putSampling(nlohmann::json& into, const ModelSpec& spec, const ChatRequest& request);
/// A JSON call whose key travels as a bearer token.
HttpCall bearerCall(
    const ModelEndpoint& endpoint, const std::string& resource, const nlohmann::json& body, const HttpHeaders& more);
/// What is left of a total without a part of it; 0 where a server counts the part as more.
inline std::int64_t tokensBeside(std::int64_t all, std::int64_t part) { return all > part ? all - part : 0; }
std::string effortOf(const ModelSpec& spec, const ChatRequest& request);
std::int64_t outputLimitOf(const ModelSpec& spec, const ChatRequest& request);
} // namespace tilewright
