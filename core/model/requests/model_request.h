// SPDX-License-Identifier: GPL-3.0-or-later
// A question that was put to somebody outside (a model, a user with a folder) and what came back. It is recorded
// before it leaves, so that it can be put again after a crash, and its answer before anything in it is read.
#pragma once

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/model/islands/island_steering.h"
#include "core/model/requests/steering_request.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

// What replies used. Providers count differently (cached tokens inside or beside the input, reasoning inside the
// output); here every figure stands for itself and none is counted twice. Pure.

/// Tokens of one reply or of many. The five figures are disjoint: their sum is everything that was read and written.
struct TokenUsage {
    std::int64_t input = 0; ///< read, neither from a cache nor into one
    std::int64_t cacheRead = 0;
    std::int64_t cacheWrite = 0;
    std::int64_t outputVisible = 0;
    std::int64_t reasoning = 0; ///< billed as output, not part of the answer

    bool operator==(const TokenUsage&) const = default;
    TokenUsage& operator+=(const TokenUsage& other);
    std::int64_t read() const { return input + cacheRead + cacheWrite; }
    std::int64_t written() const { return outputVisible + reasoning; }
    std::int64_t total() const { return read() + written(); }
};

nlohmann::json toJson(const TokenUsage& usage);
/// A figure that is absent or no whole number is 0. The visible output was "output" in the first sessions.
TokenUsage usageFromJson(const nlohmann::json& json);

using ModelRequestId = Id<struct ModelRequestTag>;

/// Open: no answer yet. Complete: the answer ended by itself. Incomplete: it broke off; the text is evidence, never an
/// answer. Failed: none came.
enum class ModelRequestState { Open, Complete, Incomplete, Failed };
std::string nameOf(ModelRequestState state);

/// The body of a reply as it came, before anything in it was read. A call may have several: one a try.
struct ModelRequestBody {
    int attempt = 1, status = 0;
    std::string protocol; ///< how to read it
    Hash bytes; ///< blob

    bool operator==(const ModelRequestBody&) const = default;
};

/// Why an answer came to nothing that somebody else is to give, that was for an island that was taken back, or about a
/// program that was overtaken.
inline constexpr std::string_view ruleOfNewProposer = "proposer/changed", ruleOfUnmade = "island/taken-back",
                                  ruleOfOvertaken = "request/overtaken";

/// What came back, whatever it was.
struct ModelRequestAnswer {
    ModelRequestState state = ModelRequestState::Complete;
    Hash reply; ///< blob of the text as it was given; null if none came
    std::string finish; ///< why the text ended, in the provider's word; "" if nobody said
    std::string model; ///< who answered, where there are several; "" else
    TokenUsage tokens; ///< of all tries
    TokenUsage guessed; ///< the part of them that no server told
    std::optional<std::int64_t> costMicroUsd; ///< none: unknown, which is not 0
    int tries = 1;
    int untold = 0; ///< tries whose use nobody told: each may have used as much as ModelRequest::mostTokens
    std::string rule, detail; ///< why there is no whole answer

    bool operator==(const ModelRequestAnswer&) const = default;
    /// We broke it off, or were broken off: the question may be put again.
    bool wasInterrupted() const { return rule == "llm/lost" || rule == "llm/cancelled"; }
    /// It was no longer wanted. No failure of who was asked.
    bool wasWithdrawn() const { return rule == ruleOfNewProposer || rule == ruleOfUnmade || rule == ruleOfOvertaken; }
};

struct ModelRequest {
    ModelRequestId id;
    std::string proposer; ///< who is asked: "manual", "model"
    std::string model; ///< which one, by its name in the models file; "" where there are no several
    std::string place; ///< its name out there: "0007" in a folder; "" if it has none
    IslandId island; ///< none for a summary, which is about the whole run, and for a judgement
    std::int64_t ordinal = 0; ///< of the island's proposals
    Focus focus = Focus::Explore;
    std::vector<CandidateId> parents; ///< first: the one to edit
    ProposalId repairOf; ///< whose patch failed, for a repair turn or a rewrite
    int attempt = 1; ///< 2: the repair turn, 3: the rewrite
    std::int64_t mostTokens = 0, mostMicroUsd = 0; ///< what it can use and cost; 0: nothing, or unknown
    ModelRequestId continues; ///< whose conversation goes on: it, its reply and this prompt are sent together
    SteeringRequestId steering; ///< a user's, for which it is asked
    ModelRequestId repeats; ///< an earlier one that was interrupted, or failed: this puts its question again
    std::string promptName; ///< template
    Hash promptVersion;
    Hash system, prompt; ///< blobs of what was sent
    std::string why = {}; ///< why this parent and this focus, in words
    std::vector<std::string> leftOut; ///< what of it had no room, in words: "2 of 3 inspirations"
    std::int64_t askedNs = 0, answeredNs = 0; ///< run time
    ModelRequestState state = ModelRequestState::Open;
    int tries = 1; ///< known to have begun, while it is open
    std::vector<ModelRequestBody> bodies; ///< what arrived, whole or not, in the order of tries
    ModelRequestAnswer answer; ///< holds once the state is not Open
    bool unwanted = false; ///< its island was taken back before the answer came: that is recorded and not used

    bool operator==(const ModelRequest&) const = default;
    /// It is over and brought no answer, or none that is whole; what was withdrawn did not fail.
    bool hasFailed() const
    {
        return (state == ModelRequestState::Failed || state == ModelRequestState::Incomplete) && !answer.wasWithdrawn();
    }
    /// It asks for a summary of the run, not for edits.
    bool asksForSummary() const { return promptName == "summary"; }
    /// It asks what an edit (the first parent) is worth, not for one.
    bool asksForJudgement() const { return promptName == "judge"; }
    /// Millionths of a dollar, once the state is not Open; none: unknown. A user's word costs none, nor does its
    /// absence.
    std::optional<std::int64_t> cost() const { return proposer == "manual" ? 0 : answer.costMicroUsd; }
};

/// A short text about what the run has taught. It goes into prompts: a user's newest first, then the newest other.
struct InsightNote {
    int number = 1; ///< 1, 2, …
    std::string author; ///< "user", "statistics", or the model's name
    std::int64_t evaluations = 0; ///< that it knew of
    Hash text; ///< blob
    ModelRequestId modelRequest; ///< a model's answer; else none
    std::int64_t seq = 0; ///< of the event that brought it into the run

    bool operator==(const InsightNote&) const = default;
};

// What a question to somebody outside is for, as its record tells: also in files of older versions. Pure.

struct ModelRequest;

/// Propose: an edit of a program. Translate: a program written anew from the operation's plain form. Repair and
/// Rewrite: a further turn on a reply whose patch did not apply. Summary: what the run has taught. Judge: what an edit
/// is worth.
enum class CallPurpose { Propose, Translate, Repair, Rewrite, Summary, Judge };
/// "propose", "translate", …
std::string nameOf(CallPurpose purpose);

CallPurpose purposeOf(const ModelRequest& modelRequest);

// A prompt template that a user saved in a run: from its event on, prompts are written with it.

struct TemplateVersion {
    IslandId island; ///< whose prompts; 0: those of all islands that have none of their own
    std::string name; ///< "exploit"
    int number = 1; ///< 1, 2, … of the texts of this template on this island; of what is none, that of the newest one
    Hash text; ///< blob; null: the user's text is taken away, and what stood below it holds again
    int again = 0; ///< this version holds again: a later one was taken away, or that was taken back; 0: a new text
    std::string note; ///< what was changed, in the user's words
    std::int64_t firstModelRequest = 1; ///< the first question that can have been written with it
    std::int64_t evaluations = 0; ///< that were done when it was saved
    std::int64_t seq = 0; ///< of its event
    bool isUndo = false; ///< the newest order about the template was taken back with it: it is none of its own

    bool operator==(const TemplateVersion&) const = default;
    /// The version whose text holds from here on.
    int held() const { return again ? again : number; }
};

/// What holds again when the newest version of a template of an island is taken away; null: what no version stands in.
const TemplateVersion* versionBefore(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name);

/// The newest order about a template of an island that stands: a text was saved, or taken away, and that was not taken
/// back. Null where there is none.
const TemplateVersion* newestTemplateOrder(
    const std::vector<TemplateVersion>& versions, IslandId island, std::string_view name);

/// What held before one of the versions came; null: no version.
const TemplateVersion* heldBefore(const std::vector<TemplateVersion>& versions, const TemplateVersion& version);

} // namespace tilewright
