// SPDX-License-Identifier: GPL-3.0-or-later
// Cold timed samples, every one of them checked by Freivalds' test with signs that are drawn after the launch.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace tilewright {
namespace {

constexpr unsigned rowsThreads = 128, rowsBlocks = 4; ///< of tw_rows: 4 times 8 rows
constexpr int manyRows = 2048; ///< from which on each of them is one warp's
constexpr auto probeHolds = std::chrono::milliseconds(1); ///< how long a probe of the clock tells the truth
constexpr const char* vendorSlot = "vendor";

/// As tw_freivalds sees it.
struct Timed {
    double differences = 0, norms = 0;
    std::uint64_t worst = 0, notFinite = 0, inputs = 0, zones = 0, rows = 0;
};

/// What outputs and zones hold before a sample.
std::uint8_t poisonOf(std::size_t sample) { return sample % 2 ? secondPoison : firstPoison; }

} // namespace

struct GpuBench::Runner {
    std::string slot;
    GpuProgram* program = nullptr; ///< null: the vendor
    bool reloadAlways = false;
    const GpuPlan* plan = nullptr;
    BoundBuffers buffers;
};

/// A block whose first inputs are being filled.
struct GpuBench::Head {
    std::shared_ptr<const BlockRequest> request;
    std::map<std::string, Runner> runners;
};

GpuResult<BlockReply> GpuBench::block(const BlockRequest& request)
{
    if (request.order.size() != request.seeds.size())
        return std::unexpected(GpuFailure{{"protocol/field", "a seed for each sample is needed", "", nullptr}});
    const std::shared_ptr<Head> head = std::exchange(m_head, nullptr);
    const bool isBegun = head && head->request.get() == &request;
    if (head && !isBegun)
        release();
    if (auto hidden = m_memory.hide(); !hidden)
        return std::unexpected(GpuFailure{hidden.error(), true});
    BlockReply reply;
    auto runners = isBegun ? GpuResult<std::map<std::string, Runner>>(std::move(head->runners)) : enter(request, reply);
    if (!runners)
        return std::unexpected(runners.error());
    auto taken = m_formats.product ? takeSamples(request, *runners, isBegun, reply)
                                   : takeOperationSamples(request, *runners, reply);
    if (!taken) {
        m_head.reset();
        release(); // whatever is queued must not wait for what will not come
        return std::unexpected(taken.error());
    }
    reply.spentNs = std::exchange(m_spent, {});
    return reply;
}

/// The contestants, ready to be launched on the block's shape.
GpuResult<std::map<std::string, GpuBench::Runner>> GpuBench::enter(const BlockRequest& request, BlockReply& reply)
{
    const Spending spending(m_spent, "load");
    std::map<std::string, Runner> runners;
    const std::uint64_t place = unforeseeable(); // the same for all of them, so that none has the better one
    for (const std::string& slot : request.order) {
        Runner& runner = runners[slot];
        if (!runner.slot.empty())
            continue;
        runner.slot = slot;
        const auto plan = request.programs.find(slot);
        const std::uint64_t workspace = plan != request.programs.end() ? plan->second.workspaceBytes : vendorWorkspace;
        const auto buffers = bind(request.extents, request.elements, workspace, place);
        if (!buffers)
            return std::unexpected(buffers.error());
        runner.buffers = *buffers;
        if (slot == vendorSlot) {
            if (!m_vendor) {
                auto vendor = VendorLt::load(m_formats);
                if (!vendor)
                    return std::unexpected(GpuFailure{vendor.error(), false});
                m_vendor = std::move(*vendor);
            }
            continue;
        }
        const auto program = m_programs.find(slot);
        if (program == m_programs.end() || plan == request.programs.end())
            return std::unexpected(GpuFailure{{"protocol/field", "no program in slot " + slot, "", nullptr}});
        runner.program = program->second.program.get();
        runner.reloadAlways = program->second.reloadAlways;
        runner.plan = &plan->second;
        // As it was loaded before the check: a program with variables that it could change is loaded anew before each
        // launch, and no other has any.
        const auto ready = runner.program->prepare(*runner.plan, request.dims, runner.buffers);
        if (!ready) {
            GpuFailure failure{ready.error(), false};
            failure.error.evidence = {{"contestant", slot}};
            return std::unexpected(std::move(failure));
        }
    }
    if (const auto vendor = runners.find(vendorSlot); vendor != runners.end()) {
        const BoundBuffers& buffers = vendor->second.buffers;
        if (const cu::Code code = prepare({buffers, request.extents, unforeseeable()}); code != 0)
            return std::unexpected(failed(code, "the launch cannot be prepared"));
        const auto ready = m_vendor->prepare(
            m_driver, request.extents, buffers, vendorWorkspace, request.vendorChoice, [this] { return flush(); },
            m_stream);
        if (!ready)
            return std::unexpected(GpuFailure{ready.error(), false});
        reply.vendorChoice = *ready;
    }
    return runners;
}

void GpuBench::beginNext()
{
    auto next = m_next ? m_next() : nullptr;
    if (!next || next->order.empty() || next->order.size() != next->seeds.size()
        || std::ranges::find(next->order, vendorSlot) != next->order.end()) // the library may choose first
        return;
    BlockReply nothingYet;
    auto runners = enter(*next, nothingYet);
    if (!runners || allocateProjection(static_cast<std::uint64_t>(next->extents.depth)) != 0)
        return;
    auto head = std::make_shared<Head>(std::move(next), std::move(*runners));
    if (queueInputs(*head->request, 0, head->runners[head->request->order.front()]))
        m_head = std::move(head);
    else
        release();
}

GpuResult<void> GpuBench::takeSamples(
    const BlockRequest& request, std::map<std::string, Runner>& runners, bool isBegun, BlockReply& reply)
{
    // A block that follows at once begins where the one before ended.
    const bool justProbed = std::chrono::steady_clock::now() - m_lastProbe < probeHolds;
    if (justProbed)
        reply.mhzBefore = m_lastMhz;
    std::optional<Spending> spending;
    std::string lastSlot;
    double lastNs = 0;
    const auto readClock = [&](double& mhz) -> GpuResult<void> {
        const auto read = clockMhz();
        if (!read)
            return std::unexpected(read.error());
        mhz = *read;
        return {};
    };
    // What was queued last: the check of the launch before, or, before the first, the probe of the clock. It is read
    // before anything of a contestant runs again.
    const auto readLast = [&]() -> GpuResult<void> {
        if (lastSlot.empty())
            return justProbed ? GpuResult<void>() : readClock(reply.mhzBefore);
        if (const cu::Code code = m_driver.eventSynchronize(m_checkEnd); code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        reply.samples.push_back(readCheck(lastSlot, lastNs));
        return {};
    };
    cu::Code code = allocateProjection(static_cast<std::uint64_t>(request.extents.depth));
    if (code == 0 && !justProbed)
        code = queueClock();
    if (code != 0)
        return std::unexpected(failed(code, "the clock cannot be probed"));
    for (std::size_t i = 0; i < request.order.size(); ++i) {
        Runner& runner = runners[request.order[i]];
        spending.emplace(m_spent, "prepare");
        if (i > 0 || !isBegun)
            if (auto filled = queueInputs(request, i, runner); !filled)
                return filled;
        spending.emplace(m_spent, i == 0 ? "clock" : "check");
        if (auto read = readLast(); !read)
            return read;
        spending.emplace(m_spent, "launch");
        const cu::Code queued = queueLaunch([&] {
            return runner.program ? runner.program->launch(m_stream) : m_vendor->launch(runner.buffers, m_stream);
        });
        code = queueLookAround(request, i, runner);
        if (auto ended = awaitLaunch(queued, runner.slot); !ended)
            return ended;
        spending.emplace(m_spent, "check");
        if (code == 0)
            code = queueCheck(request, i, runner);
        if (code == 0 && i + 1 == request.order.size())
            code = queueClock(); // beside the check
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        const auto time = launchTime(runner.slot); // while it is checked
        if (!time)
            return std::unexpected(time.error());
        lastSlot = runner.slot;
        lastNs = *time;
    }
    spending.emplace(m_spent, "prepare");
    beginNext();
    spending.emplace(m_spent, "check");
    if (auto read = readLast(); !read)
        return read;
    spending.emplace(m_spent, "clock");
    if (auto read = readClock(reply.mhzAfter); !read)
        return read;
    m_lastMhz = reply.mhzAfter;
    m_lastProbe = std::chrono::steady_clock::now();
    return {};
}

GpuResult<void> GpuBench::takeOperationSamples(
    const BlockRequest& request, std::map<std::string, Runner>& runners, BlockReply& reply)
{
    const auto probe = [&](double& mhz) -> GpuResult<void> {
        if (const cu::Code code = queueClock(); code != 0)
            return std::unexpected(failed(code, "the clock cannot be probed"));
        const auto read = clockMhz();
        if (!read)
            return std::unexpected(read.error());
        mhz = *read;
        return {};
    };
    if (auto read = probe(reply.mhzBefore); !read)
        return read;
    const std::vector<Place> list = places(request.elements).first;
    for (std::size_t i = 0; i < request.order.size(); ++i) {
        Runner& runner = runners[request.order[i]];
        if (auto hidden = m_memory.hide(); !hidden)
            return std::unexpected(GpuFailure{hidden.error(), true});
        if (auto filled = queueInputs(request, i, runner); !filled)
            return filled;
        const auto time = launchBetweenEvents([&] { return runner.program->launch(m_stream); }, runner.slot);
        if (!time)
            return std::unexpected(time.error());
        const Spending spending(m_spent, "check");
        if (auto shown = revealFor(request.elements); !shown)
            return shown;
        VerifyRequest launch;
        launch.seed = request.seeds[i];
        cu::Code code = clearFindings(list.size());
        if (code == 0)
            code = lookAround(launch, runner.buffers, poisonOf(i), findings());
        if (auto computed = computeOperation(request.dims, request.elements, runner.buffers); !computed)
            return computed;
        if (code == 0)
            code = judgeOperation(request.extents, list, runner.buffers, poisonOf(i));
        if (code == 0)
            code = m_driver.streamSynchronize(m_stream);
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        BlockSample sample;
        sample.slot = runner.slot;
        sample.ns = *time;
        sample.outputs.resize(list.size());
        if (auto read = readFindings(sample.outputs.data(), sample.outputs.size()); !read)
            return read;
        reply.samples.push_back(std::move(sample));
    }
    if (auto hidden = m_memory.hide(); !hidden)
        return std::unexpected(GpuFailure{hidden.error(), true});
    return probe(reply.mhzAfter);
}

GpuResult<void> GpuBench::queueInputs(const BlockRequest& request, std::size_t index, Runner& runner)
{
    const BoundBuffers& buffers = runner.buffers;
    if (runner.reloadAlways) {
        auto ready = runner.program->reload();
        if (ready)
            ready = runner.program->prepare(*runner.plan, request.dims, buffers);
        if (!ready)
            return std::unexpected(GpuFailure{ready.error(), false});
    }
    m_driver.ctxResetPersistingL2();
    const Preparation preparation{
        buffers, request.extents, request.seeds[index], FillKind::Normal, poisonOf(index), true};
    if (const cu::Code code = prepare(preparation); code != 0)
        return std::unexpected(failed(code, "the launch cannot be prepared"));
    return {};
}

cu::Code GpuBench::allocateProjection(std::uint64_t depth)
{
    if (m_projectionCount >= depth)
        return 0;
    if (m_projection != 0)
        m_driver.memFree(std::exchange(m_projection, 0));
    m_projectionCount = 0;
    const cu::Code code = m_driver.memAlloc(&m_projection, 8 * depth);
    if (code == 0)
        m_projectionCount = depth;
    return code;
}

cu::Code GpuBench::queueLookAround(const BlockRequest& request, std::size_t index, const Runner& runner)
{
    cu::Pointer inputs = m_results + offsetof(Timed, inputs), zones = m_results + offsetof(Timed, zones);
    cu::Code code = m_driver.memsetD8Async(m_results, 0, sizeof(Timed), m_stream); // a program could reach it
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(m_driver.eventRecord(m_aroundBegin, m_stream));
    step(workOn("tw_after", runner.buffers, Parts::Zones, request.seeds[index], FillKind::Normal, poisonOf(index),
        {&inputs, &zones}));
    step(m_driver.eventRecord(m_aroundEnd, m_stream));
    return code;
}

cu::Code GpuBench::queueCheck(const BlockRequest& request, std::size_t index, const Runner& runner)
{
    const BoundBuffers& buffers = runner.buffers;
    std::uint64_t seed = request.seeds[index];
    cu::Code code = 0;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    // Drawn now that the launch is over: nothing in this process knew them while it ran.
    std::uint64_t signs = unforeseeable();
    cu::Pointer a = buffers.address[0], b = buffers.address[1], c = buffers.address[2];
    int rows = static_cast<int>(request.extents.rows), columns = static_cast<int>(request.extents.columns);
    int inner = static_cast<int>(request.extents.depth);
    step(beginChecks());
    step(run("tw_project", {static_cast<unsigned>(inner)}, threadsPerBlock,
        {&b, &columns, &signs, &m_projection, &seed, &m_results}));
    const bool byWarps = rows >= manyRows;
    const int blocks = std::min(byWarps ? (rows + 7) / 8 : rows, 8 * m_limits.sms);
    step(run(byWarps ? "tw_freivalds_by_warps" : "tw_freivalds", {static_cast<unsigned>(blocks)}, threadsPerBlock,
        {&a, &c, &rows, &columns, &inner, &signs, &m_projection, &seed, &m_results}));
    if (m_formats.out != GpuElement::Fp32) {
        std::uint64_t pick = unforeseeable();
        auto [perValue, perMagnitude] = boundOf(request.extents);
        step(run("tw_rows",
            {static_cast<unsigned>((columns + static_cast<int>(rowsThreads) - 1) / static_cast<int>(rowsThreads)),
                rowsBlocks},
            rowsThreads, {&a, &b, &c, &rows, &columns, &inner, &pick, &perValue, &perMagnitude, &m_results}));
    }
    step(m_driver.memcpyDtoHAsync(m_released + sampleAt, m_results, sizeof(Timed), m_stream));
    step(endChecks());
    return code;
}

BlockSample GpuBench::readCheck(const std::string& slot, double ns)
{
    Timed timed;
    std::memcpy(static_cast<void*>(&timed), m_released + sampleAt, sizeof timed);
    addChecksAndAround();
    BlockSample sample;
    sample.slot = slot;
    sample.ns = ns;
    sample.worst = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(timed.worst >> 32)));
    sample.worstRow = static_cast<std::uint32_t>(timed.worst);
    sample.differences = timed.differences;
    sample.rowsExcess = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(timed.rows >> 32)));
    sample.norms = timed.norms;
    sample.notFinite = static_cast<std::int64_t>(timed.notFinite);
    sample.inputsChanged = static_cast<std::int64_t>(timed.inputs);
    sample.zonesChanged = static_cast<std::int64_t>(timed.zones);
    return sample;
}

} // namespace tilewright
