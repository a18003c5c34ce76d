// SPDX-License-Identifier: GPL-3.0-or-later
// Language models that answer prompts: the proposer `model`. Chooses one for each question (weights of the island,
// bandit, who may be asked at all), holds the budgets of tokens and money before each try with the worst case, and
// tells how each model does. What it knows between two starts is in the run's record; here lives what is in flight.
// Owner: Correspondence, on the engine's thread.
#pragma once

#include "core/llm/ensemble.h"
#include "core/llm/model_client.h"
#include "core/proposer/correspondent.h"

#include <QTimer>

namespace tilewright {

class ModelCorrespondent final : public Correspondent
{
public:
    explicit ModelCorrespondent(ModelsFile models);
    ~ModelCorrespondent() override;

    std::string name() const override { return "model"; }
    void open(Mailbox mailbox) override;
    int capacity() const override { return m_models.mostInFlight; }
    PromptRoom promptRoom(IslandId island) const override;
    /// Errors: wait/models (all that may be asked rest or are busy), wait/budget (what flies may leave enough),
    /// llm/no-model (all are paused), budget/tokens, budget/cost.
    Result<Addressee> reserve(const Question& question) override;
    Result<void> send(const Letter& letter) override;
    bool isAwaited() const override { return true; }
    bool isPaid() const override { return true; }
    bool writesSummaries() const override { return true; }
    std::vector<std::pair<InquiryId, Response>> abandon() override;
    std::optional<Response> readBody(const Inquiry& inquiry, const std::string& bytes) override;
    void learn(const Inquiry& inquiry, double gain, int parts) override;
    void resume(const std::string& model) override;
    std::vector<ModelStatus> models() const override;
    std::int64_t reservedTokens() const override { return m_reservedTokens; }

private:
    /// A request under way.
    struct Flight {
        InquiryId inquiry;
        std::string model;
        WorstCase worst; ///< of one try
        int tries = 0; ///< begun
        std::chrono::nanoseconds lastSign{0}; ///< when it was sent, or said something
        std::string trouble; ///< why its last try failed; empty while one is under way
        std::chrono::nanoseconds triesAgainAt{0};
    };

    EnsembleState ensemble() const;
    void noteArms(const EnsembleState& after);
    /// The island's own weights, by its letter or name.
    std::map<std::string, double> weightsOf(IslandId island) const;
    /// Weights of the models that have room; those of all islands if the island's own cannot be asked.
    Result<std::string> chosen(const Question& question);
    /// The one whose answer can cost least of those with a weight that may be asked now; before those whose price
    /// nobody knows, and of these the first. "" if nobody can be asked now.
    std::string cheapest(const Question& question, std::size_t bytes) const;
    bool hasRoom(const std::string& model) const;
    /// How long our own limits hold a request back that has so many bytes.
    std::chrono::nanoseconds paceWait(const std::string& model, std::size_t bytes) const;
    int inFlight(const std::string& model) const;
    bool mayBeAsked(const std::string& model) const;
    /// Nothing if a request with this worst case fits beside what was used and what flies.
    Result<void> afford(const WorstCase& worst) const;
    Result<void> admit(const ModelRequest& request, const WorstCase& worst);
    void reserve(const WorstCase& worst);
    void release(const Flight& flight);
    Flight* flightOf(ModelCallId call);
    void finished(const ModelReply& reply);
    void wakeWhenRested();
    void describeFlights(ModelStatus& status) const;
    std::vector<IslandId> islandsAsking(const std::string& model) const;

    ModelsFile m_models;
    SystemAlarmClock m_clock;
    KeyRing m_keys;
    Mailbox m_mailbox;
    std::unique_ptr<ModelClient> m_client;
    std::map<ModelCallId, Flight> m_flights;
    std::int64_t m_reservedTokens = 0;
    double m_reservedUsd = 0;
    QTimer m_tick; ///< while something flies or rests: figures that change by themselves
    Alarm m_rested, m_paced; ///< ring when one that rests, or is held back by our own limits, may be asked
};

} // namespace tilewright
