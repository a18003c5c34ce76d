// SPDX-License-Identifier: Apache-2.0
// Timed samples: a cold launch each, or one launch on each of some sets of buffers (gpu_round.cpp). Every launch is
// checked.
#include "core/worker/cuda/gpu_runner.h"

#include <optional>
#include <utility>

namespace tilewright {
namespace {

constexpr auto probeHolds = std::chrono::milliseconds(1); ///< how long a probe of the clock tells the truth
constexpr const char* vendorSlot = "vendor";

/// The failure of one contestant, which its error names.
GpuFailure about(Error error, const std::string& slot)
{
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["contestant"] = slot;
    return {std::move(error), false};
}

/// Times by launch, in ns.
BlockSample sampleOf(const std::string& slot, std::vector<double> times)
{
    BlockSample sample;
    sample.slot = slot;
    sample.launches = static_cast<int>(times.size());
    sample.ns = std::reduce(times.begin(), times.end()) / static_cast<double>(times.size());
    if (times.size() > 1)
        sample.launchNs = std::move(times);
    return sample;
}

/// What outputs and zones hold before a sample.
std::uint8_t poisonOf(std::size_t sample) { return sample % 2 ? secondPoison : firstPoison; }

} // namespace

/// A block whose first inputs are being filled.
struct GpuBench::Head {
    std::shared_ptr<const BlockRequest> request;
    std::map<std::string, Runner> runners;
};

GpuResult<BlockReply> GpuBench::block(const BlockRequest& request)
{
    if (request.order.size() != request.seeds.size())
        return std::unexpected(GpuFailure{{"protocol/field", "a seed for each sample is required", "", nullptr}});
    if (request.ring < 1 || request.held < 0 || request.held >= static_cast<int>(mostRing)
        || request.ring + request.held > static_cast<int>(mostRing))
        return std::unexpected(GpuFailure{{"protocol/field", "too many sets of buffers for a ring", "", nullptr}});
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
        auto sets = m_memory.bindRound(ring + static_cast<std::size_t>(request.held), *bytes, place);
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
        reply.vendorVersion = m_vendor->version();
    }
    return runners;
}

GpuResult<void> GpuBench::makeReady(const BlockRequest& request, Runner& runner)
{
    if (runner.program)
        if (auto ready = runner.program->prepare(*runner.plan, request.dims, runner.sets); !ready)
            return std::unexpected(about(ready.error(), runner.slot));
    return {};
}

GpuResult<void> GpuBench::drawRound(const BlockRequest& request, std::size_t sample, Runner& runner)
{
    const auto launches = static_cast<std::size_t>(request.ring);
    runner.draw(launches, request.seeds[sample]);
    if (const cu::Code code = readyRound(launches); code != 0)
        return std::unexpected(failed(code, "no event"));
    if (!request.graph)
        return {};
    runner.graph = std::make_unique<CapturedGraph>(m_driver);
    const cu::Stream aside = m_beside.front();
    if (auto captured = runner.graph->capture(aside, [&] { return launchRound(runner, aside, true); }); !captured)
        return std::unexpected(about(captured.error(), runner.slot));
    return {};
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
    std::optional<BlockSample> last;
    const auto held = static_cast<std::size_t>(request.held);
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
        if (!last)
            return justProbed ? GpuResult<void>() : readClock(reply.mhzBefore);
        if (const cu::Code code = m_driver.eventSynchronize(m_checkEnd); code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        readCheck(*last, held);
        reply.samples.push_back(std::move(*last));
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
        const cu::Code queued = queueLaunch([&] { return launchAll(runner); });
        code = queueLookAround(runner, poisonOf(i));
        if (auto ended = awaitLaunch(queued, runner.slot); !ended)
            return ended;
        spending.emplace(m_spent, "check");
        if (code == 0)
            code = queueCheck(runner, request.extents);
        if (code == 0 && i + 1 == request.order.size())
            code = queueClock(); // beside the check
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        auto times = roundTimes(runner); // while it is checked
        if (!times)
            return std::unexpected(times.error());
        last = sampleOf(runner.slot, std::move(*times));
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
        if (auto ended = awaitLaunch(queueLaunch([&] { return launchAll(runner); }), runner.slot); !ended)
            return ended;
        auto times = roundTimes(runner);
        if (!times)
            return std::unexpected(times.error());
        const Spending spending(m_spent, "check");
        if (auto shown = revealFor(request.elements); !shown)
            return shown;
        BlockSample sample = sampleOf(runner.slot, std::move(*times));
        for (const FilledSet& set : runner.drawn)
            if (auto judged = judgeSet(request, i, set, sample.outputs); !judged)
                return judged;
        if (auto judged = judgeHeld(runner, poisonOf(i), sample); !judged)
            return judged;
        reply.samples.push_back(std::move(sample));
    }
    if (auto hidden = m_memory.hide(); !hidden)
        return std::unexpected(GpuFailure{hidden.error(), true});
    return probe(reply.mhzAfter);
}

GpuResult<void> GpuBench::judgeSet(
    const BlockRequest& request, std::size_t sample, const FilledSet& set, std::vector<VerifyReply>& outputs)
{
    const std::vector<Place> list = places(request.elements).first;
    VerifyRequest launch;
    launch.seed = set.seed;
    cu::Code code = clearFindings(list.size());
    if (code == 0)
        code = lookAround(launch, set.buffers, poisonOf(sample), findings());
    if (auto computed = computeOperation(request.dims, request.elements, set.buffers); !computed)
        return computed;
    if (code == 0)
        code = judgeOperation(request.extents, list, set.buffers, poisonOf(sample));
    if (code == 0)
        code = m_driver.streamSynchronize(m_stream);
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    outputs.resize(outputs.size() + list.size());
    return readFindings(outputs.data() + (outputs.size() - list.size()), list.size());
}

GpuResult<void> GpuBench::judgeHeld(const Runner& runner, std::uint8_t poison, BlockSample& sample)
{
    if (runner.held.empty())
        return {};
    cu::Code code = clearFindings(runner.held.size());
    if (code == 0)
        code = lookAtHeld(runner, poison, 0);
    if (code == 0)
        code = m_driver.memcpyDtoHAsync(
            m_released + sampleAt, findings(), runner.held.size() * bytesOfFindings, m_stream);
    if (code == 0)
        code = m_driver.streamSynchronize(m_stream);
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    sample.heldChanged = heldChanged(0, runner.held.size());
    return {};
}

GpuResult<void> GpuBench::queueInputs(const BlockRequest& request, std::size_t index, Runner& runner)
{
    if (runner.reloadAlways) {
        if (auto fresh = runner.program->reload(); !fresh)
            return std::unexpected(GpuFailure{fresh.error(), false});
        if (auto ready = makeReady(request, runner); !ready)
            return ready;
    }
    if (auto drawn = drawRound(request, index, runner); !drawn)
        return drawn;
    m_driver.ctxResetPersistingL2();
    cu::Code code = m_driver.eventRecord(m_prepareBegin, m_stream);
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    if (!runner.held.empty()) // what is no set's is looked at as well
        step(m_memory.poisonAll(poisonOf(index), m_stream));
    for (const auto* sets : {&runner.drawn, &runner.held})
        for (const FilledSet& set : *sets)
            step(fillAndPoison({set.buffers, request.extents, set.seed, FillKind::Normal, poisonOf(index)}));
    step(m_driver.eventRecord(m_prepareEnd, m_stream));
    step(hold(true)); // where launches go round, each finds its set as cold as the first does
    if (code != 0)
        return std::unexpected(failed(code, "the launch cannot be prepared"));
    return {};
}

} // namespace tilewright
