// SPDX-License-Identifier: GPL-3.0-or-later
// Which model is asked: by weights and bandit of those that may be, and of these one whose answer the budgets cover.
#include "core/engine/replies/model_answer.h"
#include "core/engine/replies/model_reply_source.h"

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace tilewright {
namespace {

using namespace std::chrono;

/// Streams of one (seed, island): apart from what strategy and proposers draw with the same ordinal.
constexpr std::uint64_t choiceStream = 2000;
/// Share of all requests in flight that one of several models may have: a slow one leaves room for the others.
constexpr double mostOfAll = 0.75;

double dollarsOf(std::int64_t microUsd) { return static_cast<double>(microUsd) / 1e6; }

std::size_t bytesOf(const RequestDraft& question)
{
    std::size_t bytes = question.system.size() + question.user.size();
    for (const auto& [prompt, reply] : question.earlier)
        bytes += prompt.size() + reply.size();
    return bytes;
}

bool isAboutTokens(const Error& error) { return error.evidence.is_object() && error.evidence.contains("tokens"); }

} // namespace

int ModelReplySource::inFlight(const std::string& model) const
{
    return static_cast<int>(
        std::ranges::count_if(m_flights, [&model](const auto& each) { return each.second.model == model; }));
}

bool ModelReplySource::hasRoom(const std::string& model) const
{
    const ModelSpec* spec = m_models.model(model);
    const ModelEndpoint* endpoint = spec ? m_models.endpoint(spec->endpoint) : nullptr;
    if (!endpoint)
        return false;
    int most = endpoint->mostInFlight;
    if (m_models.models.size() > 1)
        most = std::min(most, std::max(1, static_cast<int>(std::ceil(m_models.mostInFlight * mostOfAll))));
    return inFlight(model) < most;
}

nanoseconds ModelReplySource::paceWait(const std::string& model, std::size_t bytes) const
{
    return m_client->paceWait(model, bytes);
}

bool ModelReplySource::mayBeAsked(const std::string& model) const
{
    const ModelStatisticsMap& statisticsByModel = m_sink.state().statisticsByModel;
    const auto statistics = statisticsByModel.find(model);
    return statistics == statisticsByModel.end()
        || (statistics->second.pausedBecause.empty() && statistics->second.restsUntilUtc <= m_clock.utc());
}

bool ModelReplySource::hasKnownPriceIfNeeded(const std::string& model) const
{
    const ModelSpec* spec = m_models.model(model);
    return m_sink.state().settings.budget.costMicroUsd == 0 || (spec && spec->price);
}

bool ModelReplySource::takesPart(const std::string& model, double weight) const
{
    const ModelStatisticsMap& statisticsByModel = m_sink.state().statisticsByModel;
    const auto statistics = statisticsByModel.find(model);
    const bool isPaused = statistics != statisticsByModel.end() && !statistics->second.pausedBecause.empty();
    return m_models.model(model) && weight > 0 && !isPaused && hasKnownPriceIfNeeded(model);
}

bool ModelReplySource::isFailing(const std::string& model) const
{
    const ModelStatisticsMap& statisticsByModel = m_sink.state().statisticsByModel;
    const auto statistics = statisticsByModel.find(model);
    if (statistics != statisticsByModel.end() && !statistics->second.restsUntilUtc.empty())
        return true; // it was given a rest since it last answered: a reply that broke off alone is no such failure
    constexpr int failedTwice = 3; // its third try is under way, or waits
    return !hasRoom(model) && std::ranges::none_of(m_flights, [&](const auto& each) {
        return each.second.model == model && each.second.tries < failedTwice;
    });
}

bool ModelReplySource::isOutOfReach(IslandId island) const
{
    const ModelStatisticsMap& statisticsByModel = m_sink.state().statisticsByModel;
    bool mayComeBack = false;
    for (const auto& weights : {weightsOf(island), weightsOf({})}) // as chosen() goes through them
        for (const auto& [name, weight] : weights) {
            if (!takesPart(name, weight))
                continue;
            if (!isFailing(name))
                return false;
            const auto statistics = statisticsByModel.find(name);
            mayComeBack = mayComeBack || (statistics != statisticsByModel.end() && statistics->second.hasAnswered);
        }
    return mayComeBack;
}

bool ModelReplySource::canBeAskedNow(const std::string& model, std::size_t bytes) const
{
    return mayBeAsked(model) && hasRoom(model) && paceWait(model, bytes).count() == 0;
}

std::map<std::string, double> ModelReplySource::weightsOf(IslandId id) const
{
    return modelWeightsOn(m_models, m_sink.state(), id);
}

Result<std::string> ModelReplySource::chosen(const RequestDraft& question)
{
    // Whoever wrote a reply mends it, unless it is away or has enough to do: then the others do not wait for it.
    const std::size_t bytes = bytesOf(question);
    if (m_models.model(question.preferred) && canBeAskedNow(question.preferred, bytes))
        return question.preferred;
    if (question.wantsCheapest)
        if (std::string cheap = cheapest(question); !cheap.empty())
            return cheap;
    const RunState& state = m_sink.state();
    const std::string now = m_clock.utc();
    const CounterRandom random(state.settings.seed, choiceStream + static_cast<std::uint64_t>(question.island.value),
        static_cast<std::uint64_t>(question.isSummary ? state.evaluationsStarted : question.ordinal));
    Error why{"budget/cost", "cost is limited, and no model has a known price",
        "set the \"price\" of the models (0 for your own machine), or remove the limit", nullptr};
    bool isBusy = false;
    nanoseconds pace{0}; ///< until the first of those that our own limits hold back may be asked
    for (std::map<std::string, double> weights : {weightsOf(question.island), weightsOf({})}) {
        std::erase_if(weights, [&](const auto& each) { return !hasKnownPriceIfNeeded(each.first); });
        if (weights.empty())
            continue;
        const auto free = chooseModel(ensemble(), weights, now, random); // whoever has room or not
        std::erase_if(weights, [&](const auto& each) {
            const auto wait = paceWait(each.first, bytes);
            if (wait.count() > 0 && mayBeAsked(each.first))
                pace = pace.count() > 0 ? std::min(pace, wait) : wait;
            return wait.count() > 0 || !hasRoom(each.first);
        });
        const auto choice = chooseModel(ensemble(), weights, now, random);
        if (choice)
            return choice->model;
        isBusy = isBusy || free.has_value();
        why = free ? choice.error() : free.error();
    }
    if (pace.count() > 0)
        wakeAfter(pace);
    if (isBusy)
        return fail("wait/models", "all models have reached their limit of concurrent requests");
    wakeWhenRested();
    const bool isRestedNow = std::ranges::any_of(weightsOf({}), [this](const auto& each) {
        return takesPart(each.first, each.second) && mayBeAsked(each.first); // since it was looked at above
    });
    if (isRestedNow)
        wakeAfter(milliseconds(1));
    if (isRestedNow || m_rested.isSet())
        return fail("wait/models", why.text);
    return std::unexpected(why);
}

std::string ModelReplySource::cheapest(const RequestDraft& question) const
{
    const std::size_t bytes = bytesOf(question);
    for (const Offer& offer : offersFor({}, question))
        if (canBeAskedNow(offer.model, bytes))
            return offer.model;
    return {};
}

std::vector<ModelReplySource::Offer> ModelReplySource::offersFor(IslandId island, const RequestDraft& question) const
{
    std::vector<Offer> offers;
    for (const auto& [name, weight] : weightsOf(island))
        if (takesPart(name, weight))
            offers.push_back({name, worstCaseOf(name, question)});
    std::ranges::stable_sort(offers, {}, [](const Offer& offer) {
        return std::tuple(offer.worst.usd.value_or(std::numeric_limits<double>::infinity()), offer.worst.tokens());
    });
    return offers;
}

WorstCase ModelReplySource::worstCaseOf(const std::string& model, const RequestDraft& question) const
{
    return m_client->worstCaseOf(requestOf(model, "", question.system, question.earlier, question.user));
}

/// Rings when the first of those that rest, and are not paused, may be asked again.
void ModelReplySource::wakeWhenRested()
{
    m_rested.stop();
    const std::string now = m_clock.utc();
    std::string first;
    for (const auto& [name, statistics] : m_sink.state().statisticsByModel)
        if (m_models.model(name) && statistics.pausedBecause.empty() && statistics.restsUntilUtc > now
            && (first.empty() || statistics.restsUntilUtc < first))
            first = statistics.restsUntilUtc;
    if (first.empty())
        return;
    const auto timeOf
        = [](const std::string& utc) { return QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs); };
    const qint64 wait = std::max<qint64>(timeOf(now).msecsTo(timeOf(first)), 0) + 1;
    m_rested.set(milliseconds(wait), WakeReason::Retry, [this] { m_sink.moved(); });
    m_tick.start();
}

void ModelReplySource::wakeAfter(nanoseconds pace)
{
    m_paced.set(ceil<milliseconds>(pace), WakeReason::Pace, [this] { m_sink.moved(); });
    m_tick.start();
}

Result<void> ModelReplySource::afford(const WorstCase& worst, Flying flying) const
{
    const RunState& state = m_sink.state();
    const SpendingLimits limits{state.settings.budget.tokens, dollarsOf(state.settings.budget.costMicroUsd)};
    Spending spending;
    spending.tokens.input = state.tokensSpent;
    spending.usd = dollarsOf(state.costMicroUsd);
    spending.doubtfulTokens = state.doubtfulTokens;
    spending.doubtfulUsd = dollarsOf(state.doubtfulMicroUsd);
    if (flying == Flying::Counts) {
        spending.reservedTokens = m_reservedTokens;
        spending.reservedUsd = m_reservedUsd;
    }
    return checkBudget(limits, spending, worst);
}

Result<ModelReservation> ModelReplySource::reserve(const RequestDraft& question)
{
    auto model = chosen(question);
    if (!model)
        return std::unexpected(model.error());
    WorstCase worst = worstCaseOf(*model, question);
    if (const auto fits = afford(worst, Flying::Counts); !fits) {
        if (!m_flights.empty() && afford(worst, Flying::CostsNothing))
            return fail("wait/budget", fits.error().text);
        const Offer dear{*model, worst};
        model = affordable(question, dear);
        if (!model)
            return std::unexpected(model.error());
        worst = worstCaseOf(*model, question);
        if (m_givenUp.insert(dear.model).second)
            m_sink.noted("warning",
                "the remaining budget may not cover a request to " + dear.model + ": " + *model
                    + " is used instead while the budget allows");
    }
    return ModelReservation{*model, "", worst.tokens(), microUsd(worst.usd).value_or(0)};
}

Result<std::string> ModelReplySource::affordable(const RequestDraft& question, const Offer& dear)
{
    const std::size_t bytes = bytesOf(question);
    std::vector<Offer> offers = offersFor(question.island, question);
    const std::vector<Offer> all = offersFor({}, question);
    offers.insert(offers.end(), all.begin(), all.end()); // those of other islands, where its own do not fit
    offers.push_back(dear); // may have no weight: then it was asked for by name
    nanoseconds pace{0};
    bool fitsLater = false;
    for (const Offer& offer : offers) {
        if (!afford(offer.worst, Flying::Counts))
            continue;
        if (canBeAskedNow(offer.model, bytes))
            return offer.model;
        fitsLater = true;
        if (const auto wait = paceWait(offer.model, bytes); wait.count() > 0 && mayBeAsked(offer.model))
            pace = pace.count() > 0 ? std::min(pace, wait) : wait;
    }
    Error error = tooDear(offers);
    if (!m_flights.empty())
        return fail("wait/budget", error.text);
    if (!fitsLater)
        return std::unexpected(std::move(error));
    if (pace.count() > 0)
        wakeAfter(pace);
    wakeWhenRested();
    if (!m_paced.isSet() && !m_rested.isSet()) // its rest has ended since
        wakeAfter(milliseconds(1));
    return fail("wait/models", "the models that the budget still covers are not available now");
}

/// By the least that a request can use: what a budget of tokens does not cover no price makes fit.
Error ModelReplySource::tooDear(const std::vector<Offer>& offers) const
{
    const auto shortest = std::ranges::min_element(offers, {}, [](const Offer& offer) { return offer.worst.tokens(); });
    auto fits = afford(shortest->worst, Flying::Counts);
    const Offer* least = &*shortest;
    if (fits || !isAboutTokens(fits.error())) {
        least = &*std::ranges::min_element(offers, {},
            [](const Offer& offer) { return offer.worst.usd.value_or(std::numeric_limits<double>::infinity()); });
        fits = afford(least->worst, Flying::Counts);
    }
    Error error = fits ? Error{"llm/budget", "the budget does not cover another request", "", nullptr} : fits.error();
    error.code = isAboutTokens(error) ? "budget/tokens" : "budget/cost";
    error.text += "; checked for " + least->model + ", which needs the least of the available models";
    return error;
}

} // namespace tilewright
