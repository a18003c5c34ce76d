// SPDX-License-Identifier: GPL-3.0-or-later
// Listens for the owner's commands to one engine while it has a session open for writing: a JSON object a line, an
// answer a line. Lives on the engine's thread, as its child.
#pragma once

#include "core/engine/engine.h"

#include <QLocalServer>

class QLocalSocket;

namespace tilewright {

class ControlServer : public QObject
{
    Q_OBJECT

public:
    explicit ControlServer(Engine& engine);

    /// Path of the socket; empty while none is open.
    QString address() const { return m_server.isListening() ? m_server.fullServerName() : QString(); }

private:
    void follow(const SnapshotPtr& snapshot);
    void greet();
    void read(QLocalSocket* socket);

    Engine& m_engine;
    QLocalServer m_server;
    std::string m_session; ///< whose commands are taken; empty while none is open
};

} // namespace tilewright
