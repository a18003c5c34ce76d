// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/thread_door.h"

namespace tilewright::ui {

ThreadDoor::ThreadDoor(QObject* parent)
    : EngineDoor(parent)
{
    connect(&m_engine, &EngineThread::published, this, &EngineDoor::published);
    connect(&m_engine, &EngineThread::textReady, this, &EngineDoor::textReady);
    connect(&m_engine, &EngineThread::previewReady, this, &EngineDoor::previewReady);
    connect(&m_engine, &EngineThread::listingReady, this, &EngineDoor::listingReady);
    connect(&m_engine, &EngineThread::editChecked, this, &EngineDoor::editChecked);
    connect(&m_engine, &EngineThread::copied, this, &EngineDoor::copied);
    connect(&m_engine, &EngineThread::failed, this, &EngineDoor::failed);
    connect(&m_engine, &EngineThread::closed, this, &EngineDoor::closed);
}

} // namespace tilewright::ui
