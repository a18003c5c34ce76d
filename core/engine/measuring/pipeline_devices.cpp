// SPDX-License-Identifier: GPL-3.0-or-later
// The run's devices: who goes to which, which of them is held back or left out, and waits for one that another node
// holds.
#include "core/engine/measuring/pipeline.h"

#include "core/evolve/population.h"
#include "core/model/work.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace tilewright {
namespace {

/// How long a device does other work after a confirmation, as a multiple of what that took.
constexpr int workBetweenConfirmations = 2;
constexpr std::chrono::milliseconds firstHold = 2s, longestHold = 60s;
/// A wait for the device that is worth a word; shorter ones happen whenever two runs take turns.
constexpr std::chrono::milliseconds worthAWord{3000};
/// The node tells that it waits every half second; after this long it waits no more.
constexpr qint64 waitsNoMoreMs = 2000;
constexpr int disturbedWorthAWord = 3; ///< blocks of samples: one now and then is nobody's trouble

bool isWaiting(const QElapsedTimer& seen) { return seen.isValid() && !seen.hasExpired(waitsNoMoreMs); }

} // namespace

void Pipeline::followDevices()
{
    const RunState& state = m_ledger.state();
    std::vector<std::string> devices;
    if (!state.device.empty())
        devices.push_back(state.device);
    devices.insert(devices.end(), state.otherDevices.begin(), state.otherDevices.end());
    if (std::ranges::equal(devices, m_lanes, {}, {}, &Lane::device))
        return;
    m_lanes.clear();
    for (const std::string& device : devices) {
        Lane lane;
        lane.device = device;
        lane.hold = std::make_unique<QTimer>();
        lane.hold->setSingleShot(true);
        connect(lane.hold.get(), &QTimer::timeout, this, &Pipeline::moved);
        m_lanes.push_back(std::move(lane));
    }
    for (Job& job : m_jobs)
        if (!laneOf(job.lane))
            job.lane.clear();
}

Pipeline::Lane* Pipeline::laneOf(const std::string& device)
{
    const auto found = std::ranges::find(m_lanes, device, &Lane::device);
    return found == m_lanes.end() ? nullptr : &*found;
}

void Pipeline::startOnDevices()
{
    settleOvertaken();
    std::vector<std::string> devices;
    for (const Lane& lane : m_lanes)
        devices.push_back(lane.device);
    for (const Job& job : m_jobs) // re-runs elsewhere
        if (!job.bench.device.empty() && !std::ranges::count(devices, job.bench.device))
            devices.push_back(job.bench.device);
    for (const std::string& device : devices)
        if (!isBusy(device))
            startOn(device);
}

bool Pipeline::mayStartOn(const Job& job, const std::string& device, const Lane* lane) const
{
    const std::string& place = placeOf(job);
    if (job.request || job.step == Step::Build || !mayMove(job) || (place.empty() ? !lane : place != device)
        || waitsForSeed(job))
        return false;
    if (!lane)
        return true;
    // Where it is too busy to time, whether a program is right needs no quiet.
    const bool isCheck = job.step == Step::Check || job.step == Step::CheckAll;
    return !lane->lost && (!lane->hold->isActive() || (isCheck && !lane->holdsChecks));
}

void Pipeline::startOn(const std::string& device)
{
    const Lane* lane = laneOf(device);
    Job* chosen = nullptr;
    // What has begun on the device is finished first; of those to be confirmed the best.
    const auto isBefore = [this](const Job& job, const Job& other) {
        if (rankOf(job.step) != rankOf(other.step) || job.step != Step::CheckAll)
            return rankOf(job.step) < rankOf(other.step);
        const RunState& state = m_ledger.state();
        return fitnessOf(state, job.candidate) > fitnessOf(state, other.candidate);
    };
    for (Job& job : m_jobs)
        if (mayStartOn(job, device, lane) && mayConfirm(job, lane) && (!chosen || isBefore(job, *chosen)))
            chosen = &job;
    if (!chosen || !haveOpponents(*chosen))
        return;
    if (chosen->bench.device.empty())
        chosen->lane = device;
    send(*chosen);
}

/// Rank on a device: what stands before its figures first, then who is to be confirmed, then who is new.
int Pipeline::rankOf(Step step)
{
    switch (step) {
    case Step::Screen:
    case Step::Parent:
    case Step::Confirm:
        return 0;
    case Step::CheckAll:
        return 1;
    case Step::Check:
    case Step::Build:
        break;
    }
    return 2;
}

bool Pipeline::mayConfirm(const Job& job, const Lane* lane) const
{
    if (job.step != Step::CheckAll || job.rerun || job.confirmOnly || !lane || m_runTime() >= lane->confirmsAgainNs)
        return true;
    if (!m_suspects.empty()) // it goes alone, and nothing else moves until it is done
        return true;
    const bool othersComing = std::ranges::any_of(m_jobs, [](const Job& other) {
        return !other.rerun && (other.step == Step::Build || other.step == Step::Check || other.step == Step::Screen);
    });
    return m_nothingElse && !othersComing && (m_queue.empty() || m_admission.others <= 0);
}

bool Pipeline::isOvertaken(const Job& job) const
{
    const RunState& state = m_ledger.state();
    const bool waits
        = (job.step == Step::CheckAll || job.step == Step::Confirm) && !job.request && !job.rerun && !job.confirmOnly;
    const Candidate* candidate = state.candidate(job.candidate);
    return waits && job.against != state.incumbent && candidate->score
        && candidate->score->hi <= fitnessOf(state, state.incumbent);
}

void Pipeline::settleOvertaken()
{
    for (;;) {
        const auto job = std::ranges::find_if(m_jobs, [this](const Job& one) { return isOvertaken(one); });
        if (job == m_jobs.end())
            return;
        settle(job->candidate);
    }
}

const std::string& Pipeline::deviceOf(const Job& job) const
{
    const std::string& place = placeOf(job);
    return place.empty() ? m_ledger.state().device : place;
}

void Pipeline::vacate(const Lane& lane)
{
    for (Job& job : m_jobs)
        if (!job.isOnDevice() && job.lane == lane.device)
            job.lane.clear();
}

bool Pipeline::leaveOut(Lane& lane, const Error& why)
{
    lane.lost = true;
    vacate(lane);
    if (std::ranges::all_of(m_lanes, &Lane::lost))
        return false;
    Q_EMIT leftOut(lane.device, why);
    return true;
}

void Pipeline::hold(Lane& lane, const Error& error)
{
    const auto pause = std::min(firstHold * (1 << std::min(lane.holds, 10)), longestHold);
    const bool isExplained
        = error.evidence.is_object() && error.evidence.contains("because") && error.evidence.at("because").is_string();
    const std::string because = isExplained ? error.evidence.at("because").get<std::string>() : error.text;
    const bool isUnusable = error.code != "time/unstable";
    const bool isNews = lane.holds++ == 0 || isUnusable != lane.holdsChecks;
    lane.holdsChecks = isUnusable;
    lane.why = error;
    lane.hold->start(pause);
    vacate(lane);
    if (!isNews)
        return;
    const Error told = isUnusable
        ? error
        : Error{"machine/busy", "the machine is too busy to time (" + because + ")",
            "stop other work on this machine, use smaller shapes, or another device; the run tries again by itself. "
            "Until then candidates are proposed, built and checked, and reviews are possible",
            nullptr};
    if (std::ranges::any_of(m_lanes, &Lane::isUsable))
        Q_EMIT leftOut(lane.device, told);
    else
        Q_EMIT held(told);
}

void Pipeline::noteConfirmed(Lane& lane, std::int64_t wallNs)
{
    lane.confirmsAgainNs = m_runTime() + workBetweenConfirmations * wallNs;
}

bool Pipeline::release(Lane& lane)
{
    lane.hold->stop();
    if (std::exchange(lane.holds, 0) == 0)
        return false;
    Q_EMIT released();
    return true;
}

std::optional<Pipeline::Struggle> Pipeline::struggle() const
{
    const auto isTooBusy = [](const Lane& lane) { return lane.lost || (lane.holds > 0 && !lane.holdsChecks); };
    const auto most = std::ranges::max_element(m_lanes, {}, &Lane::holds);
    if (most == m_lanes.end() || most->holds == 0 || !std::ranges::all_of(m_lanes, isTooBusy))
        return std::nullopt;
    return Struggle{most->holds, most->why};
}

std::optional<std::chrono::nanoseconds> Pipeline::triesAgainIn() const
{
    std::optional<std::chrono::nanoseconds> soonest;
    for (const Lane& lane : m_lanes) {
        if (lane.lost)
            continue;
        if (!lane.hold->isActive())
            return std::nullopt;
        const std::chrono::nanoseconds left = lane.hold->remainingTimeAsDuration();
        soonest = std::min(soonest.value_or(left), left);
    }
    return soonest;
}

void Pipeline::noteProgress(const Progress& progress)
{
    const auto job = std::ranges::find(m_jobs, progress.id, &Job::request);
    if (job == m_jobs.end() || progress.id == 0)
        return;
    if (progress.stage.starts_with(disturbedStage)) {
        job->disturbedBy = progress.stage.substr(disturbedStage.size());
        job->disturbed = static_cast<int>(progress.done);
        job->blocks = static_cast<int>(progress.of);
    }
    if (progress.stage != waitingStage) {
        job->takenSeen.invalidate();
        return;
    }
    if (!isWaiting(job->takenSeen)) {
        job->takenSince.start();
        job->takenTold = false;
    }
    job->takenSeen.start();
    m_work.waits(job->candidate);
    const std::chrono::milliseconds since(job->takenSince.elapsed());
    if (since >= worthAWord && !std::exchange(job->takenTold, true))
        Q_EMIT deviceTaken();
}

std::optional<Pipeline::Disturbance> Pipeline::disturbance() const
{
    for (const Job& job : m_jobs)
        if (job.isOnDevice() && job.disturbed >= disturbedWorthAWord && 4 * job.disturbed >= job.blocks)
            return Disturbance{job.disturbedBy, job.disturbed, job.blocks};
    return std::nullopt;
}

std::optional<std::chrono::nanoseconds> Pipeline::deviceTakenFor() const
{
    std::optional<std::chrono::nanoseconds> longest;
    for (const Job& job : m_jobs) {
        if (!job.isOnDevice())
            continue;
        if (!isWaiting(job.takenSeen))
            return std::nullopt;
        const std::chrono::milliseconds since(job.takenSince.elapsed());
        longest = std::max<std::chrono::nanoseconds>(longest.value_or(since), since);
    }
    return longest && *longest >= worthAWord ? longest : std::nullopt;
}

} // namespace tilewright
