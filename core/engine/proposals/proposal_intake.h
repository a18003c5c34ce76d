// SPDX-License-Identifier: GPL-3.0-or-later
// From a strategy's request to a candidate: asks the proposer or, through model requests, somebody outside; stores the
// reply before it is parsed, takes it apart where it holds several proposals, applies their patches, turns away
// duplicates. Owner: Engine, on its thread.
#pragma once

#include "core/engine/ledger.h"
#include "core/engine/replies/model_request_queue.h"
#include "core/model/run_state.h"
#include "core/proposer/recombiner.h"

#include <QElapsedTimer>
#include <QTimer>
#include <map>
#include <set>

namespace tilewright {

inline constexpr const char* authorPerson = "person"; ///< of a proposal that a user wrote

class ProposalIntake : public QObject
{
    Q_OBJECT

public:
    /// runTime: nanoseconds this run has been running so far.
    ProposalIntake(Ledger& ledger, std::function<std::int64_t()> runTime);

    /// Who proposes, if it is not one of those that are known by name alone. Before the first ask().
    void setProposer(std::unique_ptr<Proposer> proposer);
    void setProposer(std::unique_ptr<ReplySource> replySource, PromptSources prompts);

    /// Nobody proposes any more until somebody is employed again; what is under way is dropped.
    void clearProposer();

    /// Makes one request. False if the strategy has none, if nobody can take one now, or if so many in a row led to
    /// nothing new that asking again makes sense only after further results. Islands that rest are asked for nothing
    /// but what a user steering requests.
    bool ask(const RestingIslands& resting);
    /// Whether a request may be made while the pipeline has this much room ahead of the device; what a user steering
    /// requests to be asked needs none.
    bool hasRoom(int room) const;
    /// Requests that were not answered yet.
    int pending() const;
    /// Why there is nothing left to ask for, for a user.
    std::string exhaustion() const;
    /// Nothing can be asked now, and it comes again by itself.
    bool isWaiting() const { return m_requestQueue && (m_requestQueue->isWaiting() || hasFallback()); }
    /// No model that this island may ask answers, and the mutator proposes in their place until one does.
    bool hasFallback(IslandId island) const;
    /// As many replies were asked for as the budget allows: nobody is asked for edits any more, but what is being tuned
    /// goes on.
    bool repliesAreSpent() const;
    /// Replies are on their way that a pause should wait for.
    bool isAwaited() const { return m_requestQueue && m_requestQueue->isAwaited(); }
    /// Replies are paid for, and so many in a row led to nothing that a user should look.
    bool isFruitless() const;
    /// Who is asked outside; null if nobody is.
    ModelRequestQueue* requestQueue() const { return m_requestQueue.get(); }
    /// A candidate's figures are final: whoever wrote it is told.
    void settled(CandidateId candidate);
    /// A user rejected it, or took that back: the model that wrote it gains nothing by it, or is still to be judged.
    void rejected(CandidateId candidate);
    void rejectionUndone(CandidateId candidate);
    /// A summary of the run is due: by a model, if one can be asked, else from the statistics.
    void summarise();
    /// As ModelRequestQueue::askForJudgements(); nothing where nobody is asked outside.
    Result<void> askForJudgements();
    /// A text for the run's memory.
    void writeInsights(const std::string& author, const std::string& text, ModelRequestId modelRequest = {});
    /// Applies the stored replies of proposals that were open when the program ended, and puts open questions again.
    void resumeOpen();
    /// New results came: what led to nothing before may now.
    void refresh()
    {
        m_fruitless = m_fruitlessFallbacks = 0;
        m_refusal.clear();
    }
    /// As ModelRequestQueue::dropUnwanted().
    void dropUnwanted();
    /// Answers that are still on their way are ignored from here on.
    void dropPending();

    /// A user's version of a candidate, as an edit of the same parents. Errors: review/no-change, the rule of the
    /// refusal, duplicate.
    Result<CandidateId> edit(CandidateId original, const std::string& text, const std::string& reasoning);

    /// The program that edit() would make of it; nothing is recorded. Errors as edit().
    Result<std::string> edited(CandidateId original, const std::string& text);

    /// The program that inject() would make of it; nothing is recorded. Errors as inject(), and
    /// candidate/unknown.
    Result<std::string> injected(CandidateId parent, const std::string& text);

    /// A user's program as an edit of this parent. Errors as edit(), with inject/no-change.
    Result<CandidateId> inject(
        CandidateId parent, IslandId island, const std::string& text, const std::string& reasoning);

    /// The task's seed as first proposal and candidate.
    void plantSeed();

Q_SIGNALS:
    void candidateMade(tilewright::CandidateId candidate);
    void idle(); ///< an answer came that made no candidate
    /// Nobody can be asked any more until the run is started again.
    void stuck(tilewright::Error error);

private:
    /// Ends open questions to somebody who does not propose any more, and drops steering requests that nobody reads
    /// now.
    void endForeign();
    /// A user's proposal in the place of that one's, without its reply.
    Proposal inPlaceOf(CandidateId original, const std::string& reasoning) const;
    /// Error: review/no-change.
    Result<void> checkChange(CandidateId original, const std::string& parentText, const std::string& text);
    /// Errors: inject/no-change, proposer/parent.
    Result<void> checkInjection(CandidateId parent, const std::string& parentText, const std::string& text);
    /// The program that a user's text makes of this parent's. Errors: the rule of the refusal, duplicate.
    Result<std::string> tried(const Proposal& proposal, const std::string& parentText, const std::string& text);
    /// What a user wrote, as a reply.
    std::string replyOf(const Proposal& proposal, const std::string& parentText, const std::string& text) const;
    /// Applies what a user wrote. Errors: the rule of the refusal, duplicate.
    Result<CandidateId> submit(Proposal proposal, const std::string& parentText, const std::string& text);
    /// Edits in a row that may lead to nothing new before the desk waits for results.
    int mostFruitless() const;
    /// So much in a row led to nothing that asking on is no use.
    bool isSpent() const;
    /// Whom the island's own mix asks for this; empty: whoever the session asks.
    std::string drawnFor(const ProposalRequest& request) const;
    void askBuiltIn(const ProposalRequest& request, const std::string& drawn);
    /// On any island.
    bool hasFallback() const;
    /// The mutator in the place of models that were asked in vain. False: it does not, or knows nothing new.
    bool fallBack(const ProposalRequest& unanswered, const RestingIslands& resting);
    /// Tells in the log where the mutator begins to stand in, and where it ends.
    void reportFallbacks();
    /// Remembers a program that is to be tuned before the search goes on.
    void noteTuning(CandidateId candidate);
    /// The next version of a program that is being tuned; none if none is due.
    std::optional<ProposalRequest> nextVersion(const RestingIslands& resting);
    /// A built-in proposer's edit led to nothing new.
    void countFruitless(const Proposal& offered);
    void answered(const ProposalRequest& request, const std::string& proposer, Result<Offer> offer);
    void modelRequestAnswered(ModelRequestId modelRequest);
    /// What the answer says of the edit that it was asked about.
    void judge(const ModelRequest& modelRequest);
    /// One proposal for each that the reply holds, each applied.
    void propose(Proposal proposal, const std::string& reply);
    void refuseSurplus(Proposal proposal, std::size_t held);
    void refused(ProposalId id, const std::string& rule, const std::string& detail);
    /// The patch applied, but its program is that of the candidate `first`.
    void duplicate(
        ProposalId id, CandidateId first, std::vector<std::string> repairs, const std::string& rule = "duplicate");
    /// A candidate whose program has the form of this text, under other names, and did not fail; none where there is
    /// none.
    CandidateId sameForm(const std::string& text);
    /// reply: the proposal's own part.
    void apply(ProposalId id, const std::string& reply);
    void learn(ProposalId id, double gain);
    Proposer& proposerFor(const ProposalRequest& request);
    Proposer& proposerCalled(const std::string& name);
    ProposerView view();

    Ledger& m_ledger;
    std::function<std::int64_t()> m_runTime;
    std::map<std::string, std::unique_ptr<Proposer>> m_proposers; ///< by their name in the settings
    std::unique_ptr<ModelRequestQueue> m_requestQueue; ///< null unless somebody outside proposes
    PendingRequests m_pending; ///< to built-in proposers
    std::string m_done; ///< why a proposer has nothing more to offer, ever
    int m_fruitless = 0; ///< in a row: edits of built-in proposers, questions with all their turns of others
    std::string m_refusal; ///< in the server's words, of the last answer, if it refused to answer
    int m_fruitlessFallbacks = 0; ///< of them: of the mutator where models should have answered; no reason to end a run
    std::multimap<Hash, CandidateId> m_forms; ///< by formOf(); filled when a reply is the first to ask
    std::size_t m_formed = 0; ///< candidates of which m_forms knows
    std::map<CandidateId, std::int64_t> m_tunings; ///< programs that are being tuned, and their legal assignments
    Recombinations m_recombinations; ///< where models or a user are asked for edits
    std::set<IslandId> m_fallbackIslands; ///< as the log tells
    QElapsedTimer m_sinceFallback;
    QTimer m_nextFallback; ///< rings when the mutator may propose once more in the place of models
    std::uint64_t m_epoch = 0;
};

// A user's rejection in the books of the model that wrote the edit: an outcome without a gain, and taken back none at
// all. From the record alone, so that it holds whether or not anybody is asked for edits now. Pure.

/// What becomes of the model's books once the edit is rejected; none where no model wrote it.
std::optional<events::ModelStatisticsChanged> rejectionBooked(const RunState& state, const Candidate& candidate);
/// The same once the rejection is taken back.
std::optional<events::ModelStatisticsChanged> rejectionUndone(const RunState& state, const Candidate& candidate);

} // namespace tilewright
