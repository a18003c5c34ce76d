// SPDX-License-Identifier: GPL-3.0-or-later
// A thread with an event loop and the engine in it, for the window. Lives on the GUI thread; every command is a queued
// call, every answer a queued signal.
#pragma once

#include "core/engine/engine.h"

#include <QThread>
#include <atomic>
#include <functional>
#include <memory>

namespace tilewright {

class EngineThread : public QObject
{
    Q_OBJECT

public:
    explicit EngineThread(QObject* parent = nullptr);
    /// As Engine::setNodeCommand.
    void setNodeCommand(const QStringList& command);
    /// Closes the session and waits for the thread, at most a few seconds.
    ~EngineThread() override;

    /// Runs on the engine's thread, in the order of the commands.
    void invoke(std::function<void(Engine&)> work);

    void create(const NewSession& session);
    void open(const QString& path);
    void close();
    /// As Engine's.
    void execute(quint64 tag, const Command& command);
    void ask(quint64 tag, const Query& query);
    void drop(quint64 tag);

Q_SIGNALS:
    void published(tilewright::SnapshotPtr snapshot);
    void executed(tilewright::Receipt receipt);
    void answered(quint64 tag, tilewright::QueryAnswer answer);
    void failed(QString code, QString text, QString hint);
    void closed();

private:
    QThread m_thread;
    Engine* m_engine; ///< lives in m_thread, deleted there
    std::shared_ptr<std::atomic<int>> m_closes = std::make_shared<std::atomic<int>>(0); ///< asked for so far
};

} // namespace tilewright
