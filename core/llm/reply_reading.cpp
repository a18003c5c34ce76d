// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/reply_reading.h"

#include "core/base/text.h"
#include "core/llm/json_access.h"
#include "core/llm/server_errors.h"
#include "core/llm/tool_calls.h"

#include <algorithm>
#include <array>
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
            : isTrue                             ? "the reply ended early: tokens are estimated"
                     : "the usage reported by the server is implausible: tokens are estimated");
}

ModelFailure plainFailure(const char* code, const std::string& text, const char* hint, Remedy remedy = Remedy::Never)
{
    ModelFailure failure;
    failure.error = {code, text, hint, nullptr};
    failure.remedy = remedy;
    return failure;
}

/// Does this text hold what an answer would: a fence, a diff, a block?
bool readsAsAnswer(const std::string& text)
{
    constexpr std::array<std::string_view, 5> marks{"```", "<diff>", "<<<<<<<", "*** Begin Patch", "@@ "};
    return std::ranges::any_of(marks, [&](std::string_view mark) { return text.find(mark) != std::string::npos; });
}

/// State of a reply that is whole. `tool`: what was called instead of an answer. `reasoned`: tokens that the server
/// counted as reasoning, shown or not.
void judgeAnswers(ReadReply& read, const std::string& tool, std::int64_t reasoned)
{
    ModelReply& reply = read.reply;
    const auto all = [&reply](auto is) { return std::ranges::all_of(reply.answers, is); };
    const auto any = [&reply](auto is) { return std::ranges::any_of(reply.answers, is); };
    const auto ended = [](Finish finish) { return [finish](const Answer& a) { return a.finish == finish; }; };
    const auto failWith = [&read](const char* code, const std::string& text, const char* hint) {
        read.failure = plainFailure(code, text, hint);
        read.reply.state = ReplyState::Failed;
    };
    if (reply.answers.empty())
        return failWith("llm/empty", "the server sent a response without a reply", "");
    if (all([](const Answer& a) { return a.finish == Finish::Refused || (a.text.empty() && !a.refusal.empty()); })) {
        reply.state = ReplyState::Refused;
        const std::string why = reply.answers.front().refusal;
        const std::string& word = reply.answers.front().finishWord;
        reply.error = {"llm/refused",
            why.empty() ? "the model or a filter refused" + (word.empty() ? "" : " (" + word + ")") : "refused: " + why,
            "", nullptr};
        return;
    }
    if (any(ended(Finish::Failed)))
        return failWith("llm/server",
            "the server reported a failure: "
                + std::ranges::find(reply.answers, Finish::Failed, &Answer::finish)->finishWord,
            "");
    const bool cut = any(ended(Finish::Length));
    if (all([](const Answer& a) { return a.text.empty(); })) {
        const bool thought = reasoned > 0 || any([](const Answer& a) { return !a.reasoning.empty(); });
        if (!tool.empty())
            return failWith("llm/tool-call",
                "the model called " + tool + " instead of replying, and its arguments contain no edit",
                "Tilewright offers no tools: disable tool calls for this model on the server");
        if (!cut && any([](const Answer& a) { return readsAsAnswer(a.reasoning); }))
            return failWith("llm/empty",
                "the reply's text field is empty: all text is in the reasoning field, where drafts cannot be "
                "distinguished from the reply",
                "disable the server's reasoning parser for this model, or use a chat template that ends its reasoning");
        if (!cut)
            return failWith("llm/empty",
                thought ? "the model sent reasoning but an empty reply" : "the model sent an empty reply", "");
        reply.error = {"llm/truncated", "the output limit was reached before the reply began",
            "raise \"max_output_tokens\" or lower the reasoning effort", nullptr};
    } else if (cut) {
        reply.error
            = {"llm/truncated", "the reply was cut off at the output limit", "raise \"max_output_tokens\"", nullptr};
    }
    reply.state = cut ? ReplyState::Truncated : ReplyState::Complete;
    if (any([](const Answer& a) { return a.finishWord.empty(); }))
        reply.notes.push_back("the server gave no reason for the end of the reply");
}

} // namespace

void limitGuess(ModelReply& reply, std::int64_t most)
{
    const bool isWhole = reply.state == ReplyState::Complete || reply.state == ReplyState::Truncated;
    if (isWhole || reply.usageSource != UsageSource::Estimated || most <= 0)
        return;
    reply.usage.outputVisible = std::min(reply.usage.outputVisible, most);
    reply.usage.reasoning = std::min(reply.usage.reasoning, most - reply.usage.outputVisible);
}

void makeShowable(ModelReply& reply)
{
    const auto cut = [](std::string& text) { text = oneLine(text, shownOfServer); };
    cut(reply.error.text);
    for (ModelAttempt& attempt : reply.attempts)
        cut(attempt.error.text);
    for (Answer& answer : reply.answers) {
        answer.refusal = serverWords(answer.refusal);
        cut(answer.finishWord);
    }
    cut(reply.servedBy);
    for (std::string& note : reply.notes)
        cut(note);
}

ReadReply readReply(ModelProtocol protocol, const ReplyReader& reader, const BodyEnd& end, std::int64_t promptEstimate,
    double tokensPerByte)
{
    const ReplyContent& content = reader.content();
    ReadReply read;
    read.reply.answers = content.answers;
    std::string tool;
    for (std::size_t i = 0; i < read.reply.answers.size(); ++i) {
        Answer& answer = read.reply.answers[i];
        moveLeadingThought(answer);
        std::vector<ToolCall> calls;
        std::ranges::copy_if(content.toolCalls, std::back_inserter(calls),
            [i](const ToolCall& call) { return call.answer == static_cast<std::int64_t>(i); });
        const std::string called = readToolCalls(answer, calls);
        tool = tool.empty() ? called : tool;
    }
    read.reply.servedBy = content.servedBy;
    read.reply.notes = content.notes;
    if (content.garbled > 0 && content.streamed && content.anyText())
        read.reply.notes.push_back(
            counted(content.garbled, "event", "events") + " of the stream could not be read: text may be missing");
    const bool hasWords = content.anyText() || !content.toolCalls.empty();
    const bool isNotice = !hasWords && !content.notice.code.empty() && content.error.code.empty();
    if (!end.error.code.empty() && end.error.code != "llm/connection-lost" && !isWhole(protocol, content)) {
        read.failure.error = end.error; // a clock, a limit of ours
        read.reply.state = content.anyText() ? ReplyState::Incomplete : ReplyState::Failed;
    } else if (!reader.foreign().empty()) {
        read.failure = plainFailure("llm/not-a-reply",
            "the server sent something other than a model's reply: " + reader.foreign(),
            "check the endpoint's address, and whether a proxy or a log-in page is in between");
        read.failure.error.evidence = {{"body", reader.foreign()}};
        read.isRefusal = !hasWords;
    } else if (!content.error.code.empty() || isNotice) {
        read.failure = failureOf(content, end.headers, end.nowUtc);
        read.isRefusal = !hasWords;
        read.reply.state = content.anyText() ? ReplyState::Incomplete : ReplyState::Failed;
    } else if (isWhole(protocol, content)) {
        judgeAnswers(read, tool, content.usage.reasoning);
        if (!content.terminal && protocol == ModelProtocol::OpenAiChat)
            read.reply.notes.push_back("the stream ended without [DONE], after all replies had ended");
    } else if (content.garbled > 0 && content.streamed) {
        read.failure = plainFailure("llm/garbled",
            std::to_string(content.garbled) + " event(s) of the stream could not be read: text may be missing", "");
        read.reply.state = ReplyState::Incomplete;
    } else if (!content.anyText() && (content.streamed || !end.error.code.empty())) {
        read.failure = plainFailure("llm/connection-lost", "the stream ended before any text", "", Remedy::Later);
        read.failure.error.evidence = {{"network", memberOf(end.error.evidence, "network")}};
    } else if (content.answers.empty()) {
        read.failure = plainFailure("llm/empty",
            "the server sent a response without a reply" + (content.strange.empty() ? "" : ": " + content.strange), "");
        read.isRefusal = !content.strange.empty();
    } else {
        read.failure = plainFailure("llm/incomplete", "the stream ended before the reply",
            "the received part is kept as evidence and not used");
        read.failure.error.evidence = {{"bytes", end.bytes}, {"network", memberOf(end.error.evidence, "network")}};
        read.reply.state = ReplyState::Incomplete;
    }
    if (content.usageReported || content.anyText() || (end.bytes > 0 && !read.isRefusal)) {
        const bool isLast = read.failure.error.code.empty() || !content.streamed || isWhole(protocol, content);
        setUsage(read.reply, content, isLast, promptEstimate, tokensPerByte);
    }
    if (!read.failure.error.code.empty())
        read.reply.error = read.failure.error;
    return read;
}

} // namespace tilewright
