// SPDX-License-Identifier: GPL-3.0-or-later
// Futexes on memory that two processes share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tilewright {

/// Sleeps while the word has this value; returns on a wake, a change, a signal or after the limit (none if zero).
inline void futexWait(std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::nanoseconds limit = {})
{
    timespec timeout{};
    timeout.tv_sec = limit.count() / 1'000'000'000;
    timeout.tv_nsec = limit.count() % 1'000'000'000;
    syscall(SYS_futex, &word, FUTEX_WAIT, value, limit.count() > 0 ? &timeout : nullptr, nullptr, 0);
}

inline void futexWake(std::atomic<std::uint32_t>& word)
{
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

} // namespace tilewright
