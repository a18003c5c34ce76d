// SPDX-License-Identifier: GPL-3.0-or-later
// A model server of scripts on a real socket of this machine, with TLS if asked. It knows HTTP as far as a client needs
// to be lied to: it reads requests well and answers with exactly the bytes of a script.
#pragma once

#include <QObject>
#include <QSslCertificate>
#include <QSslKey>
#include <QTcpServer>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

class QTcpSocket;

namespace tilewright::testing {

struct SeenRequest {
    int ordinal = 0; ///< 1, 2, … over all connections
    std::string method, target;
    std::map<std::string, std::string> headers; ///< names in lower case
    std::string body;
    nlohmann::json json; ///< discarded if the body is none
    bool encrypted = false;

    std::string header(const std::string& name) const { return headers.contains(name) ? headers.at(name) : ""; }
};

/// What the server does, step by step, one a turn of the event loop.
struct Step {
    enum class Kind { Send, Hold, Close, Reset } kind = Kind::Send;
    std::string bytes;
};
using Script = std::vector<Step>;

inline Step send(std::string bytes) { return {Step::Kind::Send, std::move(bytes)}; }
inline Step hold() { return {Step::Kind::Hold, {}}; } ///< until release()
inline Step close() { return {Step::Kind::Close, {}}; } ///< after everything is sent
inline Step reset() { return {Step::Kind::Reset, {}}; } ///< RST

/// "HTTP/1.1 200 OK" with these header lines; no length unless one of them says so.
std::string head(int status, const std::vector<std::string>& headerLines = {});
/// A whole answer with its length; the connection stays open.
Script answer(int status, const std::string& body, std::vector<std::string> headerLines = {});
/// A 200 of server-sent events that ends by closing.
Script stream(const std::vector<std::string>& pieces, const std::string& contentType = "text/event-stream");

class FakeServer : public QTcpServer
{
    Q_OBJECT

public:
    using Handler = std::function<Script(const SeenRequest&)>;

    explicit FakeServer(QObject* parent = nullptr);
    ~FakeServer() override;

    /// On a free port of 127.0.0.1.
    bool start(quint16 port = 0);
    void useTls(const QSslCertificate& certificate, const QSslKey& key);
    void setHandler(Handler handler) { m_handler = std::move(handler); }
    /// One script a request; the last one goes on for ever.
    void play(std::vector<Script> scripts);

    std::string url(const std::string& path = "/v1") const;
    const std::vector<SeenRequest>& seen() const { return m_seen; }
    /// Connections that stand at a hold().
    int holding() const;
    void release();
    int connections() const { return m_connections; } ///< ever opened

Q_SIGNALS:
    void requestSeen(const tilewright::testing::SeenRequest& request);

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    struct Peer;
    void read(Peer& peer);
    void step(Peer& peer);

    Handler m_handler;
    QSslCertificate m_certificate;
    QSslKey m_key;
    std::vector<std::unique_ptr<Peer>> m_peers;
    std::vector<SeenRequest> m_seen;
    int m_connections = 0;
};

} // namespace tilewright::testing
