// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/reply_reading.h"

#include "core/llm/json_access.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

std::int64_t estimated(std::size_t bytes, double tokensPerByte)
{
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(bytes) * tokensPerByte));
}

/// What was reported of it, completed by guesses: the books must not show nothing where something was used.
TokenUsage guessedUsage(const ReplyContent& content, std::int64_t promptEstimate, double tokensPerByte)
{
    TokenUsage usage = content.usage;
    if (usage.read() == 0)
        usage.input = promptEstimate;
    std::size_t visible = 0, reasoning = 0;
    for (const Answer& answer : content.answers) {
        visible += answer.text.size() + answer.refusal.size();
        reasoning += answer.reasoning.size();
    }
    usage.outputVisible = std::max(usage.outputVisible, estimated(visible, tokensPerByte));
    usage.reasoning = std::max(usage.reasoning, estimated(reasoning, tokensPerByte));
    return usage;
}

/// A prompt was read, and what was said was written: a server that counts neither has not counted.
bool canBeTrue(const ReplyContent& content)
{
    const bool isSilent = std::ranges::all_of(
        content.answers, [](const Answer& answer) { return answer.text.empty() && answer.reasoning.empty(); });
    return content.usageIsPossible && content.usage.read() > 0 && (content.usage.written() > 0 || isSilent);
}

/// `isLast`: nothing can come after these figures; what breaks off tells only a part.
void setUsage(
    ModelReply& reply, const ReplyContent& content, bool isLast, std::int64_t promptEstimate, double tokensPerByte)
{
    const bool isTrue = canBeTrue(content);
    if (content.usageReported && isTrue && isLast) {
        reply.usage = content.usage;
        reply.usageSource = UsageSource::Reported;
        reply.usd = content.reportedUsd;
        return;
    }
    reply.usage = guessedUsage(content, promptEstimate, tokensPerByte);
    reply.usageSource = UsageSource::Estimated;
    reply.notes.push_back(!content.usageReported ? "the server reported no usage: tokens are estimated"
            : isTrue                             ? "the reply broke off: tokens are estimated"
                     : "the usage that the server reported cannot be true: tokens are estimated");
}

ModelFailure plainFailure(const char* code, const std::string& text, const char* hint, Remedy remedy = Remedy::Never)
{
    ModelFailure failure;
    failure.error = {code, text, hint, nullptr};
    failure.remedy = remedy;
    return failure;
}

/// State of a reply that is whole. `reasoned`: tokens that the server counted as reasoning, shown or not.
void judgeAnswers(ReadReply& read, std::int64_t reasoned)
{
    ModelReply& reply = read.reply;
    const auto all = [&reply](auto is) { return std::ranges::all_of(reply.answers, is); };
    const auto any = [&reply](auto is) { return std::ranges::any_of(reply.answers, is); };
    const auto ended = [](Finish finish) { return [finish](const Answer& a) { return a.finish == finish; }; };
    const auto failWith = [&read](const char* code, const char* text, const char* hint) {
        read.failure = plainFailure(code, text, hint);
        read.reply.state = ReplyState::Failed;
    };
    if (reply.answers.empty())
        return failWith("llm/empty", "the server answered without an answer", "");
    if (all([](const Answer& a) { return a.finish == Finish::Refused || (a.text.empty() && !a.refusal.empty()); })) {
        reply.state = ReplyState::Refused;
        const std::string why = reply.answers.front().refusal;
        reply.error = {"llm/refused", why.empty() ? "the model or a filter refused" : "refused: " + why, "", nullptr};
        return;
    }
    if (any(ended(Finish::Failed)))
        return failWith("llm/server", "the server says that generating failed", "");
    const bool cut = any(ended(Finish::Length));
    if (all([](const Answer& a) { return a.text.empty(); })) {
        const bool thought = reasoned > 0 || any([](const Answer& a) { return !a.reasoning.empty(); });
        if (!cut)
            return failWith(
                "llm/empty", thought ? "the model thought, but answered nothing" : "the model answered nothing", "");
        reply.error = {"llm/truncated", "the output limit was reached before the answer began",
            "raise \"max_output_tokens\" or lower the reasoning effort", nullptr};
    } else if (cut) {
        reply.error
            = {"llm/truncated", "the answer was cut off at the output limit", "raise \"max_output_tokens\"", nullptr};
    }
    reply.state = cut ? ReplyState::Truncated : ReplyState::Complete;
    if (any([](const Answer& a) { return a.finishWord.empty(); }))
        reply.notes.push_back("the server gave no reason why the answer ended");
}

} // namespace

ReadReply readReply(ModelProtocol protocol, const ReplyReader& reader, const BodyEnd& end, std::int64_t promptEstimate,
    double tokensPerByte)
{
    const ReplyContent& content = reader.content();
    ReadReply read;
    read.reply.answers = content.answers;
    for (Answer& answer : read.reply.answers)
        moveLeadingThought(answer);
    read.reply.servedBy = content.servedBy;
    read.reply.notes = content.notes;
    if (!end.error.code.empty() && end.error.code != "llm/connection-lost" && !isWhole(protocol, content)) {
        read.failure.error = end.error; // a clock, a limit of ours
        read.reply.state = content.anyText() ? ReplyState::Incomplete : ReplyState::Failed;
    } else if (!reader.foreign().empty()) {
        read.failure = plainFailure("llm/not-a-reply",
            "the server answered something that is no model's reply: " + reader.foreign(),
            "is the endpoint's address right, and is a proxy or a log-in page in between?");
        read.failure.error.evidence = {{"body", reader.foreign()}};
    } else if (!content.error.code.empty()) {
        read.failure = failureOf(content, end.headers, end.nowUtc);
        read.reply.state = content.anyText() ? ReplyState::Incomplete : ReplyState::Failed;
    } else if (isWhole(protocol, content)) {
        judgeAnswers(read, content.usage.reasoning);
        if (!content.terminal && protocol == ModelProtocol::OpenAiChat)
            read.reply.notes.push_back("the stream ended without [DONE], after every answer had ended");
    } else if (content.garbled > 0 && content.streamed) {
        read.failure = plainFailure("llm/garbled",
            std::to_string(content.garbled) + " event(s) of the stream could not be read: text may be missing", "");
        read.reply.state = ReplyState::Incomplete;
    } else if (!content.anyText() && (content.streamed || !end.error.code.empty())) {
        read.failure
            = plainFailure("llm/connection-lost", "the stream ended before anything was said", "", Remedy::Later);
        read.failure.error.evidence = {{"network", memberOf(end.error.evidence, "network")}};
    } else if (content.answers.empty()) {
        read.failure = plainFailure("llm/empty", "the server answered without an answer", "");
    } else {
        read.failure = plainFailure(
            "llm/incomplete", "the stream ended before the reply did", "what came is kept as evidence and not used");
        read.failure.error.evidence = {{"bytes", end.bytes}, {"network", memberOf(end.error.evidence, "network")}};
        read.reply.state = ReplyState::Incomplete;
    }
    if (content.usageReported || content.anyText() || end.bytes > 0) {
        const bool isLast = read.failure.error.code.empty() || !content.streamed || isWhole(protocol, content);
        setUsage(read.reply, content, isLast, promptEstimate, tokensPerByte);
    }
    if (!read.failure.error.code.empty())
        read.reply.error = read.failure.error;
    return read;
}

} // namespace tilewright
