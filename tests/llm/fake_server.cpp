// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/llm/fake_server.h"

#include <QPointer>
#include <QSslSocket>
#include <QTimer>
#include <algorithm>
#include <cctype>
#include <deque>
#include <sstream>
#include <sys/socket.h>

namespace tilewright::testing {
namespace {

std::string lowered(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// The request at the front of the bytes, taken off them; false while it is not whole.
bool takeRequest(std::string& bytes, SeenRequest& request)
{
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == std::string::npos)
        return false;
    std::istringstream lines(bytes.substr(0, end));
    std::string line;
    std::getline(lines, line);
    std::istringstream(line) >> request.method >> request.target;
    while (std::getline(lines, line)) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos)
            continue;
        std::string value = line.substr(colon + 1);
        value.erase(0, value.find_first_not_of(' '));
        value.erase(value.find_last_not_of("\r ") + 1);
        request.headers[lowered(line.substr(0, colon))] = value;
    }
    const std::size_t length
        = request.headers.contains("content-length") ? std::stoul(request.headers.at("content-length")) : 0;
    if (bytes.size() < end + 4 + length)
        return false;
    request.body = bytes.substr(end + 4, length);
    request.json = nlohmann::json::parse(request.body, nullptr, false);
    bytes.erase(0, end + 4 + length);
    return true;
}

} // namespace

struct FakeServer::Peer {
    QTcpSocket* socket = nullptr;
    std::string bytes;
    std::deque<Step> steps;
    bool held = false, busy = false;
};

std::string head(int status, const std::vector<std::string>& headerLines)
{
    std::string text = "HTTP/1.1 " + std::to_string(status) + " Because\r\n";
    for (const std::string& line : headerLines)
        text += line + "\r\n";
    return text + "\r\n";
}

Script answer(int status, const std::string& body, std::vector<std::string> headerLines)
{
    if (std::ranges::none_of(headerLines, [](const auto& line) { return lowered(line).starts_with("content-type"); }))
        headerLines.push_back("Content-Type: application/json");
    headerLines.push_back("Content-Length: " + std::to_string(body.size()));
    return {send(head(status, headerLines) + body)};
}

Script stream(const std::vector<std::string>& pieces, const std::string& contentType)
{
    Script script{send(head(200, {"Content-Type: " + contentType, "Connection: close"}))};
    for (const std::string& piece : pieces)
        script.push_back(send(piece));
    script.push_back(close());
    return script;
}

FakeServer::FakeServer(QObject* parent)
    : QTcpServer(parent)
{
}

FakeServer::~FakeServer()
{
    for (const auto& peer : m_peers)
        peer->socket->disconnect(this);
}

bool FakeServer::start(quint16 port) { return listen(QHostAddress(QHostAddress::LocalHost), port); }

void FakeServer::useTls(const QSslCertificate& certificate, const QSslKey& key)
{
    m_certificate = certificate;
    m_key = key;
}

void FakeServer::play(std::vector<Script> scripts)
{
    setHandler([scripts = std::move(scripts), next = std::size_t(0)](const SeenRequest&) mutable {
        const std::size_t now = std::min(next, scripts.size() - 1);
        ++next;
        return scripts[now];
    });
}

std::string FakeServer::url(const std::string& path) const
{
    const bool tls = !m_certificate.isNull();
    return (tls ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(serverPort()) + path;
}

int FakeServer::holding() const
{
    return static_cast<int>(std::ranges::count_if(m_peers, [](const auto& peer) { return peer->held; }));
}

void FakeServer::release()
{
    for (const auto& peer : m_peers) {
        if (peer->held) {
            peer->held = false;
            step(*peer);
        }
    }
}

void FakeServer::incomingConnection(qintptr descriptor)
{
    ++m_connections;
    auto peer = std::make_unique<Peer>();
    auto* socket = new QSslSocket(this);
    peer->socket = socket;
    socket->setSocketDescriptor(descriptor);
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    Peer* raw = peer.get();
    m_peers.push_back(std::move(peer));
    connect(socket, &QTcpSocket::readyRead, this, [this, raw] { read(*raw); });
    connect(socket, &QTcpSocket::disconnected, this, [this, raw] {
        raw->socket->disconnect(this);
        raw->socket->deleteLater();
        std::erase_if(m_peers, [raw](const auto& one) { return one.get() == raw; });
    });
    if (!m_certificate.isNull()) {
        socket->setLocalCertificate(m_certificate);
        socket->setPrivateKey(m_key);
        socket->startServerEncryption();
    }
}

void FakeServer::read(Peer& peer)
{
    const QByteArray bytes = peer.socket->readAll();
    peer.bytes.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    SeenRequest request;
    if (peer.busy || !takeRequest(peer.bytes, request))
        return;
    request.ordinal = static_cast<int>(m_seen.size()) + 1;
    request.encrypted = static_cast<QSslSocket*>(peer.socket)->isEncrypted();
    m_seen.push_back(request);
    Q_EMIT requestSeen(request);
    const Script script = m_handler ? m_handler(request) : answer(500, "{}");
    peer.steps.assign(script.begin(), script.end());
    peer.busy = true;
    step(peer);
}

void FakeServer::step(Peer& peer)
{
    if (peer.held)
        return;
    if (peer.steps.empty()) {
        peer.busy = false;
        if (!peer.bytes.empty())
            read(peer);
        return;
    }
    QTcpSocket* socket = peer.socket; // writing may find the other side gone, and the peer with it
    const Step now = peer.steps.front();
    peer.steps.pop_front();
    switch (now.kind) {
    case Step::Kind::Send:
        socket->write(now.bytes.data(), static_cast<qint64>(now.bytes.size()));
        socket->flush();
        break;
    case Step::Kind::Hold:
        peer.held = true;
        return;
    case Step::Kind::Close:
        peer.socket->disconnectFromHost();
        return;
    case Step::Kind::Reset: {
        const linger now0{1, 0};
        ::setsockopt(static_cast<int>(peer.socket->socketDescriptor()), SOL_SOCKET, SO_LINGER, &now0, sizeof now0);
        peer.socket->abort();
        return;
    }
    }
    QTimer::singleShot(0, socket, [this, socket] { // the peer may be gone by then
        const auto found = std::ranges::find_if(m_peers, [socket](const auto& one) { return one->socket == socket; });
        if (found != m_peers.end())
            step(**found);
    });
}

} // namespace tilewright::testing
