// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/model_directory.h"

#include "core/base/text.h"
#include "core/llm/failure.h"
#include "core/llm/json_access.h"
#include "core/llm/server_errors.h"

#include <QPointer>
#include <QUrl>
#include <algorithm>

namespace tilewright {
namespace {

constexpr int mostPages = 20;
constexpr std::size_t largestPage = 16u << 20;

std::string percentEncoded(const std::string& text)
{
    return QUrl::toPercentEncoding(QString::fromStdString(text)).toStdString();
}

ListedModel readEntry(const nlohmann::json& entry)
{
    ListedModel model;
    for (const char* key : {"id", "name", "model"})
        if (model.id.empty())
            model.id = textAt(entry, key);
    if (model.id != oneLine(model.id, shownOfServer))
        model.id.clear(); // no name that could be typed
    if (model.id.starts_with("models/")) // Gemini
        model.id.erase(0, 7);
    for (const char* key : {"display_name", "displayName"})
        if (model.title.empty())
            model.title = oneLine(textAt(entry, key), shownOfServer);
    // Anthropic; Gemini; OpenRouter; LM Studio; vLLM
    for (const char* key :
        {"max_input_tokens", "inputTokenLimit", "context_length", "max_context_length", "max_model_len"})
        model.contextTokens = std::max(model.contextTokens, countAt(entry, key));
    for (const char* key : {"max_tokens", "outputTokenLimit"})
        model.mostOutputTokens = std::max(model.mostOutputTokens, countAt(entry, key));
    return model;
}

} // namespace

HttpCall modelListCall(const ModelEndpoint& endpoint, const std::string& next)
{
    HttpCall call = rulesOf(endpoint.protocol).build(endpoint, ModelSpec{}, ChatRequest{}); // headers of the protocol
    call.method = "GET";
    call.body.clear();
    std::erase_if(call.headers, [](const auto& header) { return header.first == "Content-Type"; });
    std::string resource = endpoint.protocol == ModelProtocol::OllamaChat ? "api/tags" : "models";
    if (endpoint.protocol == ModelProtocol::Gemini)
        resource += "?pageSize=200" + (next.empty() ? "" : "&pageToken=" + percentEncoded(next));
    else if (endpoint.protocol == ModelProtocol::Anthropic)
        resource += "?limit=200" + (next.empty() ? "" : "&after_id=" + percentEncoded(next));
    else if (!next.empty())
        resource += "?after=" + percentEncoded(next);
    call.url = resourceUrl(endpoint.url, endpoint.protocol, resource);
    return call;
}

Result<ModelPage> readModelPage(ModelProtocol protocol, std::string_view body)
{
    const nlohmann::json json = parsedOrDiscarded(body);
    const bool hasModels = memberOf(json, "models").is_array();
    if (!hasModels && !memberOf(json, "data").is_array())
        return fail("llm/not-a-reply", "the server's list of models cannot be read", "check the endpoint's address");
    ModelPage page;
    for (const nlohmann::json& entry : listAt(json, hasModels ? "models" : "data"))
        if (ListedModel model = readEntry(entry); !model.id.empty())
            page.models.push_back(std::move(model));
    if (protocol == ModelProtocol::Gemini)
        page.next = textAt(json, "nextPageToken");
    else if (memberOf(json, "has_more") == true)
        page.next = textAt(json, "last_id");
    return page;
}

ModelDirectory::ModelDirectory(AlarmClock& clock, KeyRing& keys, QObject* parent)
    : QObject(parent)
    , m_clock(clock)
    , m_keys(keys)
{
}

void ModelDirectory::list(const ModelEndpoint& endpoint, Listed listed)
{
    m_exchange.reset();
    m_endpoint = endpoint;
    m_listed = std::move(listed);
    m_models.clear();
    m_pages = 0;
    const int tag = ++m_tag;
    auto name = parseKeyName(endpoint.key);
    if (const auto fine = checkAddress(endpoint); !fine)
        name = std::unexpected(fine.error());
    const QPointer<ModelDirectory> self(this);
    const auto go = [self, tag](Result<std::string> key) {
        if (!self || self->m_tag != tag)
            return; // superseded
        if (!key)
            return self->answer(std::unexpected(key.error()));
        self->m_key = *key;
        self->m_redactor.learn(*key);
        self->fetch({});
    };
    if (!name) {
        const Error error = name.error();
        QMetaObject::invokeMethod(
            this, [go, error] { go(std::unexpected(error)); }, Qt::QueuedConnection);
        return;
    }
    m_keys.find(*name, go);
}

void ModelDirectory::fetch(const std::string& next)
{
    m_body.clear();
    m_exchange = std::make_unique<Exchange>(m_lanes, m_clock, m_endpoint.timeouts);
    connect(m_exchange.get(), &Exchange::bytes, this, [this](const QByteArray& bytes) {
        if (m_body.size() < largestPage)
            m_body.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        else
            m_exchange->drain(); // a list without end is closed soon
    });
    connect(m_exchange.get(), &Exchange::ended, this, [this](const Error& error) { pageEnded(error); });
    m_exchange->start(m_endpoint, modelListCall(m_endpoint, next), m_key);
}

void ModelDirectory::pageEnded(const Error& error)
{
    const int status = m_exchange->status();
    if (!error.code.empty())
        return answer(std::unexpected(error));
    if (status == 404 || status == 405)
        return answer(fail("llm/no-list", "this server has no list of models", "enter the model's name"));
    if (status < 200 || status >= 300)
        return answer(std::unexpected(failureOf({status, m_exchange->headers(), m_body}, m_clock.utc()).error));
    auto page = readModelPage(m_endpoint.protocol, m_body);
    if (!page)
        return answer(std::unexpected(page.error()));
    m_models.insert(m_models.end(), page->models.begin(), page->models.end());
    if (!page->next.empty() && ++m_pages < mostPages) {
        m_exchange.release()->deleteLater();
        return fetch(page->next);
    }
    answer(std::move(m_models));
}

void ModelDirectory::answer(Result<std::vector<ListedModel>> result)
{
    if (m_exchange)
        m_exchange.release()->deleteLater();
    ++m_tag;
    if (!result) {
        result.error().text = oneLine(m_redactor.redacted(result.error().text), shownOfServer);
        result.error().evidence = m_redactor.redactedJson(result.error().evidence);
    }
    if (const Listed listed = std::exchange(m_listed, {}))
        listed(std::move(result));
}

ChatRequest probeRequest(const std::string& model)
{
    ChatRequest request;
    request.model = model;
    request.conversation = "test";
    request.system = "You answer in one word.";
    request.messages = {{MessageRole::User, "Say: ready"}};
    request.maxOutputTokens = 2048; // a reasoning model thinks first, even here
    return request;
}

Capabilities triedByProbe(const ModelSpec& spec, ModelProtocol protocol)
{
    const ChatRequest request = probeRequest(spec.name);
    Capabilities tried;
    tried.temperature = temperatureOf(spec, request).has_value();
    tried.topP = topPOf(spec, request).has_value();
    tried.seed = tried.stop = tried.samples = false;
    tried.reasoningEffort = !effortOf(spec, request).empty();
    tried.streamUsage = spec.capabilities.streamUsage && protocol == ModelProtocol::OpenAiChat;
    return tried;
}

ProbeReport probeReport(const ModelReply& reply, const Capabilities& tried)
{
    ProbeReport report;
    report.tried = tried;
    report.works = reply.state == ReplyState::Complete || reply.state == ReplyState::Truncated;
    report.error = reply.error;
    report.servedBy = reply.servedBy;
    for (const ModelAttempt& attempt : reply.attempts) {
        report.took += attempt.pausedBefore + attempt.took;
        report.firstByte = attempt.firstByte;
    }
    report.usage = reply.spent();
    report.usageSource = reply.usageSource;
    report.usd = reply.usd;
    report.limits = reply.limits;
    report.notes = reply.notes;
    return report;
}

} // namespace tilewright
