// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever is asked outside this program and answers when they like: a model, a user with a folder. The engine records
// every question before it is put and every answer before it is read; a reply source only carries them. Unlike a
// Proposer it can be asked to repair a reply whose patch did not apply. Thread: the engine's; nothing here blocks.
#pragma once

#include "core/model/requests/model_status.h"
#include "core/proposer/proposer.h"

#include <optional>

namespace tilewright {

/// A question that is about to be put, as far as choosing who answers it needs it.
struct RequestDraft {
    IslandId island;
    std::int64_t ordinal = 0;
    std::string system, user;
    std::vector<std::pair<std::string, std::string>> earlier; ///< as OutgoingRequest::earlier
    std::string preferred; ///< a model that should answer if it can be asked; "" for any
    bool isSummary = false;
    bool wantsCheapest = false; ///< whoever costs least of those that may be asked now
};

/// Who is going to answer, and where the question will stand.
struct ModelReservation {
    std::string model; ///< "" where there are no several
    std::string place; ///< a name out there; "" where letters have none
    std::int64_t mostTokens = 0, mostMicroUsd = 0; ///< what the answer can use and cost; 0: nothing, or unknown
};

/// Tokens of a byte of a prompt where no answer has told yet.
constexpr double usualTokensPerByte = 0.3;

/// How long a prompt may be.
struct PromptRoom {
    std::int64_t tokens = 0; ///< of all that is sent; 0: no limit is known
    double tokensPerByte = 0; ///< as answers have shown; 0: none came yet
    std::string model; ///< whose room it is
    /// Dollars for a token that is sent, and for one that is written, at the dearest of those who may be asked; none:
    /// unknown.
    std::optional<double> usdPerToken = {}, usdPerTokenWritten = {};

    double rate() const { return tokensPerByte > 0 ? tokensPerByte : usualTokensPerByte; }
};

/// What goes out.
struct OutgoingRequest {
    ModelRequestId id;
    std::string place, model; ///< as reserve() named them
    IslandId island;
    std::string promptName; ///< template
    std::string system;
    std::vector<std::pair<std::string, std::string>> earlier; ///< prompt and reply of each turn before, oldest first
    std::string user;
};

/// What came back. answer.reply is left to the engine, which stores the text.
struct Response {
    std::string text; ///< "" if none came
    ModelRequestAnswer answer;
};

/// What the engine does with what comes. All are called on its thread, never during the call that caused them.
struct ReplySink {
    std::function<void(ModelRequestId, Response)> answered;
    /// A body that was paid for: it is stored, to the disk, before this returns. `bytes` goes with it.
    std::function<void(ModelRequestId, ModelRequestBody, const std::string& bytes)> arrived;
    /// A further try of a question is about to leave: it is on the disk before this returns, so that what it may use is
    /// counted whatever happens.
    std::function<void(ModelRequestId, int number)> triesAgain;
    std::function<void(const std::string& model, const ModelStatistics&)> statisticsChanged;
    std::function<void(const std::string& severity, const std::string& text)> noted;
    std::function<const RunState&()> state;
    /// There may be room for a question that was turned away, or its state changed.
    std::function<void()> moved;
};

class ReplySource
{
public:
    virtual ~ReplySource() = default;
    virtual std::string name() const = 0;
    /// Before anything else; once.
    virtual void open(ReplySink sink) = 0;
    /// Letters that may be out at a time.
    virtual int capacity() const = 0;
    /// What whoever may be asked for this island can read: the smallest room of them. Island 0: of all.
    virtual PromptRoom promptRoom(IslandId) const { return {}; }
    /// Chooses who answers. Errors: why none can be sent. "wait/…" means not now: moved() tells when to try again.
    virtual Result<ModelReservation> reserve(const RequestDraft& question) = 0;
    /// All whom this island may ask do not answer although one of them has before: until it does again the mutator
    /// stands in. Never of those who refuse us: that is for a user to mend.
    virtual bool isOutOfReach(IslandId) const { return false; }
    /// Sends a letter that was reserved, or one that keepsRequests() lets be sent again. Answers later, and once.
    /// Errors: why it could not be sent; then no answer comes.
    virtual Result<void> send(const OutgoingRequest& outgoing) = 0;
    /// A letter that was out when the program ended is still out there: it is sent again under its name. Else it is
    /// lost, and the question is put anew.
    virtual bool keepsRequests() const { return false; }
    /// What is out is worth waiting for when the run pauses.
    virtual bool isAwaited() const { return false; }
    /// A letter whose answer is not wanted any more costs nothing: from here on it waits for none. False: its answer
    /// comes all the same.
    virtual bool takesBack(ModelRequestId) { return false; }
    /// Replies cost money or hours: a run of useless ones is for a user to look at.
    virtual bool isPaid() const { return false; }
    /// Who can sum up a run. Without it the statistics do.
    virtual bool writesSummaries() const { return false; }
    /// Ends what is out. What is known of it: for those that cannot be answered any more.
    virtual std::vector<std::pair<ModelRequestId, Response>> abandon() = 0;
    /// A reply of a user to a letter that is out. Errors: model request/not-open, model request/not-yours.
    virtual Result<void> answer(ModelRequestId id, const std::string& text);
    /// The answer that a stored body holds; none if it cannot be read. Its text and figures as they would have been.
    virtual std::optional<Response> readBody(const ModelRequest&, const std::string& /*bytes*/) { return std::nullopt; }
    /// One of the `parts` proposals of this model request was measured or refused: gain relative to its parent, 0.05 =
    /// 5 % faster, 0 for none.
    virtual void learn(const ModelRequest&, double /*gain*/, int /*parts*/) { }
    /// A user says that a model may be asked again; "" for all of them, as a new start of the run says.
    virtual void resume(const std::string& /*model*/) { }
    /// Each model as it is now; empty where there are none.
    virtual std::vector<ModelStatus> models() const { return {}; }
    /// What those that are out can use at most; 0 where nothing is counted.
    virtual std::int64_t reservedTokens() const { return 0; }
};

/// A reply that could not be applied.
struct FailedReply {
    std::string reply; ///< as it was given
    std::string rule; ///< "patch/no-match"
    std::string finding; ///< what the applier says about it, and what to send where it is sent once more
    int attempt = 1; ///< turns that were spent on it so far, the first included
    bool inConversation = false; ///< whoever is asked sees the reply above the prompt
    ProposalId proposal; ///< that it made
};

/// The text of a prompt and where it comes from.
struct PromptText {
    std::string name; ///< template
    Hash version;
    std::string system, user;
    std::vector<std::string> leftOut; ///< what had no room, in words
};

/// Renders the prompt of a request; with a failed reply for the focus Repair and Rewrite. Errors: prompt/budget when
/// there is no room for what can never be left out, and others of the templates.
using PromptSource = std::function<Result<PromptText>(const ProposalRequest& request,
    const std::optional<FailedReply>& failed, const ProposerView& view, const PromptRoom& room)>;
/// Renders the prompt for a summary of the run.
using SummarySource = std::function<Result<PromptText>(const ProposerView& view, const PromptRoom& room)>;

} // namespace tilewright
