// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates on their way through the node: build → check → review → screen → (better: check all → confirm) → settled.
// Several builds at a time, one check or timing a device; a run may have several devices of one kind, and whatever is
// paired is timed on one of them. A device that cannot be used is left out while others can. Who waits for a review
// leaves the pipeline, and comes again when it is approved: its build is found again. Owner: Engine, on its thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/engine/ledger.h"
#include "core/engine/measuring/node_connection.h"
#include "core/engine/proposals/review_gate.h"
#include "core/evolve/islands.h"
#include "core/model/work.h"

#include <QElapsedTimer>
#include <QTimer>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace tilewright {

// Processes that somebody else ended while they worked for a run: when one more try is due, when the run had better
// pause, and when it is always the same program's, so that the others need not wait for it. Pure; owner: Pipeline.

class OutsideKills
{
public:
    enum class Advice { Again, Pause, GiveUp };
    static constexpr int inARow
        = 3; ///< with no work of that kind between them: it is the machine's, whoever's turn it was
    static constexpr int ofOne = 5; ///< of one candidate, while that of others came to its end

    /// One more was ended, at this work on the candidate; of no candidate's if the id is 0.
    Advice note(CandidateId candidate, Work work);
    /// Work of this kind came to its end.
    void finished(Work work) { m_inARow.erase(work); }
    void forget(CandidateId candidate) { m_of.erase(candidate); }
    /// The run pauses: what comes after it counts anew.
    void clear();

private:
    std::map<Work, int> m_inARow;
    std::map<CandidateId, int> m_of;
};

struct PipelineCounts {
    int queued = 0, building = 0, checking = 0, measuring = 0;
};

class Pipeline : public QObject
{
    Q_OBJECT

public:
    /// runTime: nanoseconds this run has been running so far.
    Pipeline(Ledger& ledger, NodeConnection& node, ReviewGate& gate, std::function<std::int64_t()> runTime);

    void enqueue(CandidateId candidate);
    /// Candidates of the record that are not over and wait for nobody, once each: after opening, after cancelAll(),
    /// when some were approved.
    void enqueueUnfinished();
    /// What may begin: what a user wants measured again, candidates that are counted already, and how many others.
    struct Admission {
        bool reruns = false, counted = false;
        std::int64_t others = 0;
    };
    /// From here on; nothing before it was said.
    void admit(const Admission& admission) { m_admission = admission; }
    /// Moves what can move.
    void pump();
    /// The same, once everybody who could bring more has been asked: what waits until nothing else is coming may go.
    void pumpAll();
    /// Takes one out that has not been measured, wherever it is.
    void withdraw(CandidateId candidate);
    /// What measures it again, and nothing else of it: it may be in the queue for its verdict by now.
    void withdrawReruns(CandidateId candidate);
    /// Who is on the way to a first result is queued again in the record, as cancelAll() follows.
    void sendBack();
    /// Forgets everything in flight and tells the node to drop it.
    void cancelAll();

    /// Room for new candidates ahead of the device.
    int room() const;
    bool isIdle() const { return m_jobs.empty(); } ///< nothing in flight; the queue may hold candidates
    /// Nothing moves: the machine was too busy to measure, and it is tried again in a while.
    bool isHeld() const { return triesAgainIn() && inFlight() == 0; }
    /// What came of timing on a machine that is too busy for it, as long as none of the run's devices could be timed
    /// on.
    struct Struggle {
        int tries = 0; ///< in a row, on the device that was tried most
        Error last; ///< why the last of them was given up
    };
    std::optional<Struggle> struggle() const;
    /// Time until a device is tried again; none while one is not held back.
    std::optional<std::chrono::nanoseconds> triesAgainIn() const;
    /// How long the node has been waiting for devices that other nodes hold; none if it works on one, or not for long.
    std::optional<std::chrono::nanoseconds> deviceTakenFor() const;
    /// Blocks of samples that other work on the machine disturbed and that are taken again, of those of the timing that
    /// is under way; none where hardly any is.
    struct Disturbance {
        std::string by; ///< "the host used time of this core"
        int disturbed = 0, blocks = 0;
    };
    std::optional<Disturbance> disturbance() const;
    /// Nothing is under way but what is on devices, or waits for them there.
    bool onlyDevicesFly() const;
    std::size_t queued() const { return m_queue.size(); } ///< candidates that have not begun
    PipelineCounts counts() const;
    /// Who is on the way, in the order of their turns.
    std::vector<PipelineJob> jobs() const;
    /// What the node is doing now.
    const std::vector<WorkSpan>& work() const { return m_work.underWay(); }

Q_SIGNALS:
    void settled(tilewright::CandidateId candidate);
    /// An answer came: there may be room for more.
    void moved();
    /// The session cannot go on: the seed failed, or the device is lost.
    void halted(const tilewright::Error& error);
    /// The node's machine cannot do the work (machine/…), or the task itself is wrong (task/…): nothing of it is the
    /// candidates' doing, and the run pauses.
    void hindered(tilewright::Error error);
    /// The machine is too busy to measure on (machine/busy), or the device cannot be used for a while (device/…): what
    /// waits for the device is tried again. All of the run's devices are.
    void held(tilewright::Error reason);
    /// The same for one of several devices, or it is lost: the others go on.
    void leftOut(const std::string& device, const tilewright::Error& reason);
    /// A device is not held back any more.
    void released();
    /// A measurement succeeded after the machine had been too busy.
    void measuresAgain();
    /// Another node has held a device for a while.
    void deviceTaken();

private:
    enum class Step { Build, Check, Screen, Parent, CheckAll, Confirm };
    /// What a program is built for: a task's shapes and a device. Empty ones: the run's own.
    struct Bench {
        Hash task;
        std::string device;
        auto operator<=>(const Bench&) const = default;
        bool isUsual() const { return task.isNull() && device.empty(); }
    };
    using Built = std::pair<CandidateId, Bench>;
    struct Job {
        CandidateId candidate;
        Step step = Step::Build;
        std::int64_t request = 0; ///< in flight, 0 if it waits for its turn
        BuildReply build;
        PassedChecks passed; ///< of its last check
        RerunId rerun; ///< it is measured again; its figures and its place stay
        Bench bench; ///< on what, unlike the run's own candidates
        bool quick = false; ///< a re-run of what waits for a user's word: a first check and a screening, no more
        CandidateId against; ///< what the last screening, confirmation or re-run paired it with
        CandidateId parent; ///< what it is timed beside after its screening; none: nothing would be learned
        EvaluationResult screened; ///< of its screening, while it is timed beside its parent
        bool confirmOnly = false; ///< the seed, and what was screened before the last opening
        std::string lane; ///< id of the run's device that it is measured on; empty: of any
        QElapsedTimer takenSince, takenSeen; ///< the device by another node: first and last word of it
        bool takenTold = false;
        std::string disturbedBy; ///< in words
        int disturbed = 0, blocks = 0; ///< blocks of samples of its timing that did not count, and all of them

        bool isOnDevice() const { return request != 0 && step != Step::Build; }
    };
    /// One of the run's devices.
    struct Lane {
        std::string device;
        std::unique_ptr<QTimer> hold; ///< while it runs nothing is timed there
        int holds = 0; ///< in a row
        Error why; ///< of the last of them
        bool holdsChecks = false; ///< nothing at all can be done there, not only no timing
        bool lost = false; ///< until the node greets again, or the run is gone on with
        int noiseUntold = 0; ///< measurements of the noise floor that no event has counted yet
        std::int64_t confirmsAgainNs = 0; ///< run time from which on it confirms even where there is other work

        bool isUsable() const { return !lost && !hold->isActive(); }
    };

    Job* jobOf(CandidateId candidate);
    void restart(Job& job);
    /// Suspects go first and alone; everyone else waits for them.
    bool mayMove(const Job& job) const;
    /// All that it needs yet is to be timed beside the seed, which is not measured itself.
    bool waitsForSeed(const Job& job) const;
    int inFlight() const;
    /// Makes the lanes those of the run's devices.
    void followDevices();
    Lane* laneOf(const std::string& device);
    /// Where it is measured; empty: where there is room.
    static const std::string& placeOf(const Job& job) { return job.bench.device.empty() ? job.lane : job.bench.device; }
    bool isBusy(const std::string& device) const;
    /// Whether a confirmation is due: they take a share of a device's time where there is other work for it.
    bool mayConfirm(const Job& job, const Lane* lane) const;
    /// Who waits to be confirmed and is clearly behind an incumbent that it was not timed beside needs it no more.
    void settleOvertaken();
    bool isOvertaken(const Job& job) const;
    void noteConfirmed(Lane& lane, std::int64_t wallNs);
    static int rankOf(Step step);
    void startBuilds();
    int ahead() const;
    void startQueued();
    void startReruns();
    /// What the job is timed beside: whom it is paired with, and the baseline.
    CandidateId opponentOf(const Job& job) const;
    void startOnDevices();
    void startOn(const std::string& device);
    bool mayStartOn(const Job& job, const std::string& device, const Lane* lane) const;
    /// Artefacts a timing is paired with; builds what this node does not have yet. False until they are there.
    bool haveOpponents(const Job& job);
    void buildOpponent(const Built& opponent);
    void opponentFailed(const Built& opponent, const Error& error);
    /// A re-run on other shapes or another device ends without a verdict; the run goes on.
    void giveUpReruns(const Built& opponent, const std::string& why);
    const Hash& taskOf(const Bench& bench) const;
    /// What programs are built for.
    const std::string& deviceOf(const Bench& bench) const;
    /// What the job is measured on.
    const std::string& deviceOf(const Job& job) const;
    /// What was asked of a job that measures again.
    const Rerun& askedOf(const Job& job) const;
    /// Its results on shapes that were chosen are told apart as the task's.
    void nameSplits(EvaluationResult& result) const;
    void noteProgress(const Progress& progress);

    void send(Job& job);
    void sendBuild(Job& job);
    void sendCheck(Job& job);
    void sendTime(Job& job);
    void answered(CandidateId candidate, Result<Reply> reply);
    void failed(Job& job, const Error& error);
    /// A process that worked on it, or the node, was ended by somebody else: once more, behind those that wait, but not
    /// for ever.
    void killed(Job& job, const Error& error);
    /// Not the candidate's fault: the same again after a pause that grows while it helps nothing, or on another device.
    void hold(Lane& lane, const Error& error);
    bool release(Lane& lane); ///< whether it was held
    /// Another of the run's devices takes over what this one was to do. False where there is none.
    bool leaveOut(Lane& lane, const Error& why);
    /// Who waits for this device may go to any.
    void vacate(const Lane& lane);
    void built(Job& job, const BuildReply& reply);
    CandidateId measuredTwin(const Job& job) const;
    void checked(Job& job, const CheckReply& reply);
    void timed(Job& job, const TimeReply& reply);
    /// What the program of a reply is to be timed beside after its screening: its parent, where that is neither the
    /// seed nor what it is screened against.
    CandidateId parentOf(const Job& job) const;
    bool isTimedBesideParent(const Job& job, const EvaluationResult& screened) const;
    /// Records the screening that waited for the figures beside the parent, with them or without.
    void screeningEnded(Job& job, const EvaluationResult* besideParent);
    /// Ends what waits to be timed beside this parent, which cannot be built any more.
    void doWithoutParent(CandidateId parent);
    void advance(Job& job, Step next);
    /// Records a result; `purpose` tells which pass it belongs to.
    void evaluated(const Job& job, EvaluationResult result);
    /// Ends the job with this outcome; why.code is its rule.
    void fail(Job& job, Outcome outcome, const Error& why);
    void settle(CandidateId candidate);
    void takePlaces(CandidateId candidate);
    void resetStagnating(IslandId island);
    void cutNichesAnew();
    void forget(CandidateId candidate);
    void noteNoise(Lane& lane, const TimeReply& reply);
    /// Why the GPU's counters are not read beside measurements, once.
    void noteMissingCounters(const EvaluationResult& result);
    static Work workOf(Step step);

    Ledger& m_ledger;
    NodeConnection& m_node;
    ReviewGate& m_gate;
    std::function<std::int64_t()> m_runTime;
    WorkLog m_work;
    std::deque<CandidateId> m_queue;
    std::deque<Job> m_jobs; ///< oldest first
    std::map<Built, Hash> m_artifacts; ///< what the present node process has built
    std::map<Built, std::int64_t> m_opponentsAsked; ///< to be built for a timing of another: the request
    std::map<CandidateId, int> m_strikes; ///< times the node died with this candidate in flight
    OutsideKills m_kills;
    std::set<Work> m_killedWithNode; ///< kinds of work that the last end of the node was counted for
    std::set<CandidateId> m_suspects; ///< in flight at a death and not cleared since: they go alone
    Admission m_admission;
    bool m_nothingElse = false; ///< within pumpAll()
    bool m_areCountersMissed = false; ///< and the log says why
    std::map<Built, int> m_opponentStrikes; ///< times in a row that its build was not even tried to the end
    std::vector<Lane> m_lanes; ///< of the run's devices, the first one first
};

// Programs that a candidate is timed beside: what fails of them is no fault of the candidate. Pure.

/// Which of the programs that were timed together an error is about: "candidate", "incumbent", "baseline", "vendor", …
std::string contestantOf(const Error& error);

/// device/opponent for an error of a program other than the candidate; nothing for one of the candidate.
std::optional<Error> troubleOfOpponent(const Error& error);

} // namespace tilewright
