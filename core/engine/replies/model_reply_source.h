// SPDX-License-Identifier: GPL-3.0-or-later
// Language models that answer prompts: the proposer `model`. Chooses one for each question (weights of the island,
// bandit, who may be asked at all, whose answer the budgets cover), holds these before each try with the worst case,
// and tells how each model does. What it knows between two starts is in the run's record; here lives what is in flight.
// Owner: ModelRequestQueue, on the engine's thread.
#pragma once

#include "core/llm/ensemble.h"
#include "core/llm/model_client.h"
#include "core/llm/models_file.h"
#include "core/llm/usage.h"
#include "core/model/run_state.h"
#include "core/proposer/reply_source.h"

#include <QTimer>
#include <functional>
#include <set>

namespace tilewright {

class ModelReplySource final : public ReplySource
{
public:
    explicit ModelReplySource(ModelsFile models);
    ~ModelReplySource() override;

    std::string name() const override { return "model"; }
    void open(ReplySink sink) override;
    int capacity() const override { return m_models.mostInFlight; }
    PromptRoom promptRoom(IslandId island) const override;
    /// Errors: wait/models (all that may be asked rest or are busy), wait/budget (what flies may leave enough),
    /// llm/no-model (all are paused), budget/tokens, budget/cost.
    Result<ModelReservation> reserve(const RequestDraft& question) override;
    bool isOutOfReach(IslandId island) const override;
    Result<void> send(const OutgoingRequest& outgoing) override;
    bool isAwaited() const override { return true; }
    bool isPaid() const override { return true; }
    bool writesSummaries() const override { return true; }
    std::vector<std::pair<ModelRequestId, Response>> abandon() override;
    std::optional<Response> readBody(const ModelRequest& modelRequest, const std::string& bytes) override;
    void learn(const ModelRequest& modelRequest, double gain, int parts) override;
    void resume(const std::string& model) override;
    std::vector<ModelStatus> models() const override;
    std::int64_t reservedTokens() const override { return m_reservedTokens; }

private:
    /// A request under way.
    struct Flight {
        ModelRequestId modelRequest;
        std::string model;
        WorstCase worst; ///< of one try
        int tries = 0; ///< begun
        int reserved = 1; ///< worst cases that are kept for it
        bool isForgiven = false; ///< its model was asked again by hand since it was sent
        bool lastWasFree = false; ///< its last try cannot have cost anything
        std::chrono::nanoseconds lastSign{0}; ///< when it was sent, or said something
        std::string trouble; ///< why its last try failed; empty while one is under way
        std::chrono::nanoseconds triesAgainAt{0};
    };

    /// What a model could use and cost at most for a question.
    struct Offer {
        std::string model;
        WorstCase worst;
    };
    /// Whether requests under way count with their worst case, or as if they cost nothing in the end.
    enum class Flying { Counts, CostsNothing };

    static ChatRequest requestOf(const std::string& model, const std::string& conversation, const std::string& system,
        const std::vector<std::pair<std::string, std::string>>& earlier, const std::string& user);
    EnsembleState ensemble() const;
    void noteStatistics(const EnsembleState& after);
    /// Of where this model is asked, as ModelStatistics::address; "" for one that the file does not name.
    std::string addressOf(const std::string& model) const;
    /// The island's own weights, by its letter or name; of no island: each model's.
    std::map<std::string, double> weightsOf(IslandId island) const;
    /// Weights of the models that have room; those of all islands if the island's own cannot be asked.
    Result<std::string> chosen(const RequestDraft& question);
    /// The first of offersFor() no island that can be asked now; "" if nobody can.
    std::string cheapest(const RequestDraft& question) const;
    /// Of those with a weight there that are not paused: what can cost least first, then those whose price nobody
    /// knows.
    std::vector<Offer> offersFor(IslandId island, const RequestDraft& question) const;
    WorstCase worstCaseOf(const std::string& model, const RequestDraft& question) const;
    /// The cheapest that fits into what is left, where `dear` does not. Errors: as of reserve().
    Result<std::string> affordable(const RequestDraft& question, const Offer& dear);
    /// Why none of these fits: which budget, what the cheapest could use, what is left.
    Error tooDear(const std::vector<Offer>& offers) const;
    bool hasRoom(const std::string& model) const;
    /// How long our own limits hold a request back that has so many bytes.
    std::chrono::nanoseconds paceWait(const std::string& model, std::size_t bytes) const;
    int inFlight(const std::string& model) const;
    bool mayBeAsked(const std::string& model) const;
    /// Where money is limited, nobody is asked whose price is unknown.
    bool hasKnownPriceIfNeeded(const std::string& model) const;
    /// It is in the models file, has a weight, is not paused, and may be paid; whether it rests or is busy is not
    /// asked.
    bool takesPart(const std::string& model, double weight) const;
    /// Its calls have failed since it last answered, or it has as many under way as it may and all were tried in vain.
    bool isFailing(const std::string& model) const;
    bool canBeAskedNow(const std::string& model, std::size_t bytes) const;
    /// Nothing if a request with this worst case fits beside what was used and what flies.
    Result<void> afford(const WorstCase& worst, Flying flying) const;
    Result<void> admit(const ChatRequest& request, const WorstCase& worst);
    void reserve(const WorstCase& worst);
    void release(const Flight& flight);
    Flight* flightOf(ModelCallId call);
    void leaveOut(const std::string& model, const std::string& parameter);
    void finished(const ModelReply& reply);
    void wakeWhenRested();
    void wakeAfter(std::chrono::nanoseconds pace);
    void describeFlights(ModelStatus& status) const;
    std::vector<IslandId> islandsAsking(const std::string& model) const;

    ModelsFile m_models;
    SystemAlarmClock m_clock;
    KeyRing m_keys;
    ReplySink m_sink;
    std::unique_ptr<ModelClient> m_client;
    std::map<ModelCallId, Flight> m_flights;
    std::int64_t m_reservedTokens = 0;
    double m_reservedUsd = 0;
    std::set<std::string> m_givenUp; ///< of which it was said that the budget may not cover them any more
    QTimer m_tick; ///< while something flies or rests: figures that change by themselves
    Alarm m_rested, m_paced; ///< ring when one that rests, or is held back by our own limits, may be asked
};

// How long the prompts of an island may be, and what a token of them costs, by the models that may be asked there: the
// same whether a run goes on or rests. Pure.

/// The island's own weights, by its letter or name; of no island: each model's.
std::map<std::string, double> modelWeightsOn(const ModelsFile& models, const RunState& state, IslandId island);

/// What answers of a model have told of the tokens of its prompts.
using KnownTokens = std::function<TokenEstimator(const std::string& model)>;
PromptRoom promptRoomOf(
    const ModelsFile& models, const RunState& state, IslandId island, const KnownTokens& known = {});

} // namespace tilewright
