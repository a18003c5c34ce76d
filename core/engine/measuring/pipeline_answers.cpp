// SPDX-License-Identifier: GPL-3.0-or-later
// What the node's answers mean for a candidate and for the run.
#include "core/engine/measuring/measuring_device.h"
#include "core/engine/measuring/pipeline.h"
#include "core/evolve/island_events.h"
#include "core/evolve/migration.h"
#include "core/evolve/rebinning.h"
#include "core/evolve/stagnation.h"
#include "core/model/measurement/conditions.h"
#include "core/model/measurement/shape_choice.h"
#include "core/protocol/device_names.h"
#include "core/protocol/gpu_trouble.h"
#include "core/protocol/killed.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewright {
namespace {

constexpr int strikesAllowed = 1;

/// The candidate has no part in it: it is tried again. "machine/…": the node's machine lacks room, a folder or memory.
bool isOurOwn(const Error& error)
{
    return error.code.starts_with("node/") || error.code.starts_with("protocol/") || error.code == "build/no-artifact"
        || error.code == "run/start" || error.code.starts_with("machine/")
        || gpuTroubleKind(error.code) == GpuTroubleKind::Lasting || contestantOf(error) != "candidate";
}

/// How long the node worked, by its own clock; 0 where it does not say.
std::int64_t workedNs(const Result<Reply>& reply)
{
    if (!reply)
        return 0;
    if (const auto* time = std::get_if<TimeReply>(&*reply))
        return time->result.wallNs;
    const auto* build = std::get_if<BuildReply>(&*reply);
    const auto* check = std::get_if<CheckReply>(&*reply);
    return build ? build->wallNs : check ? check->wallNs : 0;
}

/// Why the work came to nothing; empty if it did not.
std::string ruleOf(const Result<Reply>& reply)
{
    if (!reply)
        return reply.error().code;
    if (const auto* time = std::get_if<TimeReply>(&*reply))
        return time->result.rule;
    const auto* build = std::get_if<BuildReply>(&*reply);
    const auto* check = std::get_if<CheckReply>(&*reply);
    return build ? build->rule : check ? check->rule : "";
}

} // namespace

void Pipeline::answered(CandidateId candidate, Result<Reply> reply)
{
    Job* job = jobOf(candidate);
    if (!job)
        return;
    job->request = 0;
    if (job->bench.device.empty())
        m_work.end(candidate, workedNs(reply), ruleOf(reply));
    if (!reply) {
        failed(*job, reply.error());
    } else if (const auto* build = std::get_if<BuildReply>(&*reply)) {
        built(*job, *build);
    } else if (const auto* check = std::get_if<CheckReply>(&*reply)) {
        checked(*job, *check);
    } else if (const auto* time = std::get_if<TimeReply>(&*reply)) {
        timed(*job, *time);
    }
    pump();
    Q_EMIT moved();
}

void Pipeline::failed(Job& job, const Error& error)
{
    const bool isElsewhere = !job.bench.device.empty();
    const bool isDeviceLost = error.evidence.is_object() && error.evidence.value("device_lost", false);
    if (job.step == Step::Parent && !isDeviceLost && error.code != "device/fault")
        return screeningEnded(job, nullptr); // its screening stands; the parent's figures come by the incumbent's
    Lane* lane = isElsewhere ? nullptr : laneOf(deviceOf(job));
    if (!isElsewhere && isDeviceLost) {
        // Another device goes on with it; a program that takes that one with it as well goes on nowhere.
        if (lane && ++m_strikes[job.candidate] <= strikesAllowed && leaveOut(*lane, error))
            return restart(job);
        Q_EMIT halted(
            {"run/halted", "the device is lost: " + error.text, "resume when it is available again", nullptr});
        return;
    }
    if (isKilledFromOutside(error.code))
        return killed(job, error);
    if (!isElsewhere && error.code == "device/fault") { // nothing that is measured on it counts
        Q_EMIT halted(error);
        return;
    }
    if (lane && error.code == "time/unstable")
        m_suspects.erase(job.candidate); // it went all the way alone: others need not wait until the machine is quiet
    if (lane && (error.code == "time/unstable" || gpuTroubleKind(error.code) == GpuTroubleKind::Passing))
        return hold(*lane, error);
    if (lacksCompiler(error.code) && job.bench.isUsual()) {
        Q_EMIT hindered(error);
        return;
    }
    if (isOurOwn(error) && ++m_strikes[job.candidate] <= strikesAllowed) {
        // The node died, does not know something that it should, or another program failed beside this one: once more
        // from the start, this time alone.
        m_suspects.insert(job.candidate);
        restart(job);
        return;
    }
    if (!job.bench.isUsual() && isOurOwn(error)) { // the run's own candidates may fare better
        const auto trouble = troubleOfOpponent(error);
        return fail(
            job, Outcome::RunFailed, trouble ? Error{"rerun/opponent", trouble->text, "", error.evidence} : error);
    }
    const bool hasNoBuilder = job.step == Step::Build && error.code == "run/start"; // nothing of the program's has run
    if (hasNoBuilder || error.code.starts_with("machine/") || error.code.starts_with("task/")
        || gpuTroubleKind(error.code) == GpuTroubleKind::Lasting) {
        Q_EMIT hindered(error);
        return;
    }
    if (const auto trouble = troubleOfOpponent(error)) {
        Q_EMIT halted(*trouble);
        return;
    }
    const bool died = error.code == "node/crash" || error.code == "node/silent" || error.code == "node/garbage";
    const std::string text = died ? "the node ended twice while measuring it: " + error.text : error.text;
    // Nobody judged it, so that no rule refuses it: it came to nothing.
    fail(job, job.step == Step::Build && !died ? Outcome::BuildFailed : Outcome::RunFailed,
        {died ? "node/crash" : error.code, text, "", error.evidence});
}

void Pipeline::killed(Job& job, const Error& error)
{
    const Work work = workOf(job.step);
    const bool isOwn = error.code == killedFromOutside && contestantOf(error) == "candidate";
    const bool isCounted = error.code != nodeKilled || m_killedWithNode.insert(work).second;
    const auto advice
        = isCounted ? m_kills.note(isOwn ? job.candidate : CandidateId{}, work) : OutsideKills::Advice::Again;
    if (advice == OutsideKills::Advice::Pause) {
        m_kills.clear();
        Q_EMIT hindered({killedFromOutside,
            std::to_string(OutsideKills::inARow) + " processes in a row were killed externally, the last one at "
                + candidateName(job.candidate) + ": " + error.text,
            error.hint.empty() ? killedRemedy : error.hint, error.evidence});
        return;
    }
    if (advice == OutsideKills::Advice::GiveUp) {
        const bool building = job.step == Step::Build;
        return fail(job, building ? Outcome::BuildFailed : Outcome::RunFailed,
            {building ? "build/killed" : "run/killed",
                std::string(building ? "its compiler" : "it") + " was killed by a signal in each of "
                    + std::to_string(OutsideKills::ofOne)
                    + " attempts, although no limit of Tilewright was reached, while other programs completed; the "
                      "last time "
                    + error.text,
                "", error.evidence});
    }
    if (error.code == nodeKilled) { // which is told in the log by itself
        m_suspects.insert(job.candidate);
        return restart(job);
    }
    m_ledger.record(events::Noted{"warning", candidateName(job.candidate) + ": " + error.text, triedAgain});
    restart(job);
    const auto at = std::ranges::find(m_jobs, job.candidate, &Job::candidate);
    std::rotate(at, std::next(at), m_jobs.end());
}

void Pipeline::built(Job& job, const BuildReply& reply)
{
    if (!reply.cached)
        m_kills.finished(Work::Build);
    if (!reply.ok && lacksCompiler(reply.rule)) // as a node of an earlier version says it
        return failed(job, {reply.rule, reply.text, "", reply.evidence});
    job.build = reply;
    if (!reply.ok)
        return fail(job, outcomeOfRule(reply.rule), {reply.rule, reply.text, "", reply.evidence});
    m_artifacts[{job.candidate, job.bench}] = reply.artifact;
    if (const CandidateId twin = job.rerun || job.confirmOnly ? CandidateId{} : measuredTwin(job); twin)
        return fail(job, Outcome::Unranked,
            {"duplicate/machine-code",
                "it compiles to the same machine code as " + candidateName(twin) + ", which was measured", "",
                {{"candidate", candidateName(twin)}}});
    advance(job, job.confirmOnly ? Step::CheckAll : Step::Check);
}

/// Another ranked candidate that the same compiler made the same code of; none if there is none. Only of what somebody
/// was asked for: there answers come when they come, while what is built in comes to the same however long each takes.
CandidateId Pipeline::measuredTwin(const Job& job) const
{
    const auto codeOf = [](const nlohmann::json& resources) {
        return resources.is_object() ? resources.value("code_sha256", std::string()) : std::string();
    };
    const RunState& state = m_ledger.state();
    const Proposal* proposal = state.proposal(state.candidate(job.candidate)->proposal);
    const std::string code = proposal && proposal->modelRequest ? codeOf(job.build.resources) : std::string();
    if (code.empty())
        return {};
    for (const Evaluation& evaluation : state.evaluations) {
        const Candidate* twin
            = codeOf(evaluation.result.resources) == code ? state.candidate(evaluation.candidate) : nullptr;
        if (twin && twin->id != job.candidate && twin->isRanked() && evaluation.device == deviceOf(job))
            return twin->id;
    }
    return {};
}

void Pipeline::checked(Job& job, const CheckReply& reply)
{
    m_kills.finished(workOf(job.step));
    Lane* lane = job.bench.device.empty() ? laneOf(deviceOf(job)) : nullptr;
    if (lane && lane->holdsChecks && release(*lane)) // it works again
        Q_EMIT measuresAgain();
    job.passed = reply.ok ? PassedChecks{reply.passed, reply.measured}
                          : PassedChecks(); // a gate is passed when it holds everywhere
    if (!reply.ok)
        return fail(job, outcomeOfRule(reply.rule), {reply.rule, reply.text, "", reply.evidence});
    if (job.step == Step::CheckAll) {
        if (!job.rerun)
            m_gate.noteFeatures(job.candidate);
        return advance(job, Step::Confirm);
    }
    if (!job.quick && !m_gate.lets(job.candidate, job.build, job.passed.names))
        return forget(job.candidate);
    advance(job, Step::Screen);
}

void Pipeline::timed(Job& job, const TimeReply& reply)
{
    EvaluationResult result = reply.result;
    m_kills.finished(workOf(job.step));
    if (Lane* lane = job.bench.device.empty() ? laneOf(deviceOf(job)) : nullptr) {
        if (release(*lane))
            Q_EMIT measuresAgain();
        noteNoise(*lane, reply);
        if (job.step == Step::Confirm)
            noteConfirmed(*lane, reply.result.wallNs);
    }
    if (job.step == Step::Parent)
        return screeningEnded(job, &result);
    noteMissingCounters(result);
    if (!job.bench.task.isNull())
        nameSplits(result);
    if (nlohmann::json observed = observedOf(reply.blocks); !observed.is_null())
        result.environment["observed"] = std::move(observed);
    const bool screened = job.step == Step::Screen;
    result.purpose = job.rerun ? Purpose::Rerun : screened ? Purpose::Screen : Purpose::Confirm;
    if (screened && !job.rerun) {
        job.screened = std::move(result);
        return isTimedBesideParent(job, job.screened) ? advance(job, Step::Parent) : screeningEnded(job, nullptr);
    }
    evaluated(job, std::move(result));
    job.rerun ? forget(job.candidate) : settle(job.candidate);
}

void Pipeline::screeningEnded(Job& job, const EvaluationResult* besideParent)
{
    EvaluationResult result = std::exchange(job.screened, {});
    if (besideParent && besideParent->outcome == Outcome::Ranked && besideParent->versusIncumbent) {
        ParentPair pair{job.parent, *besideParent->versusIncumbent, {}, besideParent->wallNs};
        for (const ShapeResult& shape : besideParent->shapes)
            if (shape.versusIncumbent)
                pair.shapes.emplace_back(shape.shape, *shape.versusIncumbent);
        result.versusParent = std::move(pair);
    }
    job.parent = {};
    const bool promising = result.outcome == Outcome::Ranked && result.verdict == Verdict::Better;
    evaluated(job, std::move(result));
    if (!promising)
        return settle(job.candidate);
    takePlaces(job.candidate); // it may be built upon while it waits to be confirmed
    advance(job, Step::CheckAll);
}

void Pipeline::advance(Job& job, Step next)
{
    job.step = next;
    if (next == Step::CheckAll && !job.rerun)
        m_ledger.record(events::StageReached{job.candidate, Stage::Confirming});
}

void Pipeline::evaluated(const Job& job, EvaluationResult result)
{
    result.artifact = job.build.artifact;
    result.log = job.build.log;
    if (result.resources.is_null())
        result.resources = job.build.resources;
    const RunState& state = m_ledger.state();
    PassedChecks passed = job.passed;
    if (job.build.ok)
        passed.names.insert(passed.names.begin(), "build");
    const HelloReply::Device* other
        = job.bench.device.empty() ? nullptr : deviceNamed(m_node.hello(), job.bench.device);
    result.environment = environmentOf(result.environment, deviceOf(job),
        job.bench.device.empty() ? state.deviceFacts
            : other              ? factsOf(*other)
                                 : nlohmann::json::object(),
        m_ledger.pack().task, std::move(passed));
    if (job.build.cached)
        result.environment["build_cached"] = true;
    if (!job.build.warnings.empty())
        result.environment["warnings"] = job.build.warnings;
    Evaluation evaluation;
    evaluation.id = m_ledger.nextEvaluation();
    evaluation.candidate = job.candidate;
    evaluation.against = job.against ? job.against : m_ledger.state().incumbent;
    evaluation.device = deviceOf(job);
    evaluation.result = std::move(result);
    m_ledger.record(events::Evaluated{std::move(evaluation), m_runTime()});
}

void Pipeline::fail(Job& job, Outcome outcome, const Error& why)
{
    EvaluationResult result;
    const bool confirming = m_ledger.state().candidate(job.candidate)->stage == Stage::Confirming;
    result.purpose = job.rerun ? Purpose::Rerun : confirming ? Purpose::Confirm : Purpose::Screen;
    result.outcome = outcome;
    result.rule = why.code;
    result.text = why.text;
    result.evidence = why.evidence;
    evaluated(job, std::move(result));
    job.rerun ? forget(job.candidate) : settle(job.candidate);
}

void Pipeline::settle(CandidateId id)
{
    const RunState& state = m_ledger.state();
    const bool isSeed = id == CandidateId{1};
    if ((isSeed && state.candidate(id)->confirmed && state.bestTrace.empty()) || becomesIncumbent(state, id))
        m_ledger.record(events::IncumbentChanged{id});
    if (state.candidate(id)->isRanked())
        takePlaces(id);
    m_ledger.record(events::StageReached{id, Stage::Done});
    forget(id);
    if (isSeed && !state.candidate(id)->confirmed) {
        const Candidate* seed = state.candidate(id);
        Q_EMIT halted({"run/halted", "the task's seed was not ranked: " + seed->rule + " " + seed->text,
            "check the task with 'tilewright-cli tasks --check FOLDER'", nullptr});
    }
    Q_EMIT settled(id);
}

void Pipeline::takePlaces(CandidateId id)
{
    const RunState& state = m_ledger.state();
    const Candidate& candidate = *state.candidate(id);
    const std::string cell = nicheCell(nicheAxes(state, m_ledger.pack().task), m_ledger.text(candidate.source));
    std::vector<IslandId> homes;
    if (const Island* home = homeOf(state, candidate.island))
        homes.push_back(home->id);
    if (candidate.parents.empty()) // the seed founds every island
        for (const Island& island : state.islands)
            if (island.id != candidate.island && island.standing != Standing::Ended)
                homes.push_back(island.id);
    for (const IslandId home : homes) {
        if (auto admitted = admissionOf(state, home, id, cell))
            m_ledger.record(std::move(*admitted));
        if (auto migrated = migrationOf(state, home))
            m_ledger.record(std::move(*migrated));
    }
    resetStagnating(candidate.island);
    cutNichesAnew();
}

void Pipeline::cutNichesAnew()
{
    const RunState& state = m_ledger.state();
    const Task& task = m_ledger.pack().task;
    const auto scales = dueScales(state, task, [this](const NicheAxis& axis, const Candidate& candidate) {
        return nicheFeature(axis, m_ledger.text(candidate.source));
    });
    if (!scales)
        return;
    std::vector<NicheAxis> axes = task.niches;
    for (std::size_t i = 0; i < axes.size(); ++i)
        axes[i].scale = (*scales)[i];
    events::GridRebinned cut{*scales, {}, {}};
    for (const Candidate& candidate : state.candidates)
        if (!candidate.cell.empty()) {
            cut.candidates.push_back(candidate.id);
            cut.cells.push_back(nicheCell(axes, m_ledger.text(candidate.source)));
        }
    m_ledger.record(std::move(cut));
}

void Pipeline::resetStagnating(IslandId id)
{
    const RunState& state = m_ledger.state();
    const auto order = dueReset(state, id);
    const auto events = order ? eventsOf(*order, state) : Result<std::vector<EventBody>>();
    if (!events || events->empty())
        return;
    const Island& island = *state.island(id);
    m_ledger.record(events::Noted{"info",
        "island " + islandLetter(id) + " restarts from the best of the run: "
            + std::to_string(island.steering.stagnation) + " candidates without improvement there",
        "'island stagnation " + islandLetter(id) + " 0' disables this; 'island undo' restores its population"});
    for (const EventBody& body : *events)
        m_ledger.record(body);
}

void Pipeline::forget(CandidateId candidate)
{
    std::erase_if(m_jobs, [&](const Job& job) { return job.candidate == candidate; });
    m_suspects.erase(candidate);
    m_strikes.erase(candidate);
    m_kills.forget(candidate);
    const RunState& state = m_ledger.state();
    std::erase_if(m_artifacts, [&](const auto& held) {
        const auto& [id, bench] = held.first;
        const bool isNeeded = std::ranges::any_of(m_jobs, [&](const Job& job) {
            return job.bench == bench
                && (job.candidate == id || opponentOf(job) == id || job.parent == id
                    || (id == CandidateId{1} && !bench.isUsual()));
        });
        const bool isKept = bench.isUsual() && (id == CandidateId{1} || id == state.incumbent);
        return !isNeeded && !isKept;
    });
}

void Pipeline::nameSplits(EvaluationResult& result) const
{
    for (ShapeResult& shape : result.shapes)
        shape.split = splitOf(m_ledger.pack().task, shape.shape);
}

/// The node tells it once; a node that is started again tells it again.
void Pipeline::noteMissingCounters(const EvaluationResult& result)
{
    const auto why = result.environment.is_object() ? result.environment.value("counters_missing", "") : std::string();
    if (why.empty() || std::exchange(m_areCountersMissed, true))
        return;
    m_ledger.record(events::Noted{"info", "No GPU counters for measurements: " + why,
        "Prompts and the inspector omit them; 'tilewright-cli doctor' shows what is installed."});
}

void Pipeline::noteNoise(Lane& lane, const TimeReply& reply)
{
    const RunState& state = m_ledger.state();
    const auto held = state.noise.find(lane.device);
    const NoiseFloor known = held == state.noise.end() ? NoiseFloor{} : held->second;
    const double floor = reply.result.noiseFloor;
    lane.noiseUntold += static_cast<int>(reply.noiseRatios.size());
    if (reply.noiseRatios.empty() || floor <= 0 || std::abs(floor - known.floor) <= 0.02 * known.floor)
        return;
    m_ledger.record(events::NoiseMeasured{lane.device, floor, known.blocks + std::exchange(lane.noiseUntold, 0)});
}

} // namespace tilewright
