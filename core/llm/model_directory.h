// SPDX-License-Identifier: GPL-3.0-or-later
// What an endpoint offers: its list of models, page by page, and what one tiny call shows. Owner: the settings and the
// doctor, on the engine's thread; nothing waits.
#pragma once

#include <QObject>
#ifndef Q_MOC_RUN
#include "core/llm/exchange.h"
#include "core/llm/keys.h"
#include "core/llm/model_client.h"
#include "core/llm/redactor.h"
#endif

namespace tilewright {

struct ListedModel {
    std::string id; ///< what a request names
    std::string title; ///< may be empty
    std::int64_t contextTokens = 0, mostOutputTokens = 0; ///< 0: not told

    bool operator==(const ListedModel&) const = default;
};

/// One page; `next` is empty on the last.
struct ModelPage {
    std::vector<ListedModel> models;
    std::string next;

    bool operator==(const ModelPage&) const = default;
};

/// Pure: the call for the page that `next` of the former one named, and its reading. Error llm/not-a-reply.
HttpCall modelListCall(const ModelEndpoint& endpoint, const std::string& next);
Result<ModelPage> readModelPage(ModelProtocol protocol, std::string_view body);

class ModelDirectory : public QObject
{
public:
    using Listed = std::function<void(Result<std::vector<ListedModel>>)>;

    ModelDirectory(AlarmClock& clock, KeyRing& keys, QObject* parent = nullptr);
    /// Answers once, later; a second call while one is open replaces it. Tries once. Errors as of a call, and
    /// llm/no-list where the server has none (404): type the model's name then.
    void list(const ModelEndpoint& endpoint, Listed listed);

private:
    void fetch(const std::string& next);
    void pageEnded(const Error& error);
    void answer(Result<std::vector<ListedModel>> result);

    AlarmClock& m_clock;
    KeyRing& m_keys;
    NetworkLanes m_lanes;
    ModelEndpoint m_endpoint;
    std::string m_key;
    Redactor m_redactor;
    std::unique_ptr<Exchange> m_exchange;
    std::string m_body;
    std::vector<ListedModel> m_models;
    Listed m_listed;
    int m_pages = 0, m_tag = 0;
};

/// The request of the Test button: a few tokens in, a few out.
ChatRequest probeRequest(const std::string& model);
/// What it showed, for a user: latency to the first byte and in all, tokens, cost, limits.
struct ProbeReport {
    bool works = false;
    Error error;
    std::string servedBy;
    std::chrono::milliseconds firstByte{-1}, took{0};
    TokenUsage usage;
    UsageSource usageSource = UsageSource::None;
    std::optional<double> usd;
    RateLimits limits;
    std::vector<std::string> notes;
    Capabilities tried; ///< what the request made use of; the rest of the table is assumed

    bool operator==(const ProbeReport&) const = default;
};
/// What of the table the test's request to this model sends: temperature, top_p and effort only where they are set.
Capabilities triedByProbe(const ModelSpec& spec, ModelProtocol protocol);
ProbeReport probeReport(const ModelReply& reply, const Capabilities& tried = {});

} // namespace tilewright
