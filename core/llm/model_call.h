// SPDX-License-Identifier: GPL-3.0-or-later
// One request to a model and all that came of it, as values that can be stored as JSON. No key ever stands in them.
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/llm/usage.h"

#include <chrono>
#include <map>
#include <vector>

namespace tilewright {

using ModelCallId = Id<struct ModelCallTag>;

enum class MessageRole { User, Assistant };
inline constexpr NameTable<MessageRole, 2> messageRoles{
    {{MessageRole::User, "user"}, {MessageRole::Assistant, "assistant"}}};

struct ChatMessage {
    MessageRole role = MessageRole::User;
    std::string text;

    bool operator==(const ChatMessage&) const = default;
};

/// What to ask. Fields that a model cannot take are left out by its capabilities, never by the caller.
struct ChatRequest {
    std::string model; ///< name of a model in the models file
    std::string conversation; ///< whose turn this is ("proposal 17"); comes back with the reply, is never sent
    std::string system;
    std::vector<ChatMessage> messages; ///< begins and ends with the user's
    int samples = 1; ///< several answers to one prompt, where the protocol can (n)
    std::int64_t maxOutputTokens = 0; ///< 0 = the model's own limit in the models file
    std::optional<double> temperature, topP; ///< none = the model's setting in the models file
    std::optional<std::int64_t> seed;
    std::string reasoningEffort; ///< "low", "medium", "high" …; empty = the model's setting
    std::vector<std::string> stop;

    bool operator==(const ChatRequest&) const = default;
};

/// Why an answer ended.
enum class Finish { Unknown, Stop, Length, Refused, Tool, Failed };
inline constexpr NameTable<Finish, 6> finishes{{{Finish::Unknown, "unknown"}, {Finish::Stop, "stop"},
    {Finish::Length, "length"}, {Finish::Refused, "refused"}, {Finish::Tool, "tool"}, {Finish::Failed, "failed"}}};

/// One answer of a reply; there are several where samples were asked for.
struct Answer {
    std::string text; ///< without reasoning
    std::string reasoning; ///< what the model showed of it
    std::string refusal; ///< the model's or the filter's words
    Finish finish = Finish::Unknown;
    std::string finishWord; ///< as the server wrote it

    bool operator==(const Answer&) const = default;
};

/// Complete: every answer ended by itself. Truncated: at least one stopped at the output limit. Refused: by the model
/// or a filter. Incomplete: the stream broke before its terminal event; the text is evidence, never an answer. Failed:
/// no answer came. Cancelled: by us.
enum class ReplyState { Complete, Truncated, Refused, Incomplete, Failed, Cancelled };
inline constexpr NameTable<ReplyState, 6> replyStates{
    {{ReplyState::Complete, "complete"}, {ReplyState::Truncated, "truncated"}, {ReplyState::Refused, "refused"},
        {ReplyState::Incomplete, "incomplete"}, {ReplyState::Failed, "failed"}, {ReplyState::Cancelled, "cancelled"}}};

/// One limit as the server announced it; -1 = not told. "requests", "tokens", "input-tokens" …
struct RateLimit {
    std::int64_t limit = -1, remaining = -1;
    std::string reset; ///< as it came: "6m0s" or an RFC 3339 time

    bool operator==(const RateLimit&) const = default;
};
using RateLimits = std::map<std::string, RateLimit>;

/// One try of a call.
struct ModelAttempt {
    int number = 1;
    std::string startedUtc;
    std::chrono::milliseconds pausedBefore{0};
    std::chrono::milliseconds firstByte{-1}; ///< -1: none came
    std::chrono::milliseconds took{0};
    int status = 0; ///< HTTP; 0: none came
    std::int64_t bytes = 0; ///< of the body
    std::string serverId; ///< x-request-id and its kin: what a provider's support asks for
    Error error; ///< empty code: none
    TokenUsage wasted; ///< estimated, of a try that was paid for and then repeated
    bool wasRefused = false; ///< the server answered with an error and nothing else, whatever the status

    bool operator==(const ModelAttempt&) const = default;
    /// The request went out and no server said what became of it: perhaps it worked, and charged for it.
    bool wasInVain() const;
    /// Nobody can have charged for it: it was never answered well, nor may it have worked unseen.
    bool wasFree() const;
};

/// The body of a reply as it came (unpacked, keys redacted), before anything in it is read. Store this first.
struct RawReply {
    ModelCallId id;
    std::string conversation, model, protocol;
    int attempt = 1, status = 0;
    std::string bytes;

    bool operator==(const RawReply&) const = default;
};

struct ModelReply {
    ModelCallId id;
    std::string conversation;
    std::string model; ///< name in the models file
    std::string servedBy; ///< model name the server gave
    ReplyState state = ReplyState::Failed;
    Error error; ///< what kept it from being complete; empty code if nothing
    std::vector<Answer> answers;
    TokenUsage usage; ///< of the last attempt; earlier paid ones are in attempts
    UsageSource usageSource = UsageSource::None;
    std::optional<double> usd; ///< of all attempts; none = unknown
    std::vector<ModelAttempt> attempts;
    RateLimits limits;
    std::string refusedParameter; ///< what was left out, because the server refused it; "" for nothing
    std::vector<std::string> notes; ///< what a user should know: parameters left out, usage estimated …

    bool operator==(const ModelReply&) const = default;
    /// Usage of all attempts: what the books count.
    TokenUsage spent() const;
    /// Attempts that may have used something of which nobody told: sent and never answered, broken off, answered
    /// without usage. A refusal with a status of its own used nothing.
    int untold() const;
};

nlohmann::json toJson(const ChatRequest& request);
Result<ChatRequest> chatRequestFromJson(const nlohmann::json& json);
nlohmann::json toJson(const ModelReply& reply);
Result<ModelReply> modelReplyFromJson(const nlohmann::json& json);

} // namespace tilewright
