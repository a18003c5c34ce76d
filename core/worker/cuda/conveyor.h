// SPDX-License-Identifier: Apache-2.0
// From one thread to another, in order; the taker waits for what comes, until there will be nothing more.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace tilewright {

template <typename T> class Conveyor
{
public:
    void push(T item)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_items.push_back(std::move(item));
        }
        m_changed.notify_one();
    }

    void close()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_closed = true;
        }
        m_changed.notify_one();
    }

    /// Nothing once it is closed and empty.
    std::optional<T> pop()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_closed || !m_items.empty(); });
        if (m_items.empty())
            return std::nullopt;
        std::optional<T> item(std::move(m_items.front()));
        m_items.pop_front();
        return item;
    }

    /// What `look` says of the item that is taken next, if it is there already.
    template <typename Look> auto first(Look look) -> std::optional<decltype(look(std::declval<const T&>()))>
    {
        const std::lock_guard lock(m_mutex);
        if (m_items.empty())
            return std::nullopt;
        return look(m_items.front());
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<T> m_items;
    bool m_closed = false;
};

} // namespace tilewright
