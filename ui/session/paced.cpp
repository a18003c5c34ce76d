// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/paced.h"

#include <ctime>

namespace tilewright::ui {
namespace {

constexpr qint64 quickNs = 8'000'000;
constexpr qint64 freeForEach = 4; ///< as much time as the work took

} // namespace

qint64 processorNs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

qint64 restNs(qint64 tookNs, const QElapsedTimer& ended)
{
    return tookNs > quickNs ? freeForEach * tookNs - ended.nsecsElapsed() : 0;
}

Paced::Paced(std::function<void()> work)
    : m_work(std::move(work))
{
    m_timer.setSingleShot(true);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { now(); });
}

void Paced::ask()
{
    if (m_timer.isActive())
        return;
    const qint64 left = restNs(m_tookNs, m_ended);
    if (left <= 0)
        now();
    else
        m_timer.start(static_cast<int>(left / 1'000'000) + 1);
}

void Paced::now()
{
    m_timer.stop();
    const qint64 before = processorNs();
    m_work();
    m_tookNs = processorNs() - before;
    m_ended.start();
}

} // namespace tilewright::ui
