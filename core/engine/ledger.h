// SPDX-License-Identifier: GPL-3.0-or-later
// The run as the engine holds it: the state, and the session file that follows it. Every change goes through record():
// applied to the state at once, written with its group at most 50 ms later. Owner: Engine, on its thread.
#pragma once

#include "core/base/clock.h"
#include "core/llm/redactor.h"
#include "core/model/event.h"
#include "core/store/session_writer.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <unordered_map>
#include <vector>

namespace tilewright {

// The keys that must not get into a session, and the words of users and models without them. Owner: Ledger.

class Secrets
{
public:
    /// Knows the keys of the usual providers, and those that the models file of this proposer names (the user's own,
    /// if another proposer is at work), as far as environment and memory hold them. Those of a keychain are known from
    /// the moment they are handed out.
    explicit Secrets(const std::string& proposer) { learnFrom(proposer); }
    void learnFrom(const std::string& proposer);

    /// The text with every known key redacted, and nothing else touched: for prompts and replies, whose programs may
    /// hold names that merely begin like a key.
    std::string redacted(const std::string& text);
    /// A user's own words, without words that look like a key either.
    std::string personsWords(const std::string& text);
    /// The same for the words of a user or a model that stand in the event itself.
    EventBody redacted(EventBody body);
    RunSettings redacted(RunSettings settings);

private:
    Redactor m_redactor;
    std::size_t m_learned = 0; ///< of KeyRing::known()
};

class Ledger : public QObject
{
    Q_OBJECT

public:
    ~Ledger() override;
    static Result<std::unique_ptr<Ledger>> create(
        const std::string& path, const TaskPack& pack, const RunSettings& settings);
    static Result<std::unique_ptr<Ledger>> open(const std::string& path, const ReplayWatch& watch = {});

    const RunState& state() const { return m_state; }
    const TaskPack& pack() const { return *m_pack; }
    std::shared_ptr<const TaskPack> sharedPack() const { return m_pack; }
    const std::string& path() const { return m_path; }
    const std::string& savedAtUtc() const { return m_savedAtUtc; }

    /// Applies the event and writes it with its group.
    void record(EventBody body);
    /// Keeps a text in the session; its hash.
    Hash keep(const std::string& text);
    /// Keeps what a user or a model said, or what is said to them, without any key that is known.
    Hash keepWords(const std::string& text) { return keep(m_secrets.redacted(text)); }
    /// From now on without the keys that this proposer's models file names, too.
    void learnKeysOf(const std::string& proposer) { m_secrets.learnFrom(proposer); }
    /// A text of the session, "" if it is not there.
    std::string text(const Hash& hash);
    /// A recorded event. Errors: event/….
    Result<Event> event(std::int64_t seq) { return m_writer->event(m_state.run, seq); }
    /// Before anything is told of state(): what waits is written, so that nobody hears of what a kill could still take
    /// back. Where it cannot be written isBehind() says so, and broken() follows.
    void writeBeforeTelling();
    /// Writes now what waits. After an error it still waits and is tried again, until it is written.
    Result<void> flush();
    /// A whole copy of the session, also where its own file is gone. Errors as copySession().
    Result<void> copyTo(const std::string& path);
    /// Whether the last try to write failed: what state() tells is not all in the file.
    bool isBehind() const { return m_behind; }

    ProposalId nextProposal() const { return {static_cast<std::int64_t>(m_state.proposals.size()) + 1}; }
    ModelRequestId nextModelRequest() const { return {static_cast<std::int64_t>(m_state.modelRequests.size()) + 1}; }
    CandidateId nextCandidate() const { return {static_cast<std::int64_t>(m_state.candidates.size()) + 1}; }
    EvaluationId nextEvaluation() const { return {static_cast<std::int64_t>(m_state.evaluations.size()) + 1}; }

Q_SIGNALS:
    void changed();
    /// The file could not be written; what was recorded still waits and is tried again.
    void broken(tilewright::Error error);
    /// All that waited after broken() is in the file.
    void mended();

private:
    Ledger(
        std::string path, std::unique_ptr<SessionWriter> writer, std::shared_ptr<const TaskPack> pack, RunState state);

    std::string m_path;
    std::unique_ptr<SessionWriter> m_writer;
    std::shared_ptr<const TaskPack> m_pack;
    RunState m_state;
    Secrets m_secrets;
    SystemClock m_clock;
    QTimer m_commitTimer;
    std::string m_savedAtUtc;
    bool m_behind = false;
    std::unordered_map<Hash, std::string> m_texts; ///< read lately
};

// What the node is doing for the pipeline at this moment, and the record of it once it ends: one event a piece of work,
// with the run time of its beginning and end. Owner: Pipeline, on the engine's thread.

class WorkLog
{
public:
    /// runTime: nanoseconds this run has been running so far.
    WorkLog(Ledger& ledger, std::function<std::int64_t()> runTime);

    /// It was sent to the node. A candidate has one piece of work under way at a time.
    /// device: the id of the one that it goes to; of a build: nothing.
    void begin(CandidateId candidate, Work work, const std::string& device = {});
    /// Another program still holds the device that it goes to: it begins no earlier than now.
    void waits(CandidateId candidate);
    /// The node answered. workedNs: how long it worked, by its own clock; 0 if it did not say. rule: why the work came
    /// to nothing, or empty. Nothing happens where nothing was under way.
    void end(CandidateId candidate, std::int64_t workedNs, const std::string& rule);
    /// It was dropped.
    void drop(CandidateId candidate) { end(candidate, 0, "cancelled"); }
    void dropAll();
    /// The node measured noise with this candidate, just now and for so long.
    void noise(CandidateId incumbent, const std::string& device, std::int64_t workedNs);

    /// endedNs is 0; startedNs the time it was sent, or was last known to wait for another program: whether it waits
    /// for others of this run, nobody knows yet.
    const std::vector<WorkSpan>& underWay() const { return m_underWay; }

private:
    int freePlace() const;
    void place(WorkSpan& span, const std::string& device) const;

    Ledger& m_ledger;
    std::function<std::int64_t()> m_runTime;
    std::vector<WorkSpan> m_underWay; ///< in the order they were sent
};

} // namespace tilewright
