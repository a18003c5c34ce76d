// SPDX-License-Identifier: GPL-3.0-or-later
// A plausible run made of events, for looking at and testing the window. Its figures are made up; it is never shipped.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/session/engine_client.h"

#include <map>

namespace tilewright::test {

/// Makes a run step by step; each snapshot shares what did not change with the one before.
class FixtureRun
{
public:
    explicit FixtureRun(int islands = 4);
    /// That many further candidates, each with all its events.
    void grow(int candidates);
    SnapshotPtr snapshot(events::Phase phase = events::Phase::Running);
    QString text(const Hash& hash) const;
    const RunState& state() const { return m_state; }
    const std::shared_ptr<const TaskPack>& pack() const { return m_pack; }
    const Event& event(std::int64_t seq) const { return m_events.at(seq); }
    void note(const std::string& severity, const std::string& text);
    /// The node ended unasked.
    void loseNode(const std::string& reason);
    /// A question that a model or, where `model` is empty, a user is asked about the seed.
    ModelRequestId ask(const std::string& model, const std::string& prompt);
    /// Its answer, and a candidate from proposal `part` of it; no part: nothing in it applied.
    void answer(ModelRequestId modelRequest, const std::string& reply, int part);
    void learn(const std::string& author, const std::string& text);
    /// A new child of the seed that waits for a review, by the mutator or from an answer; its claim is "+4 %".
    CandidateId awaitReview(const std::vector<std::string>& risks, ModelRequestId answered = {});
    /// Any other event.
    void record(EventBody body) { put(std::move(body)); }
    /// A re-run of the seed, 2 s later, whose environment says this as well.
    void observe(const nlohmann::json& environment, const std::string& device = "cpu0");
    /// The word on it.
    void decide(CandidateId candidate, Decision decision, const std::string& reason, CandidateId edited = {});
    /// On all of these by one command.
    void decide(const std::vector<CandidateId>& candidates, Decision decision, const std::string& reason);

    /// Whatever else happens.
    void put(EventBody body);
    /// A text that can be asked for.
    Hash store(const std::string& text);

private:
    struct Genome {
        double score = 1;
        int tileRows = 1, tileColumns = 1, kc = 64;
    };
    Candidate childOfSeed(const Genome& genome, ProposalId proposal);
    /// Times in seconds of run time.
    void work(CandidateId candidate, Work work, double from, double to, const std::string& rule);
    void addUnderWay(EngineStatus& status) const;
    std::string sourceOf(const Genome& genome, const std::vector<std::string>& moves) const;
    void addSeed();
    void addCandidate();
    EvaluationResult result(Purpose purpose, const Genome& genome, const Candidate& candidate, double against);
    double noise(double size);

    std::shared_ptr<const TaskPack> m_pack;
    RunState m_state;
    std::map<std::int64_t, Event> m_events; ///< of commands, by seq
    std::map<Hash, std::string> m_texts;
    std::vector<Genome> m_genomes; ///< by candidate
    std::int64_t m_ns = 0;
    std::uint64_t m_draws = 0, m_version = 0;
};

/// A client that answers from a fixture: what was asked is counted, nothing runs.
class RecordedClient : public ui::EngineClient
{
    Q_OBJECT

public:
    using EngineClient::EngineClient;

    FixtureRun* fixture = nullptr;
    QStringList calls;
    std::optional<NewSession> created;
    Budget budget;
    QStringList proposers;

    /// Receipts of commands whose events were recorded meanwhile come first.
    void publish(const SnapshotPtr& snapshot);
    void create(const NewSession& session) override;
    void open(const QString& path) override;
    void close() override;
    /// Written down below. Undo and Redo: the commands that they stand for, over the fixture.
    void execute(quint64 tag, const Command& command) override;
    /// As the engine would, over the fixture; listings by tellListing() alone.
    void ask(quint64 tag, const Query& query) override;
    void drop(quint64 tag) override { dropped.push_back(tag); }

    std::vector<std::pair<ModelRequestId, QString>> answers;
    QStringList insights;
    std::vector<std::pair<IslandId, QString>> hints;
    std::vector<CandidateCommand> candidateCommands;
    std::vector<IslandCommand> orders;
    struct WantedCheck {
        quint64 tag = 0;
        CandidateId candidate;
        QString text;
        EditAs as = EditAs::Replacement;
    };
    std::vector<WantedCheck> editChecks; ///< all that were asked for
    std::vector<quint64> dropped; ///< queries
    bool checksAtOnce = true; ///< each text is said to build; else tellCheck() says what it is
    void tellCheck(quint64 tag, const EditCheck& check) { Q_EMIT answered(tag, check); }
    struct WantedListing {
        quint64 tag = 0;
        CandidateId candidate;
        std::optional<ListingForm> form;
    };
    std::vector<WantedListing> listings; ///< all that were asked for
    void tellListing(quint64 tag, const ListingAnswer& answer) { Q_EMIT answered(tag, answer); }

private:
    void put(const Command& command);
    void put(const commands::Undo& undo, Receipt& receipt);
    void put(const commands::Redo& redo, Receipt& receipt);

    struct Pending {
        quint64 tag = 0;
        std::int64_t seq = 0; ///< of the newest event then
    };
    std::vector<Pending> m_pending; ///< commands whose events are to come
};

} // namespace tilewright::test
