// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine publishes: an immutable picture of the run and of the engine itself, at most ten a second.
// May be read from any thread.
#pragma once

#include "core/model/requests/model_status.h"
#include "core/model/run_state.h"
#include "core/model/work.h"
#include "core/prompt/prompt_statistics.h"
#include "core/protocol/messages.h"

#include <memory>
#include <string>

namespace tilewright {

/// A device of the node that answers now.
struct DeviceStatus {
    HelloReply::Device device;
    std::optional<Telemetry> telemetry; ///< its newest word; none before the first
    bool measures = false; ///< this session is measured on it
};

struct EngineStatus {
    bool sessionOpen = false;
    std::string sessionPath;
    std::string savedAtUtc; ///< last commit to the session file
    bool unsaved = false; ///< the session file cannot be written: what happened since waits and is tried again
    bool readOnly = false; ///< recorded session without a node, or locked by another writer, or not read to its end yet
    /// Share of the record that was read so far, while a session is being opened: what is seen is not all of it.
    std::optional<double> opening;
    events::Phase phase = events::Phase::Created;
    bool pausing = false; ///< asked to pause; what flies is finished first
    bool pausedAsTold = false; ///< paused by a user's word, which was to pause or to do one step; nothing is amiss
    std::int64_t runNs = 0; ///< including the stretch that is running now, without waits for a user alone
    int proposing = 0, building = 0, checking = 0, measuring = 0, queued = 0; ///< jobs by stage
    std::string deviceName, isolation; ///< of the node; empty before its greeting
    std::optional<Telemetry> telemetry;
    std::string trouble, troubleHint; ///< why nothing runs: no node, session locked, …; empty if all is well
    /// Why nothing can be measured here: the session's device is not on this machine. It can be looked at all the same.
    /// Empty where the device is here, and before the node told.
    std::string elsewhere;
    /// A budget is used up (which one: run.phaseCode): run() alone would end the run again at once; setBudget() first.
    bool needsBudget = false;
    /// What a run that goes on waits for before it can, and until when: "waiting for 3 replies", "waiting: the machine
    /// is too busy to time (…); trying again in 8 s". Empty if it does not wait.
    std::string waiting;
    std::string waitingCode; ///< "machine/busy", "device/taken", "node/lost", "replies"; empty if it does not wait
    std::string troubleCode; ///< "session/locked", "node/missing", …
    double evaluationsPerMinute = 0; ///< results, over the last rateNs; 0 while the run rests or waits for a user
    static constexpr std::int64_t longestRateNs = 60'000'000'000;
    std::int64_t rateNs = longestRateNs; ///< run time, since the run was opened where that is shorter
    std::vector<ModelRequestId> openModelRequests; ///< out now; those of a user wait for Engine::answer()
    bool answersByHand = false; ///< they wait for a user
    std::vector<ModelStatus> models; ///< the ensemble, in the order of its file
    std::map<IslandId, std::string> islandTrouble; ///< models that hold an island up: "writer: 3 failures, waiting 8 s"
    std::vector<IslandId> mutatorOnly; ///< islands where it stands in for models that do not answer
    std::vector<std::string> notices; ///< since the run was opened: "0007.reply.md cannot be read: …"
    std::int64_t reservedTokens = 0; ///< what the requests in flight can use at most
    std::vector<DeviceStatus> devices; ///< of the node; empty before its greeting, and where there is no node
    int builders = 0; ///< builds that the node runs side by side; 0 before its greeting
    std::vector<PipelineJob> jobs; ///< candidates on the way, in the order of their turns
    std::vector<WorkSpan> work; ///< what the node does for this run now: endedNs is 0
    std::string recovered; ///< "Recovered 312 evaluations, 1 was incomplete." after opening, else empty
};

struct Snapshot {
    std::uint64_t version = 0; ///< grows by one with each published snapshot
    RunState run;
    EngineStatus status;
    std::shared_ptr<const TaskPack> pack; ///< null while no session is open
    /// Acceptance, build rate and gain by template version and by model; at most a second old. Null without a session.
    std::shared_ptr<const RunStatistics> statistics;
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace tilewright
