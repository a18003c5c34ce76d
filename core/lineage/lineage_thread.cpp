// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/lineage_thread.h"

#include <exception>

namespace tilewright {

LineageThread::LineageThread(
    std::filesystem::path folder, Open open, std::chrono::milliseconds interval, LineageWatch watch)
    : m_folder(std::move(folder))
    , m_open(std::move(open))
    , m_interval(interval)
    , m_watch(std::move(watch))
    , m_thread([this] { run(); })
{
}

LineageThread::~LineageThread() { (void)finish(); }

void LineageThread::wake()
{
    const std::lock_guard lock(m_mutex);
    m_isWoken = true;
    m_changed.notify_all();
}

void LineageThread::beginToFinish()
{
    const std::lock_guard lock(m_mutex);
    m_isFinishing = true;
    m_changed.notify_all();
}

Result<LineageReport> LineageThread::finish()
{
    beginToFinish();
    if (m_thread.joinable())
        m_thread.join();
    return m_failure ? Result<LineageReport>(std::unexpected(*m_failure)) : m_report;
}

std::optional<Error> LineageThread::failure() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

void LineageThread::run()
{
    Result<void> done;
    try {
        done = runUntilFinished();
    } catch (const std::exception& problem) { // of a library: it costs the view, never the run
        done = fail("lineage/git", std::string("the lineage cannot be written: ") + problem.what());
    }
    {
        const std::lock_guard lock(m_mutex);
        if (!done)
            m_failure = done.error();
    }
    if (m_watch.ended)
        m_watch.ended(done ? std::optional<Error>() : done.error());
}

Result<void> LineageThread::runUntilFinished()
{
    auto source = m_open();
    auto lineage = source ? LineageRepository::open(m_folder) : std::unexpected(source.error());
    if (!lineage)
        return std::unexpected(lineage.error());
    RunState state;
    for (bool isLast = false; !isLast;) {
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_isWoken || m_isFinishing; });
            m_isWoken = false;
            isLast = m_isFinishing;
        }
        const std::int64_t before = state.lastSeq;
        auto followed = (*source)->follow(
            state, [&](const Event& event, const RunState& after) { (*lineage)->take(event, after); });
        if (!followed)
            return followed;
        if (state.lastSeq > before) {
            const auto report = (*lineage)->write(state, [&](const Hash& hash) { return (*source)->text(hash); });
            if (!report)
                return std::unexpected(report.error());
            {
                const std::lock_guard lock(m_mutex);
                m_report = *report;
            }
            if (m_watch.written)
                m_watch.written(*report);
        }
        std::unique_lock lock(m_mutex);
        if (!isLast)
            m_changed.wait_for(lock, m_interval, [this] { return m_isFinishing; });
    }
    return {};
}

} // namespace tilewright
