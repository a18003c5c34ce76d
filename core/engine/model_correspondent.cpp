// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/model_correspondent.h"

#include "core/engine/model_answer.h"

#include <QDateTime>
#include <algorithm>
#include <charconv>
#include <cmath>

namespace tilewright {
namespace {

using namespace std::chrono;

/// Streams of one (seed, island): apart from what strategy and proposers draw with the same ordinal.
constexpr std::uint64_t choiceStream = 2000;
/// Share of all requests in flight that one of several models may have: a slow one leaves room for the others.
constexpr double mostOfAll = 0.75;
constexpr milliseconds flightTick{2000};
constexpr double million = 1e6;

std::string wordsFor(InquiryId inquiry) { return "inquiry " + std::to_string(inquiry.value); }

InquiryId inquiryIn(const std::string& conversation)
{
    constexpr std::string_view before = "inquiry ";
    InquiryId id;
    if (conversation.starts_with(before))
        std::from_chars(conversation.data() + before.size(), conversation.data() + conversation.size(), id.value);
    return id;
}

ModelRequest requestOf(const std::string& model, const std::string& conversation, const std::string& system,
    const std::vector<std::pair<std::string, std::string>>& earlier, const std::string& user)
{
    ModelRequest request;
    request.model = model;
    request.conversation = conversation;
    request.system = system;
    for (const auto& [prompt, reply] : earlier) {
        request.messages.push_back({MessageRole::User, prompt});
        request.messages.push_back({MessageRole::Assistant, reply});
    }
    request.messages.push_back({MessageRole::User, user});
    return request;
}

} // namespace

ModelCorrespondent::ModelCorrespondent(ModelsFile models)
    : m_models(std::move(models))
    , m_rested(m_clock)
    , m_paced(m_clock)
{
    m_tick.setInterval(flightTick);
    QObject::connect(&m_tick, &QTimer::timeout, &m_tick, [this] {
        if (m_flights.empty() && !m_rested.isSet() && !m_paced.isSet())
            m_tick.stop();
        m_mailbox.moved();
    });
}

ModelCorrespondent::~ModelCorrespondent() = default;

void ModelCorrespondent::open(Mailbox mailbox)
{
    m_mailbox = std::move(mailbox);
    m_client = std::make_unique<ModelClient>(m_models, m_clock, m_keys, m_mailbox.state().settings.seed);
    RetryRules retry;
    retry.mostAttempts = m_models.tries;
    m_client->setRetryRules(retry);
    m_client->setGate([this](const ModelRequest& request, const WorstCase& worst) { return admit(request, worst); });
    ModelClient* client = m_client.get();
    QObject::connect(client, &ModelClient::attempted, client, [this](ModelCallId id, int) {
        if (Flight* flight = flightOf(id)) {
            flight->lastSign = m_clock.monotonic();
            flight->trouble.clear();
        }
    });
    QObject::connect(client, &ModelClient::progressed, client, [this](const ModelProgress& progress) {
        if (Flight* flight = flightOf(progress.id))
            flight->lastSign = m_clock.monotonic();
    });
    QObject::connect(client, &ModelClient::pausing, client, [this](const ModelPause& pause) {
        if (Flight* flight = flightOf(pause.id)) {
            flight->trouble = pause.text;
            flight->triesAgainAt = m_clock.monotonic() + pause.wait;
            m_mailbox.moved();
        }
    });
    QObject::connect(client, &ModelClient::received, client, [this](const RawReply& raw) {
        if (const Flight* flight = flightOf(raw.id))
            m_mailbox.arrived(flight->inquiry, {raw.attempt, raw.status, raw.protocol, {}}, raw.bytes);
    });
    QObject::connect(client, &ModelClient::finished, client, [this](const ModelReply& reply) { finished(reply); });
}

ModelCorrespondent::Flight* ModelCorrespondent::flightOf(ModelCallId call)
{
    const auto found = m_flights.find(call);
    return found == m_flights.end() ? nullptr : &found->second;
}

EnsembleState ModelCorrespondent::ensemble() const
{
    EnsembleState state;
    state.rules.patienceS = duration<double>(m_models.patience).count();
    state.rules.firstRestS = std::min(state.rules.firstRestS, std::max(state.rules.patienceS, 0.05));
    state.arms = m_mailbox.state().arms;
    return state;
}

void ModelCorrespondent::noteArms(const EnsembleState& after)
{
    const ArmStates before = m_mailbox.state().arms;
    for (const auto& [name, arm] : after.arms)
        if (const auto known = before.find(name); known == before.end() || !(known->second == arm))
            m_mailbox.armChanged(name, arm);
}

int ModelCorrespondent::inFlight(const std::string& model) const
{
    return static_cast<int>(
        std::ranges::count_if(m_flights, [&model](const auto& each) { return each.second.model == model; }));
}

bool ModelCorrespondent::hasRoom(const std::string& model) const
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

std::chrono::nanoseconds ModelCorrespondent::paceWait(const std::string& model, std::size_t bytes) const
{
    return m_client->paceWait(model, bytes);
}

bool ModelCorrespondent::mayBeAsked(const std::string& model) const
{
    const ArmStates& arms = m_mailbox.state().arms;
    const auto arm = arms.find(model);
    return arm == arms.end() || (arm->second.pausedBecause.empty() && arm->second.restsUntilUtc <= m_clock.utc());
}

std::map<std::string, double> ModelCorrespondent::weightsOf(IslandId id) const
{
    const Island* island = m_mailbox.state().island(id);
    return m_models.weightsFor(island && m_models.islands.contains(island->name) ? island->name : islandLetter(id));
}

Result<std::string> ModelCorrespondent::chosen(const Question& question)
{
    // Whoever wrote a reply mends it, unless it is away or has enough to do: then the others do not wait for it.
    std::size_t bytes = question.system.size() + question.user.size();
    for (const auto& [prompt, reply] : question.earlier)
        bytes += prompt.size() + reply.size();
    if (m_models.model(question.preferred) && mayBeAsked(question.preferred) && hasRoom(question.preferred)
        && paceWait(question.preferred, bytes).count() == 0)
        return question.preferred;
    if (question.wantsCheapest)
        if (std::string cheap = cheapest(question, bytes); !cheap.empty())
            return cheap;
    const RunState& state = m_mailbox.state();
    const bool mindsMoney = state.settings.budget.costMicroUsd > 0;
    std::map<std::string, double> all;
    for (const ModelSpec& spec : m_models.models)
        all[spec.name] = spec.weight;
    // A summary belongs to no island.
    const std::map<std::string, double> own = state.island(question.island) ? weightsOf(question.island) : all;
    const std::string now = m_clock.utc();
    const CounterRandom random(state.settings.seed, choiceStream + static_cast<std::uint64_t>(question.island.value),
        static_cast<std::uint64_t>(question.isSummary ? state.evaluationsStarted : question.ordinal));
    Error why{"budget/cost", "money is limited, and no model has a known price",
        "give the models a \"price\" (0 for your own machine), or take the limit away", nullptr};
    bool isBusy = false;
    std::chrono::nanoseconds pace{0}; ///< until the first of those that our own limits hold back may be asked
    for (std::map<std::string, double> weights : {own, all}) {
        std::erase_if(weights, [&](const auto& each) {
            return mindsMoney && !(m_models.model(each.first) && m_models.model(each.first)->price);
        });
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
    if (pace.count() > 0) {
        m_paced.set(ceil<milliseconds>(pace), WakeReason::Pace, [this] { m_mailbox.moved(); });
        m_tick.start();
    }
    if (isBusy)
        return fail("wait/models", "every model has as many requests as it may");
    wakeWhenRested();
    if (m_rested.isSet())
        return fail("wait/models", why.text);
    return std::unexpected(why);
}

std::string ModelCorrespondent::cheapest(const Question& question, std::size_t bytes) const
{
    const bool mindsMoney = m_mailbox.state().settings.budget.costMicroUsd > 0;
    std::string found;
    std::optional<double> least;
    for (const ModelSpec& spec : m_models.models) {
        if (spec.weight <= 0 || (mindsMoney && !spec.price) || !mayBeAsked(spec.name) || !hasRoom(spec.name)
            || paceWait(spec.name, bytes).count() > 0)
            continue;
        const std::optional<double> usd
            = m_client->worstCaseOf(requestOf(spec.name, "", question.system, question.earlier, question.user)).usd;
        if (found.empty() || (usd && (!least || *usd < *least))) {
            found = spec.name;
            least = usd;
        }
    }
    return found;
}

/// Rings when the first of those that rest, and are not paused, may be asked again.
void ModelCorrespondent::wakeWhenRested()
{
    m_rested.stop();
    const std::string now = m_clock.utc();
    std::string first;
    for (const auto& [name, arm] : m_mailbox.state().arms)
        if (m_models.model(name) && arm.pausedBecause.empty() && arm.restsUntilUtc > now
            && (first.empty() || arm.restsUntilUtc < first))
            first = arm.restsUntilUtc;
    if (first.empty())
        return;
    const auto timeOf
        = [](const std::string& utc) { return QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs); };
    const qint64 wait = std::max<qint64>(timeOf(now).msecsTo(timeOf(first)), 0) + 1;
    m_rested.set(milliseconds(wait), WakeReason::Retry, [this] { m_mailbox.moved(); });
    m_tick.start();
}

Result<void> ModelCorrespondent::afford(const WorstCase& worst) const
{
    const RunState& state = m_mailbox.state();
    const SpendingLimits limits{
        state.settings.budget.tokens, static_cast<double>(state.settings.budget.costMicroUsd) / million};
    Spending spending;
    spending.tokens.input = state.tokensSpent;
    spending.usd = static_cast<double>(state.costMicroUsd) / million;
    spending.doubtfulTokens = state.doubtfulTokens;
    spending.doubtfulUsd = static_cast<double>(state.doubtfulMicroUsd) / million;
    spending.reservedTokens = m_reservedTokens;
    spending.reservedUsd = m_reservedUsd;
    return checkBudget(limits, spending, worst);
}

Result<Addressee> ModelCorrespondent::reserve(const Question& question)
{
    auto model = chosen(question);
    if (!model)
        return std::unexpected(model.error());
    const WorstCase worst
        = m_client->worstCaseOf(requestOf(*model, "", question.system, question.earlier, question.user));
    if (const auto fits = afford(worst); !fits) {
        Error error = fits.error();
        if (!m_flights.empty())
            return fail("wait/budget", error.text);
        error.code = error.evidence.is_object() && error.evidence.contains("tokens") ? "budget/tokens" : "budget/cost";
        return std::unexpected(std::move(error));
    }
    return Addressee{*model, "", worst.tokens(), microUsd(worst.usd).value_or(0)};
}

void ModelCorrespondent::reserve(const WorstCase& worst)
{
    m_reservedTokens += worst.tokens();
    m_reservedUsd += worst.usd.value_or(0);
}

void ModelCorrespondent::release(const Flight& flight)
{
    const int reserved = std::max(flight.tries, 1);
    m_reservedTokens = std::max<std::int64_t>(0, m_reservedTokens - reserved * flight.worst.tokens());
    m_reservedUsd = std::max(0.0, m_reservedUsd - reserved * flight.worst.usd.value_or(0));
}

Result<void> ModelCorrespondent::send(const Letter& letter)
{
    ModelRequest request = requestOf(letter.model, wordsFor(letter.id), letter.system, letter.earlier, letter.user);
    if (const Island* island = m_mailbox.state().island(letter.island)) // none for a summary
        request.temperature = island->steering.sampling;
    Flight flight;
    flight.inquiry = letter.id;
    flight.model = letter.model;
    flight.worst = m_client->worstCaseOf(request);
    flight.lastSign = m_clock.monotonic();
    reserve(flight.worst);
    m_flights[m_client->submit(request)] = flight;
    m_tick.start();
    return {};
}

/// Asked before every try. The first is paid for by the reservation; a further one can cost as much again.
Result<void> ModelCorrespondent::admit(const ModelRequest& request, const WorstCase&)
{
    const InquiryId inquiry = inquiryIn(request.conversation);
    for (auto& [id, flight] : m_flights) {
        if (flight.inquiry != inquiry)
            continue;
        if (flight.tries > 0) {
            if (auto fits = afford(flight.worst); !fits)
                return fits;
            reserve(flight.worst);
            m_mailbox.triesAgain(inquiry, flight.tries + 1);
        }
        ++flight.tries;
        return {};
    }
    return {};
}

void ModelCorrespondent::finished(const ModelReply& reply)
{
    const auto found = m_flights.find(reply.id);
    if (found == m_flights.end())
        return;
    const Flight flight = found->second;
    release(flight);
    m_flights.erase(found);
    noteArms(after(ensemble(), reply, m_clock.utc()));
    Response response = responseOf(reply);
    for (const std::string& note : reply.notes)
        if (note.find("without it") != std::string::npos || note.find("too short") != std::string::npos)
            m_mailbox.noted("warning", "model " + reply.model + ": " + note);
    m_mailbox.answered(flight.inquiry, std::move(response));
}

std::vector<std::pair<InquiryId, Response>> ModelCorrespondent::abandon()
{
    std::vector<std::pair<InquiryId, Response>> ended;
    for (const ModelReply& reply : m_client->abandonAll())
        if (const Flight* flight = flightOf(reply.id))
            ended.emplace_back(flight->inquiry, responseOf(reply));
    m_flights.clear();
    m_reservedTokens = 0;
    m_reservedUsd = 0;
    m_rested.stop();
    m_paced.stop();
    m_tick.stop();
    return ended;
}

std::optional<Response> ModelCorrespondent::readBody(const Inquiry& inquiry, const std::string& bytes)
{
    const ModelSpec* spec = m_models.model(inquiry.model);
    if (!spec || bytes.empty() || inquiry.bodies.empty())
        return std::nullopt;
    const InquiryBody& body = inquiry.bodies.back();
    const RawReply raw{{}, wordsFor(inquiry.id), inquiry.model, body.protocol, body.attempt, body.status, bytes};
    return responseAfterLoss(readStored(raw, *spec), inquiry);
}

void ModelCorrespondent::learn(const Inquiry& inquiry, double gain, int parts)
{
    if (!m_models.model(inquiry.model))
        return;
    ModelOutcome outcome{inquiry.model, gain, std::nullopt};
    if (inquiry.answer.costMicroUsd)
        outcome.usd = static_cast<double>(*inquiry.answer.costMicroUsd) / million / parts;
    noteArms(after(ensemble(), outcome));
}

void ModelCorrespondent::resume(const std::string& model)
{
    EnsembleState state = ensemble();
    for (const auto& [name, arm] : ensemble().arms)
        if (model.empty() || name == model)
            state = resumed(std::move(state), name);
    noteArms(state);
    m_rested.stop();
}

} // namespace tilewright
