// SPDX-License-Identifier: GPL-3.0-or-later
// The real engine on its own thread. GUI thread; owns the EngineThread.
#pragma once

#include "core/engine/engine_thread.h"
#include "ui/session/engine_client.h"

namespace tilewright::ui {

class ThreadedEngineClient : public EngineClient
{
    Q_OBJECT

public:
    explicit ThreadedEngineClient(QObject* parent = nullptr);
    /// As EngineThread::invoke.
    void invoke(std::function<void(Engine&)> work) { m_engine.invoke(std::move(work)); }
    /// As Engine::setNodeCommand.
    void setNodeCommand(const QStringList& command) { m_engine.setNodeCommand(command); }

    void create(const NewSession& session) override { m_engine.create(session); }
    void open(const QString& path) override { m_engine.open(path); }
    void close() override { m_engine.close(); }
    void execute(quint64 tag, const Command& command) override { m_engine.execute(tag, command); }
    void ask(quint64 tag, const Query& query) override { m_engine.ask(tag, query); }
    void drop(quint64 tag) override { m_engine.drop(tag); }

private:
    EngineThread m_engine;
};

} // namespace tilewright::ui
