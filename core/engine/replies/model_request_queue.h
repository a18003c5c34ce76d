// SPDX-License-Identifier: GPL-3.0-or-later
// The model requests of a run: puts questions to the reply source, records each before it leaves and each answer before
// it is read, puts open ones again after a pause or a crash, and asks for the turns that refused patches and failed
// programs earn (core/model/requests/repair_turns.h). What was interrupted or failed is put again, a bounded number of
// times. Owner: ProposalIntake, on the engine's thread.
#pragma once

#include "core/engine/ledger.h"
#include "core/evolve/islands.h"
#include "core/proposer/reply_source.h"

#include <set>

namespace tilewright {

/// How the questions of a run are written.
struct PromptSources {
    PromptSource proposals;
    SummarySource summary; ///< empty: nobody is asked for one
};

class ModelRequestQueue : public QObject
{
    Q_OBJECT

public:
    /// What came of asking. NotNow: it comes again by itself, or after moved(). Stuck: see trouble(). TooLong, of a
    /// summary alone: nobody who may be asked has room for its prompt.
    enum class Asked { Yes, NotNow, Stuck, TooLong };
    /// What is to be asked: a strategy's request, a turn that a refused patch or a failed program earned, or a question
    /// to be put again.
    struct Task {
        ProposalRequest request;
        ProposalId repairs; ///< none but for a turn
        ModelRequestId repeats; ///< none but for a question to be put again
        std::string why = {}; ///< as ModelRequest::why
    };

    /// runTime: nanoseconds this run has been running so far.
    ModelRequestQueue(Ledger& ledger, std::unique_ptr<ReplySource> replySource, PromptSources prompts,
        std::function<std::int64_t()> runTime);

    bool hasRoom() const { return m_stuck.code.empty() && !m_turnedAway && out() < m_replySource->capacity(); }
    /// A question was turned away for now, and nothing is wrong.
    bool isWaiting() const { return m_turnedAway; }
    /// Letters that were sent and not answered yet.
    int out() const { return static_cast<int>(m_out.size()); }
    std::vector<ModelRequestId> open() const { return {m_out.begin(), m_out.end()}; }
    /// Something is out that a pause should wait for.
    bool isAwaited() const { return out() > 0 && m_replySource->isAwaited(); }
    const ReplySource& replySource() const { return *m_replySource; }

    /// What a user should know of the questions and answers, oldest first.
    const std::vector<std::string>& notices() const { return m_notices; }
    /// Adds to them, and to the record; the same words once.
    void warn(const std::string& text);
    /// What is due before a strategy is asked; none if nothing is. What is due on an island that rests stays due.
    std::optional<Task> nextDue(const RestingIslands& resting) const;
    /// A refused patch, or a program that failed, that has a turn left.
    bool isDue(ProposalId proposal) const { return m_due.contains(proposal); }
    Asked ask(const Task& task);
    /// Unless one is open, or nobody can be asked.
    Asked askForSummary();
    /// Puts the questions to a judge that wait, as far as somebody can be asked now: beside what is asked for edits,
    /// run or no run. Errors: why the last of those could not be put at all; they are dropped, and it is told.
    Result<void> askForJudgements();
    bool canSummarise() const { return m_prompts.summary && m_replySource->writesSummaries(); }
    /// A patch was refused, or its program was measured: it may earn a turn (earnedTurn()).
    void noteResult(ProposalId proposal);
    /// What an edit gained relative to its parent, 0.05 = 5 % faster; 0 for nothing.
    void learn(const Proposal& proposal, double gain);
    /// Puts what is open again, and finds what is due. After begin and resume.
    void takeUp();
    /// Of islands that were taken back: nobody is asked again or once more, and letters that cost nothing are taken
    /// back.
    void dropUnwanted();
    /// Takes requests back that wait for manual replies and are about a program that the best one has overtaken
    /// (isOvertaken()): the strategy asks anew.
    void dropOvertaken();
    /// Ends what is out; what cannot be answered any more is recorded so.
    void abandon();
    /// Errors: model request/….
    Result<void> answer(ModelRequestId modelRequest, const std::string& text)
    {
        return m_replySource->answer(modelRequest, text);
    }
    void resume(const std::string& model);
    /// Why no question can be put; code empty if all is well.
    const Error& trouble() const { return m_stuck; }

Q_SIGNALS:
    void answered(tilewright::ModelRequestId modelRequest);
    void stuck(tilewright::Error error);
    void moved();

private:
    ProposalRequest withSteering(ProposalRequest request, SteeringRequestId id) const;
    Result<Asked> askForJudgement(const SteeringRequest& steering);
    Result<ModelRequest> drafted(const Task& task, const std::string& preferred);
    const Proposal& newestWithPatch(ProposalId refused) const;
    Result<ModelRequest> rendered(const Task& task, ModelRequest modelRequest, bool inConversation);
    void take(ModelRequest& modelRequest, const PromptText& prompt);
    PromptRoom roomFor(const Task& task, const ModelRequest& modelRequest);
    Asked cannotWrite(const Task& task, const Error& error);
    RequestDraft draftOf(const ModelRequest& modelRequest, const std::string& preferred);
    std::vector<std::pair<std::string, std::string>> turnsBefore(const ModelRequest& modelRequest);
    Asked put(ModelRequest modelRequest);
    Asked turnedAway(const Error& error);
    void send(const ModelRequest& modelRequest);
    void receive(ModelRequestId id, Response response);
    void record(ModelRequestId id, Response response);
    void store(ModelRequestId id, ModelRequestBody body, const std::string& bytes);
    void noteTry(ModelRequestId id, int number);
    void endInterrupted(const ModelRequest& modelRequest);
    void endUnwanted(const ModelRequest& modelRequest);
    void endWithdrawn(const ModelRequest& modelRequest, std::string_view rule, const std::string& detail);
    bool earnsATurn(const Proposal& proposal) const;
    bool isWorthRepeating(const ModelRequest& modelRequest) const;
    ProposerView view();
    Asked stop(Error error);

    Ledger& m_ledger;
    std::unique_ptr<ReplySource> m_replySource;
    PromptSources m_prompts;
    std::function<std::int64_t()> m_runTime;
    std::set<ModelRequestId> m_out;
    std::set<ProposalId> m_due;
    std::set<ModelRequestId> m_again;
    std::vector<std::string> m_notices;
    bool m_turnedAway = false;
    Error m_stuck;
};

} // namespace tilewright
