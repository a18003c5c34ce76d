// SPDX-License-Identifier: GPL-3.0-or-later
// One call from its key to its reply: attempts, pauses, the one try without a refused parameter, redirects, the total
// clock. Owner: ModelClient; thread: its own.
#pragma once

#include "core/llm/exchange.h"
#include "core/llm/failure.h"
#include "core/llm/model_client.h"
#include "core/llm/reply_reading.h"

namespace tilewright {

class CallRun : public QObject
{
public:
    CallRun(ModelClient& client, ModelCallId id, ChatRequest request);

    const std::string& endpointName() const { return m_spec.endpoint; }
    bool isStarted() const { return m_started; }
    void start();
    void cancel();
    /// Ends it at once and silently; what is known of it.
    ModelReply abandon();
    std::int64_t promptEstimate() const; ///< tokens

private:
    /// Stops everything; the reply as far as it came. `isPaid`: a body had begun to arrive.
    ModelReply cutOff();
    bool isPaid() const;
    ModelReply completed(ModelReply reply);
    void keyFound(Result<std::string> key);
    void attempt();
    void takeBytes(const QByteArray& bytes);
    void attemptEnded(const Error& error);
    void handOverBody();
    void readBody(const Error& error);
    void repeat(const ModelFailure& failure, const ReadReply& read);
    bool repeatWithoutParameter(const ModelFailure& failure);
    bool followRedirect();
    void totalTimeUp();
    void dropExchange();
    void stopAttempt(const Error& why);
    void finish(ModelReply reply);
    void finishWith(const Error& error, ReplyState state);
    ModelReply cleaned(ModelReply reply) const;
    std::string shown(const std::string& text) const; ///< of an error, for a progress line
    bool isHeldByPace();
    void countUse(const ModelReply& reply);
    std::int64_t mostWritten() const; ///< tokens that all answers together may have; 0 = no limit
    std::size_t mostBytes() const; ///< that a reply may have
    Error tooLarge(std::size_t most) const;

    ModelClient& m_client;
    ModelCallId m_id;
    ChatRequest m_request;
    ModelSpec m_spec;
    ModelEndpoint m_endpoint;
    std::string m_key, m_url;
    HttpCall m_call;
    std::unique_ptr<Exchange> m_exchange;
    std::unique_ptr<ReplyReader> m_reader;
    std::string m_body;
    Alarm m_total, m_pause;
    std::vector<ModelAttempt> m_attempts;
    std::string m_refusedParameter;
    std::vector<std::string> m_notes;
    RateLimits m_limits;
    std::chrono::nanoseconds m_attemptStart{0};
    std::chrono::milliseconds m_nextPause{0};
    int m_redirects = 0;
    bool m_started = false, m_repaired = false, m_done = false;
};

} // namespace tilewright
