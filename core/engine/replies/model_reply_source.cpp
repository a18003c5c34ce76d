// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replies/model_reply_source.h"

#include "core/base/hash.h"
#include "core/engine/replies/model_answer.h"

#include <algorithm>
#include <charconv>

namespace tilewright {
namespace {

using namespace std::chrono;

constexpr milliseconds flightTick{2000};

std::string wordsFor(ModelRequestId modelRequest) { return "inquiry " + std::to_string(modelRequest.value); }

ModelRequestId modelRequestIn(const std::string& conversation)
{
    constexpr std::string_view before = "inquiry ";
    ModelRequestId id;
    if (conversation.starts_with(before))
        std::from_chars(conversation.data() + before.size(), conversation.data() + conversation.size(), id.value);
    return id;
}

} // namespace

ModelReplySource::ModelReplySource(ModelsFile models)
    : m_models(std::move(models))
    , m_rested(m_clock)
    , m_paced(m_clock)
{
    m_tick.setInterval(flightTick);
    QObject::connect(&m_tick, &QTimer::timeout, &m_tick, [this] {
        if (m_flights.empty() && !m_rested.isSet() && !m_paced.isSet())
            m_tick.stop();
        m_sink.moved();
    });
}

ModelReplySource::~ModelReplySource() = default;

void ModelReplySource::open(ReplySink sink)
{
    m_sink = std::move(sink);
    for (const auto& [name, statistics] : m_sink.state().statisticsByModel)
        for (const std::string& refused : statistics.refusedParameters)
            leaveOut(name, refused);
    m_client = std::make_unique<ModelClient>(m_models, m_clock, m_keys, m_sink.state().settings.seed);
    RetryRules retry;
    retry.mostAttempts = m_models.tries;
    m_client->setRetryRules(retry);
    m_client->setGate([this](const ChatRequest& request, const WorstCase& worst) { return admit(request, worst); });
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
            flight->lastWasFree = flight->lastWasFree || pause.wasFree;
            flight->triesAgainAt = m_clock.monotonic() + pause.wait;
            m_sink.moved();
        }
    });
    QObject::connect(client, &ModelClient::received, client, [this](const RawReply& raw) {
        if (const Flight* flight = flightOf(raw.id))
            m_sink.arrived(flight->modelRequest, {raw.attempt, raw.status, raw.protocol, {}}, raw.bytes);
    });
    QObject::connect(client, &ModelClient::finished, client, [this](const ModelReply& reply) { finished(reply); });
}

/// A parameter that the model's server refused, in this run before it was resumed.
void ModelReplySource::leaveOut(const std::string& model, const std::string& parameter)
{
    for (ModelSpec& spec : m_models.models)
        if (spec.name == model)
            spec.capabilities = withoutParameter(spec.capabilities, parameter).value_or(spec.capabilities);
}

ModelReplySource::Flight* ModelReplySource::flightOf(ModelCallId call)
{
    const auto found = m_flights.find(call);
    return found == m_flights.end() ? nullptr : &found->second;
}

EnsembleState ModelReplySource::ensemble() const
{
    EnsembleState state;
    state.rules.patienceS = duration<double>(m_models.patience).count();
    state.rules.firstRestS = std::min(state.rules.firstRestS, std::max(state.rules.patienceS, 0.05));
    state.statisticsByModel = m_sink.state().statisticsByModel;
    return state;
}

void ModelReplySource::noteStatistics(const EnsembleState& after)
{
    const ModelStatisticsMap before = m_sink.state().statisticsByModel;
    for (const auto& [name, changed] : after.statisticsByModel) {
        ModelStatistics statistics = changed;
        statistics.address = addressOf(name);
        if (const auto known = before.find(name); known == before.end() || !(known->second == statistics))
            m_sink.statisticsChanged(name, statistics);
    }
}

std::string ModelReplySource::addressOf(const std::string& model) const
{
    const ModelSpec* spec = m_models.model(model);
    const ModelEndpoint* endpoint = spec ? m_models.endpoint(spec->endpoint) : nullptr;
    return endpoint ? sha256(endpoint->url + '\n' + spec->model).hex() : std::string();
}

ChatRequest ModelReplySource::requestOf(const std::string& model, const std::string& conversation,
    const std::string& system, const std::vector<std::pair<std::string, std::string>>& earlier, const std::string& user)
{
    ChatRequest request;
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

void ModelReplySource::reserve(const WorstCase& worst)
{
    m_reservedTokens += worst.tokens();
    m_reservedUsd += worst.usd.value_or(0);
}

void ModelReplySource::release(const Flight& flight)
{
    m_reservedTokens = std::max<std::int64_t>(0, m_reservedTokens - flight.reserved * flight.worst.tokens());
    m_reservedUsd = std::max(0.0, m_reservedUsd - flight.reserved * flight.worst.usd.value_or(0));
}

Result<void> ModelReplySource::send(const OutgoingRequest& outgoing)
{
    ChatRequest request
        = requestOf(outgoing.model, wordsFor(outgoing.id), outgoing.system, outgoing.earlier, outgoing.user);
    if (const Island* island = m_sink.state().island(outgoing.island)) // none for a summary
        request.temperature = island->steering.sampling;
    Flight flight;
    flight.modelRequest = outgoing.id;
    flight.model = outgoing.model;
    flight.worst = m_client->worstCaseOf(request);
    flight.lastSign = m_clock.monotonic();
    reserve(flight.worst);
    m_flights[m_client->submit(request)] = flight;
    m_tick.start();
    return {};
}

/// Asked before every try. The first is paid for by the reservation; a further one can cost as much again, unless the
/// last cost nothing.
Result<void> ModelReplySource::admit(const ChatRequest& request, const WorstCase&)
{
    const ModelRequestId modelRequest = modelRequestIn(request.conversation);
    for (auto& [id, flight] : m_flights) {
        if (flight.modelRequest != modelRequest)
            continue;
        if (flight.tries > 0 && !flight.lastWasFree) {
            if (auto fits = afford(flight.worst, Flying::Counts); !fits)
                return fits;
            reserve(flight.worst);
            ++flight.reserved;
        }
        if (flight.tries > 0)
            m_sink.triesAgain(modelRequest, flight.tries + 1);
        flight.lastWasFree = false;
        ++flight.tries;
        return {};
    }
    return {};
}

void ModelReplySource::finished(const ModelReply& reply)
{
    const auto found = m_flights.find(reply.id);
    if (found == m_flights.end())
        return;
    const Flight flight = found->second;
    release(flight);
    m_flights.erase(found);
    const bool isInVain = reply.state == ReplyState::Failed || reply.state == ReplyState::Incomplete;
    if (!(flight.isForgiven && isInVain))
        noteStatistics(after(ensemble(), reply, m_clock.utc()));
    Response response = responseOf(reply);
    for (const std::string& note : reply.notes)
        if (note.find("without it") != std::string::npos || note.find("too short") != std::string::npos)
            m_sink.noted("warning", "model " + reply.model + ": " + note);
    m_sink.answered(flight.modelRequest, std::move(response));
}

std::vector<std::pair<ModelRequestId, Response>> ModelReplySource::abandon()
{
    std::vector<std::pair<ModelRequestId, Response>> ended;
    for (const ModelReply& reply : m_client->abandonAll())
        if (const Flight* flight = flightOf(reply.id))
            ended.emplace_back(flight->modelRequest, responseOf(reply));
    m_flights.clear();
    m_reservedTokens = 0;
    m_reservedUsd = 0;
    m_rested.stop();
    m_paced.stop();
    m_tick.stop();
    return ended;
}

std::optional<Response> ModelReplySource::readBody(const ModelRequest& modelRequest, const std::string& bytes)
{
    const ModelSpec* spec = m_models.model(modelRequest.model);
    if (!spec || bytes.empty() || modelRequest.bodies.empty())
        return std::nullopt;
    const ModelRequestBody& body = modelRequest.bodies.back();
    const RawReply raw{
        {}, wordsFor(modelRequest.id), modelRequest.model, body.protocol, body.attempt, body.status, bytes};
    return responseAfterLoss(readStored(raw, *spec), modelRequest);
}

void ModelReplySource::learn(const ModelRequest& modelRequest, double gain, int parts)
{
    if (!m_models.model(modelRequest.model))
        return;
    noteStatistics(after(ensemble(), outcomeOf(modelRequest, gain, parts)));
}

void ModelReplySource::resume(const std::string& model)
{
    EnsembleState state = ensemble();
    for (const auto& [name, statistics] : ensemble().statisticsByModel)
        if (model.empty() || name == model)
            state = resumed(std::move(state), name, addressOf(name));
    noteStatistics(state);
    for (auto& [call, flight] : m_flights)
        flight.isForgiven = flight.isForgiven || model.empty() || flight.model == model;
    m_rested.stop();
}

namespace {

/// Roles and separators around the texts.
constexpr std::int64_t frameTokens = 64;

} // namespace

std::map<std::string, double> modelWeightsOn(const ModelsFile& models, const RunState& state, IslandId id)
{
    if (!id) { // a summary belongs to none
        std::map<std::string, double> all;
        for (const ModelSpec& spec : models.models)
            all[spec.name] = spec.weight;
        return all;
    }
    const Island* island = state.island(id);
    if (island && !island->steering.proposers.empty()) {
        std::map<std::string, double> own;
        for (const auto& [name, weight] : island->steering.proposers)
            if (name.starts_with(modelInMix) && models.model(name.substr(modelInMix.size())))
                own[name.substr(modelInMix.size())] = weight;
        return own;
    }
    return models.weightsFor(island && models.islands.contains(island->name) ? island->name : islandLetter(id));
}

PromptRoom ModelReplySource::promptRoom(IslandId island) const
{
    return promptRoomOf(
        m_models, m_sink.state(), island, [this](const std::string& model) { return m_client->estimatorOf(model); });
}

PromptRoom promptRoomOf(const ModelsFile& models, const RunState& state, IslandId island, const KnownTokens& known)
{
    const std::map<std::string, double> own
        = island ? modelWeightsOn(models, state, island) : std::map<std::string, double>{};
    const ModelStatisticsMap& statisticsByModel = state.statisticsByModel;
    PromptRoom least;
    double fewestBytes = 0, mostLearned = 0;
    std::optional<double> dearest = 0, dearestWritten = 0;
    for (ModelSpec spec : models.models) {
        const auto weight = own.find(spec.name);
        const auto statistics = statisticsByModel.find(spec.name);
        // Where the island's own models cannot be asked, all others are.
        const bool mayBeAsked = (spec.weight > 0 || (weight != own.end() && weight->second > 0))
            && (statistics == statisticsByModel.end() || statistics->second.pausedBecause.empty());
        if (!mayBeAsked)
            continue;
        if (statistics != statisticsByModel.end())
            for (const std::string& refused : statistics->second.refusedParameters)
                spec.capabilities = withoutParameter(spec.capabilities, refused).value_or(spec.capabilities);
        if (!spec.price)
            dearest = dearestWritten = std::nullopt;
        else if (dearest) {
            dearest = std::max(*dearest, spec.price->input / 1e6);
            dearestWritten = std::max(*dearestWritten, spec.price->output / 1e6);
        }
        const TokenEstimator told = known ? known(spec.name) : TokenEstimator{};
        const double learned = told.seen > 0 ? told.tokensPerByte : 0;
        mostLearned = std::max(mostLearned, learned);
        if (spec.capabilities.contextTokens <= 0)
            continue;
        ChatRequest plain;
        plain.model = spec.name;
        const std::int64_t context = spec.capabilities.contextTokens, output = outputLimitOf(spec, plain);
        // An output limit that leaves nothing to read was never meant so: half of the context is kept for the answer.
        const std::int64_t tokens
            = std::max<std::int64_t>(context - (output < context ? output : context / 2) - frameTokens, 1);
        const double bytes = static_cast<double>(tokens) / (learned > 0 ? learned : usualTokensPerByte);
        if (least.tokens == 0 || bytes < fewestBytes) {
            least = {tokens, learned, spec.name, {}, {}};
            fewestBytes = bytes;
        }
    }
    if (least.tokens == 0) // nobody's context is known, but what a byte makes may be
        least.tokensPerByte = mostLearned;
    least.usdPerToken = dearest;
    least.usdPerTokenWritten = dearestWritten;
    return least;
}

} // namespace tilewright
