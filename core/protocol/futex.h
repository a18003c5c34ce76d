// SPDX-License-Identifier: Apache-2.0
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

/// The bare system call, inlined: whoever looks at where a thread waits finds it in the caller's own code.
__attribute__((always_inline)) inline void futexCall(
    std::atomic<std::uint32_t>* word, long operation, std::uint32_t value, const timespec* timeout)
{
#if defined(__x86_64__)
    register const timespec* fourth asm("r10") = timeout;
    long result = SYS_futex;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(word), "S"(operation), "d"(static_cast<unsigned long>(value)), "r"(fourth)
                 : "rcx", "r11", "memory");
#else
    syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
#endif
}

/// Sleeps while the word has this value; returns on a wake, a change, a signal or after the limit (none if zero).
__attribute__((always_inline)) inline void futexWait(
    std::atomic<std::uint32_t>& word, std::uint32_t value, std::chrono::nanoseconds limit = {})
{
    const timespec timeout{limit.count() / 1'000'000'000, limit.count() % 1'000'000'000};
    futexCall(&word, FUTEX_WAIT, value, limit.count() > 0 ? &timeout : nullptr);
}

__attribute__((always_inline)) inline void futexWake(std::atomic<std::uint32_t>& word)
{
    futexCall(&word, FUTEX_WAKE, 1, nullptr);
}

} // namespace tilewright
