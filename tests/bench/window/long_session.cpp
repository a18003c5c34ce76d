// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/window/long_session.h"

#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"

#include <algorithm>
#include <filesystem>

namespace tilewright::bench {
namespace {

constexpr int islands = 4;
constexpr std::size_t living = 24;
constexpr std::int64_t nsPerEvaluation = 400'000'000; ///< of run time

WorkSpan span(CandidateId candidate, Work work, std::int64_t start, std::int64_t ns, int place)
{
    WorkSpan span;
    span.candidate = candidate;
    span.work = work;
    span.place = place;
    span.askedNs = span.startedNs = start;
    span.endedNs = start + ns;
    return span;
}

} // namespace

CandidateMill::CandidateMill(TaskPack pack, RunState demo, std::string seedText)
    : m_pack(std::move(pack))
    , m_demo(std::move(demo))
    , m_seedText(std::move(seedText))
{
    for (const Candidate& candidate : m_demo.candidates)
        if (const Evaluation* evaluation = m_demo.evaluation(candidate.latest);
            evaluation && candidate.id.value > 1 && !candidate.migrated && m_demo.proposal(candidate.proposal))
            m_patterns.push_back({*m_demo.proposal(candidate.proposal), candidate, *evaluation});
}

Result<CandidateMill> CandidateMill::fromDemo(const std::string& folder)
{
    const std::filesystem::path file = std::filesystem::path(folder) / "demo.tilewright";
    if (auto unpacked = unpackSession(shippedDemo("gemm-cpu"), file); !unpacked)
        return std::unexpected(unpacked.error());
    auto reader = SessionReader::open(file.string());
    if (!reader)
        return std::unexpected(reader.error());
    auto state = (*reader)->load();
    if (!state)
        return std::unexpected(state.error());
    auto pack = (*reader)->pack(*state);
    if (!pack)
        return std::unexpected(pack.error());
    auto text = (*reader)->text(state->candidate({1})->source);
    if (!text)
        return std::unexpected(text.error());
    return CandidateMill(std::move(*pack), std::move(*state), std::move(*text));
}

RunSettings CandidateMill::settings(int candidates) const
{
    RunSettings settings = m_demo.settings;
    settings.islands = islands;
    settings.budget = {};
    settings.budget.evaluations = candidates;
    return settings;
}

void CandidateMill::begin(const Record& record) const
{
    for (int i = 1; i <= islands; ++i)
        record(events::IslandCreated{{i}, islandLetter({i}), "evolve", Focus::Explore});
    record(events::DeviceFound{m_demo.device, m_demo.host, m_demo.deviceFacts});
    record(events::PhaseChanged{events::Phase::Running, {}, 0});
}

void CandidateMill::add(int number, const Hash& text, const RunState& state, const Record& record) const
{
    CounterRandom random(1, 7, static_cast<std::uint64_t>(number));
    const Pattern& pattern = m_patterns[random.below(m_patterns.size())];
    const IslandId home{static_cast<std::int64_t>(random.below(islands)) + 1};
    const auto& members = state.island(home)->members;
    const CandidateId parent = number == 1 ? CandidateId{}
        : members.empty()                  ? CandidateId{1}
                                           : members[random.below(members.size())];
    const std::int64_t end = number * nsPerEvaluation;

    Proposal proposal = pattern.proposal;
    proposal.id = {number};
    proposal.island = home;
    proposal.ordinal = state.island(home)->proposals + 1;
    proposal.parents.clear();
    if (parent)
        proposal.parents = {parent};
    proposal.reply = text;
    proposal.modelRequest = {};
    proposal.repairOf = {};
    proposal.steering = {};
    proposal.state = ProposalState::Open;
    proposal.repairs.clear();
    record(events::Proposed{proposal});

    Candidate candidate;
    candidate.id = {number};
    candidate.proposal = proposal.id;
    candidate.island = home;
    candidate.generation = parent ? state.candidate(parent)->generation + 1 : 0;
    candidate.parents = proposal.parents;
    candidate.program = text;
    candidate.source = text;
    if (parent)
        candidate.patch = text;
    candidate.moves = pattern.candidate.moves;
    candidate.tunables = pattern.candidate.tunables;
    record(events::CandidateMade{candidate});
    record(events::EvaluationStarted{candidate.id});
    record(events::StageReached{candidate.id, Stage::Building});
    record(events::WorkDone{span(candidate.id, Work::Build, end - nsPerEvaluation, 2'000'000, 1)});
    record(events::StageReached{candidate.id, Stage::Checking});
    record(events::WorkDone{span(candidate.id, Work::Check, end - nsPerEvaluation + 2'000'000, 90'000'000, 0)});
    record(events::StageReached{candidate.id, Stage::Screening});
    record(events::WorkDone{span(candidate.id, Work::Screen, end - 300'000'000, 300'000'000, 0)});

    Evaluation evaluation = pattern.evaluation;
    evaluation.id = {number};
    evaluation.candidate = candidate.id;
    evaluation.against = state.incumbent ? state.incumbent : candidate.id;
    const bool ranked = number == 1 || random.uniform() > 0.12;
    if (ranked) {
        const Candidate* from = state.candidate(parent);
        const double score = (from && from->score ? from->score->value : 1) * (0.97 + 0.07 * random.uniform());
        evaluation.result.outcome = Outcome::Ranked;
        evaluation.result.score = Interval{std::min(score, 60.0), score * 0.99, score * 1.01};
        evaluation.result.purpose = number == 1 ? Purpose::Confirm : Purpose::Screen;
    } else {
        evaluation.result.outcome = Outcome::BuildFailed;
        evaluation.result.rule = "build/error";
        evaluation.result.score = std::nullopt;
    }
    record(events::Evaluated{evaluation, end});
    if (ranked) {
        std::vector<CandidateId> displaced;
        if (members.size() >= living)
            displaced = {members[random.below(members.size())]};
        const std::string& cell = pattern.candidate.cell;
        record(events::Admitted{candidate.id, home, cell.empty() ? "0,0" : cell, random.uniform() < 0.2, displaced});
    }
    record(events::StageReached{candidate.id, Stage::Done});
    if (number == 1)
        record(events::IncumbentChanged{candidate.id});
}

Result<void> writeLongSession(const std::string& path, int candidates, const CandidateMill& mill)
{
    RunState state;
    const Event created{RunId{1}, 1, SystemClock().utc(), events::RunCreated{mill.settings(candidates)}};
    if (auto applied = apply(state, created); !applied)
        return applied;
    auto writer = SessionWriter::create(path, mill.pack(), created);
    if (!writer)
        return std::unexpected(writer.error());
    Result<void> done;
    const auto record = [&](EventBody body) {
        const Event event{state.run, state.lastSeq + 1, SystemClock().utc(), std::move(body)};
        if (done)
            done = apply(state, event);
        if (done)
            (*writer)->append(event, state);
    };
    mill.begin(record);
    for (int number = 1; number <= candidates && done; ++number) {
        const Hash text = (*writer)->putText(mill.seedText() + "// " + std::to_string(number) + "\n");
        mill.add(number, text, state, record);
        if (number % 500 == 0 && done)
            done = (*writer)->commit(state);
    }
    record(events::PhaseChanged{events::Phase::Paused, "paused by user", candidates * nsPerEvaluation});
    return done ? (*writer)->commit(state) : done;
}

} // namespace tilewright::bench
