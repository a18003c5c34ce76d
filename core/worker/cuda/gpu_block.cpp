// SPDX-License-Identifier: GPL-3.0-or-later
// Timed samples: a cold launch each, or one launch on each of the sets of buffers that a block goes round. Every launch
// is checked.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace tilewright {
namespace {

constexpr auto probeHolds = std::chrono::milliseconds(1); ///< how long a probe of the clock tells the truth
constexpr const char* vendorSlot = "vendor";

/// What outputs and zones hold before a sample.
std::uint8_t poisonOf(std::size_t sample) { return sample % 2 ? secondPoison : firstPoison; }

} // namespace

struct GpuBench::Runner {
    std::string slot;
    GpuProgram* program = nullptr; ///< null: the vendor
    bool reloadAlways = false;
    const GpuPlan* plan = nullptr;
    std::vector<BoundBuffers> sets; ///< as many as the block's ring has
    std::unique_ptr<CapturedGraph> graph; ///< of the launches on all of them; null: they are queued one by one
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
    if (request.ring < 1 || request.ring > static_cast<int>(mostRing))
        return std::unexpected(GpuFailure{{"protocol/field", "no ring can have so many sets of buffers", "", nullptr}});
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
        const auto bytes = sizesOf(request.extents, request.elements, workspace);
        if (!bytes)
            return std::unexpected(bytes.error());
        const std::uint64_t touched = std::reduce(bytes->begin(), bytes->end() - 1); // but for the workspace
        const auto ring = static_cast<std::size_t>(request.ring);
        if (ring > 1 && (ring - 1) * touched < ringOverL2 * m_limits.l2Bytes)
            return std::unexpected(GpuFailure{
                {"protocol/field", "too few sets of buffers: some would still be in the cache", "", nullptr}, false});
        auto sets = m_memory.bindBeside(std::vector(ring, *bytes), place);
        if (!sets)
            return std::unexpected(GpuFailure{sets.error(), false});
        runner.sets = std::move(*sets);
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
        // sample, and no other has any.
        if (auto ready = makeReady(request, runner); !ready)
            return std::unexpected(std::move(ready.error()));
    }
    if (const auto vendor = runners.find(vendorSlot); vendor != runners.end()) {
        const BoundBuffers& buffers = vendor->second.sets.front();
        if (const cu::Code code = prepare({buffers, request.extents, unforeseeable()}); code != 0)
            return std::unexpected(failed(code, "the launch cannot be prepared"));
        const auto ready = m_vendor->prepare(
            m_driver, request.extents, buffers, vendorWorkspace, request.vendorChoice, [this] { return flush(); },
            m_stream);
        if (!ready)
            return std::unexpected(GpuFailure{ready.error(), false});
        reply.vendorChoice = *ready;
        if (auto captured = makeReady(request, vendor->second); !captured)
            return std::unexpected(std::move(captured.error()));
    }
    return runners;
}

GpuResult<void> GpuBench::makeReady(const BlockRequest& request, Runner& runner)
{
    Result<void> ready;
    if (runner.program)
        ready = runner.program->prepare(*runner.plan, request.dims, runner.sets);
    if (ready && request.graph) {
        runner.graph = std::make_unique<CapturedGraph>(m_driver);
        const cu::Stream aside = m_beside.front();
        Runner plain{runner.slot, runner.program, false, nullptr, runner.sets, nullptr};
        ready = runner.graph->capture(aside, [&] { return launchAll(plain, aside); });
    }
    if (ready)
        return {};
    GpuFailure failure{ready.error(), false};
    if (!failure.error.evidence.is_object())
        failure.error.evidence = nlohmann::json::object();
    failure.error.evidence["contestant"] = runner.slot;
    return std::unexpected(std::move(failure));
}

cu::Code GpuBench::launchAll(Runner& runner, cu::Stream stream)
{
    if (runner.graph)
        return runner.graph->launch(stream);
    if (runner.program)
        return runner.program->launch(stream);
    for (const BoundBuffers& buffers : runner.sets)
        if (const cu::Code code = m_vendor->launch(buffers, stream); code != 0)
            return code;
    return 0;
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
    const auto launches = static_cast<std::size_t>(request.ring);
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
        reply.samples.push_back(readCheck(lastSlot, launches, lastNs / static_cast<double>(launches)));
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
        const cu::Code queued = queueLaunch([&] { return launchAll(runner, m_stream); });
        code = queueLookAround(runner.sets, request.seeds[i], poisonOf(i));
        if (auto ended = awaitLaunch(queued, runner.slot); !ended)
            return ended;
        spending.emplace(m_spent, "check");
        if (code == 0)
            code = queueCheck(runner.sets, request.extents, request.seeds[i]);
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
    for (std::size_t i = 0; i < request.order.size(); ++i) {
        Runner& runner = runners[request.order[i]];
        if (auto hidden = m_memory.hide(); !hidden)
            return std::unexpected(GpuFailure{hidden.error(), true});
        if (auto filled = queueInputs(request, i, runner); !filled)
            return filled;
        const auto time = launchBetweenEvents([&] { return launchAll(runner, m_stream); }, runner.slot);
        if (!time)
            return std::unexpected(time.error());
        const Spending spending(m_spent, "check");
        if (auto shown = revealFor(request.elements); !shown)
            return shown;
        BlockSample sample;
        sample.slot = runner.slot;
        sample.launches = request.ring;
        sample.ns = *time / sample.launches;
        for (std::size_t set = 0; set < runner.sets.size(); ++set)
            if (auto judged = judgeSet(request, i, runner.sets[set], set, sample.outputs); !judged)
                return judged;
        reply.samples.push_back(std::move(sample));
    }
    if (auto hidden = m_memory.hide(); !hidden)
        return std::unexpected(GpuFailure{hidden.error(), true});
    return probe(reply.mhzAfter);
}

GpuResult<void> GpuBench::judgeSet(const BlockRequest& request, std::size_t sample, const BoundBuffers& buffers,
    std::size_t set, std::vector<VerifyReply>& outputs)
{
    const std::vector<Place> list = places(request.elements).first;
    VerifyRequest launch;
    launch.seed = seedOfSet(request.seeds[sample], set);
    cu::Code code = clearFindings(list.size());
    if (code == 0)
        code = lookAround(launch, buffers, poisonOf(sample), findings());
    if (auto computed = computeOperation(request.dims, request.elements, buffers); !computed)
        return computed;
    if (code == 0)
        code = judgeOperation(request.extents, list, buffers, poisonOf(sample));
    if (code == 0)
        code = m_driver.streamSynchronize(m_stream);
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    outputs.resize(outputs.size() + list.size());
    return readFindings(outputs.data() + (outputs.size() - list.size()), list.size());
}

GpuResult<void> GpuBench::queueInputs(const BlockRequest& request, std::size_t index, Runner& runner)
{
    if (runner.reloadAlways) {
        if (auto fresh = runner.program->reload(); !fresh)
            return std::unexpected(GpuFailure{fresh.error(), false});
        if (auto ready = makeReady(request, runner); !ready)
            return ready;
    }
    m_driver.ctxResetPersistingL2();
    cu::Code code = m_driver.eventRecord(m_prepareBegin, m_stream);
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    for (std::size_t set = 0; set < runner.sets.size(); ++set)
        step(fillAndPoison({runner.sets[set], request.extents, seedOfSet(request.seeds[index], set), FillKind::Normal,
            poisonOf(index)}));
    step(m_driver.eventRecord(m_prepareEnd, m_stream));
    // Where launches go round, those of other sets come between the filling of one and its launch, instead of a flush.
    step(hold(request.ring == 1));
    if (code != 0)
        return std::unexpected(failed(code, "the launch cannot be prepared"));
    return {};
}

} // namespace tilewright
