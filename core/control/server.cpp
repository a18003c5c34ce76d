// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/server.h"

#include "core/base/json_text.h"
#include "core/control/address.h"
#include "core/control/command_form.h"
#include "core/control/control_commands.h"
#include "core/control/edit_command.h"

#include <QLocalSocket>
#include <QPointer>
#include <sys/socket.h>
#include <unistd.h>

namespace tilewright {
namespace {

/// Longest command: a program of some megabytes in an edit.
constexpr qint64 longestLine = 16 << 20;

/// The folder keeps others out; this holds even where it does not.
bool isOurs(const QLocalSocket& socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return getsockopt(static_cast<int>(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        && (peer.uid == geteuid() || peer.uid == 0);
}

void say(QLocalSocket& socket, const nlohmann::json& answer)
{
    socket.write(QByteArray::fromStdString(dumped(answer) + "\n"));
}

} // namespace

ControlServer::ControlServer(Engine& engine)
    : QObject(&engine)
    , m_engine(engine)
    , m_server(this)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&engine, &Engine::published, this, &ControlServer::follow);
    connect(&m_server, &QLocalServer::newConnection, this, &ControlServer::greet);
    follow(engine.snapshot());
}

void ControlServer::follow(const SnapshotPtr& snapshot)
{
    const EngineStatus& status = snapshot->status;
    const std::string session = status.sessionOpen && !status.readOnly ? status.sessionPath : std::string();
    if (session == m_session)
        return;
    m_session = session;
    m_server.close();
    if (session.empty())
        return;
    const auto address = controlAddress(session);
    if (!address)
        return; // the run goes on; who calls is told why nobody listens
    // Who has the session's lock has its socket: one that is there already was left by a program that died.
    const QString path = QString::fromStdString(*address);
    QLocalServer::removeServer(path);
    m_server.listen(path);
    removeDeadSockets(*address);
}

void ControlServer::greet()
{
    while (QLocalSocket* socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        if (!isOurs(*socket)) {
            socket->abort();
            continue;
        }
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(socket); });
        read(socket);
    }
}

void ControlServer::read(QLocalSocket* socket)
{
    while (socket->canReadLine()) {
        const auto request = parsedJson(socket->readLine().toStdString());
        const auto later = [socket = QPointer(socket)](const nlohmann::json& answer) {
            if (socket)
                say(*socket, answer);
        };
        const std::string command = request.is_object() ? textAt(request, "do") : std::string();
        if (command == listingCommand)
            answerListing(m_engine, request, later);
        else if (isEdit(request))
            answerEdit(m_engine, request, later);
        else
            say(*socket, obey(m_engine, request));
    }
    if (socket->bytesAvailable() > longestLine)
        socket->abort();
}

} // namespace tilewright
