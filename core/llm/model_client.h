// SPDX-License-Identifier: GPL-3.0-or-later
// Asks models and tells what came of it. The one door of this room; owner: the engine; thread: the engine's event loop.
// Nothing here waits, and nothing is emitted before the call that caused it has returned.
//
// How the engine uses it:
//  1. Choose a model (ensemble.h), fill a ChatRequest; `conversation` names what the answer belongs to.
//  2. worstCaseOf(request) against the budgets (budget.h): Spending::reserve before submit(). The gate set by setGate()
//     is asked again before every single attempt, because a retry can cost as much as the first try.
//  3. submit() returns an id that grows; store {id, request} before returning to the event loop. A session that finds
//  an
//     id without a finished() knows that this call was under way when the program ended: its cost is unknown, its
//     sample is asked for anew.
//  4. received(raw): the body of a 2xx reply as it came, whole or broken. STORE IT BEFORE ANYTHING ELSE (synchronously,
//     `synchronous=FULL`): it was paid for. readStored() makes the same reply of it again after a crash. Comes once for
//     every attempt that got such a body, always before finished().
//  5. finished(reply): exactly once for each id, unless the client is destroyed first. Only Complete, Truncated and
//     Refused replies hold answers to work with; of an Incomplete one the text is evidence and must never be applied.
//     Spending::settle with reply.spent() and reply.usd, then ensemble's after() with the outcome.
//  6. cancel(id) at any point: finished() follows with state Cancelled and whatever was used until then.
// No key stands in any of these values: every text is redacted before it leaves this room.
#pragma once

#include <QObject>
#ifndef Q_MOC_RUN
#include "core/llm/alarm_clock.h"
#include "core/llm/announced_limits.h"
#include "core/llm/failure.h"
#include "core/llm/keys.h"
#include "core/llm/models_file.h"
#include "core/llm/network_lanes.h"
#include "core/llm/protocol.h"
#include "core/llm/redactor.h"

#include <deque>
#include <memory>
#include <set>
#endif

namespace tilewright {

class CallRun;

/// How far a streamed reply has come: for the screen only.
struct ModelProgress {
    ModelCallId id;
    int attempt = 1;
    std::int64_t bytes = 0, textBytes = 0, reasoningBytes = 0;
};

/// A try failed, and the next one comes after a while.
struct ModelPause {
    ModelCallId id;
    int failed = 1; ///< tries so far
    std::chrono::milliseconds wait{0};
    std::string text; ///< why the last one failed
    bool wasFree = false; ///< nobody can have charged for it
};

class ModelClient : public QObject
{
    Q_OBJECT

public:
    using Gate = std::function<Result<void>(const ChatRequest&, const WorstCase&)>;

    /// `seed` makes the jitter of pauses repeatable. Clock and keys outlive the client.
    ModelClient(ModelsFile models, AlarmClock& clock, KeyRing& keys, std::uint64_t seed, QObject* parent = nullptr);
    /// Ends every call without a further signal.
    ~ModelClient() override;

    ModelCallId submit(const ChatRequest& request);
    /// Nothing happens for an id that is finished or unknown.
    void cancel(ModelCallId id);
    void cancelAll();
    /// Ends every call at once and silently; what is known of each. Never from inside one of the signals below.
    std::vector<ModelReply> abandonAll();
    /// Submitted and not finished, waiting ones included.
    int open() const { return static_cast<int>(m_runs.size()); }

    void setGate(Gate gate) { m_gate = std::move(gate); }
    void setRetryRules(const RetryRules& rules) { m_retry = rules; }

    const ModelsFile& models() const { return m_models; }
    /// How long our own limits of this model's endpoint, or those that its server told, hold back one more request with
    /// a prompt of so many bytes; 0: it goes out now.
    std::chrono::nanoseconds paceWait(const std::string& model, std::size_t promptBytes) const;
    /// What the server told that holds a further request back, for a user; "" if nothing does.
    std::string serversHold(const std::string& model, std::size_t promptBytes) const;
    /// What the server of this model told of its limits, as long as it holds.
    std::vector<ServerLimit> serverLimits(const std::string& model) const;
    /// The model's table as requests use it now, refused parameters left out.
    Capabilities capabilitiesOf(const std::string& model) const;
    WorstCase worstCaseOf(const ChatRequest& request) const;
    TokenEstimator estimatorOf(const std::string& model) const;

Q_SIGNALS:
    /// An attempt goes out. number counts from 1; what came of it stands in the reply.
    void attempted(tilewright::ModelCallId id, int number);
    void pausing(const tilewright::ModelPause& pause);
    void progressed(const tilewright::ModelProgress& progress);
    void received(const tilewright::RawReply& raw);
    void finished(const tilewright::ModelReply& reply);

private:
    friend class CallRun;
    void startWaiting();
    void runEnded(ModelCallId id);
    int liveAt(const std::string& endpoint) const;
    Pace& paceOf(const ModelEndpoint& endpoint);
    /// Until a request of this size may go out, by both kinds of limits.
    std::chrono::nanoseconds waitAt(const ModelEndpoint& endpoint, std::int64_t tokens, PaceLoad ahead = {}) const;
    /// It goes out now.
    void countAt(const ModelEndpoint& endpoint, const PaceLoad& load);

    ModelsFile m_models;
    AlarmClock& m_clock;
    KeyRing& m_keys;
    std::uint64_t m_seed;
    RetryRules m_retry;
    Gate m_gate;
    Redactor m_redactor;
    std::map<std::string, TokenEstimator> m_estimators;
    NetworkLanes m_lanes;
    std::map<std::string, Pace> m_paces; ///< by endpoint
    std::map<std::string, AnnouncedLimits> m_announced; ///< by endpoint
    Alarm m_paced; ///< rings when the first of those that are held back may go
    std::map<ModelCallId, std::unique_ptr<CallRun>> m_runs;
    std::deque<ModelCallId> m_waiting;
    std::int64_t m_lastId = 0;
};

/// What a stored body says: the same answers, state and reported usage that finished() gave (times and attempts are not
/// in it).
ModelReply readStored(const RawReply& raw, const ModelSpec& spec);

} // namespace tilewright
