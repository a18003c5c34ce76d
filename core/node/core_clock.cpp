// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/core_clock.h"

#include "core/protocol/futex.h"

#include <chrono>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>

namespace tilewright {
namespace {

void spinPause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

} // namespace

double probeMegahertz()
{
    constexpr int rounds = 6000, perRound = 16;
    std::uint64_t value = 1;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) {
#if defined(__x86_64__)
        // imul has a latency of three cycles on every core since 2008 and cannot be folded by renaming.
        asm volatile("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
                     "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
                     "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
                     "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0"
                     : "+r"(value));
#else
        for (int j = 0; j < perRound; ++j)
            asm volatile("" : "+r"(value) : "r"(value *= 3));
#endif
    }
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    constexpr double latency = 3;
    return rounds * perRound * latency / ns * 1000;
}

std::int64_t stolenTicks(int cpu)
{
    std::ifstream file("/proc/stat");
    const std::string wanted = "cpu" + std::to_string(cpu);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        std::int64_t ticks = 0;
        words >> name;
        if (name != wanted)
            continue;
        for (int field = 0; field < 8; ++field) // user nice system idle iowait irq softirq steal
            words >> ticks;
        return ticks;
    }
    return 0;
}

double peakFlopsPerCycle()
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return 64;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 32;
    return 16;
#else
    return 32;
#endif
}

CoreKeptAwake::CoreKeptAwake(int cpu)
    : m_thread([this, cpu] { spin(cpu); })
{
}

CoreKeptAwake::~CoreKeptAwake()
{
    give(Order::End);
    m_thread.join();
}

void CoreKeptAwake::give(Order order)
{
    m_order.store(static_cast<std::uint32_t>(order));
    futexWake(m_order);
}

void CoreKeptAwake::pause()
{
    m_order.store(static_cast<std::uint32_t>(Order::Sleep));
    // It spins on its own core and sees the order at once; a thread that lost its core is not waited for.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
    while (m_spins.load() && std::chrono::steady_clock::now() < end)
        spinPause();
}

void CoreKeptAwake::resume() { give(Order::Spin); }

void CoreKeptAwake::spin(int cpu)
{
    const sched_param lowest{0};
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    // Without the lowest priority it would take time from other programs: then the core may rather sleep.
    const bool may = sched_setscheduler(0, SCHED_IDLE, &lowest) == 0 && sched_setaffinity(0, sizeof set, &set) == 0;
    for (;;) {
        const std::uint32_t order = m_order.load();
        if (order == static_cast<std::uint32_t>(Order::End))
            return;
        m_spins.store(may && order == static_cast<std::uint32_t>(Order::Spin));
        if (m_spins.load())
            while (m_order.load() == order)
                spinPause();
        else
            futexWait(m_order, order);
    }
}

} // namespace tilewright
