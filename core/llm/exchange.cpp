// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/exchange.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/llm/server_errors.h"

#include <QSslConfiguration>
#include <QSslError>
#include <algorithm>
#include <cstring>

namespace tilewright {
namespace {

constexpr std::chrono::milliseconds drainTime{2000};
constexpr qint64 largestPortion = 64 << 10, mostUnread = 4 * largestPortion;

/// A body that can be read once. Qt would send a request again by itself when a connection closes before the answer;
/// with this it cannot, and a request that was paid for is never silently paid for twice.
class OneTimeBody : public QIODevice
{
public:
    OneTimeBody(std::string body, QObject* parent)
        : QIODevice(parent)
        , m_body(std::move(body))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }
    bool isSequential() const override { return true; }
    bool reset() override { return false; }
    bool atEnd() const override { return m_at == m_body.size(); }
    qint64 bytesAvailable() const override
    {
        return static_cast<qint64>(m_body.size() - m_at) + QIODevice::bytesAvailable();
    }

protected:
    qint64 readData(char* into, qint64 most) override
    {
        const std::size_t take = std::min(m_body.size() - m_at, static_cast<std::size_t>(std::max<qint64>(most, 0)));
        if (take == 0)
            return atEnd() ? -1 : 0;
        std::memcpy(into, m_body.data() + m_at, take);
        m_at += take;
        return static_cast<qint64>(take);
    }
    qint64 writeData(const char*, qint64) override { return -1; }

private:
    std::string m_body;
    std::size_t m_at = 0;
};

void setCalm(QNetworkRequest& request)
{
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false); // lanes give what it would
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("Tilewright/" TILEWRIGHT_VERSION));
}

} // namespace

Exchange::Exchange(NetworkLanes& lanes, AlarmClock& clock, ModelTimeouts timeouts, QObject* parent)
    : QObject(parent)
    , m_lanes(lanes)
    , m_timeouts(timeouts)
    , m_connect(clock)
    , m_firstByte(clock)
    , m_inactivity(clock)
    , m_drain(clock)
{
    m_read.setSingleShot(true);
    m_read.setInterval(0);
    connect(&m_read, &QTimer::timeout, this, &Exchange::takePortion);
}

Exchange::~Exchange() { abort(); }

void Exchange::start(const ModelEndpoint& endpoint, const HttpCall& call, const std::string& key)
{
    const auto proxy = proxyFor(call.url, endpoint.proxy, processEnvironment());
    if (!proxy)
        return end(proxy.error());
    QNetworkRequest request(QUrl(QString::fromStdString(call.url)));
    setCalm(request);
    for (const auto& [name, value] : call.headers)
        request.setRawHeader(QByteArray::fromStdString(name), QByteArray::fromStdString(value));
    for (const auto& [name, value] : endpoint.headers)
        request.setRawHeader(QByteArray::fromStdString(name), QByteArray::fromStdString(value));
    if (!key.empty())
        request.setRawHeader(
            QByteArray::fromStdString(call.keyHeader), QByteArray::fromStdString(call.keyPrefix + key));
    if (!endpoint.caFile.empty()) {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        if (!tls.addCaCertificates(QString::fromStdString(endpoint.caFile)))
            return end({"llm/tls", "the certificate file of " + endpoint.name + " contains no certificate",
                "set \"ca_file\" to the path of a PEM file", {{"file", endpoint.caFile}}});
        request.setSslConfiguration(tls);
    }
    m_proxied = proxy->kind != ProxyChoice::Kind::None;
    QNetworkAccessManager* manager = m_lanes.enter(*proxy);
    if (call.method == "GET") {
        m_reply = manager->get(request);
    } else {
        request.setHeader(QNetworkRequest::ContentLengthHeader, static_cast<qlonglong>(call.body.size()));
        auto* body = new OneTimeBody(call.body, nullptr);
        m_reply = manager->post(request, body);
        body->setParent(m_reply);
    }
    m_reply->setReadBufferSize(mostUnread);
    connect(m_reply, &QNetworkReply::requestSent, this, &Exchange::sent);
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &Exchange::takeHead);
    connect(m_reply, &QNetworkReply::readyRead, &m_read, qOverload<>(&QTimer::start));
    connect(m_reply, &QNetworkReply::finished, this, [this] {
        m_isClosed = true;
        m_read.start();
    });
    connect(m_reply, &QNetworkReply::sslErrors, this, [this](const QList<QSslError>& errors) {
        for (const QSslError& error : errors) {
            const QString subject = error.certificate().subjectDisplayName();
            m_tlsTrouble += (m_tlsTrouble.empty() ? "" : "; ") + error.errorString().toStdString();
            if (!subject.isEmpty())
                m_tlsTrouble += " (certificate of " + printable(subject.toStdString()) + ")";
        }
    });
    m_connect.set(m_timeouts.connect, WakeReason::Connect,
        [this] { timedOut("llm/timeout-connect", "no connection", m_timeouts.connect); });
}

void Exchange::sent()
{
    if (std::exchange(m_sent, true))
        return;
    m_connect.stop();
    if (!m_gotByte)
        m_firstByte.set(m_timeouts.firstByte, WakeReason::FirstByte,
            [this] { timedOut("llm/timeout-first-byte", "the server did not start to reply", m_timeouts.firstByte); });
}

void Exchange::takeHead()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (m_status != 0 || status == 0)
        return;
    sent();
    m_status = status;
    for (const auto& [name, value] : m_reply->rawHeaderPairs())
        m_headers.emplace_back(name.toStdString(), value.toStdString());
    Q_EMIT headed();
}

/// By a timer and not by a queued call: Qt makes queued calls until there are none left, and a fast server would keep
/// every clock and signal waiting.
void Exchange::takePortion()
{
    if (!m_reply)
        return;
    takeHead();
    if (!m_reply)
        return;
    const QByteArray portion = m_reply->read(largestPortion);
    if (portion.isEmpty()) {
        if (m_isClosed)
            end(m_draining ? Error{} : errorOf(m_reply->error()));
        return;
    }
    m_read.start();
    m_gotByte = true;
    m_connect.stop();
    m_firstByte.stop();
    if (!m_draining)
        restartInactivity();
    Q_EMIT bytes(portion);
}

void Exchange::restartInactivity()
{
    m_inactivity.set(m_timeouts.inactivity, WakeReason::Inactivity,
        [this] { timedOut("llm/timeout-inactivity", "the stream stopped", m_timeouts.inactivity); });
}

void Exchange::drain()
{
    if (std::exchange(m_draining, true) || m_ended)
        return;
    m_inactivity.stop();
    m_drain.set(drainTime, WakeReason::Drain, [this] { end({}); });
}

Error Exchange::errorOf(QNetworkReply::NetworkError problem) const
{
    const std::string words = serverWords(m_reply->errorString().toStdString()); // a reason phrase is the server's
    const auto error = [&words](const char* code, const std::string& text, const char* hint) {
        return Error{code, text, hint, {{"network", words}}};
    };
    switch (problem) {
    case QNetworkReply::NoError:
        return {};
    case QNetworkReply::SslHandshakeFailedError:
        return error("llm/tls", "no secure connection: " + (m_tlsTrouble.empty() ? words : m_tlsTrouble),
            "if this server has its own certificate authority, set its file as \"ca_file\"");
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
    case QNetworkReply::UnknownProxyError:
        return error("llm/proxy", "the proxy cannot be used: " + words, "check \"proxy\" or HTTPS_PROXY");
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return error("llm/proxy", "the proxy needs a user name and a password",
            "set HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT in the environment, not in a file");
    default:
        break;
    }
    if (m_proxied && !m_sent)
        return error("llm/proxy", "no connection through the proxy: " + words, "check \"proxy\" or HTTPS_PROXY");
    switch (problem) {
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
        return error("llm/connect", "no connection: " + words, "check that the server is running, and its address");
    default:
        break;
    }
    if (m_status >= 300 && problem > QNetworkReply::UnknownProxyError && problem != QNetworkReply::ContentReSendError)
        return {}; // the status in Qt's words
    if (m_status == 0 && !m_sent)
        return error("llm/connect", "no connection: " + words, "check that the server is running, and its address");
    const bool isExplained = words != "Unknown error"; // what Qt says where the network gave no reason
    return error("llm/connection-lost",
        isExplained ? "the connection was lost: " + words : "the connection was lost; the network reported no reason",
        "");
}

void Exchange::timedOut(const char* code, const char* text, std::chrono::milliseconds limit)
{
    end({code, std::string(text) + " for " + timeText(limit), "",
        {{"limit_s", static_cast<double>(limit.count()) / 1000.0}}});
}

void Exchange::abort()
{
    m_ended = true;
    m_read.stop();
    for (Alarm* alarm : {&m_connect, &m_firstByte, &m_inactivity, &m_drain})
        alarm->stop();
    if (QNetworkReply* reply = std::exchange(m_reply, nullptr)) {
        QNetworkAccessManager* manager = reply->manager();
        reply->disconnect(this);
        if (!reply->isFinished() || reply->error() != QNetworkReply::NoError)
            m_lanes.retire(manager);
        reply->abort();
        reply->deleteLater();
        m_lanes.leave(manager);
    }
}

void Exchange::end(const Error& error)
{
    if (m_ended)
        return;
    abort();
    // From the event loop, so that whoever listens may delete this, and start() never answers before it returns.
    QMetaObject::invokeMethod(
        this, [this, error] { Q_EMIT ended(error); }, Qt::QueuedConnection);
}

} // namespace tilewright
