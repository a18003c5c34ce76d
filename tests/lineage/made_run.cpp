// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lineage/made_run.h"

#include "core/model/task/task.h"
#include "core/patch/diff.h"

#include <stdexcept>

namespace tilewright::test {

MadeRun::MadeRun(const std::string& seed, const std::string& atUtc)
    : m_atUtc(atUtc)
{
    const auto pack = loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu");
    if (!pack)
        throw std::runtime_error(pack.error().line());
    RunSettings settings;
    settings.task = keep(pack->blob());
    settings.taskName = pack->task.name;
    settings.islands = 2;
    record(events::RunCreated{settings});
    for (const IslandId island : {IslandId{1}, IslandId{2}})
        record(events::IslandCreated{island, islandLetter(island), "evolve"});
    add({{}, seed, 1, {}, "The task's seed: where the search starts.", "seed"});
}

Hash MadeRun::keep(const std::string& text)
{
    const Hash hash = sha256(text);
    m_texts[hash] = text;
    return hash;
}

void MadeRun::record(EventBody body)
{
    m_events.push_back({RunId{1}, m_state.lastSeq + 1, m_atUtc, std::move(body)});
    if (const auto applied = apply(m_state, m_events.back()); !applied)
        throw std::runtime_error(applied.error().line());
}

EvaluationResult MadeRun::result(double score, Purpose purpose) const
{
    EvaluationResult result;
    result.purpose = purpose;
    result.noiseFloor = 0.005;
    if (score <= 0) {
        result.outcome = Outcome::BuildFailed;
        result.rule = "build/error";
        return result;
    }
    result.outcome = Outcome::Ranked;
    result.score = Interval{score, score * 0.998, score * 1.002};
    return result;
}

void MadeRun::evaluate(CandidateId candidate, double score, Purpose purpose)
{
    Evaluation evaluation;
    evaluation.id = {static_cast<std::int64_t>(m_state.evaluations.size()) + 1};
    evaluation.candidate = candidate;
    evaluation.device = "cpu";
    evaluation.result = result(score, purpose);
    record(events::Evaluated{evaluation, m_state.runNs + 400'000'000});
}

CandidateId MadeRun::add(const Edit& edit)
{
    Proposal proposal;
    proposal.id = {static_cast<std::int64_t>(m_state.proposals.size()) + 1};
    proposal.island = edit.island;
    proposal.ordinal = m_state.island(edit.island)->proposals + 1;
    proposal.proposer = edit.proposer;
    proposal.focus = edit.parents.size() > 1 ? Focus::Crossover : Focus::Explore;
    proposal.parents = edit.parents;
    proposal.title = edit.title;
    proposal.reasoning = edit.reasoning;
    if (!edit.model.empty()) {
        ModelRequest request;
        request.id = {static_cast<std::int64_t>(m_state.modelRequests.size()) + 1};
        request.proposer = edit.proposer;
        request.model = edit.model;
        request.island = edit.island;
        request.parents = edit.parents;
        request.promptName = "exploit";
        request.promptVersion = keep("the template");
        record(events::Asked{request});
        ModelRequestAnswer answer;
        answer.reply = keep("a reply");
        answer.costMicroUsd = 12'300;
        record(events::Answered{request.id, answer, m_state.runNs});
        proposal.modelRequest = request.id;
    }
    record(events::Proposed{proposal});

    Candidate candidate;
    candidate.id = {static_cast<std::int64_t>(m_state.candidates.size()) + 1};
    candidate.proposal = proposal.id;
    candidate.island = edit.island;
    candidate.parents = edit.parents;
    candidate.source = candidate.program = keep(edit.text);
    if (!edit.parents.empty()) {
        candidate.generation = m_state.candidate(edit.parents.front())->generation + 1;
        candidate.patch = keep(unifiedDiff(text(edit.parents.front()), edit.text, "program.cpp"));
    }
    record(events::CandidateMade{candidate});
    record(events::EvaluationStarted{candidate.id});
    evaluate(candidate.id, edit.score, Purpose::Screen);
    if (edit.score > 0 && edit.isAdmitted)
        record(events::Admitted{candidate.id, edit.island, "0,0", true, {}});
    record(events::StageReached{candidate.id, Stage::Done});
    return candidate.id;
}

CandidateId MadeRun::migrate(CandidateId id, IslandId to)
{
    Candidate copy = *m_state.candidate(id);
    copy.id = {static_cast<std::int64_t>(m_state.candidates.size()) + 1};
    copy.island = to;
    copy.parents = {id};
    copy.migrated = true;
    record(events::Migrated{id, copy, "0,0", true, {}});
    return copy.id;
}

void MadeRun::confirm(CandidateId candidate, double score)
{
    evaluate(candidate, score, Purpose::Confirm);
    record(events::StageReached{candidate, Stage::Done});
    record(events::IncumbentChanged{candidate});
}

RunState MadeRun::stateAfter(std::size_t events) const
{
    RunState state;
    for (std::size_t i = 0; i < events; ++i)
        if (const auto applied = apply(state, m_events[i]); !applied)
            throw std::runtime_error(applied.error().line());
    return state;
}

TextOf MadeRun::textOf() const
{
    return [this](const Hash& hash) -> Result<std::string> {
        const auto found = m_texts.find(hash);
        return found != m_texts.end() ? Result<std::string>(found->second)
                                      : fail("session/text-missing", "the text " + hash.hex() + " is not there");
    };
}

} // namespace tilewright::test
