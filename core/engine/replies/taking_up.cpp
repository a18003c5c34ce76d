// SPDX-License-Identifier: GPL-3.0-or-later
// The model requests that a run goes on with: what is open is put again after a pause or a crash, or ended where nobody
// answers it or wants the answer any more.
#include "core/engine/replies/model_request_queue.h"

#include "core/evolve/selection.h"
#include "core/model/islands/island_change.h"
#include "core/model/requests/repair_turns.h"

#include <utility>

namespace tilewright {
namespace {

/// Of a session that is taken up, the newest requests whose programs may still go back to who wrote them: further back
/// the search has gone on without.
constexpr std::int64_t recentRequests = 8;
constexpr const char* wordsOfLoss = "the program ended while the request was in flight: its usage is unknown";

} // namespace

/// On an island that was taken back nothing is mended, but for what a user requested since.
bool ModelRequestQueue::earnsATurn(const Proposal& proposal) const
{
    return earnedTurn(m_ledger.state(), proposal) != FurtherTurn::None
        && (proposal.steering || !isUnmade(m_ledger.state(), proposal.island));
}

void ModelRequestQueue::endInterrupted(const ModelRequest& modelRequest)
{
    if (!modelRequest.bodies.empty())
        if (auto read = m_replySource->readBody(modelRequest, m_ledger.text(modelRequest.bodies.back().bytes)))
            return record(modelRequest.id, std::move(*read));
    Response lost;
    lost.answer.state = ModelRequestState::Failed;
    lost.answer.model = modelRequest.model;
    lost.answer.tries = modelRequest.tries;
    lost.answer.untold = modelRequest.tries;
    lost.answer.rule = "llm/lost";
    lost.answer.detail = wordsOfLoss;
    record(modelRequest.id, std::move(lost));
}

void ModelRequestQueue::takeUp()
{
    m_stuck = {};
    m_turnedAway = false;
    m_due.clear();
    m_again.clear();
    m_replySource->resume("");
    const RunState& state = m_ledger.state();
    std::vector<ModelRequest> open;
    for (const ModelRequest& modelRequest : state.modelRequests)
        if (modelRequest.state == ModelRequestState::Open && !m_out.contains(modelRequest.id))
            open.push_back(modelRequest);
    for (const ModelRequest& modelRequest : open) {
        if (!m_replySource->keepsRequests())
            endInterrupted(modelRequest);
        else if (modelRequest.unwanted)
            endUnwanted(modelRequest);
        else if (m_stuck.code.empty())
            send(modelRequest);
    }
    const auto newest = static_cast<std::int64_t>(state.modelRequests.size());
    for (const Proposal& proposal : state.proposals) {
        const bool isOld
            = proposal.state == ProposalState::Accepted && proposal.modelRequest.value <= newest - recentRequests;
        if (proposal.proposer == m_replySource->name() && !isOld && earnsATurn(proposal))
            m_due.insert(proposal.id);
    }
    std::set<ModelRequestId> read; // whose proposals are in the record
    for (const Proposal& proposal : state.proposals)
        read.insert(proposal.modelRequest);
    for (const InsightNote& note : state.insights)
        read.insert(note.modelRequest);
    for (const Judgement& judgement : state.judgements)
        read.insert(judgement.modelRequest);
    std::vector<ModelRequestId> unread;
    for (const ModelRequest& modelRequest : state.modelRequests) {
        m_due.erase(modelRequest.repairOf);
        m_again.erase(modelRequest.repeats);
        if (isWorthRepeating(modelRequest) && modelRequest.proposer == m_replySource->name())
            m_again.insert(modelRequest.id);
        const bool isWhole = modelRequest.state == ModelRequestState::Complete && !modelRequest.answer.reply.isNull();
        if (isWhole && !modelRequest.unwanted && !read.contains(modelRequest.id))
            unread.push_back(modelRequest.id);
    }
    for (const ModelRequestId id : unread)
        Q_EMIT answered(id);
}

void ModelRequestQueue::abandon()
{
    const std::set<ModelRequestId> out = std::exchange(m_out, {});
    for (auto& [id, response] : m_replySource->abandon())
        if (out.contains(id))
            record(id, std::move(response));
    m_turnedAway = false;
}

void ModelRequestQueue::endUnwanted(const ModelRequest& modelRequest)
{
    endWithdrawn(modelRequest, ruleOfUnmade, "the island that requested it was undone");
}

void ModelRequestQueue::endWithdrawn(const ModelRequest& modelRequest, std::string_view rule, const std::string& detail)
{
    Response none;
    none.answer.state = ModelRequestState::Failed;
    none.answer.model = modelRequest.model;
    none.answer.tries = modelRequest.tries;
    none.answer.rule = rule;
    none.answer.detail = detail;
    record(modelRequest.id, std::move(none));
}

void ModelRequestQueue::dropOvertaken()
{
    if (!m_replySource->keepsRequests())
        return;
    const std::set<ModelRequestId> out = m_out;
    for (const ModelRequestId id : out) {
        const ModelRequest request = *m_ledger.state().modelRequest(id);
        if (!isOvertaken(m_ledger.state(), request) || !m_replySource->takesBack(id))
            continue;
        m_out.erase(id);
        const std::string detail = candidateName(request.parents.front()) + " is no longer close to the best program, "
            + candidateName(m_ledger.state().incumbent);
        endWithdrawn(request, ruleOfOvertaken, detail);
        m_ledger.record(events::Noted{"info", "an open request is cancelled: " + detail,
            "a new request replaces it; a request that you steer stays open"});
    }
}

void ModelRequestQueue::dropUnwanted()
{
    const RunState& state = m_ledger.state();
    std::erase_if(m_due, [this, &state](ProposalId id) { return !earnsATurn(*state.proposal(id)); });
    std::erase_if(m_again, [this, &state](ModelRequestId id) { return !isWorthRepeating(*state.modelRequest(id)); });
    const std::set<ModelRequestId> out = m_out;
    for (const ModelRequestId id : out)
        if (state.modelRequest(id)->unwanted && m_replySource->takesBack(id)) {
            m_out.erase(id);
            endUnwanted(ModelRequest(*state.modelRequest(id)));
        }
}

} // namespace tilewright
