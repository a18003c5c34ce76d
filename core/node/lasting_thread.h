// SPDX-License-Identifier: Apache-2.0
// A thread that does one thing after another for as long as its owner lives. Child processes end with the thread that
// started them (PR_SET_PDEATHSIG), so that whoever starts one that others go on using is such a thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace tilewright {

class LastingThread
{
public:
    LastingThread()
        : m_thread([this](std::stop_token stop) { work(stop); })
    {
    }

    /// Does it behind what was asked for before; what has not begun when the owner goes is not done, and its future has
    /// a broken promise.
    template <typename Work> auto run(Work work) -> std::future<decltype(work())>
    {
        std::packaged_task<decltype(work())()> task(std::move(work));
        auto result = task.get_future();
        {
            const std::lock_guard lock(m_mutex);
            m_queue.emplace_back([task = std::move(task)]() mutable { task(); });
        }
        m_filled.notify_one();
        return result;
    }

private:
    void work(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        while (m_filled.wait(lock, stop, [this] { return !m_queue.empty(); }) && !stop.stop_requested()) {
            auto next = std::move(m_queue.front());
            m_queue.pop_front();
            lock.unlock();
            next();
            lock.lock();
        }
    }

    std::mutex m_mutex;
    std::condition_variable_any m_filled;
    std::deque<std::move_only_function<void()>> m_queue;
    std::jthread m_thread; ///< last: it uses the others
};

} // namespace tilewright
