// SPDX-License-Identifier: GPL-3.0-or-later
// A plausible run made of events, for looking at and testing the window. Its figures are made up; it is never shipped.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/session/engine_door.h"

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
    void note(const std::string& severity, const std::string& text);
    /// The node ended unasked.
    void loseNode(const std::string& reason);
    /// A question that a model or, where `model` is empty, a person is asked about the seed.
    InquiryId ask(const std::string& model, const std::string& prompt);
    /// Its answer, and a candidate from proposal `part` of it; no part: nothing in it applied.
    void answer(InquiryId inquiry, const std::string& reply, int part);
    void learn(const std::string& author, const std::string& text);
    /// A new child of the seed that waits for a review, by the mutator or from an answer; its claim is "+4 %".
    CandidateId awaitReview(const std::vector<std::string>& risks, InquiryId answered = {});
    /// Any other event.
    void record(EventBody body) { put(std::move(body)); }
    /// A re-run of the seed, 2 s later, whose environment says this as well.
    void observe(const nlohmann::json& environment, const std::string& device = "cpu0");
    /// The word on it.
    void decide(CandidateId candidate, Decision decision, const std::string& reason, CandidateId edited = {});

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
    std::map<Hash, std::string> m_texts;
    std::vector<Genome> m_genomes; ///< by candidate
    std::int64_t m_ns = 0;
    std::uint64_t m_draws = 0, m_version = 0;
};

/// A door that answers from a fixture: what was asked is counted, nothing runs.
class RecordedDoor : public ui::EngineDoor
{
    Q_OBJECT

public:
    using EngineDoor::EngineDoor;

    FixtureRun* fixture = nullptr;
    QStringList calls;
    std::optional<NewSession> created;
    Budget budget;
    QStringList proposers;

    void publish(const SnapshotPtr& snapshot) { Q_EMIT published(snapshot); }
    void create(const NewSession& session) override;
    void open(const QString& path) override;
    void close() override;
    void run() override { calls << QStringLiteral("run"); }
    void pause() override { calls << QStringLiteral("pause"); }
    void pauseAndCancel() override { calls << QStringLiteral("pause and cancel"); }
    void step() override { calls << QStringLiteral("step"); }
    void stepIslands() override { calls << QStringLiteral("step islands"); }
    void stop() override { calls << QStringLiteral("stop"); }
    void setBudget(const Budget& wanted) override { budget = wanted; }
    void setProposer(const QString& wanted) override { proposers << wanted; }
    std::vector<std::pair<InquiryId, QString>> answers;
    QStringList insights;
    void answer(InquiryId inquiry, const QString& text) override { answers.emplace_back(inquiry, text); }
    void writeInsights(const QString& text) override { insights << text; }
    void resumeModel(const QString& name) override { calls << QStringLiteral("resume ") + name; }
    void decide(CandidateId candidate, Decision decision, const QString& reason) override;
    void approveEdited(CandidateId candidate, const QString& text, const QString& reason) override;
    struct WantedCheck {
        quint64 tag = 0;
        CandidateId candidate;
        QString text;
        EditAs as = EditAs::Replacement;
    };
    std::vector<WantedCheck> editChecks; ///< all that were asked for
    std::vector<quint64> droppedChecks;
    bool checksAtOnce = true; ///< each text is said to build; else tellCheck() says what it is
    void checkEdit(quint64 tag, CandidateId candidate, const QString& text, EditAs as) override;
    void dropEditCheck(quint64 tag) override { droppedChecks.push_back(tag); }
    void tellCheck(quint64 tag, const EditCheck& check) { Q_EMIT editChecked(tag, check); }
    void undoReview(CandidateId candidate) override;
    std::vector<std::pair<IslandId, QString>> hints;
    void setHints(IslandId island, const QString& text) override { hints.emplace_back(island, text); }
    void setReviewPolicy(PolicyScope scope, ReviewPolicy policy, WhatWaits waiting) override;
    void setReviewLimit(int perIsland) override;
    void saveTemplate(const PromptDraft& draft, const QString& note) override;
    void undoTemplate(IslandId island, const QString& name) override;
    /// As the engine would, over the fixture.
    void previewPrompt(quint64 tag, const PromptDraft& draft) override;
    std::vector<Lever> levers;
    void pull(const Lever& lever) override { levers.push_back(lever); }
    std::vector<IslandOrder> orders;
    void orderIslands(const IslandOrder& order) override { orders.push_back(order); }
    void saveCopy(const QString& path) override;
    void requestText(quint64 tag, const Hash& hash) override;
    struct WantedListing {
        quint64 tag = 0;
        CandidateId candidate;
        std::optional<ListingForm> form;
    };
    std::vector<WantedListing> listings; ///< all that were asked for
    std::vector<quint64> droppedListings;
    void requestListing(quint64 tag, CandidateId candidate, std::optional<ListingForm> form) override
    {
        listings.push_back({tag, candidate, form});
    }
    void dropListing(quint64 tag) override { droppedListings.push_back(tag); }
    void tellListing(quint64 tag, const ListingAnswer& answer) { Q_EMIT listingReady(tag, answer); }
};

} // namespace tilewright::test
