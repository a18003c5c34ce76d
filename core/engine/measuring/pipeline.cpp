// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduling: what is sent to the node next. Who goes to which device stands in pipeline_devices.cpp, what answers mean
// in pipeline_answers.cpp, whom a candidate is timed beside in pipeline_opponents.cpp.
#include "core/engine/measuring/pipeline.h"

#include "core/evolve/population.h"
#include "core/model/measurement/resource_figures.h"
#include "core/model/measurement/shape_choice.h"

#include <algorithm>

namespace tilewright {
namespace {

/// Built candidates that wait for the device, at most: enough to keep it busy, few enough to decide on fresh results.
constexpr int builtAhead = 2;

} // namespace

Pipeline::Pipeline(Ledger& ledger, NodeConnection& node, ReviewGate& gate, std::function<std::int64_t()> runTime)
    : m_ledger(ledger)
    , m_node(node)
    , m_gate(gate)
    , m_runTime(std::move(runTime))
    , m_work(ledger, m_runTime)
{
    connect(&node, &NodeConnection::progressed, this, &Pipeline::noteProgress);
    connect(&node, &NodeConnection::noiseMeasured, this, [this](const NoiseRun& noise) {
        if (laneOf(noise.device) && m_ledger.state().phase == events::Phase::Running)
            m_work.noise(m_ledger.state().incumbent, noise.device, noise.wallNs);
    });
    // A fresh process has built nothing yet.
    connect(&node, &NodeConnection::ready, this, [this] {
        m_artifacts.clear();
        m_opponentsAsked.clear();
        for (Lane& lane : m_lanes)
            lane.lost = false;
        pump();
    });
    connect(&node, &NodeConnection::lost, this, [this] {
        m_artifacts.clear();
        m_opponentsAsked.clear();
        m_killedWithNode.clear();
        for (Job& job : m_jobs)
            if (!job.request)
                restart(job);
    });
}

void Pipeline::restart(Job& job)
{
    job.confirmOnly = job.confirmOnly || m_ledger.state().candidate(job.candidate)->stage == Stage::Confirming;
    job.step = Step::Build;
    job.build = {};
    job.passed = {};
}

bool Pipeline::mayMove(const Job& job) const
{
    const auto next = std::ranges::find_if(m_suspects, [this](CandidateId id) { // the seed does not wait for its own
        const auto suspect = std::ranges::find(m_jobs, id, &Job::candidate);
        return suspect == m_jobs.end() || !waitsForSeed(*suspect);
    });
    if (next == m_suspects.end())
        return true;
    return job.candidate == *next && inFlight() == 0 && m_opponentsAsked.empty();
}

bool Pipeline::waitsForSeed(const Job& job) const
{
    return job.step == Step::Screen && isSeedAwaited(m_ledger.state());
}

void Pipeline::enqueue(CandidateId candidate) { m_queue.push_back(candidate); }

void Pipeline::enqueueUnfinished()
{
    for (const Candidate& candidate : m_ledger.state().candidates) {
        const Job* job = jobOf(candidate.id);
        const bool known
            = (job && !job->quick) || std::find(m_queue.begin(), m_queue.end(), candidate.id) != m_queue.end();
        if (!candidate.isOver() && candidate.stage != Stage::Review && !known)
            m_queue.push_back(candidate.id);
    }
    // What was in a build before goes first: it is counted already.
    std::stable_partition(m_queue.begin(), m_queue.end(),
        [this](CandidateId id) { return m_ledger.state().candidate(id)->evaluationNumber > 0; });
}

Pipeline::Job* Pipeline::jobOf(CandidateId candidate)
{
    for (Job& job : m_jobs)
        if (job.candidate == candidate)
            return &job;
    return nullptr;
}

int Pipeline::inFlight() const
{
    return static_cast<int>(
        std::count_if(m_jobs.begin(), m_jobs.end(), [](const Job& job) { return job.request != 0; }));
}

bool Pipeline::isBusy(const std::string& device) const
{
    return std::ranges::any_of(m_jobs, [&](const Job& job) { return job.isOnDevice() && deviceOf(job) == device; });
}

bool Pipeline::onlyDevicesFly() const
{
    const auto onDevices = std::ranges::count_if(m_jobs, &Job::isOnDevice);
    return m_opponentsAsked.empty() && onDevices > 0 && inFlight() == onDevices;
}

PipelineCounts Pipeline::counts() const
{
    PipelineCounts counts;
    counts.queued = static_cast<int>(m_queue.size());
    for (const Job& job : m_jobs) {
        if (!job.request)
            ++counts.queued;
        else if (job.step == Step::Build)
            ++counts.building;
        else if (job.step == Step::Check || job.step == Step::CheckAll)
            ++counts.checking;
        else
            ++counts.measuring;
    }
    return counts;
}

Work Pipeline::workOf(Step step)
{
    switch (step) {
    case Step::Build:
        return Work::Build;
    case Step::Check:
        return Work::Check;
    case Step::Screen:
    case Step::Parent:
        return Work::Screen;
    case Step::CheckAll:
        return Work::CheckAll;
    case Step::Confirm:
        break;
    }
    return Work::Confirm;
}

std::vector<PipelineJob> Pipeline::jobs() const
{
    std::vector<PipelineJob> jobs;
    for (const Job& job : m_jobs)
        jobs.push_back({job.candidate, workOf(job.step), job.request != 0});
    for (const CandidateId candidate : m_queue)
        jobs.push_back({candidate, Work::Build, false});
    return jobs;
}

int Pipeline::room() const
{
    const int builders = m_node.isReady() ? std::max(1, m_node.hello().builders) : 1;
    const int devices = std::max(1, static_cast<int>(m_lanes.size()));
    return std::max(0, builders + devices - static_cast<int>(m_queue.size()) - ahead());
}

/// Jobs that are not yet being measured for the first time. While the machine is too busy to time they are checked all
/// the same, and this keeps them from piling up.
int Pipeline::ahead() const
{
    return static_cast<int>(std::ranges::count_if(m_jobs, [](const Job& job) {
        return job.step == Step::Build || (!job.request && (job.step == Step::Check || job.step == Step::Screen));
    }));
}

void Pipeline::pump()
{
    followDevices();
    startReruns();
    startQueued();
    if (!m_node.isReady())
        return;
    startOnDevices();
    startBuilds();
}

void Pipeline::pumpAll()
{
    m_nothingElse = true;
    pump();
    m_nothingElse = false;
}

void Pipeline::startQueued()
{
    const int builders = m_node.isReady() ? std::max(1, m_node.hello().builders) : 1;
    const int devices = std::max(1, static_cast<int>(m_lanes.size()));
    while (!m_queue.empty() && ahead() < builders + builtAhead * devices - 1) {
        const auto next = std::find_if(m_queue.begin(), m_queue.end(), [this](CandidateId id) { return !jobOf(id); });
        if (next == m_queue.end())
            return; // what was approved in the middle of a quick result goes on after it
        const Candidate* candidate = m_ledger.state().candidate(*next);
        const bool counted = candidate->evaluationNumber > 0;
        if (counted ? !m_admission.counted : m_admission.others <= 0)
            return;
        Job job;
        job.candidate = candidate->id;
        job.confirmOnly = candidate->parents.empty() || candidate->stage == Stage::Confirming;
        m_queue.erase(next);
        if (!counted) {
            --m_admission.others;
            m_ledger.record(events::EvaluationStarted{job.candidate});
        }
        m_jobs.push_back(std::move(job));
    }
}

/// They take no place of the evaluations budget: as with confirmations, what is asked for is measured.
void Pipeline::startReruns()
{
    if (!m_admission.reruns)
        return;
    for (const Rerun& rerun : m_ledger.state().reruns) {
        if (!rerun.isOpen() || jobOf(rerun.candidate))
            continue;
        Job job;
        job.candidate = rerun.candidate;
        job.rerun = rerun.id;
        job.quick = m_ledger.state().candidate(rerun.candidate)->outcome == Outcome::None;
        job.confirmOnly = !job.quick;
        job.bench.device = rerun.device;
        if (!rerun.shapes.empty()) {
            const auto pack = packOn(m_ledger.pack(), rerun.shapes);
            job.bench.task = pack ? m_ledger.keep(pack->blob()) : Hash{};
            if (!pack) {
                m_jobs.push_back(std::move(job));
                return fail(m_jobs.back(), Outcome::RunFailed, pack.error());
            }
        }
        m_jobs.push_back(std::move(job));
    }
}

void Pipeline::startBuilds()
{
    auto building = static_cast<int>(m_opponentsAsked.size());
    for (const Job& job : m_jobs)
        building += job.step == Step::Build && job.request ? 1 : 0;
    const int builders = std::max(1, m_node.hello().builders);
    for (Job& job : m_jobs) {
        if (building >= builders)
            return;
        if (job.step != Step::Build || job.request || !mayMove(job))
            continue;
        send(job);
        ++building;
    }
}

void Pipeline::withdraw(CandidateId candidate)
{
    if (const Job* job = jobOf(candidate); job && job->request)
        m_node.cancel(job->request);
    m_work.drop(candidate);
    std::erase(m_queue, candidate);
    forget(candidate);
}

void Pipeline::withdrawReruns(CandidateId candidate)
{
    const Job* job = jobOf(candidate);
    if (!job || !job->rerun)
        return;
    if (job->request)
        m_node.cancel(job->request);
    m_work.drop(candidate);
    forget(candidate);
}

void Pipeline::sendBack()
{
    for (const Job& job : m_jobs) {
        const Stage stage = m_ledger.state().candidate(job.candidate)->stage;
        if (!job.rerun && (stage == Stage::Building || stage == Stage::Checking || stage == Stage::Screening))
            m_ledger.record(events::StageReached{job.candidate, Stage::Queued});
    }
}

void Pipeline::cancelAll()
{
    for (const Job& job : m_jobs)
        if (job.request)
            m_node.cancel(job.request);
    for (const auto& [opponent, request] : m_opponentsAsked)
        m_node.cancel(request);
    m_opponentsAsked.clear();
    m_work.dropAll();
    m_jobs.clear();
    m_queue.clear();
    m_suspects.clear();
    m_kills.clear();
    m_opponentStrikes.clear();
    for (Lane& lane : m_lanes) {
        lane.lost = false;
        release(lane);
    }
}

void Pipeline::send(Job& job)
{
    job.takenSeen.invalidate();
    if (job.bench.device.empty()) // the record is of the run's own devices
        m_work.begin(job.candidate, workOf(job.step), job.step == Step::Build ? "" : job.lane);
    switch (job.step) {
    case Step::Build:
        return sendBuild(job);
    case Step::Check:
    case Step::CheckAll:
        return sendCheck(job);
    case Step::Screen:
    case Step::Parent:
    case Step::Confirm:
        return sendTime(job);
    }
}

void Pipeline::sendBuild(Job& job)
{
    const RunState& state = m_ledger.state();
    const Candidate* candidate = state.candidate(job.candidate);
    const Hash& task = taskOf(job.bench);
    job.request = m_node.ask(BuildRequest{0, task, candidate->source, deviceOf(job.bench)}, {task, candidate->source},
        [this, id = job.candidate](Result<Reply> reply) { answered(id, std::move(reply)); });
}

void Pipeline::sendCheck(Job& job)
{
    if (job.step == Step::Check && !job.quick)
        m_ledger.record(events::StageReached{job.candidate, Stage::Checking});
    CheckRequest request;
    request.device = deviceOf(job);
    request.task = taskOf(job.bench);
    request.artifact = job.build.artifact;
    request.evaluation = candidateName(job.candidate) + (job.step == Step::Check ? "/check" : "/check-all")
        + (job.rerun ? "-" + std::to_string(job.rerun.value) : "");
    request.all = job.step == Step::CheckAll;
    job.request = m_node.ask(
        request, {request.task}, [this, id = job.candidate](Result<Reply> reply) { answered(id, std::move(reply)); });
}

void Pipeline::sendTime(Job& job)
{
    const RunState& state = m_ledger.state();
    const bool confirming = job.step == Step::Confirm;
    const bool besideParent = job.step == Step::Parent;
    if (job.step == Step::Screen && !job.quick)
        m_ledger.record(events::StageReached{job.candidate, Stage::Screening});
    const auto artifactOf = [&](CandidateId id) {
        return id == job.candidate ? job.build.artifact : m_artifacts.at({id, job.bench});
    };
    job.disturbed = job.blocks = 0;
    const CandidateId against = opponentOf(job);
    if (!besideParent)
        job.against = against;
    if (job.step == Step::Screen) {
        job.parent = parentOf(job);
        if (job.parent && !m_artifacts.contains({job.parent, job.bench}))
            buildOpponent({job.parent, job.bench}); // meanwhile: the device does not wait for it afterwards
    }
    const Candidate* opponent = state.candidate(against);
    TimeRequest request;
    request.device = deviceOf(job);
    request.purpose = job.rerun && !job.quick ? Purpose::Rerun
        : confirming                          ? Purpose::Confirm
        : besideParent                        ? Purpose::Parent
                                              : Purpose::Screen;
    if (job.rerun)
        request.repeats = askedOf(job).repeats;
    request.task = taskOf(job.bench);
    request.candidate = job.build.artifact;
    request.incumbent = artifactOf(against);
    request.baseline = artifactOf(CandidateId{1});
    request.vendor = confirming;
    request.evaluation = candidateName(job.candidate) + "/" + nameOf(request.purpose) + "-"
        + std::to_string(state.evaluations.size() + 1);
    request.incumbentScore = against == CandidateId{1} ? std::optional(Interval{1, 1, 1}) : opponent->score;
    if (!confirming)
        request.stopBelow = screeningFloorOf(state, state.candidate(job.candidate)->island);
    if (m_ledger.pack().task.target == Target::Cuda && !job.rerun && !besideParent)
        request.countAbove = countersWantedAbove(state, job.candidate, request.purpose);
    job.request = m_node.ask(
        request, {request.task}, [this, id = job.candidate](Result<Reply> reply) { answered(id, std::move(reply)); });
}

std::string contestantOf(const Error& error)
{
    return error.evidence.is_object() ? error.evidence.value("contestant", "candidate") : "candidate";
}

std::optional<Error> troubleOfOpponent(const Error& error)
{
    const std::string who = contestantOf(error);
    if (who == "candidate")
        return std::nullopt;
    return Error{"device/opponent",
        "the " + who + ", which candidates are compared with, failed: " + error.code + ", " + error.text,
        who == "vendor" ? "check the vendor library, and whether it supports the task"
                        : "its results may be unreliable: measure it again alone",
        error.evidence};
}

OutsideKills::Advice OutsideKills::note(CandidateId candidate, Work work)
{
    const bool isLast = candidate && ++m_of[candidate] >= ofOne;
    if (++m_inARow[work] >= inARow)
        return Advice::Pause;
    return isLast ? Advice::GiveUp : Advice::Again;
}

void OutsideKills::clear()
{
    m_inARow.clear();
    m_of.clear();
}

} // namespace tilewright
