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
    connect(m_engine, &Engine::textReady, this, &EngineThread::textReady);
    connect(m_engine, &Engine::copied, this, &EngineThread::copied);
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

void EngineThread::setNodeCommand(const QStringList& command)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, command] { engine->setNodeCommand(command); }, Qt::QueuedConnection);
}

void EngineThread::create(const NewSession& session)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, session] { engine->create(session); }, Qt::QueuedConnection);
}

void EngineThread::open(const QString& path)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, path] { engine->open(path); }, Qt::QueuedConnection);
}

void EngineThread::close()
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine] { engine->close(); }, Qt::QueuedConnection);
}

void EngineThread::run()
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine] { engine->run(); }, Qt::QueuedConnection);
}

void EngineThread::pause()
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine] { engine->pause(); }, Qt::QueuedConnection);
}

void EngineThread::step()
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine] { engine->step(); }, Qt::QueuedConnection);
}

void EngineThread::stop()
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine] { engine->stop(); }, Qt::QueuedConnection);
}

void EngineThread::setBudget(const Budget& budget)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, budget] { engine->setBudget(budget); }, Qt::QueuedConnection);
}

void EngineThread::answer(InquiryId inquiry, const QString& text)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, inquiry, text] { engine->answer(inquiry, text); }, Qt::QueuedConnection);
}

void EngineThread::writeInsights(const QString& text)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, text] { engine->writeInsights(text); }, Qt::QueuedConnection);
}

void EngineThread::resumeModel(const QString& name)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, name] { engine->resumeModel(name); }, Qt::QueuedConnection);
}

void EngineThread::saveCopy(const QString& path)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, path] { engine->saveCopy(path); }, Qt::QueuedConnection);
}

void EngineThread::requestText(quint64 tag, const Hash& hash)
{
    QMetaObject::invokeMethod(
        m_engine, [engine = m_engine, tag, hash] { engine->requestText(tag, hash); }, Qt::QueuedConnection);
}

} // namespace tilewright
