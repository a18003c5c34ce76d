// SPDX-License-Identifier: GPL-3.0-or-later
// Whom a candidate is timed beside, for which shapes and device both are built, and what happens where that fails.
#include "core/engine/measuring/pipeline.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/parent_change.h"
#include "core/model/tuning_record.h"
#include "core/protocol/gpu_trouble.h"
#include "core/protocol/killed.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Builds of an opponent in a row that may come to nothing.
constexpr int opponentTries = 3;

} // namespace

/// Whoever is the incumbent itself is measured again beside the seed: there is nothing else that it could be held to.
CandidateId Pipeline::opponentOf(const Job& job) const
{
    const RunState& state = m_ledger.state();
    if (job.step == Step::Parent)
        return job.parent;
    if (!job.rerun)
        return state.incumbent;
    const CandidateId wanted = askedOf(job).against;
    const CandidateId usual = state.incumbent == job.candidate ? CandidateId{1} : state.incumbent;
    return wanted ? wanted : usual;
}

CandidateId Pipeline::parentOf(const Job& job) const
{
    const RunState& state = m_ledger.state();
    const Candidate& program = *state.candidate(tuningBase(state, job.candidate));
    const Proposal* proposal = state.proposal(program.proposal);
    if (job.rerun || !proposal || !proposal->modelRequest)
        return {};
    const CandidateId parent = originOf(state, rankedAncestor(state, program));
    return parent == CandidateId{1} || parent == originOf(state, job.against) ? CandidateId{} : parent;
}

/// Of the versions of one program only those that are the best so far.
bool Pipeline::isTimedBesideParent(const Job& job, const EvaluationResult& screened) const
{
    if (!job.parent || screened.outcome != Outcome::Ranked || !screened.score)
        return false;
    const RunState& state = m_ledger.state();
    const CandidateId program = tuningBase(state, job.candidate);
    const Candidate* best = program == job.candidate ? nullptr : state.candidate(tuningOf(state, program).best);
    return !best || !best->score || best->score->value < screened.score->value;
}

void Pipeline::doWithoutParent(CandidateId parent)
{
    std::vector<CandidateId> waiting;
    for (Job& job : m_jobs)
        if (job.parent == parent && !job.request && job.step == Step::Parent)
            waiting.push_back(job.candidate);
        else if (job.parent == parent && job.step == Step::Screen)
            job.parent = {};
    for (const CandidateId candidate : waiting)
        screeningEnded(*jobOf(candidate), nullptr);
}

bool Pipeline::haveOpponents(const Job& job)
{
    if (job.step == Step::Check || job.step == Step::CheckAll)
        return true;
    bool all = true;
    for (const CandidateId candidate : {opponentOf(job), CandidateId{1}}) {
        const Built opponent{candidate, job.bench};
        if (candidate == job.candidate || m_artifacts.contains(opponent))
            continue;
        all = false;
        buildOpponent(opponent);
    }
    return all;
}

void Pipeline::buildOpponent(const Built& opponent)
{
    const auto& [id, bench] = opponent;
    const Candidate* candidate = m_ledger.state().candidate(id);
    const Job* own = jobOf(id); // which builds it itself, or is being worked on for another bench
    const bool isAsked
        = std::ranges::any_of(m_opponentsAsked, [&](const auto& asked) { return asked.first.first == id; });
    if (!candidate || isAsked || (own && (own->request || own->bench == bench)))
        return;
    if (bench.device.empty())
        m_work.begin(id, Work::Build);
    m_opponentsAsked[opponent] = m_node.ask(BuildRequest{0, taskOf(bench), candidate->source, deviceOf(bench)},
        {taskOf(bench), candidate->source}, [this, id, opponent](Result<Reply> reply) {
            m_opponentsAsked.erase(opponent);
            const auto* build = reply ? std::get_if<BuildReply>(&*reply) : nullptr;
            if (opponent.second.device.empty())
                m_work.end(id, build ? build->wallNs : 0, build ? build->rule : reply ? "" : reply.error().code);
            if (build && build->ok) {
                m_artifacts[opponent] = build->artifact;
                m_opponentStrikes.erase(opponent);
            } else if (opponent.second.isUsual() && id != CandidateId{1} && id != m_ledger.state().incumbent) {
                doWithoutParent(id);
            } else if (build && !opponent.second.isUsual()) {
                giveUpReruns(opponent, build->rule + " " + build->text);
            } else if (build) {
                Q_EMIT halted({"run/halted",
                    candidateName(id) + ", which others are compared with, no longer builds: " + build->text,
                    "check whether the compiler has changed", nullptr});
            } else {
                opponentFailed(opponent,
                    reply ? Error{"node/garbage", "the node sent a reply to another request", "", nullptr}
                          : reply.error());
            }
            pump();
        });
}

/// The node could not tell whether it builds: it is asked again, but not for ever.
void Pipeline::opponentFailed(const Built& opponent, const Error& error)
{
    const CandidateId id = opponent.first;
    const bool isLost = error.evidence.is_object() && error.evidence.value("device_lost", false);
    if (!isLost && ++m_opponentStrikes[opponent] < opponentTries)
        return;
    m_opponentStrikes.erase(opponent);
    if (!opponent.second.isUsual())
        return giveUpReruns(opponent, error.code + " " + error.text);
    if (error.code.starts_with("machine/") || isKilledFromOutside(error.code)
        || gpuTroubleKind(error.code) != GpuTroubleKind::None) {
        Q_EMIT hindered(error);
        return;
    }
    Q_EMIT halted({"run/halted",
        candidateName(id) + ", which others are compared with, cannot be built: " + error.code + ", " + error.text,
        "run 'tilewright-cli doctor', then resume", nullptr});
}

void Pipeline::giveUpReruns(const Built& opponent, const std::string& why)
{
    std::vector<CandidateId> waiting;
    for (const Job& job : m_jobs)
        if (job.bench == opponent.second && !job.request && job.candidate != opponent.first)
            waiting.push_back(job.candidate);
    for (const CandidateId candidate : waiting)
        fail(*jobOf(candidate), Outcome::RunFailed,
            {"rerun/opponent",
                candidateName(opponent.first) + ", which it is compared with, cannot be built there: " + why, "",
                nullptr});
}

const Rerun& Pipeline::askedOf(const Job& job) const
{
    return m_ledger.state().reruns[static_cast<std::size_t>(job.rerun.value - 1)];
}

const Hash& Pipeline::taskOf(const Bench& bench) const
{
    return bench.task.isNull() ? m_ledger.state().settings.task : bench.task;
}

const std::string& Pipeline::deviceOf(const Bench& bench) const
{
    return bench.device.empty() ? m_ledger.state().device : bench.device;
}

} // namespace tilewright
