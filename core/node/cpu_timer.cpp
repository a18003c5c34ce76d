// SPDX-License-Identifier: Apache-2.0
#include "core/node/cpu_timer.h"

#include "core/device/cpu.h"
#include "core/node/checker.h"
#include "core/node/core_clock.h"
#include "core/node/gates.h"
#include "core/node/inputs.h"
#include "core/node/output_gates.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace tilewright {
namespace {

constexpr double halfBlockNs = 8e6;
/// A guest waits a few microseconds for its core at each hand-over; what is beyond that and a hundredth of the sample
/// was taken by somebody else, and the sample is taken again.
constexpr double handOverNs = 2'000;
constexpr double stolenShare = 0.01;
constexpr int mostRetakes = 6;
/// A core may run a little faster than it was ever seen to, and a program read a little better than the probe.
constexpr double frequencyMargin = 1.05, bandwidthMargin = 1.25;

/// "0.5 cores", "1 core".
std::string formatCores(double cores) { return threeDigits(cores) + (cores == 1 ? " core" : " cores"); }

std::unexpected<Error> about(Error error, const Shape& shape, const std::string& contestant)
{
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["shape"] = shape;
    error.evidence["contestant"] = contestant;
    return std::unexpected(std::move(error));
}

} // namespace

CpuTimer::CpuTimer(const Task& task, const Reference& reference, int cpu, std::string seedText)
    : m_task(task)
    , m_reference(reference)
    , m_product(isProduct(task))
    , m_cpu(cpu)
    , m_seedText(std::move(seedText))
{
    const std::int64_t l2 = readCpuFacts().l2Bytes;
    m_quota = m_groups.cores();
    m_flushBuffer.resize(static_cast<std::size_t>(2 * std::max<std::int64_t>(l2, 1 << 20)));
}

int CpuTimer::repeatsFor(double sampleNs) const
{
    return std::clamp(static_cast<int>(halfBlockNs / std::max(1.0, sampleNs + 4e5)), 1, 4);
}

double floorNs(const Task& task, const Shape& shape, double mhz, double gigabytesPerSecond)
{
    const double work = task.leastFlopsOf(shape) / (peakFlopsPerCycle() * mhz * frequencyMargin) * 1000;
    // A result may stay in the caches when a call ends; inputs have to come. A product hardly ever waits for either.
    double bytes = task.bytesOf(shape);
    if (!isProduct(task)) {
        double inputs = 0;
        for (const Tensor& tensor : task.tensors)
            if (tensor.role == TensorRole::Input)
                inputs += static_cast<double>(task.elementsOf(tensor, shape)) * 4;
        bytes = std::min(bytes, inputs);
    }
    const double traffic = gigabytesPerSecond > 0 ? bytes / (gigabytesPerSecond * bandwidthMargin) : 0;
    return 0.9 * std::max(work, traffic);
}

void CpuTimer::flushCaches()
{
    // Writing through twice the second-level cache leaves inputs, outputs and workspace outside of it.
    for (std::size_t i = 0; i < m_flushBuffer.size(); i += 64)
        m_flushBuffer[i] = static_cast<std::uint8_t>(m_sample);
    asm volatile("" ::"r"(m_flushBuffer.data()) : "memory");
}

bool isUndisturbed(double ns, double waitedNs) { return ns > 0 && waitedNs <= handOverNs + ns * stolenShare; }

Result<double> CpuTimer::sample(const Shape& shape, Contestant& contestant, Block& block)
{
    for (int attempt = 0;; ++attempt) {
        const auto time = launch(shape, contestant, m_stopped);
        if (!time)
            return time;
        ++block.launches;
        const double waited = static_cast<double>(contestant.arena->lastWait().count());
        if (!m_stopped && isUndisturbed(*time, waited))
            return time;
        ++block.retaken;
        if (attempt == mostRetakes) {
            block.voided = m_stopped ? "a control group limits this process to " + formatCores(m_quota)
                    + ", and stopped a program during a sample"
                : *time <= 0 ? "the system did not account for the time of a sample"
                             : "other programs used the measuring cores for more than 1 % of a sample";
            return time;
        }
    }
}

Result<double> CpuTimer::launch(const Shape& shape, Contestant& contestant, bool rested)
{
    Arena& arena = *contestant.arena;
    const std::uint64_t seed = sampleSeed(m_seedText, shape, ++m_sample);
    const auto inputs = arena.inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i)
        fillQuickly(inputs[i], seed ^ 0x5bd1e995a5a5a5a5u * i);
    arena.poison(m_sample % 2 ? firstPoison : secondPoison);
    flushCaches();
    const auto limit
        = std::chrono::seconds(2) + std::chrono::nanoseconds(static_cast<std::int64_t>(m_task.flopsOf(shape) * 20));
    if (rested)
        std::this_thread::sleep_for(m_groups.period());
    const auto stoppedBefore = m_quota > 0 ? m_groups.stopped() : std::chrono::nanoseconds(0);
    const auto time = arena.run(limit);
    m_stopped = m_quota > 0 && m_groups.stopped() != stoppedBefore;
    ++m_launches;
    if (!time)
        return about(time.error(), shape, contestant.name);
    const auto right = checkLaunch(arena);
    if (!right)
        return about(right.error(), shape, contestant.name);
    if (contestant.name == "candidate")
        m_measured.add(right->on(shape, nameOf(InputKind::Normal)));
    return static_cast<double>(time->count());
}

Result<MeasuredChecks> CpuTimer::checkLaunch(Arena& arena) const
{
    const auto inputs = arena.inputs(), outputs = arena.outputs();
    // Signs are drawn by another key than the inputs: nothing in them tells which will be asked for.
    if (m_product) {
        const ProductShape shape = productShape(m_task, arena.shape());
        const auto share = checkFreivalds({shape, inputs[0], inputs[1], outputs[0]},
            sampleSeed(m_seedText + "/signs", arena.shape(), m_sample), m_task.numeric.growthOf(shape.depth));
        if (!share)
            return std::unexpected(share.error());
        MeasuredChecks measured;
        measured.add({timedLaunchesCheck, *share, 1});
        return measured;
    }
    const OutputValues found(outputs.begin(), outputs.end());
    const auto truths = m_reference.outputs(m_task, arena.shape(), {inputs.begin(), inputs.end()});
    const auto right = checkOutputs(m_task, arena.shape(), InputKind::Normal, found, truths);
    if (right)
        return right->asPartOf(timedLaunchesCheck);
    return right.error().code.starts_with("task/")
        ? right
        : fail("verify/timed", "a timed launch gave a wrong result: " + right.error().text, "", right.error().evidence);
}

Result<double> CpuTimer::warmUp(const Shape& shape, std::vector<Contestant>& contestants)
{
    double slowest = 0;
    for (Contestant& contestant : contestants) {
        if (auto bound = contestant.arena->bind(shape, Placement::FlushLeft); !bound)
            return about(bound.error(), shape, contestant.name);
        const auto time = launch(shape, contestant);
        if (!time)
            return time;
        slowest = std::max(slowest, *time);
    }
    return slowest;
}

Result<Block> CpuTimer::block(const Shape& shape, std::vector<Contestant>& contestants, int repeats)
{
    for (Contestant& contestant : contestants)
        if (auto bound = contestant.arena->bind(shape, Placement::FlushLeft); !bound)
            return about(bound.error(), shape, contestant.name);
    Block block;
    const double mhzBefore = probeMegahertz();
    const std::int64_t stolenBefore = stolenTicks(m_cpu);
    // Each repeat is a palindrome of single samples: what drifts within milliseconds, on a shared host much does, falls
    // on all contestants alike.
    std::vector<std::vector<double>> times(contestants.size()), logTimes(contestants.size());
    for (int repeat = 0; repeat < repeats; ++repeat) {
        std::vector<double> there(contestants.size()), back(contestants.size());
        for (std::size_t step = 0; step < 2 * contestants.size(); ++step) {
            const bool forth = step < contestants.size();
            const std::size_t i = forth ? step : 2 * contestants.size() - 1 - step;
            const auto time = sample(shape, contestants[i], block);
            if (!time)
                return std::unexpected(time.error());
            (forth ? there : back)[i] = *time;
            times[i].push_back(*time);
        }
        for (std::size_t i = 0; i < contestants.size(); ++i)
            logTimes[i].push_back((std::log(there[i]) + std::log(back[i])) / 2);
    }
    const double mhzAfter = probeMegahertz();
    block.mhzLo = std::min(mhzBefore, mhzAfter);
    block.mhzHi = std::max(mhzBefore, mhzAfter);
    if (stolenTicks(m_cpu) != stolenBefore)
        block.voided = "the host used time of this core";
    const auto found = static_cast<std::size_t>(
        std::ranges::find(contestants, "candidate", &Contestant::name) - contestants.begin());
    const std::vector<double>& subject = logTimes[std::min(found, contestants.size() - 1)];
    for (std::size_t i = 0; i < contestants.size(); ++i) {
        block.medianNs.push_back(median(times[i]));
        std::vector<double> ratios;
        for (std::size_t r = 0; r < subject.size(); ++r)
            ratios.push_back(logTimes[i][r] - subject[r]);
        block.logRatios.push_back(std::move(ratios));
    }
    return block;
}

} // namespace tilewright
