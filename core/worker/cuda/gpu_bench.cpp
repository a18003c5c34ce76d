// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <cstring>
#include <sys/random.h>

namespace tilewright {
namespace {

constexpr std::uint64_t holdLimitNs = 2'000'000'000;
constexpr int eventPairs = 100;
constexpr int judgedAtATime = 6;
constexpr unsigned scrubThreads = 1024; ///< of the one block that a multiprocessor has then

} // namespace

std::uint64_t unforeseeable()
{
    std::uint64_t bits = 0;
    while (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
        ;
    return bits;
}

GpuBench::GpuBench(const cu::Driver& driver, cu::Device device, const CudaLimits& limits)
    : m_driver(driver)
    , m_limits(limits)
    , m_memory(driver, device)
{
}

GpuFailure GpuBench::failed(cu::Code code, const std::string& what) const
{
    return {m_driver.error(code, what), cu::Driver::isSticky(code)};
}

GpuResult<void> GpuBench::loadKernels(
    const std::string& kernels, const std::string& reference, const GpuFormats& formats)
{
    m_formats = formats;
    m_kernels = std::make_unique<GpuProgram>(m_driver, kernels);
    m_reference = std::make_unique<GpuProgram>(m_driver, reference);
    for (GpuProgram* program : {m_kernels.get(), m_reference.get()})
        if (auto loaded = program->reload(); !loaded)
            return std::unexpected(GpuFailure{loaded.error(), false});
    m_functions.clear();
    for (const char* name : {"tw_before", "tw_after", "tw_between", "tw_scrub", "tw_cold", "tw_clock", "tw_project",
             "tw_freivalds", "tw_freivalds_by_warps", "tw_rows", "tw_compare", "tw_look", "tw_differ", "tw_seal",
             "tw_apart", "tw_product", "tw_product_of_integers", "tw_squares_found", "tw_squares_values",
             "tw_truth_found", "tw_truth_values"}) {
        const auto function = m_kernels->function(name);
        if (!function)
            return std::unexpected(GpuFailure{function.error(), false});
        m_functions[name] = *function;
    }
    for (const char* scrubs : {"tw_scrub", "tw_cold"})
        m_driver.funcSetAttribute(m_functions[scrubs], cu::MaxDynamicShared, static_cast<int>(m_limits.sharedPerBlock));
    if (auto found = findTruthForm(); !found)
        return found;
    if (m_stream)
        return {};
    void* released = nullptr;
    const std::pair<cu::Code, const char*> steps[] = {{m_driver.streamCreate(&m_stream, 1), "no stream"},
        {m_driver.eventCreate(&m_prepareBegin, 0), "no event"}, {m_driver.eventCreate(&m_prepareEnd, 0), "no event"},
        {m_driver.eventCreate(&m_begin, 0), "no event"}, {m_driver.eventCreate(&m_end, 0), "no event"},
        {m_driver.eventCreate(&m_aroundBegin, 0), "no event"}, {m_driver.eventCreate(&m_aroundEnd, 0), "no event"},
        {m_driver.eventCreate(&m_checkBegin, 0), "no event"}, {m_driver.eventCreate(&m_checkEnd, 0), "no event"},
        {m_driver.streamCreate(&m_clockStream, 1), "no stream"}, {m_driver.eventCreate(&m_clockEnd, 0), "no event"},
        {m_driver.memAlloc(&m_flush, 2 * m_limits.l2Bytes), "no memory to flush the cache"},
        {m_driver.memAlloc(&m_results, bytesOfResults), "no memory for results"},
        {m_driver.memHostAlloc(&released, bytesAtHome, cu::hostAllocDeviceMap), "no mapped memory"},
        {m_driver.ctxSetLimit(cu::limitPersistingL2, 0), "persisting L2 cannot be switched off"}};
    for (const auto& [code, what] : steps)
        if (code != 0 && code != 801) // no persisting L2 on this GPU: nothing to switch off
            return std::unexpected(failed(code, what));
    for (int i = 0; i < judgedAtATime; ++i) {
        cu::Code code = m_driver.streamCreate(&m_beside.emplace_back(), 1);
        if (code == 0)
            code = m_driver.eventCreate(&m_besideEnds.emplace_back(), 0);
        if (code != 0)
            return std::unexpected(failed(code, "no stream"));
    }
    m_released = static_cast<std::uint32_t*>(released);
    m_releasedAddress = reinterpret_cast<cu::Pointer>(released); // one address space
    return {};
}

GpuResult<void> GpuBench::load(const std::string& slot, const Hash& hash, const std::string& cubin, bool reloadAlways)
{
    const Spending spending(m_spent, "load");
    auto parked = cubin.empty() ? m_parked.take(hash) : std::nullopt;
    if (const auto before = m_programs.find(slot); before != m_programs.end()) {
        Loaded loaded = std::move(before->second);
        m_programs.erase(before);
        if (!loaded.reloadAlways)
            m_parked.park(loaded.cubin, std::move(loaded));
    }
    if (cubin.empty() && !parked)
        return std::unexpected(GpuFailure{{"protocol/field", "no program with this hash is loaded", "", nullptr}});
    if (!parked) {
        parked = Loaded{std::make_unique<GpuProgram>(m_driver, cubin), hash, reloadAlways};
        if (auto fresh = parked->program->reload(); !fresh)
            return std::unexpected(GpuFailure{fresh.error(), false});
    }
    parked->reloadAlways = reloadAlways;
    m_programs.emplace(slot, std::move(*parked));
    return {};
}

GpuResult<void> GpuBench::allocate(
    const std::vector<std::uint64_t>& bytes, std::uint64_t oftenHidden, std::uint64_t hiddenBytes)
{
    if (auto allocated = m_memory.allocate(bytes, oftenHidden, hiddenBytes); !allocated)
        return std::unexpected(GpuFailure{allocated.error(), false});
    return {};
}

GpuResult<MemoryRange> GpuBench::leaveReferencesOpen()
{
    if (auto opened = m_memory.leaveOpen(); !opened)
        return std::unexpected(GpuFailure{opened.error(), false});
    return MemoryRange{m_memory.hidden(), m_memory.hiddenBytes()};
}

GpuResult<std::vector<std::uint64_t>> GpuBench::sizesOf(
    const ProductExtents& extents, const std::vector<std::int64_t>& elements, std::uint64_t workspaceBytes) const
{
    const auto inputs = static_cast<std::size_t>(m_formats.inputs);
    std::vector<std::int64_t> counts = elements;
    if (m_formats.product)
        counts = {extents.rows * extents.depth, extents.depth * extents.columns, extents.rows * extents.columns};
    if (counts.size() != inputs + static_cast<std::size_t>(m_formats.outputs))
        return std::unexpected(
            GpuFailure{{"protocol/field", "the number of tensors differs from the task", "", nullptr}});
    std::vector<std::uint64_t> bytes;
    for (std::size_t i = 0; i < counts.size(); ++i)
        bytes.push_back(static_cast<std::uint64_t>(counts[i]) * bytesOf(i < inputs ? m_formats.in : m_formats.out));
    bytes.push_back(workspaceBytes);
    return bytes;
}

GpuResult<BoundBuffers> GpuBench::bind(const ProductExtents& extents, const std::vector<std::int64_t>& elements,
    std::uint64_t workspaceBytes, std::uint64_t place) const
{
    const auto bytes = sizesOf(extents, elements, workspaceBytes);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto bound = m_memory.bind(*bytes, place);
    if (!bound)
        return std::unexpected(GpuFailure{bound.error(), false});
    return *bound;
}

unsigned GpuBench::blocksFor(std::uint64_t elements, unsigned aMultiprocessor) const
{
    const std::uint64_t most = std::uint64_t(aMultiprocessor) * static_cast<unsigned>(m_limits.sms);
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>((elements + threadsPerBlock - 1) / threadsPerBlock, 1, most));
}

cu::Code GpuBench::run(
    const char* kernel, Grid grid, unsigned block, std::vector<void*> arguments, unsigned sharedBytes)
{
    const cu::LaunchConfig config{{grid.x, grid.y, grid.z}, {block, 1, 1}, sharedBytes, m_stream, nullptr, 0};
    return m_driver.launchKernelEx(&config, m_functions[kernel], arguments.data(), nullptr);
}

cu::Code GpuBench::workOn(const char* kernel, const BoundBuffers& buffers, Parts parts, std::uint64_t seed,
    FillKind fill, std::uint8_t poison, std::vector<void*> more)
{
    constexpr unsigned aMultiprocessor = 8;
    constexpr std::uint64_t wide = 16; ///< bytes that a thread poisons at a time
    const bool inputs = parts != Parts::Zones, outputs = parts == Parts::All, zones = parts != Parts::Inputs;
    BufferWork work;
    work.inputs = static_cast<std::uint32_t>(m_formats.inputs);
    work.count = static_cast<std::uint32_t>(buffers.count);
    unsigned blocks = 0;
    for (std::size_t i = 0; i < buffers.count; ++i) {
        const bool input = i < work.inputs;
        work.address[i] = buffers.address[i];
        work.bytes[i] = buffers.bytes[i];
        if (buffers.bytes[i] > 0 && (input ? inputs : outputs))
            blocks += blocksFor(buffers.bytes[i] / (input ? bytesOf(m_formats.in) : wide), aMultiprocessor);
        work.end[i] = blocks;
    }
    work.zones = GpuMemory::zones(buffers);
    if (zones)
        blocks += 2 * static_cast<unsigned>(buffers.count) * zoneBlocks;
    int kind = static_cast<int>(fill);
    std::uint32_t pattern = poison;
    std::vector<void*> arguments{&work, &seed, &kind, &pattern};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(kernel, {blocks}, threadsPerBlock, std::move(arguments));
}

cu::Code GpuBench::prepare(const Preparation& preparation)
{
    cu::Code code = m_driver.eventRecord(m_prepareBegin, m_stream);
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(fillAndPoison(preparation));
    step(preparation.isCold ? emptyCaches() : scrub());
    step(m_driver.eventRecord(m_prepareEnd, m_stream));
    return code;
}

cu::Code GpuBench::fillAndPoison(const Preparation& preparation)
{
    cu::Pointer told = preparation.number > 0 ? m_releasedAddress + 4 * underWayAt : 0;
    std::uint32_t number = preparation.number;
    return workOn("tw_before", preparation.buffers, Parts::All, preparation.seed, preparation.kind, preparation.poison,
        {&told, &number});
}

cu::Code GpuBench::fillInputs(const BoundBuffers& buffers, std::uint64_t seed, FillKind kind)
{
    cu::Pointer nobody = 0;
    std::uint32_t number = 0;
    return workOn("tw_before", buffers, Parts::Inputs, seed, kind, firstPoison, {&nobody, &number});
}

cu::Code GpuBench::flush() { return m_driver.memsetD32Async(m_flush, nextFlush(), 2 * m_limits.l2Bytes / 4, m_stream); }

cu::Code GpuBench::scrub()
{
    std::uint32_t words = m_limits.sharedPerBlock / 4;
    return run("tw_scrub", {static_cast<unsigned>(m_limits.sms)}, scrubThreads, {&words}, m_limits.sharedPerBlock);
}

cu::Code GpuBench::hold(bool isCold)
{
    *static_cast<volatile std::uint32_t*>(m_released) = 0;
    return emptyCaches(holdLimitNs, isCold);
}

cu::Code GpuBench::emptyCaches(std::uint64_t holdNs, bool isFlushed)
{
    std::uint64_t count = isFlushed ? 2 * m_limits.l2Bytes / 16 : 0, limit = holdNs;
    std::uint32_t value = nextFlush(), words = m_limits.sharedPerBlock / 4;
    return run("tw_cold", {static_cast<unsigned>(m_limits.sms)}, scrubThreads,
        {&m_flush, &count, &value, &words, &m_releasedAddress, &limit}, m_limits.sharedPerBlock);
}

cu::Code GpuBench::queueLaunch(const std::function<cu::Code()>& launch, cu::Event begin, cu::Event end)
{
    const cu::Code begun = m_driver.eventRecord(begin, m_stream);
    const cu::Code launched = begun == 0 ? launch() : begun;
    const cu::Code ended = m_driver.eventRecord(end, m_stream);
    release();
    return launched != 0 ? launched : ended;
}

GpuFailure GpuBench::failedLaunch(cu::Code code, const std::string& what, const std::string& slot) const
{
    GpuFailure failure = failed(code, what);
    failure.error.evidence["contestant"] = slot;
    return failure;
}

GpuFailure GpuBench::whyNotQueued(cu::Code queued, const std::string& slot) const
{
    const auto program = m_programs.find(slot);
    const std::string why = program == m_programs.end() ? "" : program->second.program->whyRefused();
    return failedLaunch(queued, "a launch was refused" + (why.empty() ? "" : " (" + why + ")"), slot);
}

GpuResult<void> GpuBench::awaitLaunch(cu::Code queued, const std::string& slot)
{
    const cu::Code ended = m_driver.eventSynchronize(m_end);
    if (queued != 0)
        return std::unexpected(whyNotQueued(queued, slot));
    if (ended != 0)
        return std::unexpected(failedLaunch(ended, "the program failed while it ran", slot));
    return {};
}

GpuResult<double> GpuBench::launchTime(const std::string& slot)
{
    float milliseconds = 0;
    if (const cu::Code read = m_driver.eventElapsedTime(&milliseconds, m_begin, m_end); read != 0)
        return std::unexpected(failedLaunch(read, "the events cannot be read", slot));
    addBetween(m_prepareBegin, m_prepareEnd, "prepare_gpu");
    addBetween(m_prepareEnd, m_begin, "held_gpu");
    return static_cast<double>(milliseconds) * 1e6;
}

GpuResult<double> GpuBench::launchBetweenEvents(const std::function<cu::Code()>& launch, const std::string& slot)
{
    const cu::Code queued = queueLaunch(launch);
    if (auto ended = awaitLaunch(queued, slot); !ended)
        return std::unexpected(ended.error());
    return launchTime(slot);
}

void GpuBench::addChecksAndAround()
{
    addBetween(m_end, m_aroundBegin, "turn_gpu");
    addAround();
    addBetween(m_checkBegin, m_checkEnd, "check_gpu");
}

void GpuBench::addAround()
{
    for (const char* what : {"check_gpu", "around_gpu"})
        addBetween(m_aroundBegin, m_aroundEnd, what);
    addBetween(m_aroundEnd, m_checkBegin, "turn_gpu");
}

void GpuBench::addBetween(cu::Event begin, cu::Event end, const char* what)
{
    float milliseconds = 0;
    if (m_driver.eventElapsedTime(&milliseconds, begin, end) == 0)
        m_spent[what] += static_cast<double>(milliseconds) * 1e6;
}

void GpuBench::addChecks()
{
    addBetween(m_end, m_checkBegin, "turn_gpu");
    addBetween(m_checkBegin, m_checkEnd, "check_gpu");
}

GpuResult<double> GpuBench::eventFloor()
{
    std::vector<double> times;
    for (int i = 0; i < eventPairs; ++i) {
        const auto time = launchBetweenEvents([] { return 0; }, "nothing");
        if (!time)
            return time;
        times.push_back(*time);
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
}

cu::Code GpuBench::queueClock()
{
    cu::Pointer place = m_results + clockAt;
    const Aside aside(m_stream, m_clockStream);
    cu::Code code = run("tw_clock", {}, 1, {&place});
    if (code == 0)
        code = m_driver.memcpyDtoHAsync(m_released + clockHomeAt, place, 2 * sizeof(std::uint64_t), m_stream);
    return code == 0 ? m_driver.eventRecord(m_clockEnd, m_stream) : code;
}

GpuResult<double> GpuBench::clockMhz()
{
    if (const cu::Code code = m_driver.eventSynchronize(m_clockEnd); code != 0)
        return std::unexpected(failed(code, "the clock cannot be probed"));
    std::uint64_t counts[2] = {};
    std::memcpy(counts, m_released + clockHomeAt, sizeof counts);
    return counts[1] == 0 ? 0 : 1e3 * static_cast<double>(counts[0]) / static_cast<double>(counts[1]);
}

} // namespace tilewright
