// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_thread.h"

namespace tilewright {
namespace {

constexpr unsigned long longestGoodbyeMs = 5000;

} // namespace

EngineThread::EngineThread(QObject* parent)
    : QObject(parent)
    , m_engine(new Engine)
{
    m_engine->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_engine, &QObject::deleteLater);
    connect(m_engine, &Engine::published, this, &EngineThread::published);
    connect(m_engine, &Engine::executed, this, &EngineThread::executed);
    connect(m_engine, &Engine::answered, this, &EngineThread::answered);
    connect(m_engine, &Engine::failed, this, &EngineThread::failed);
    connect(m_engine, &Engine::closed, this, &EngineThread::closed);
    m_thread.setObjectName(QStringLiteral("engine"));
    m_thread.start();
}

EngineThread::~EngineThread()
{
    // The last goodbye: the engine closes its session, then the thread ends; nobody waits for answers any more.
    connect(m_engine, &Engine::closed, &m_thread, &QThread::quit, Qt::DirectConnection);
    close();
    if (!m_thread.wait(longestGoodbyeMs)) {
        m_thread.quit();
        m_thread.wait(longestGoodbyeMs);
    }
}

void EngineThread::invoke(std::function<void(Engine&)> work)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, work = std::move(work)] { work(*engine); }, Qt::QueuedConnection);
}

void EngineThread::setNodeCommand(const QStringList& command)
{
    invoke([command](Engine& engine) { engine.setNodeCommand(command); });
}

void EngineThread::create(const NewSession& session)
{
    invoke([session](Engine& engine) { engine.create(session); });
}

void EngineThread::open(const QString& path)
{
    const int closes = *m_closes;
    invoke([path, closes, now = m_closes](
               Engine& engine) { engine.openInSight(path, [closes, now] { return *now == closes; }); });
}

void EngineThread::close()
{
    ++*m_closes; // what is being opened meanwhile is given up
    invoke([](Engine& engine) { engine.close(); });
}

void EngineThread::execute(quint64 tag, const Command& command)
{
    invoke([tag, command](Engine& engine) { engine.execute(tag, command); });
}

void EngineThread::ask(quint64 tag, const Query& query)
{
    invoke([tag, query](Engine& engine) { engine.ask(tag, query); });
}

void EngineThread::drop(quint64 tag)
{
    invoke([tag](Engine& engine) { engine.drop(tag); });
}

} // namespace tilewright
