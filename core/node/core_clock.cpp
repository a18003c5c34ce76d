// SPDX-License-Identifier: Apache-2.0
#include "core/node/core_clock.h"

#include "core/device/cpu_quota.h"
#include "core/node/vectorised.h"
#include "core/protocol/futex.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <immintrin.h>
#include <sched.h>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

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

namespace {

namespace fs = std::filesystem;

std::string wordIn(const fs::path& file)
{
    std::string word;
    std::ifstream(file) >> word;
    return word;
}

/// The first folder below `parent` whose file `file` holds one of these words; empty if there is none.
template <std::size_t N>
fs::path folderOf(const fs::path& parent, const char* file, const std::array<std::string_view, N>& words)
{
    std::error_code problem;
    for (fs::directory_iterator entry(parent, problem), end; !problem && entry != end; entry.increment(problem)) {
        const std::string held = wordIn(entry->path() / file);
        for (const std::string_view word : words)
            if (held == word)
                return entry->path();
    }
    return {};
}

/// Thousandths of a degree, from the sensor of the processor itself and not of the board.
std::optional<std::int64_t> millidegrees(const fs::path& system)
{
    constexpr std::array<std::string_view, 3> drivers{"coretemp", "k10temp", "zenpower"};
    constexpr std::array<std::string_view, 2> zones{"x86_pkg_temp", "cpu-thermal"};
    if (const fs::path sensor = folderOf(system / "class/hwmon", "name", drivers); !sensor.empty())
        if (const auto read = numberIn(sensor / "temp1_input"))
            return read;
    const fs::path zone = folderOf(system / "class/thermal", "type", zones);
    return zone.empty() ? std::nullopt : numberIn(zone / "temp");
}

} // namespace

CpuTelemetry readCpuTelemetry(int core, const fs::path& system)
{
    const fs::path folder = system / "devices/system/cpu" / ("cpu" + std::to_string(core));
    CpuTelemetry reading;
    if (const auto kilohertz = numberIn(folder / "cpufreq/scaling_cur_freq"))
        reading.mhz = static_cast<double>(*kilohertz) / 1000;
    if (const auto read = millidegrees(system))
        reading.temperature = static_cast<double>(*read) / 1000;
    reading.throttled = numberIn(folder / "thermal_throttle/core_throttle_count");
    return reading;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Sums that do not depend on each other: more than latency × units of any core, fewer than it has registers.
constexpr int sums = 12;
constexpr long roundsOfARun = 40'000;
/// The first runs raise the core's frequency.
constexpr int runs = 160;
constexpr int readings = 4, outerReadings = 8;
constexpr std::size_t readBytes = 16 << 20, wordsOfALine = 8;

double nanosecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

#if defined(__x86_64__)

/// Floating-point operations of a run. `one` is read at run time, so that nothing can be folded.
__attribute__((target("avx512f"))) double runWide(volatile float* one)
{
    __m512 sum[sums];
    for (__m512& each : sum)
        each = _mm512_set1_ps(*one);
    const __m512 factor = _mm512_set1_ps(*one), summand = _mm512_set1_ps(*one - 1.0f);
    for (long round = 0; round < roundsOfARun; ++round) {
#pragma GCC unroll 12
        for (int i = 0; i < sums; ++i)
            sum[i] = _mm512_fmadd_ps(sum[i], factor, summand);
    }
    float kept = 0;
    for (const __m512& each : sum)
        kept += _mm512_cvtss_f32(each);
    *one = kept > 0 ? 1.0f : 0.0f;
    return 2.0 * 16 * sums * roundsOfARun;
}

__attribute__((target("avx2,fma"))) double runNarrow(volatile float* one)
{
    __m256 sum[sums];
    for (__m256& each : sum)
        each = _mm256_set1_ps(*one);
    const __m256 factor = _mm256_set1_ps(*one), summand = _mm256_set1_ps(*one - 1.0f);
    for (long round = 0; round < roundsOfARun; ++round) {
#pragma GCC unroll 12
        for (int i = 0; i < sums; ++i)
            sum[i] = _mm256_fmadd_ps(sum[i], factor, summand);
    }
    float kept = 0;
    for (const __m256& each : sum)
        kept += _mm256_cvtss_f32(each);
    *one = kept > 0 ? 1.0f : 0.0f;
    return 2.0 * 8 * sums * roundsOfARun;
}

double bestRate()
{
    __builtin_cpu_init();
    double (*run)(volatile float*) = nullptr;
    if (__builtin_cpu_supports("avx512f"))
        run = runWide;
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        run = runNarrow;
    volatile float one = 1;
    double best = 0;
    for (int i = 0; run && i < runs; ++i) {
        const auto start = Clock::now();
        const double flops = run(&one);
        best = std::max(best, flops / nanosecondsSince(start));
    }
    return best;
}

/// Sums up a whole buffer with as many lines under way as the core can have.
TILEWRIGHT_VECTORISED std::uint64_t sumOfLines(const std::uint64_t* words, std::size_t count)
{
    std::uint64_t parts[wordsOfALine] = {};
    for (std::size_t at = 0; at < count; at += wordsOfALine)
        for (std::size_t part = 0; part < wordsOfALine; ++part)
            parts[part] += words[at + part];
    std::uint64_t sum = 0;
    for (const std::uint64_t part : parts)
        sum += part;
    return sum;
}

void readAll(const std::vector<std::uint64_t>& buffer, volatile std::uint64_t* kept)
{
    *kept = *kept + sumOfLines(buffer.data(), buffer.size());
}

/// As a timed call finds its inputs: written a while ago, then pushed out of the second level by writing through twice
/// its size.
double bestOuterReading(std::int64_t l2Bytes)
{
    const auto l2 = static_cast<std::size_t>(std::max<std::int64_t>(l2Bytes, 1 << 20));
    std::vector<std::uint64_t> buffer(4 * l2 / sizeof(std::uint64_t), 1);
    std::vector<std::uint8_t> flush(2 * l2);
    double best = 0;
    volatile std::uint64_t kept = 0;
    for (int i = 0; i < outerReadings; ++i) {
        for (std::size_t at = 0; at < flush.size(); at += 64)
            flush[at] = static_cast<std::uint8_t>(i);
        asm volatile("" ::"r"(flush.data()) : "memory");
        const auto start = Clock::now();
        readAll(buffer, &kept);
        best = std::max(best, static_cast<double>(buffer.size() * sizeof(std::uint64_t)) / nanosecondsSince(start));
    }
    return best;
}

/// Lines are thrown out of every cache first, so that a small buffer does and large caches cannot help: memory that is
/// touched for the first time costs far more than the reading.
double bestReading()
{
    std::vector<std::uint64_t> buffer(readBytes / sizeof(std::uint64_t), 1);
    double best = 0;
    volatile std::uint64_t kept = 0;
    for (int i = 0; i < readings; ++i) {
        for (std::size_t at = 0; at < buffer.size(); at += wordsOfALine)
            _mm_clflush(&buffer[at]);
        _mm_mfence();
        const auto start = Clock::now();
        readAll(buffer, &kept);
        best = std::max(best, static_cast<double>(readBytes) / nanosecondsSince(start));
    }
    return best;
}

#else

double bestRate() { return 0; }
double bestReading() { return 0; }
double bestOuterReading(std::int64_t) { return 0; }

#endif

} // namespace

nlohmann::json CpuLimits::json() const
{
    nlohmann::json json = nlohmann::json::object();
    if (gigaflopsPerSecond > 0)
        json["measured_gflops"] = {{"fp32", gigaflopsPerSecond}};
    if (gigabytesPerSecond > 0)
        json["measured_memory_gb_s"] = gigabytesPerSecond;
    if (outerGigabytesPerSecond > 0)
        json["measured_outer_gb_s"] = outerGigabytesPerSecond;
    return json;
}

CpuLimits measuredCpuLimits(int core, std::int64_t l2Bytes)
{
    CpuLimits limits;
    std::jthread([&] {
        const sched_param ordinary{0};
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<std::size_t>(core), &set);
        sched_setscheduler(0, SCHED_OTHER, &ordinary);
        if (sched_setaffinity(0, sizeof set, &set) != 0)
            return;
        limits.gigabytesPerSecond = bestReading();
        limits.gigaflopsPerSecond = bestRate();
        limits.outerGigabytesPerSecond = std::max(limits.gigabytesPerSecond, bestOuterReading(l2Bytes));
    }).join();
    return limits;
}

} // namespace tilewright
