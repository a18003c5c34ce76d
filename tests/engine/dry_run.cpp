// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/dry_run.h"

#include "core/evolve/migration.h"
#include "core/patch/patch.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <stdexcept>

namespace tilewright::testing {

TaskPack gemmPack(const std::string& name)
{
    auto pack = loadTaskPack(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels" / name);
    if (!pack)
        throw std::runtime_error(pack.error().line());
    return std::move(*pack);
}

DryRun::DryRun(TaskPack pack, RunSettings settings, SpeedOf speedOf)
    : m_pack(std::move(pack))
    , m_speedOf(speedOf)
{
    record(events::RunCreated{settings});
    for (events::IslandCreated& island : foundersOf(settings))
        record(std::move(island));
    Candidate seed;
    seed.id = CandidateId{1};
    seed.island = IslandId{1};
    seed.program = programIdentity(m_pack.seed());
    seed.source = keep(m_pack.seed());
    record(events::CandidateMade{seed});
    measure(seed.id);
}

DryRun::DryRun(const DryRun& other)
    : m_pack(other.m_pack)
    , m_speedOf(other.m_speedOf)
    , m_state(other.m_state)
    , m_texts(other.m_texts)
    , m_events(other.m_events)
    , m_speeds(other.m_speeds)
    , m_unanswered(other.m_unanswered)
{
}

void DryRun::record(EventBody body)
{
    const Event event{RunId{1}, m_state.lastSeq + 1, {}, std::move(body)};
    if (auto applied = apply(m_state, event); !applied)
        throw std::runtime_error(applied.error().line());
    m_events.push_back(event);
}

Hash DryRun::keep(const std::string& text)
{
    const Hash hash = sha256(text);
    m_texts.try_emplace(hash, text);
    return hash;
}

std::string DryRun::text(const Hash& hash) const
{
    const auto found = m_texts.find(hash);
    return found == m_texts.end() ? std::string() : found->second;
}

void DryRun::order(const IslandCommand& order)
{
    auto events = eventsOf(order, m_state);
    if (!events)
        throw std::runtime_error(events.error().line());
    for (EventBody& body : *events)
        record(std::move(body));
}

std::optional<ProposalRequest> DryRun::next() const { return nextRequest(m_state, {}); }

void DryRun::runTo(std::int64_t evaluations)
{
    const ProposerView view{m_state, m_pack, [this](const Hash& hash) { return text(hash); }};
    while (m_state.evaluationsStarted < evaluations && m_unanswered < 200) {
        const auto request = nextRequest(m_state, {});
        if (!request)
            return;
        std::string name = m_state.settings.proposer;
        if (name == "mutator" && request->focus == Focus::Tune)
            name = "tuner";
        auto& proposer = m_proposers[name];
        if (!proposer)
            proposer = proposerNamed(name);
        proposer->propose(*request, view, [&](Result<Offer> offer) {
            if (offer)
                return make(*request, *offer);
            ++m_unanswered;
            Proposal empty;
            empty.id = {static_cast<std::int64_t>(m_state.proposals.size()) + 1};
            empty.island = request->island;
            empty.ordinal = request->ordinal;
            empty.proposer = name;
            record(events::Proposed{empty});
            record(events::ProposalRefused{empty.id, ProposalState::Refused, offer.error().code, offer.error().text});
        });
    }
}

void DryRun::make(const ProposalRequest& request, const Offer& offer)
{
    Proposal proposal;
    proposal.id = {static_cast<std::int64_t>(m_state.proposals.size()) + 1};
    proposal.island = request.island;
    proposal.ordinal = request.ordinal;
    proposal.proposer = offer.proposer;
    proposal.focus = request.focus;
    proposal.parents = offer.parents;
    proposal.moves = offer.moves;
    proposal.reply = keep(offer.reply);
    record(events::Proposed{proposal});
    const Candidate& parent = *m_state.candidate(offer.parents.front());
    const auto reply = parseReply(offer.reply);
    const auto patched = reply ? applyDiff(text(parent.source), reply->diff) : std::unexpected(reply.error());
    if (!patched)
        throw std::runtime_error("an offer does not apply: " + patched.error().line());
    Candidate candidate;
    candidate.id = {static_cast<std::int64_t>(m_state.candidates.size()) + 1};
    candidate.proposal = proposal.id;
    candidate.island = request.island;
    candidate.parents = offer.parents;
    candidate.generation = parent.generation + 1;
    candidate.moves = parent.moves;
    for (const std::string& edit : offer.moves) {
        if (edit.starts_with('-'))
            std::erase(candidate.moves, edit.substr(1));
        else
            candidate.moves.push_back(edit);
    }
    candidate.program = programIdentity(patched->text);
    candidate.tunables = valuesOf(tunablesOf(patched->text));
    if (m_state.firstOfProgram.contains(candidate.program))
        throw std::runtime_error("a program was offered twice");
    candidate.source = keep(patched->text);
    record(events::CandidateMade{candidate});
    measure(candidate.id);
}

void DryRun::measure(CandidateId id)
{
    const std::string source = text(m_state.candidate(id)->source);
    const double speed = disturbedSpeed(source, candidateName(id), 0.004, m_speedOf);
    m_speeds.push_back(m_speedOf(source));
    record(events::EvaluationStarted{id});
    Evaluation evaluation;
    evaluation.id = {static_cast<std::int64_t>(m_state.evaluations.size()) + 1};
    evaluation.candidate = id;
    evaluation.against = m_state.incumbent;
    EvaluationResult& result = evaluation.result;
    const Candidate* incumbent = m_state.candidate(m_state.incumbent);
    const double held = incumbent && incumbent->score ? incumbent->score->value : 0;
    result.outcome = Outcome::Ranked;
    result.score = Interval{speed, speed, speed};
    result.verdict = speed > 1.01 * held ? Verdict::Better : Verdict::Neutral;
    result.purpose = result.verdict == Verdict::Better ? Purpose::Confirm : Purpose::Screen;
    record(events::Evaluated{evaluation, 0});
    settle(id);
}

void DryRun::settle(CandidateId id)
{
    if (becomesIncumbent(m_state, id))
        record(events::IncumbentChanged{id});
    const Candidate& candidate = *m_state.candidate(id);
    const std::string cell = nicheCell(m_pack.task.niches, text(candidate.source));
    for (const Island& island : std::vector<Island>(m_state.islands)) {
        const Island* home = homeOf(m_state, candidate.island);
        if ((!home || island.id != home->id) && id.value != 1)
            continue;
        if (auto admitted = admissionOf(m_state, island.id, id, cell))
            record(std::move(*admitted));
        if (auto migrated = migrationOf(m_state, island.id))
            record(std::move(*migrated));
    }
    record(events::StageReached{id, Stage::Done});
}

double DryRun::bestAt(std::int64_t evaluations) const
{
    const auto end
        = m_speeds.begin() + std::min<std::ptrdiff_t>(evaluations, static_cast<std::ptrdiff_t>(m_speeds.size()));
    return m_speeds.begin() == end ? 0 : *std::max_element(m_speeds.begin(), end);
}

} // namespace tilewright::testing
