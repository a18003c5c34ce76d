// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/model_client.h"

#include "core/llm/call_run.h"

#include <algorithm>

namespace tilewright {

ModelClient::ModelClient(ModelsFile models, AlarmClock& clock, KeyRing& keys, std::uint64_t seed, QObject* parent)
    : QObject(parent)
    , m_models(std::move(models))
    , m_clock(clock)
    , m_keys(keys)
    , m_seed(seed)
    , m_paced(clock)
{
}

ModelClient::~ModelClient() { m_runs.clear(); }

ModelCallId ModelClient::submit(const ChatRequest& request)
{
    const ModelCallId id{++m_lastId};
    m_runs.emplace(id, std::make_unique<CallRun>(*this, id, request));
    m_waiting.push_back(id);
    QMetaObject::invokeMethod(this, &ModelClient::startWaiting, Qt::QueuedConnection);
    return id;
}

int ModelClient::liveAt(const std::string& endpoint) const
{
    return static_cast<int>(std::ranges::count_if(m_runs, [&endpoint](const auto& entry) {
        return entry.second && entry.second->isStarted() && entry.second->endpointName() == endpoint;
    }));
}

Pace& ModelClient::paceOf(const ModelEndpoint& endpoint)
{
    return m_paces.try_emplace(endpoint.name, endpoint.perMinute).first->second;
}

std::chrono::nanoseconds ModelClient::waitAt(const ModelEndpoint& endpoint, std::int64_t tokens, PaceLoad ahead) const
{
    const auto now = m_clock.monotonic();
    const auto pace = m_paces.find(endpoint.name);
    const auto own = (pace == m_paces.end() ? Pace(endpoint.perMinute) : pace->second).waitFor(now, tokens, ahead);
    const auto told = m_announced.find(endpoint.name);
    return told == m_announced.end() ? own : std::max(own, told->second.waitFor(now, tokens, ahead));
}

void ModelClient::countAt(const ModelEndpoint& endpoint, const PaceLoad& load)
{
    paceOf(endpoint).count(m_clock.monotonic(), load);
    m_announced[endpoint.name].count(load);
}

std::chrono::nanoseconds ModelClient::paceWait(const std::string& model, std::size_t promptBytes) const
{
    const ModelSpec* spec = m_models.model(model);
    const ModelEndpoint* endpoint = spec ? m_models.endpoint(spec->endpoint) : nullptr;
    if (!endpoint)
        return std::chrono::nanoseconds(0);
    PaceLoad ahead;
    for (const ModelCallId id : m_waiting)
        if (const CallRun& run = *m_runs.at(id); run.endpointName() == endpoint->name) {
            ++ahead.requests;
            ahead.tokens += run.promptEstimate();
        }
    return waitAt(*endpoint, estimatorOf(model).tokensOf(promptBytes), ahead);
}

std::string ModelClient::serversHold(const std::string& model, std::size_t promptBytes) const
{
    const ModelSpec* spec = m_models.model(model);
    const auto told = spec ? m_announced.find(spec->endpoint) : m_announced.end();
    return told == m_announced.end()
        ? std::string()
        : told->second.reason(m_clock.monotonic(), estimatorOf(model).tokensOf(promptBytes));
}

std::vector<ServerLimit> ModelClient::serverLimits(const std::string& model) const
{
    const ModelSpec* spec = m_models.model(model);
    const auto announced = spec ? m_announced.find(spec->endpoint) : m_announced.end();
    return announced == m_announced.end() ? std::vector<ServerLimit>{} : announced->second.told(m_clock.monotonic());
}

/// Starts what there is room for, in the order of submission; one full endpoint does not hold up the others.
void ModelClient::startWaiting()
{
    auto live = static_cast<std::ptrdiff_t>(m_runs.size() - m_waiting.size());
    const std::chrono::nanoseconds now = m_clock.monotonic();
    std::map<std::string, std::chrono::nanoseconds> held; // endpoints that keep to a pace: until when
    for (auto next = m_waiting.begin(); next != m_waiting.end() && live < m_models.mostInFlight;) {
        CallRun& run = *m_runs.at(*next);
        const ModelEndpoint* endpoint = m_models.endpoint(run.endpointName());
        if (endpoint && (liveAt(endpoint->name) >= endpoint->mostInFlight || held.contains(endpoint->name))) {
            ++next;
            continue;
        }
        if (endpoint) {
            paceOf(*endpoint).forgetBefore(now);
            if (const auto wait = waitAt(*endpoint, run.promptEstimate()); wait.count() > 0) {
                held[endpoint->name] = wait;
                continue;
            }
            countAt(*endpoint, {1, run.promptEstimate()});
        }
        next = m_waiting.erase(next);
        ++live;
        run.start();
    }
    const auto first = std::ranges::min_element(held, {}, [](const auto& each) { return each.second; });
    if (first != held.end())
        m_paced.set(
            std::chrono::ceil<std::chrono::milliseconds>(first->second), WakeReason::Pace, [this] { startWaiting(); });
}

void ModelClient::cancel(ModelCallId id)
{
    const auto run = m_runs.find(id);
    if (run != m_runs.end() && run->second)
        run->second->cancel();
}

void ModelClient::cancelAll()
{
    std::vector<ModelCallId> ids;
    for (const auto& [id, run] : m_runs)
        ids.push_back(id);
    for (const ModelCallId id : ids)
        cancel(id);
}

std::vector<ModelReply> ModelClient::abandonAll()
{
    std::vector<ModelReply> replies;
    for (auto& [id, run] : m_runs)
        if (run)
            replies.push_back(run->abandon());
    m_waiting.clear();
    m_runs.clear();
    return replies;
}

void ModelClient::runEnded(ModelCallId id)
{
    std::erase(m_waiting, id);
    const auto found = m_runs.find(id);
    if (found == m_runs.end())
        return;
    found->second.release()->deleteLater(); // it is on the stack
    m_runs.erase(found);
    QMetaObject::invokeMethod(this, &ModelClient::startWaiting, Qt::QueuedConnection);
}

Capabilities ModelClient::capabilitiesOf(const std::string& model) const
{
    const ModelSpec* spec = m_models.model(model);
    return spec ? spec->capabilities : Capabilities{};
}

TokenEstimator ModelClient::estimatorOf(const std::string& model) const
{
    const auto found = m_estimators.find(model);
    return found == m_estimators.end() ? TokenEstimator{} : found->second;
}

WorstCase ModelClient::worstCaseOf(const ChatRequest& request) const
{
    const ModelSpec* spec = m_models.model(request.model);
    if (!spec)
        return {};
    std::size_t bytes = request.system.size();
    for (const ChatMessage& message : request.messages)
        bytes += message.text.size();
    constexpr std::int64_t frame = 64; // roles and separators around the texts
    // A guess of the prompt is not a bound; half as much again has covered what tokenizers differ by.
    const std::int64_t input = estimatorOf(request.model).tokensOf(bytes) * 3 / 2 + frame;
    const int samples = spec->capabilities.samples ? request.samples : 1;
    return worstCase(input, outputLimitOf(*spec, request), samples, spec->price);
}

ModelReply readStored(const RawReply& raw, const ModelSpec& spec)
{
    const ModelProtocol protocol = valueIn(modelProtocols, raw.protocol).value_or(ModelProtocol::OpenAiChat);
    ReplyReader reader(protocol);
    reader.feed(raw.bytes);
    reader.finish();
    ModelReply reply = readReply(
        protocol, reader, {{}, static_cast<std::int64_t>(raw.bytes.size()), {}, {}}, 0, TokenEstimator{}.tokensPerByte)
                           .reply;
    makeShowable(reply);
    reply.id = raw.id;
    reply.conversation = raw.conversation;
    reply.model = raw.model;
    limitGuess(
        reply, outputLimitOf(spec, {}) * static_cast<std::int64_t>(std::max<std::size_t>(reply.answers.size(), 1)));
    if (!reply.usd)
        reply.usd = costUsd(reply.usage, spec.price);
    return reply;
}

} // namespace tilewright
