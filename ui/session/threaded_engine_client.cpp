// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/threaded_engine_client.h"

namespace tilewright::ui {

ThreadedEngineClient::ThreadedEngineClient(QObject* parent)
    : EngineClient(parent)
{
    connect(&m_engine, &EngineThread::published, this, &EngineClient::published);
    connect(&m_engine, &EngineThread::executed, this, &EngineClient::executed);
    connect(&m_engine, &EngineThread::answered, this, &EngineClient::answered);
    connect(&m_engine, &EngineThread::failed, this, &EngineClient::failed);
    connect(&m_engine, &EngineThread::closed, this, &EngineClient::closed);
}

} // namespace tilewright::ui
