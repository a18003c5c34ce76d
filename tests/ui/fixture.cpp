// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fixture.h"

#include "core/base/random.h"
#include "core/engine/session/undo_history.h"

#include <QTimer>
#include <algorithm>
#include <cmath>

namespace tilewright::test {
namespace {

const char* const moveNames[] = {"tile-rows", "tile-columns", "cut-depth", "cut-columns", "cut-rows", "pack-b",
    "pack-a", "vector-tile", "unroll-depth", "prefetch"};
constexpr double seconds = 1e9;

Interval around(double value, double half) { return {value, value * (1 - half), value * (1 + half)}; }

} // namespace

FixtureRun::FixtureRun(int islands)
{
    auto pack = loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu");
    if (pack)
        m_pack = std::make_shared<const TaskPack>(std::move(*pack));
    RunSettings settings;
    settings.taskName = "gemm-fp32-cpu";
    settings.islands = islands;
    settings.budget = {1000, 3600};
    put(events::RunCreated{settings});
    const char* names[] = {"Tiles", "Packing", "Vectors", "Mixed"};
    const Focus focus[] = {Focus::Explore, Focus::Exploit, Focus::Exploit, Focus::Crossover};
    for (int i = 0; i < islands; ++i)
        put(events::IslandCreated{IslandId{i + 1}, names[i % 4], "evolve", focus[i % 4]});
    put(events::DeviceFound{
        "cpu0", "workstation", {{"name", "EPYC 9654, 1 thread"}, {"isolation", "sandbox"}, {"compiler", "g++ 12.2"}}});
    put(events::PhaseChanged{events::Phase::Running, "", 0});
    put(events::NoiseMeasured{"cpu0", 0.006, 60});
    addSeed();
}

void FixtureRun::put(EventBody body)
{
    char at[40];
    const std::int64_t second = m_ns / 1'000'000'000;
    std::snprintf(at, sizeof at, "2026-11-21T%02d:%02d:%02d.000Z", 9 + int(second / 3600), int(second / 60 % 60),
        int(second % 60));
    const Event event{RunId{1}, m_state.lastSeq + 1, at, std::move(body)};
    const bool isOfCommand = changeOf(m_state, event).has_value();
    if (const auto applied = apply(m_state, event); !applied)
        qFatal("fixture: %s", applied.error().text.c_str());
    if (isOfCommand || std::holds_alternative<events::Reviewed>(event.body)
        || std::holds_alternative<events::Marked>(event.body))
        m_events[event.seq] = event;
}

void FixtureRun::loseNode(const std::string& reason) { put(events::Noted{"warning", reason, nodeStartedAnew}); }

void FixtureRun::note(const std::string& severity, const std::string& text) { put(events::Noted{severity, text, ""}); }

Hash FixtureRun::store(const std::string& text)
{
    const Hash hash = sha256(text);
    m_texts.try_emplace(hash, text);
    return hash;
}

QString FixtureRun::text(const Hash& hash) const
{
    const auto found = m_texts.find(hash);
    return found == m_texts.end() ? QString() : QString::fromStdString(found->second);
}

double FixtureRun::noise(double size) { return CounterRandom(7, 1, ++m_draws).normal() * size; }

std::string FixtureRun::sourceOf(const Genome& genome, const std::vector<std::string>& moves) const
{
    std::string text = m_pack ? m_pack->seed() : "constexpr int TILE_ROWS = 1;\n";
    const auto replace = [&text](const std::string& from, const std::string& to) {
        if (const auto at = text.find(from); at != std::string::npos)
            text.replace(at, from.size(), to);
    };
    replace("TILE_ROWS = 1;", "TILE_ROWS = " + std::to_string(genome.tileRows) + "; // tune: 1 2 4 6 8 12");
    replace("TILE_COLUMNS = 1;", "TILE_COLUMNS = " + std::to_string(genome.tileColumns) + "; // tune: 1 8 16 24 48");
    if (std::ranges::find(moves, "cut-depth") != moves.end())
        replace("int block_depth(const Dims& dims) { return cut(dims.K, WHOLE); }",
            "constexpr int KC = " + std::to_string(genome.kc)
                + "; // tune: 32 64 96 128 192 256\nint block_depth(const Dims& dims) { return cut(dims.K, KC); }");
    for (const std::string& move : moves)
        replace("inline int smaller", "/// " + move + ": the idea of this move, in one line.\ninline int smaller");
    return text;
}

EvaluationResult FixtureRun::result(Purpose purpose, const Genome& genome, const Candidate& candidate, double against)
{
    const bool confirm = purpose != Purpose::Screen;
    const double half = confirm ? 0.004 : 0.014, vendorScore = 52;
    EvaluationResult r;
    r.purpose = purpose;
    r.outcome = Outcome::Ranked;
    r.score = around(genome.score, half);
    r.versusIncumbent = around(genome.score / against, half);
    const double ratio = genome.score / against;
    r.verdict = ratio > 1.012 + half ? Verdict::Better : ratio < 0.988 - half ? Verdict::Worse : Verdict::Neutral;
    r.noiseFloor = 0.006;
    r.resources = {{"code_bytes", 2400 + 160 * candidate.moves.size()}, {"text_bytes", 1800 + 90 * genome.tileRows},
        {"rodata_bytes", 64}};
    r.environment = {{"isolation", "sandbox"}, {"rules_passed", {"build", "norm"}}};
    r.artifact = sha256("object of " + candidateName(candidate.id));
    r.wallNs = static_cast<std::int64_t>((confirm ? 9 : 2.1) * seconds);
    r.log = store("g++ -O3 -march=native\ncandidate.cpp: In function 'multiply_tile':\ncandidate.cpp:92:9: note: loop "
                  "vectorized using 64 byte vectors\n");
    if (confirm) {
        r.environment["vendor_library"] = {{"name", "OpenBLAS"}, {"version", "0.3.21"}, {"core_type", "Cooperlake"}};
        r.vsVendor = around(genome.score / vendorScore, half);
        r.heldoutScore = around(genome.score * 0.97, half * 1.2);
        r.heldoutVsVendor = around(genome.score / vendorScore * 0.96, half * 1.2);
    }
    if (!m_pack)
        return r;
    const auto add = [&](const Shape& shape, ShapeSplit split) {
        ShapeResult one;
        one.shape = shape;
        one.split = split;
        const double flops = m_pack->task.flopsOf(shape);
        one.baselineNs = flops / 1.6;
        one.candidateNs = *one.baselineNs / (genome.score * (1 + noise(0.05)));
        one.incumbentNs = *one.baselineNs / against;
        one.versusIncumbent = around(*one.incumbentNs / one.candidateNs, half);
        one.samples = confirm ? 120 : 40;
        if (confirm) {
            one.vendorNs = flops / (1.6 * vendorScore);
            one.versusVendor = around(*one.vendorNs / one.candidateNs, half);
            one.versusBaseline = around(*one.baselineNs / one.candidateNs, half);
        }
        r.shapes.push_back(one);
    };
    for (const Shape& shape : m_pack->task.train)
        add(shape, ShapeSplit::Train);
    if (confirm)
        for (const Shape& shape : m_pack->task.heldout)
            add(shape, ShapeSplit::Heldout);
    return r;
}

void FixtureRun::addSeed()
{
    Candidate seed;
    seed.id = {1};
    seed.island = {1};
    seed.source = store(sourceOf({}, {}));
    seed.program = seed.source;
    put(events::CandidateMade{seed});
    m_genomes.push_back({});
    put(events::EvaluationStarted{seed.id});
    m_ns += static_cast<std::int64_t>(2 * seconds);
    put(events::Evaluated{{EvaluationId{1}, seed.id, seed.id, "cpu0", result(Purpose::Confirm, {}, seed, 1)}, m_ns});
    put(events::StageReached{seed.id, Stage::Done});
    put(events::Admitted{seed.id, IslandId{1}, "0,0", true, {}});
    put(events::IncumbentChanged{seed.id});
}

void FixtureRun::work(CandidateId candidate, Work work, double from, double to, const std::string& rule)
{
    WorkSpan span;
    span.candidate = candidate;
    span.work = work;
    span.place = work == Work::Build ? 1 + static_cast<int>(candidate.value % 2) : 0;
    span.startedNs = static_cast<std::int64_t>(from * seconds);
    span.askedNs = span.startedNs - (work == Work::Check ? 100'000'000 : 0);
    span.endedNs = static_cast<std::int64_t>(to * seconds);
    span.rule = rule;
    put(events::WorkDone{span});
}

void FixtureRun::addUnderWay(EngineStatus& status) const
{
    const CandidateId last{static_cast<std::int64_t>(m_state.candidates.size())};
    if (last.value < 4 || status.phase != events::Phase::Running)
        return;
    const auto add = [&](std::int64_t back, Work work, double since) {
        const CandidateId id{last.value - back};
        status.jobs.push_back({id, work, since > 0});
        if (since <= 0)
            return;
        WorkSpan span;
        span.candidate = id;
        span.work = work;
        span.place = work == Work::Build ? static_cast<int>(back) : 0;
        span.device = 0;
        span.askedNs = span.startedNs = m_ns - static_cast<std::int64_t>(since * seconds);
        status.work.push_back(span);
    };
    add(0, Work::Screen, 0.9);
    add(3, Work::Check, 0);
    add(1, Work::Build, 0.3);
    add(2, Work::Build, 0.2);
    status.builders = 2;
}

void FixtureRun::grow(int candidates)
{
    for (int i = 0; i < candidates; ++i)
        addCandidate();
}

void FixtureRun::addCandidate()
{
    const auto number = static_cast<std::int64_t>(m_state.candidates.size()) + 1;
    CounterRandom random(3, 2, static_cast<std::uint64_t>(number));
    const IslandId island{static_cast<std::int64_t>(random.below(m_state.islands.size())) + 1};
    const Island& home = m_state.islands[static_cast<std::size_t>(island.value - 1)];
    const CandidateId parent = home.best
        ? (random.uniform() < 0.6 || home.members.empty() ? home.best : home.members[random.below(home.members.size())])
        : CandidateId{1};
    const Candidate before = *m_state.candidate(parent);
    Genome genome = m_genomes[static_cast<std::size_t>(parent.value - 1)];
    Proposal proposal;
    proposal.id = {static_cast<std::int64_t>(m_state.proposals.size()) + 1};
    proposal.island = island;
    proposal.ordinal = home.proposals + 1;
    proposal.proposer = random.uniform() < 0.3 ? "tuner" : "mutator";
    proposal.focus = home.focus;
    proposal.parents = {parent};
    proposal.reasoning
        = "A block of B that is used again for every block of rows should still be in the cache when its turn comes.";
    std::string move = moveNames[random.below(10)];
    std::vector<std::string> moves = before.moves;
    if (proposal.proposer == "mutator" && std::ranges::find(moves, move) == moves.end()) {
        proposal.moves = {move};
        moves.push_back(move);
        const double headroom = std::max(0.02, std::log(55 / genome.score));
        genome.score
            *= std::exp(random.uniform() < 0.55 ? headroom * random.uniform() * 0.28 : -random.uniform() * 0.5);
    } else {
        const int rows[] = {1, 2, 4, 6, 8, 12}, columns[] = {1, 8, 16, 24, 48}, depth[] = {32, 64, 96, 128, 192, 256};
        genome.tileRows = rows[random.below(6)];
        genome.tileColumns = columns[random.below(5)];
        genome.kc = depth[random.below(6)];
        genome.score *= std::exp(random.normal() * 0.12);
    }
    genome.score = std::clamp(genome.score, 0.6, 54.0);
    put(events::Proposed{proposal});
    if (random.uniform() < 0.06) {
        put(events::ProposalRefused{proposal.id,
            random.uniform() < 0.5 ? ProposalState::Refused : ProposalState::Duplicate, "patch/context",
            "hunk 1 does not match"});
        m_genomes.reserve(m_genomes.size() + 1);
    }
    Candidate candidate;
    candidate.id = {number};
    candidate.proposal = proposal.id;
    candidate.island = island;
    candidate.generation = before.generation + 1;
    candidate.parents = {parent};
    candidate.moves = moves;
    candidate.tunables = {{"TILE_ROWS", genome.tileRows}, {"TILE_COLUMNS", genome.tileColumns}, {"KC", genome.kc}};
    candidate.source = store(sourceOf(genome, moves) + "// variant " + std::to_string(number) + "\n");
    candidate.program = candidate.source;
    put(events::CandidateMade{candidate});
    m_genomes.push_back(genome);
    put(events::EvaluationStarted{candidate.id});
    const double begun = static_cast<double>(m_ns) / seconds;
    m_ns += static_cast<std::int64_t>((1.5 + random.uniform() * 3) * seconds);
    const auto evaluated = [&](const EvaluationResult& r) {
        put(events::Evaluated{{EvaluationId{static_cast<std::int64_t>(m_state.evaluations.size()) + 1}, candidate.id,
                                  m_state.incumbent, "cpu0", r},
            m_ns});
    };
    const double fate = random.uniform();
    const double ended = static_cast<double>(m_ns) / seconds;
    work(candidate.id, Work::Build, std::max(begun - 0.3, 0.0), begun + 0.4, fate < 0.07 ? "build/error" : "");
    if (fate >= 0.07)
        work(candidate.id, Work::Check, begun + 0.5, fate < 0.14 ? ended : begun + 0.8,
            fate < 0.11       ? "verify/elementwise"
                : fate < 0.14 ? "run/timeout"
                              : "");
    if (fate >= 0.14)
        work(candidate.id, Work::Screen, begun + 0.85, ended, "");
    if (fate < 0.14) {
        EvaluationResult r;
        r.outcome = fate < 0.07 ? Outcome::BuildFailed : fate < 0.11 ? Outcome::Refused : Outcome::RunFailed;
        r.rule = fate < 0.07 ? "build/error" : fate < 0.11 ? "verify/elementwise" : "run/timeout";
        r.text = fate < 0.07 ? "candidate.cpp:96:41: error: 'copy_panel' was not declared in this scope"
            : fate < 0.11    ? "An element of C is outside its bound on shape 17×31×13."
                             : "The guest did not answer within 2 s.";
        if (fate >= 0.07 && fate < 0.11)
            r.evidence = {{"shape", "17×31×13"}, {"tensor", "C"}, {"index", {3, 17}}, {"want", 0.5273}, {"got", 0.0},
                {"relative_error", 1.0}};
        r.log = store("candidate.cpp: In function 'void multiply_block(const Block&)':\n" + r.text
            + "\n   96 |     copy_panel(panel, block.row, TILE_ROWS);\n      |     ^~~~~~~~~~\n");
        evaluated(r);
        put(events::StageReached{candidate.id, Stage::Done});
        return;
    }
    const double against = m_state.candidate(m_state.incumbent)->score->value;
    const EvaluationResult screened = result(Purpose::Screen, genome, candidate, against);
    evaluated(screened);
    if (screened.verdict == Verdict::Better) {
        put(events::StageReached{candidate.id, Stage::Confirming});
        m_ns += static_cast<std::int64_t>(6 * seconds);
        work(candidate.id, Work::CheckAll, ended, ended + 1, "");
        work(candidate.id, Work::Confirm, ended + 1, ended + 5.5, "");
        work(m_state.incumbent, Work::Noise, ended + 5.5, ended + 6, "");
        evaluated(result(Purpose::Confirm, genome, candidate, against));
    }
    put(events::StageReached{candidate.id, Stage::Done});
    const Candidate* now = m_state.candidate(candidate.id);
    if (genome.score > 0.8 * (home.best ? m_state.candidate(home.best)->score->value : 0.5)) {
        const int column
            = std::clamp(static_cast<int>(std::log2(genome.tileRows * genome.tileColumns * genome.kc) / 2.2), 0, 6);
        const int row = std::clamp(static_cast<int>(moves.size() / 2), 0, 4);
        const std::string cell = std::to_string(column) + "," + std::to_string(row);
        const auto held = home.niches.find(cell);
        const bool elite = held == home.niches.end() || m_state.candidate(held->second)->score->value < genome.score;
        std::vector<CandidateId> displaced;
        if (home.members.size() >= 24)
            displaced.push_back(home.members.front());
        put(events::Admitted{candidate.id, island, cell, elite, displaced});
    }
    if (now->confirmed && now->score->value > against)
        put(events::IncumbentChanged{candidate.id});
    if (number % 60 == 0) {
        const Candidate from = *m_state.candidate(m_state.incumbent);
        Candidate copy = from;
        copy.id = {static_cast<std::int64_t>(m_state.candidates.size()) + 1};
        copy.island = {from.island.value % static_cast<std::int64_t>(m_state.islands.size()) + 1};
        copy.parents = {from.id};
        copy.generation = from.generation + 1;
        copy.migrated = true;
        copy.confirmed = false;
        copy.evaluationNumber = copy.resultNumber = 0;
        m_genomes.push_back(m_genomes[static_cast<std::size_t>(from.id.value - 1)]);
        put(events::Migrated{from.id, copy, from.cell, true, {}});
    }
}

ModelRequestId FixtureRun::ask(const std::string& model, const std::string& prompt)
{
    ModelRequest modelRequest;
    modelRequest.id = {static_cast<std::int64_t>(m_state.modelRequests.size()) + 1};
    modelRequest.proposer = model.empty() ? "manual" : "model";
    modelRequest.model = model;
    modelRequest.island = {1};
    modelRequest.ordinal = m_state.islands[0].proposals + 1;
    modelRequest.focus = Focus::Explore;
    modelRequest.parents = {CandidateId{1}};
    modelRequest.promptName = "explore";
    modelRequest.promptVersion = sha256("explore, as shipped");
    modelRequest.system = store("You write fast kernels.");
    modelRequest.prompt = store(prompt);
    modelRequest.askedNs = m_ns;
    put(events::Asked{modelRequest});
    return modelRequest.id;
}

Candidate FixtureRun::childOfSeed(const Genome& genome, ProposalId proposal)
{
    Candidate child;
    child.id = {static_cast<std::int64_t>(m_state.candidates.size()) + 1};
    child.proposal = proposal;
    child.island = {1};
    child.generation = 1;
    child.parents = {CandidateId{1}};
    child.source = store(sourceOf(genome, {}) + "// by a model, " + std::to_string(child.id.value) + "\n");
    child.program = child.source;
    return child;
}

void FixtureRun::answer(ModelRequestId id, const std::string& reply, int part)
{
    m_ns += static_cast<std::int64_t>(14 * seconds);
    const ModelRequest asked = *m_state.modelRequest(id);
    ModelRequestAnswer answer;
    answer.reply = store(reply);
    answer.finish = "stop";
    answer.model = asked.model;
    if (!asked.model.empty()) {
        answer.tokens.input = 5200;
        answer.tokens.outputVisible = 900;
        answer.costMicroUsd = 12'300;
    }
    put(events::Answered{id, answer, m_ns});
    Proposal proposal;
    proposal.id = {static_cast<std::int64_t>(m_state.proposals.size()) + 1};
    proposal.island = asked.island;
    proposal.ordinal = asked.ordinal;
    proposal.proposer = asked.proposer;
    proposal.focus = asked.focus;
    proposal.parents = asked.parents;
    proposal.reasoning = "Cut the depth, so that a panel stays in the cache.";
    proposal.reply = answer.reply;
    proposal.modelRequest = id;
    proposal.part = part;
    put(events::Proposed{proposal});
    if (part == 0) {
        put(events::ProposalRefused{proposal.id, ProposalState::Refused, "patch/no-match", "hunk 1 does not match"});
        return;
    }
    const Genome genome{2.1, 4, 8, 64};
    const Candidate child = childOfSeed(genome, proposal.id);
    put(events::CandidateMade{child});
    m_genomes.push_back(genome);
    put(events::EvaluationStarted{child.id});
    m_ns += static_cast<std::int64_t>(2 * seconds);
    const EvaluationId evaluation{static_cast<std::int64_t>(m_state.evaluations.size()) + 1};
    put(events::Evaluated{
        {evaluation, child.id, m_state.incumbent, "cpu0", result(Purpose::Screen, genome, child, 1)}, m_ns});
    put(events::StageReached{child.id, Stage::Done});
}

CandidateId FixtureRun::awaitReview(const std::vector<std::string>& risks, ModelRequestId answered)
{
    Proposal proposal;
    proposal.id = {static_cast<std::int64_t>(m_state.proposals.size()) + 1};
    proposal.island = {1};
    proposal.proposer = "mutator";
    proposal.parents = {CandidateId{1}};
    proposal.reasoning = "Cut the depth, so that a panel stays in the cache.";
    proposal.claim = "+4 %";
    if (const ModelRequest* asked = m_state.modelRequest(answered)) {
        proposal.modelRequest = answered;
        proposal.proposer = asked->proposer;
        proposal.reply = asked->answer.reply;
    }
    put(events::Proposed{proposal});
    const Genome genome{2.1, 4, 8, 64};
    const Candidate child = childOfSeed(genome, proposal.id);
    put(events::CandidateMade{child});
    m_genomes.push_back(genome);
    put(events::EvaluationStarted{child.id});
    const double now = static_cast<double>(m_ns) / seconds;
    work(child.id, Work::Build, now - 7.4, now - 1, "");
    work(child.id, Work::Check, now - 0.6, now - 0.2, "");
    const ReviewId review{static_cast<std::int64_t>(m_state.reviews.size()) + 1};
    put(events::ReviewAsked{review, child.id, risks,
        {{"resources", {{"text_bytes", 3200}, {"code_bytes", 9900}}}, {"warnings", {"static/clock"}},
            {"passed", {"verify/normwise", "verify/exact"}}}});
    return child.id;
}

void FixtureRun::observe(const nlohmann::json& environment, const std::string& device)
{
    m_ns += static_cast<std::int64_t>(2 * seconds);
    const EvaluationId evaluation{static_cast<std::int64_t>(m_state.evaluations.size()) + 1};
    const Candidate& seed = *m_state.candidate(CandidateId{1});
    EvaluationResult again = result(Purpose::Rerun, {}, seed, 1);
    again.environment.update(environment);
    put(events::Evaluated{{evaluation, seed.id, seed.id, device, again}, m_ns});
}

void FixtureRun::decide(const std::vector<CandidateId>& candidates, Decision decision, const std::string& reason)
{
    for (const CandidateId each : candidates)
        put(events::Reviewed{
            m_state.candidate(each)->review, decision, "person", reason, {}, each != candidates.front()});
}

void FixtureRun::decide(CandidateId candidate, Decision decision, const std::string& reason, CandidateId edited)
{
    put(events::Reviewed{m_state.candidate(candidate)->review, decision, "person", reason, edited});
}

void FixtureRun::learn(const std::string& author, const std::string& text)
{
    InsightNote note;
    note.number = static_cast<int>(m_state.insights.size()) + 1;
    note.author = author;
    note.evaluations = m_state.evaluationsStarted;
    note.text = store(text);
    put(events::InsightsWritten{note});
}

SnapshotPtr FixtureRun::snapshot(events::Phase phase)
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->version = ++m_version;
    snapshot->run = m_state;
    if (phase != events::Phase::Running)
        snapshot->run.phase = phase;
    snapshot->pack = m_pack;
    snapshot->statistics = std::make_shared<const RunStatistics>(runStatistics(m_state));
    EngineStatus& status = snapshot->status;
    status.sessionOpen = true;
    status.sessionPath = "/home/ada/tilewright/gemm-fp32-cpu-1.tilewright";
    status.savedAtUtc = "2026-11-21T10:41:07.000Z";
    status.phase = phase;
    status.runNs = m_ns;
    status.building = 2;
    status.queued = 3;
    status.measuring = 1;
    status.deviceName = "EPYC 9654, 1 thread";
    status.isolation = "sandbox";
    status.evaluationsPerMinute = 21.4;
    Telemetry telemetry;
    telemetry.mhz = 3700;
    telemetry.noiseFloor = 0.006;
    status.telemetry = telemetry;
    telemetry.temperature = 61;
    HelloReply::Device device;
    device.id = "cpu0";
    device.name = "EPYC 9654, 1 thread";
    device.isolation = "sandbox";
    status.devices = {{device, telemetry, true}};
    addUnderWay(status);
    return snapshot;
}

void RecordedClient::create(const NewSession& session)
{
    calls << QStringLiteral("create");
    created = session;
}

void RecordedClient::open(const QString& path)
{
    calls << QStringLiteral("open ") + path;
    if (fixture)
        publish(fixture->snapshot(events::Phase::Paused));
}

void RecordedClient::close()
{
    calls << QStringLiteral("close");
    QTimer::singleShot(0, this, [this] {
        publish(std::make_shared<const Snapshot>());
        Q_EMIT closed();
    });
}

namespace {

QString named(CandidateId candidate) { return QString::fromStdString(candidateName(candidate)); }

/// What the tests look at of a command.
class Recorder
{
public:
    explicit Recorder(RecordedClient& client)
        : m_client(client)
    {
    }

    void operator()(const commands::Run&) { call(QStringLiteral("run")); }
    void operator()(const commands::Pause&) { call(QStringLiteral("pause")); }
    void operator()(const commands::PauseNow&) { call(QStringLiteral("pause and cancel")); }
    void operator()(const commands::Step&) { call(QStringLiteral("step")); }
    void operator()(const commands::StepIslands&) { call(QStringLiteral("step islands")); }
    void operator()(const commands::Stop&) { call(QStringLiteral("stop")); }
    void operator()(const commands::SetBudget& each) { m_client.budget = each.budget; }
    void operator()(const commands::SetProposer& each) { m_client.proposers << words(each.proposer); }
    void operator()(const commands::SetHints& each) { m_client.hints.emplace_back(each.island, words(each.text)); }
    void operator()(const commands::WriteInsights& each) { m_client.insights << words(each.text); }
    void operator()(const commands::RestoreInsights& each)
    {
        m_client.insights << (each.text.isNull() ? QString() : m_client.fixture->text(each.text));
    }
    void operator()(const commands::SetReviewPolicies& each)
    {
        for (const events::ReviewPolicyChanged& change : each.changes)
            call(QStringLiteral("policy %1 %2%3")
                     .arg(change.island.value)
                     .arg(change.proposer ? words(nameOf(*change.proposer)) + QLatin1Char(' ') : QString(),
                         words(nameOf(change.policy)))
                + (each.waiting == WhatWaits::Stays ? QStringLiteral(" from now on") : QString()));
    }
    void operator()(const commands::SetReviewLimit& each)
    {
        call(QStringLiteral("review limit %1").arg(each.perIsland));
    }
    void operator()(const commands::SaveTemplate& each)
    {
        call(QStringLiteral("template %1 %2 %3 %4")
                 .arg(each.draft.island.value)
                 .arg(words(each.draft.name))
                 .arg(each.draft.text.value_or("").size())
                 .arg(words(each.note))
                 .trimmed());
    }
    void operator()(const commands::UndoTemplate& each)
    {
        call(QStringLiteral("template undone %1 %2").arg(each.island.value).arg(words(each.name)));
    }
    void operator()(const commands::ResumeModel& each) { call(QStringLiteral("resume ") + words(each.name)); }
    void operator()(const commands::AnswerRequest& each)
    {
        m_client.answers.emplace_back(each.modelRequest, words(each.text));
    }
    void operator()(const commands::Decide& each)
    {
        for (const CandidateId id : each.candidates)
            call(QStringLiteral("%1 %2 %3").arg(words(nameOf(each.decision)), named(id), words(each.reason)).trimmed());
    }
    void operator()(const commands::ApproveEdited& each)
    {
        call(QStringLiteral("edited %1 %2 %3")
                 .arg(named(each.candidate))
                 .arg(words(each.text).size())
                 .arg(words(each.reason))
                 .trimmed());
    }
    void operator()(const commands::UndoReview& each)
    {
        for (const CandidateId id : each.candidates)
            call(QStringLiteral("undo ") + named(id));
    }
    void operator()(const CandidateCommand& each) { m_client.candidateCommands.push_back(each); }
    void operator()(const IslandCommand& each) { m_client.orders.push_back(each); }
    void operator()(const commands::SaveCopy& each) { call(QStringLiteral("copy ") + words(each.path)); }
    template <typename Other> void operator()(const Other&) { } // what no test asks about

private:
    static QString words(const std::string& text) { return QString::fromStdString(text); }
    void call(const QString& text) { m_client.calls << text; }

    RecordedClient& m_client;
};

} // namespace

void RecordedClient::put(const Command& command) { std::visit(Recorder(*this), command); }

void RecordedClient::put(const commands::Undo& undo, Receipt& receipt)
{
    for (const std::int64_t seq : undo.entries) {
        const std::vector<UndoEntry> history = undoHistory(fixture->state());
        const auto entry = std::ranges::find(history, seq, &UndoEntry::seq);
        if (entry == history.end() || !entry->blocked.empty()) {
            receipt.error = {"undo/unknown", "nothing can be undone there", "", nullptr};
            continue;
        }
        for (const Command& inverse : entry->inverse)
            put(inverse);
        receipt.entry = seq;
        receipt.description += (receipt.description.empty() ? "" : "; ") + entry->description;
        receipt.effect += (receipt.effect.empty() || entry->afterUndo.empty() ? "" : " ") + entry->afterUndo;
    }
}

void RecordedClient::put(const commands::Redo& redo, Receipt& receipt)
{
    std::vector<Event> events;
    for (const std::int64_t seq : redo.events)
        events.push_back(fixture->event(seq));
    const auto made
        = commandsOf(events, fixture->state(), [this](const Hash& hash) { return fixture->text(hash).toStdString(); });
    if (!made)
        receipt.error = made.error();
    else
        for (const Command& each : *made)
            put(each);
}

void RecordedClient::execute(quint64 tag, const Command& command)
{
    put(command);
    Receipt receipt;
    receipt.tag = tag;
    receipt.sequence = fixture ? fixture->state().lastSeq : 0;
    if (const auto* undo = std::get_if<commands::Undo>(&command))
        put(*undo, receipt);
    else if (const auto* redo = std::get_if<commands::Redo>(&command))
        put(*redo, receipt);
    const bool isSettled = !fixture || std::holds_alternative<commands::Undo>(command)
        || std::holds_alternative<commands::SaveCopy>(command) || !receipt.isDone();
    if (isSettled)
        Q_EMIT executed(receipt);
    else
        m_pending.push_back({tag, receipt.sequence});
}

void RecordedClient::publish(const SnapshotPtr& snapshot)
{
    std::vector<Receipt> receipts;
    if (fixture && fixture->state().lastSeq == snapshot->run.lastSeq) {
        const std::vector<UndoEntry> history
            = m_pending.empty() ? std::vector<UndoEntry>() : undoHistory(snapshot->run);
        std::erase_if(m_pending, [&](const Pending& each) {
            if (history.empty() || history.front().seq <= each.seq)
                return false;
            const UndoEntry& newest = history.front();
            receipts.push_back({each.tag, snapshot->run.lastSeq, {}, newest.seq, newest.description, newest.effect});
            return true;
        });
    }
    for (const Receipt& receipt : receipts)
        Q_EMIT executed(receipt);
    Q_EMIT published(snapshot);
}

void RecordedClient::ask(quint64 tag, const Query& query)
{
    const auto later = [this, tag](const QueryAnswer& answer) {
        QTimer::singleShot(0, this, [this, tag, answer] { Q_EMIT answered(tag, answer); });
    };
    if (const auto* text = std::get_if<queries::Text>(&query))
        later(fixture ? fixture->text(text->hash) : QString());
    if (const auto* listing = std::get_if<queries::ListingOf>(&query))
        listings.push_back({tag, listing->candidate, listing->form});
    if (const auto* check = std::get_if<queries::CheckEdit>(&query)) {
        editChecks.push_back({tag, check->candidate, QString::fromStdString(check->text), check->as});
        if (checksAtOnce)
            later(EditCheck{});
    }
    const auto* preview = std::get_if<queries::Preview>(&query);
    if (!preview || !fixture)
        return;
    const auto workshop = PromptWorkshop::open();
    Q_ASSERT(workshop);
    const ProposerView view{
        fixture->state(), *fixture->pack(), [this](const Hash& hash) { return fixture->text(hash).toStdString(); }};
    later(workshop->preview(view, preview->draft, {12'000, 0, "writer", 3e-6}));
}

} // namespace tilewright::test
