// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/call_run.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/llm/json_access.h"
#include "core/llm/server_errors.h"

#include <QPointer>
#include <QUrl>
#include <algorithm>

namespace tilewright {
namespace {

using namespace std::chrono;

constexpr std::size_t largestReply = 64u << 20, largestRefusal = 1u << 20;
/// Of a reply: what each token may bring, and what comes whatever the tokens. A token is some 4 bytes, at most 64 of
/// escaped text; a server that sends an event for each puts 200 to 400 bytes of JSON around it (ids, indices, usage).
/// Some send a thought under two names, Responses repeats the whole text at its end, and thoughts that a server does
/// not count as output need room too. The bound is generous: four times the most talkative server.
constexpr std::size_t bytesOfToken = 2048, bytesOfFrame = 4u << 20;
constexpr int mostRedirects = 5;

milliseconds between(nanoseconds from, nanoseconds to) { return duration_cast<milliseconds>(to - from); }

std::size_t bytesOf(const ChatRequest& request)
{
    std::size_t bytes = request.system.size();
    for (const ChatMessage& message : request.messages)
        bytes += message.text.size();
    return bytes;
}

} // namespace

CallRun::CallRun(ModelClient& client, ModelCallId id, ChatRequest request)
    : m_client(client)
    , m_id(id)
    , m_request(std::move(request))
    , m_total(client.m_clock)
    , m_pause(client.m_clock)
{
    if (const ModelSpec* spec = client.m_models.model(m_request.model)) {
        m_spec = *spec;
        if (const ModelEndpoint* endpoint = client.m_models.endpoint(spec->endpoint))
            m_endpoint = *endpoint;
    }
}

void CallRun::start()
{
    m_started = true;
    const auto later = [this](Error error) {
        QMetaObject::invokeMethod(
            this, [this, error = std::move(error)] { finishWith(error, ReplyState::Failed); }, Qt::QueuedConnection);
    };
    if (m_spec.name.empty())
        return later({"llm/unknown-model", "'" + m_request.model + "' is not a model of the models file", "", nullptr});
    if (const auto fine = checkAddress(m_endpoint); !fine)
        return later(fine.error());
    const auto name = parseKeyName(m_endpoint.key);
    if (!name)
        return later(name.error());
    m_total.set(m_endpoint.timeouts.total, WakeReason::Total, [this] { totalTimeUp(); });
    const QPointer<CallRun> self(this);
    m_client.m_keys.find(*name, [self](Result<std::string> key) {
        if (self)
            self->keyFound(std::move(key));
    });
}

void CallRun::keyFound(Result<std::string> key)
{
    if (m_done)
        return;
    if (!key)
        return finishWith(key.error(), ReplyState::Failed);
    m_key = std::move(*key);
    m_client.m_redactor.learn(m_key);
    if (m_request.samples > 1 && !m_spec.capabilities.samples)
        m_notes.push_back("several replies were requested; this model gives one per request");
    attempt();
}

void CallRun::attempt()
{
    m_spec.capabilities = m_client.capabilitiesOf(m_spec.name);
    if (!m_attempts.empty() && isHeldByPace())
        return;
    if (m_client.m_gate) {
        if (const auto allowed = m_client.m_gate(m_request, m_client.worstCaseOf(m_request)); !allowed)
            return finishWith(allowed.error(), ReplyState::Failed);
    }
    m_call = rulesOf(m_endpoint.protocol).build(m_endpoint, m_spec, m_request);
    if (!m_url.empty())
        m_call.url = m_url;
    m_body.clear();
    m_reader = std::make_unique<ReplyReader>(m_endpoint.protocol);
    ModelAttempt attempt;
    attempt.number = static_cast<int>(m_attempts.size()) + 1;
    attempt.startedUtc = m_client.m_clock.utc();
    attempt.pausedBefore = std::exchange(m_nextPause, milliseconds(0));
    m_attempts.push_back(attempt);
    m_attemptStart = m_client.m_clock.monotonic();
    m_exchange = std::make_unique<Exchange>(m_client.m_lanes, m_client.m_clock, m_endpoint.timeouts);
    connect(m_exchange.get(), &Exchange::bytes, this, [this](const QByteArray& bytes) { takeBytes(bytes); });
    connect(m_exchange.get(), &Exchange::ended, this, [this](const Error& error) { attemptEnded(error); });
    m_exchange->start(m_endpoint, m_call, m_key);
    Q_EMIT m_client.attempted(m_id, attempt.number);
}

/// The first try was counted when the call was let go; a further one waits for its own place.
bool CallRun::isHeldByPace()
{
    const auto wait = ceil<milliseconds>(m_client.waitAt(m_endpoint, promptEstimate()));
    if (wait.count() == 0) {
        m_client.countAt(m_endpoint, {1, promptEstimate()});
        return false;
    }
    m_nextPause += wait;
    m_pause.set(wait, WakeReason::Pace, [this] { attempt(); });
    const std::string& trouble = m_attempts.back().error.text; // of the try before, which is what holds it up
    Q_EMIT m_client.pausing(ModelPause{
        m_id, m_attempts.back().number, wait, trouble.empty() ? "limited by " + m_endpoint.name : shown(trouble)});
    return true;
}

/// What a reply used beyond what was counted when it was asked for.
void CallRun::countUse(const ModelReply& reply)
{
    const std::int64_t counted = static_cast<std::int64_t>(m_attempts.size()) * promptEstimate();
    if (const std::int64_t more = reply.spent().total() - counted; more > 0)
        m_client.paceOf(m_endpoint).count(m_client.m_clock.monotonic(), {0, more});
}

void CallRun::takeBytes(const QByteArray& bytes)
{
    ModelAttempt& attempt = m_attempts.back();
    if (attempt.firstByte.count() < 0)
        attempt.firstByte = between(m_attemptStart, m_client.m_clock.monotonic());
    const std::string_view view(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    const bool good = m_exchange->status() >= 200 && m_exchange->status() < 300;
    const std::size_t most = good ? mostBytes() : largestRefusal;
    const std::size_t room = most - std::min(most, m_body.size());
    const std::string_view taken = view.substr(0, room);
    m_body += taken;
    attempt.bytes = static_cast<std::int64_t>(m_body.size());
    if (!good) {
        if (view.size() > room)
            m_exchange->drain();
        return;
    }
    m_reader->feed(taken);
    if (!m_reader->terminal() && (m_reader->overflowed() || view.size() > room))
        return stopAttempt(tooLarge(most));
    // Where no event of its own ends a stream, every answer's reason and the use do.
    const ReplyContent& content = m_reader->content();
    const bool hasAll = content.usageReported && static_cast<int>(content.answers.size()) >= m_request.samples
        && isWhole(m_endpoint.protocol, content);
    if (m_reader->terminal() || hasAll)
        m_exchange->drain();
    ModelProgress progress{m_id, attempt.number, attempt.bytes, 0, 0};
    for (const Answer& answer : m_reader->content().answers) {
        progress.textBytes += static_cast<std::int64_t>(answer.text.size());
        progress.reasoningBytes += static_cast<std::int64_t>(answer.reasoning.size());
    }
    Q_EMIT m_client.progressed(progress);
}

std::int64_t CallRun::mostWritten() const
{
    const int samples = m_spec.capabilities.samples ? std::max(m_request.samples, 1) : 1;
    return outputLimitOf(m_spec, m_request) * samples;
}

std::size_t CallRun::mostBytes() const
{
    const std::int64_t tokens = mostWritten();
    if (tokens <= 0 || tokens >= static_cast<std::int64_t>(largestReply / bytesOfToken))
        return largestReply;
    return std::min(largestReply, bytesOfFrame + static_cast<std::size_t>(tokens) * bytesOfToken);
}

Error CallRun::tooLarge(std::size_t most) const
{
    const std::string limit = "max_output_tokens (" + std::to_string(mostWritten()) + ")";
    const std::string text = m_reader->overflowed()
        ? "the reply has a line that is longer than " + std::to_string(longestLine >> 20) + " MiB"
        : "the reply is larger than " + std::to_string(most >> 20) + " MiB, more than " + limit + " allows";
    return {"llm/reply-too-large", text + ": the connection is closed", "check the endpoint's address",
        {{"bytes", m_body.size()}}};
}

/// It may be what is calling us.
void CallRun::dropExchange()
{
    if (!m_exchange)
        return;
    m_exchange->abort();
    m_exchange.release()->deleteLater();
}

void CallRun::stopAttempt(const Error& why)
{
    m_exchange->abort();
    QMetaObject::invokeMethod(
        this,
        [this, why, number = m_attempts.size()] {
            if (number == m_attempts.size())
                attemptEnded(why);
        },
        Qt::QueuedConnection);
}

void CallRun::attemptEnded(const Error& error)
{
    if (m_done || !m_exchange)
        return;
    ModelAttempt& attempt = m_attempts.back();
    attempt.took = between(m_attemptStart, m_client.m_clock.monotonic());
    attempt.status = m_exchange->status();
    attempt.serverId = m_client.m_redactor.redacted(serverIdOf(m_exchange->headers()));
    if (const RateLimits limits = rateLimitsOf(m_exchange->headers()); !limits.empty())
        m_limits = limits;
    m_client.m_announced[m_endpoint.name].note(
        m_client.m_clock.monotonic(), m_exchange->headers(), m_client.m_clock.utc());
    if (attempt.status >= 200 && attempt.status < 300)
        return readBody(error);
    if ((attempt.status == 307 || attempt.status == 308) && followRedirect())
        return;
    ModelFailure failure;
    if (attempt.status == 0) {
        failure.error = error.code.empty()
            ? Error{"llm/connection-lost", "the server closed the connection without a reply", "", nullptr}
            : error;
        const std::string& code = failure.error.code;
        if (code == "llm/connect" || code == "llm/connection-lost" || code == "llm/timeout-connect")
            failure.remedy = Remedy::Later;
    } else if (error.code.starts_with("llm/timeout")) {
        failure.error = error;
    } else {
        failure = failureOf({attempt.status, m_exchange->headers(), m_body}, m_client.m_clock.utc());
    }
    repeat(failure, {});
}

/// What was paid for leaves the room before it is read.
void CallRun::handOverBody()
{
    if (m_body.empty())
        return;
    const ModelAttempt& attempt = m_attempts.back();
    Q_EMIT m_client.received(
        RawReply{m_id, m_request.conversation, m_request.model, nameIn(modelProtocols, m_endpoint.protocol),
            attempt.number, attempt.status, m_client.m_redactor.withoutSecrets(m_body)});
}

void CallRun::readBody(const Error& error)
{
    m_reader->finish();
    const QPointer<CallRun> self(this);
    handOverBody();
    if (!self || m_done)
        return;
    const BodyEnd end{error, static_cast<std::int64_t>(m_body.size()), m_exchange->headers(), m_client.m_clock.utc()};
    const TokenEstimator estimator = m_client.estimatorOf(m_spec.name);
    ReadReply read = readReply(m_endpoint.protocol, *m_reader, end, promptEstimate(), estimator.tokensPerByte);
    limitGuess(read.reply, mostWritten());
    m_attempts.back().wasRefused = read.isRefusal;
    if (!read.failure.error.code.empty())
        return repeat(read.failure, read);
    if (read.reply.usageSource == UsageSource::Reported) {
        const std::int64_t expected = promptEstimate();
        m_client.m_estimators[m_spec.name].learn(bytesOf(m_request), read.reply.usage.read());
        if (m_endpoint.protocol == ModelProtocol::OllamaChat && read.reply.usage.read() * 2 < expected)
            m_notes.push_back("the server read about " + std::to_string(read.reply.usage.read()) + " of "
                + std::to_string(expected) + " prompt tokens: its context is too short for this prompt");
    }
    finish(std::move(read.reply));
}

void CallRun::repeat(const ModelFailure& failure, const ReadReply& read)
{
    ModelAttempt& attempt = m_attempts.back();
    attempt.error = failure.error;
    if (failure.wait) // it holds for everybody who asks there
        m_client.m_announced[m_endpoint.name].holdFor(m_client.m_clock.monotonic(), *failure.wait);
    if (failure.remedy == Remedy::WithoutParameter && repeatWithoutParameter(failure))
        return;
    if (failure.remedy == Remedy::Later && m_total.isSet()) {
        const int next = attempt.number + 1;
        const CounterRandom random(
            m_client.m_seed, static_cast<std::uint64_t>(m_id.value), static_cast<std::uint64_t>(next));
        if (const auto pause = pauseBefore(next, failure.wait, m_client.m_retry, random)) {
            attempt.wasted = read.reply.usage; // paid for and thrown away
            dropExchange();
            m_nextPause = *pause;
            m_pause.set(*pause, WakeReason::Retry, [this] { this->attempt(); });
            Q_EMIT m_client.pausing(
                ModelPause{m_id, attempt.number, *pause, shown(failure.error.text), attempt.wasFree()});
            return;
        }
    }
    ModelReply reply = read.reply;
    reply.error = failure.error;
    if (failure.wait && reply.error.evidence.is_object())
        reply.error.evidence["retry_after_s"] = static_cast<double>(failure.wait->count()) / 1000.0;
    finish(std::move(reply));
}

bool CallRun::repeatWithoutParameter(const ModelFailure& failure)
{
    const auto without = withoutParameter(m_spec.capabilities, failure.parameter);
    if (m_repaired || !without)
        return false;
    m_repaired = true;
    for (ModelSpec& spec : m_client.m_models.models)
        if (spec.name == m_spec.name)
            spec.capabilities = *without;
    m_notes.push_back("the server refused '" + failure.parameter + "': the request was repeated without it");
    m_refusedParameter = failure.parameter;
    dropExchange();
    attempt();
    return true;
}

/// To the same scheme, host and port only: the key goes nowhere else, and a POST stays one.
bool CallRun::followRedirect()
{
    const QUrl from(QString::fromStdString(m_call.url));
    const QUrl to = from.resolved(QUrl(QString::fromStdString(headerOf(m_exchange->headers(), "location"))));
    const std::string target = to.toString(QUrl::FullyEncoded).toStdString();
    if (++m_redirects > mostRedirects || !to.isValid() || originOf(target) != originOf(m_call.url))
        return false;
    m_attempts.back().error = {"llm/redirect", "redirected within the same server", "", nullptr};
    m_url = target;
    dropExchange();
    attempt();
    return true;
}

void CallRun::totalTimeUp()
{
    const Error error{
        "llm/timeout-total", "the request took longer than " + timeText(m_endpoint.timeouts.total), "", nullptr};
    if (!m_exchange || m_exchange->status() < 200 || m_exchange->status() >= 300) {
        if (!m_attempts.empty() && m_exchange)
            m_attempts.back().took = between(m_attemptStart, m_client.m_clock.monotonic());
        return finishWith(error, ReplyState::Failed);
    }
    stopAttempt(error);
}

bool CallRun::isPaid() const
{
    return m_exchange && m_exchange->status() >= 200 && m_exchange->status() < 300 && !m_body.empty();
}

ModelReply CallRun::cutOff()
{
    m_pause.stop();
    m_total.stop();
    if (m_exchange)
        m_exchange->abort();
    ModelReply reply;
    const Error error{"llm/cancelled", "cancelled", "", nullptr};
    if (isPaid()) {
        m_reader->finish();
        const BodyEnd end{error, static_cast<std::int64_t>(m_body.size()), {}, {}};
        reply = readReply(
            m_endpoint.protocol, *m_reader, end, promptEstimate(), m_client.estimatorOf(m_spec.name).tokensPerByte)
                    .reply;
    }
    if (m_exchange && !m_attempts.empty()) {
        m_attempts.back().took = between(m_attemptStart, m_client.m_clock.monotonic());
        m_attempts.back().status = m_exchange->status();
        m_attempts.back().error = error;
    }
    reply.error = error;
    reply.state = ReplyState::Cancelled;
    limitGuess(reply, mostWritten());
    m_done = true;
    return reply;
}

void CallRun::cancel()
{
    if (m_done)
        return;
    const bool paid = isPaid();
    QMetaObject::invokeMethod(
        this,
        [this, paid, reply = cutOff()] {
            const QPointer<CallRun> self(this);
            if (paid)
                handOverBody();
            if (!self)
                return;
            m_done = false;
            finish(reply);
        },
        Qt::QueuedConnection);
}

ModelReply CallRun::abandon() { return completed(cutOff()); }

void CallRun::finishWith(const Error& error, ReplyState state)
{
    ModelReply reply;
    reply.state = state;
    reply.error = error;
    if (!m_attempts.empty() && m_attempts.back().error.code.empty())
        m_attempts.back().error = error;
    finish(std::move(reply));
}

void CallRun::finish(ModelReply reply)
{
    if (std::exchange(m_done, true))
        return;
    m_total.stop();
    m_pause.stop();
    dropExchange();
    reply = completed(std::move(reply));
    countUse(reply);
    ModelClient& client = m_client;
    const QPointer<ModelClient> alive(&client);
    Q_EMIT client.finished(reply);
    if (alive)
        client.runEnded(reply.id);
}

/// With attempts, price and notes; nothing secret in it.
ModelReply CallRun::completed(ModelReply reply)
{
    reply.id = m_id;
    reply.conversation = m_request.conversation;
    reply.model = m_request.model;
    reply.attempts = m_attempts;
    reply.limits = m_limits;
    reply.refusedParameter = m_refusedParameter;
    reply.notes.insert(reply.notes.begin(), m_notes.begin(), m_notes.end());
    if (!reply.usd || m_attempts.size() > 1) {
        const bool told = reply.usd.has_value();
        TokenUsage wasted = reply.spent();
        if (told) { // the server told the cost of the last attempt; earlier ones are priced by the table
            wasted = {};
            for (const ModelAttempt& attempt : reply.attempts)
                wasted += attempt.wasted;
        }
        const auto cost = costUsd(wasted, m_spec.price);
        if (told && wasted.total() > 0)
            reply.usd = cost ? std::optional(*reply.usd + *cost) : std::nullopt;
        else if (!told)
            reply.usd = wasted.total() == 0 ? std::optional(0.0) : cost;
    }
    if (std::ranges::any_of(m_attempts, &ModelAttempt::wasInVain)) { // perhaps the server worked, and charged for it
        reply.notes.push_back("a request was sent but not answered: whether it was charged is unknown");
        if (reply.spent().total() == 0)
            reply.usd.reset();
    }
    return cleaned(std::move(reply));
}

std::string CallRun::shown(const std::string& text) const
{
    return oneLine(m_client.m_redactor.redacted(text), shownOfServer);
}

/// The last station before a reply leaves the room.
ModelReply CallRun::cleaned(ModelReply reply) const
{
    const Redactor& redactor = m_client.m_redactor;
    const auto clean = [&redactor](Error& error) {
        error.text = redactor.redacted(error.text);
        error.hint = redactor.redacted(error.hint);
        error.evidence = redactor.redactedJson(error.evidence);
    };
    clean(reply.error);
    for (ModelAttempt& attempt : reply.attempts)
        clean(attempt.error);
    for (Answer& answer : reply.answers)
        for (std::string* text : {&answer.text, &answer.reasoning, &answer.refusal, &answer.finishWord})
            *text = redactor.withoutSecrets(*text);
    reply.servedBy = redactor.redacted(reply.servedBy);
    for (std::string& note : reply.notes)
        note = redactor.redacted(note);
    for (auto& [kind, limit] : reply.limits)
        limit.reset = redactor.redacted(limit.reset);
    makeShowable(reply);
    return reply;
}

std::int64_t CallRun::promptEstimate() const { return m_client.estimatorOf(m_spec.name).tokensOf(bytesOf(m_request)); }

} // namespace tilewright
