// SPDX-License-Identifier: Apache-2.0
// Operations that are no product: every launch, verified or timed, is held against what the task's reference computes
// from the same inputs after it, in memory that is unmapped again before candidate code runs the next time.
#include "core/protocol/rounding_growth.h"
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewright {
namespace {

constexpr std::uint64_t placeAlignment = 256;
constexpr std::uint8_t unwrittenTruth = 0xff; ///< not a number, in every type
constexpr const char* formNames[] = {"tilewright_reference", "tilewright_found", "tilewright_values"};

std::uint64_t alignedUp(std::uint64_t bytes) { return (bytes + placeAlignment - 1) / placeAlignment * placeAlignment; }

} // namespace

GpuResult<void> GpuBench::findTruthForm()
{
    for (const TruthForm form : {TruthForm::Elements, TruthForm::Found, TruthForm::Values}) {
        const char* name = formNames[static_cast<int>(form)];
        const auto function = m_reference->function(name);
        if (!function || (form != TruthForm::Elements && m_formats.product))
            continue;
        m_functions[name] = *function;
        m_truthForm = form;
        if (form == TruthForm::Elements)
            return {};
        const auto launch = m_reference->function("tilewright_launch");
        if (!launch)
            return std::unexpected(GpuFailure{launch.error(), false});
        m_functions["tilewright_launch"] = *launch;
        return {};
    }
    return std::unexpected(GpuFailure{m_reference->function(formNames[0]).error(), false});
}

std::pair<std::vector<GpuBench::Place>, std::uint64_t> GpuBench::places(const std::vector<std::int64_t>& elements) const
{
    std::vector<Place> list;
    std::uint64_t at = 0;
    const auto take = [&](std::uint64_t bytes) {
        const cu::Pointer place = m_memory.hidden() + at;
        at += alignedUp(bytes);
        return place;
    };
    for (auto i = static_cast<std::size_t>(m_formats.inputs); i < elements.size(); ++i) {
        Place place;
        place.elements = static_cast<std::uint64_t>(elements[i]);
        place.truth = take(8 * place.elements);
        place.magnitude = take(8 * place.elements);
        place.found = take(bytesOf(m_formats.out) * place.elements);
        place.kept = take(bytesOf(m_formats.out) * place.elements);
        list.push_back(place);
    }
    return {std::move(list), at};
}

GpuResult<void> GpuBench::revealFor(const std::vector<std::int64_t>& elements)
{
    const std::uint64_t bytes = places(elements).second;
    if (m_memory.hiddenBytes() < bytes)
        return std::unexpected(GpuFailure{{"device/memory", "too little hidden memory was requested", "", nullptr}});
    if (auto shown = m_memory.reveal(bytes); !shown)
        return std::unexpected(GpuFailure{shown.error(), true});
    return {};
}

cu::Code GpuBench::launchReference(
    const char* name, const std::array<std::uint32_t, 7>& how, std::vector<void*> arguments)
{
    if (how[6] > 0)
        m_driver.funcSetAttribute(m_functions[name], cu::MaxDynamicShared, static_cast<int>(how[6]));
    const cu::LaunchConfig config{{how[0], how[1], how[2]}, {how[3], how[4], how[5]}, how[6], m_stream, nullptr, 0};
    return m_driver.launchKernelEx(&config, m_functions[name], arguments.data(), nullptr);
}

GpuResult<void> GpuBench::computeOperation(
    const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& elements, const BoundBuffers& buffers)
{
    auto [list, bytes] = places(elements);
    std::vector<std::int32_t> extents(dims.begin(), dims.end());
    std::vector<cu::Pointer> inputs(buffers.address.begin(), buffers.address.begin() + m_formats.inputs);
    std::vector<void*> arguments{extents.data()};
    for (cu::Pointer& input : inputs)
        arguments.push_back(&input);
    cu::Code code = 0;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    const bool perElement = m_truthForm == TruthForm::Elements, narrow = m_truthForm == TruthForm::Found;
    for (Place& place : list) {
        const std::uint64_t size = place.elements;
        step(m_driver.memsetD8Async(place.truth, unwrittenTruth, 8 * size, m_stream));
        step(m_driver.memsetD8Async(place.magnitude, unwrittenTruth, 8 * size, m_stream));
        step(m_driver.memsetD8Async(place.found, unwrittenTruth, bytesOf(m_formats.out) * size, m_stream));
        arguments.push_back(narrow ? &place.found : &place.truth);
    }
    std::array<std::uint32_t, 7> how{1, 1, 1, threadsPerBlock, 1, 1, 0};
    if (perElement) {
        std::uint64_t most = 1;
        for (Place& place : list) {
            arguments.push_back(&place.magnitude);
            most = std::max(most, place.elements);
        }
        how[0] = static_cast<std::uint32_t>((most + threadsPerBlock - 1) / threadsPerBlock);
    } else {
        cu::Pointer told = m_results + launchAt;
        step(run("tilewright_launch", {}, 1, {extents.data(), &told}));
        step(m_driver.streamSynchronize(m_stream));
        step(m_driver.memcpyDtoH(how.data(), told, sizeof how));
    }
    step(code == 0 ? launchReference(formNames[static_cast<int>(m_truthForm)], how, arguments) : code);
    for (Place& place : list) {
        if (perElement)
            break;
        // What is rounded itself may be off by half a unit of its last place, as the candidate's is.
        double own = bytesOf(m_formats.out) == 2 && narrow
            ? unitRoundoff(m_formats.out) / (4 * unitRoundoff(GpuElement::Fp32))
            : 0;
        cu::Pointer sum = m_results + squaresAt, from = narrow ? place.found : place.truth;
        step(m_driver.memsetD8Async(sum, 0, 8, m_stream));
        step(run(narrow ? "tw_squares_found" : "tw_squares_values", {blocksFor(place.elements)}, threadsPerBlock,
            {&from, &place.elements, &sum}));
        step(run(narrow ? "tw_truth_found" : "tw_truth_values", {blocksFor(place.elements)}, threadsPerBlock,
            {&from, &place.elements, &sum, &own, &place.truth, &place.magnitude}));
        step(m_driver.memsetD8Async(sum, 0, 8, m_stream)); // nothing of a truth stays where a program might look
    }
    step(m_driver.streamSynchronize(m_stream));
    if (code != 0)
        return std::unexpected(GpuFailure{
            {"task/reference", "the task's reference cannot be run: " + m_driver.error(code, "").text, "", nullptr},
            cu::Driver::isSticky(code)});
    return {};
}

cu::Code GpuBench::judgeOperation(const ProductExtents& extents, const std::vector<Place>& list,
    const BoundBuffers& buffers, std::uint8_t poison, FillKind kind)
{
    const bool oneWay = kind == FillKind::Mixed || kind == FillKind::Integer;
    auto [perValue, perMagnitude] = boundOf(extents);
    perMagnitude *= roundingGrowth(oneWay ? Rounding::OneWay : Rounding::ByChance, extents.depth);
    std::uint32_t word = bytesOf(m_formats.out) == 2 ? 0x0101u * poison : 0x01010101u * poison;
    cu::Code code = 0;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    for (std::size_t i = 0; i < list.size(); ++i) {
        Place place = list[i];
        cu::Pointer c = buffers.address[static_cast<std::size_t>(m_formats.inputs) + i], found = findings(i);
        step(run("tw_compare", {blocksFor(place.elements)}, threadsPerBlock,
            {&c, &place.truth, &place.magnitude, &place.elements, &perValue, &perMagnitude, &word, &found}));
        step(run("tw_look", {}, 1, {&c, &place.truth, &place.magnitude, &place.elements, &found}));
    }
    return code;
}

GpuResult<VerifyReply> GpuBench::verifyOperation(const VerifyRequest& request)
{
    const auto buffers = bind(request.extents, request.elements, request.plan.workspaceBytes, unforeseeable());
    if (!buffers)
        return std::unexpected(buffers.error());
    const std::vector<Place> list = places(request.elements).first;
    std::vector<VerifyReply> replies(list.size());
    for (const std::uint8_t poison : {firstPoison, secondPoison}) {
        const bool first = poison == firstPoison;
        tell(0, false);
        const auto time = launchOnce(request, *buffers, poison);
        if (!time)
            return std::unexpected(time.error());
        tell(0, true);
        if (auto shown = revealFor(request.elements); !shown)
            return std::unexpected(shown.error());
        const Spending spending(m_spent, "compare");
        cu::Code code = clearFindings(list.size());
        const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
        // Looked at before the reference runs, which is handed the same inputs.
        step(lookAround(request, *buffers, poison, findings()));
        if (!first)
            step(lookBetween({*buffers}, poison, findings()));
        if (first) {
            if (auto computed = computeOperation(request.dims, request.elements, *buffers); !computed)
                return std::unexpected(computed.error());
            step(judgeOperation(request.extents, list, *buffers, poison, request.kind));
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            const cu::Pointer c = buffers->address[static_cast<std::size_t>(m_formats.inputs) + i];
            if (first && request.twice)
                step(m_driver.memcpyDtoDAsync(list[i].kept, c, bytesOf(m_formats.out) * list[i].elements, m_stream));
            else if (!first)
                step(differ(list[i].kept, c, list[i].elements, findings(i)));
        }
        step(m_driver.streamSynchronize(m_stream));
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        std::vector<VerifyReply> found(list.size());
        if (auto read = readFindings(found.data(), found.size()); !read)
            return std::unexpected(read.error());
        if (first) {
            replies = std::move(found);
            replies.front().ns = *time;
            if (!request.twice)
                break;
            continue;
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            replies[i].differing += found[i].differing;
            replies[i].inputsChanged += found[i].inputsChanged;
            replies[i].zonesChanged += found[i].zonesChanged;
        }
    }
    VerifyReply reply = std::move(replies.front());
    reply.more.assign(replies.begin() + 1, replies.end());
    reply.spentNs = std::exchange(m_spent, {});
    return reply; // what is revealed is hidden before the next launch of a program
}

GpuResult<std::vector<std::string>> GpuBench::truth(const TruthRequest& request, const std::vector<std::string>& inputs)
{
    const auto buffers = bind({}, request.elements, 0, unforeseeable());
    if (!buffers)
        return std::unexpected(buffers.error());
    if (auto shown = revealFor(request.elements); !shown)
        return std::unexpected(shown.error());
    cu::Code code = 0;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_formats.inputs); ++i) {
        if (i >= inputs.size() || inputs[i].size() != buffers->bytes[i])
            return std::unexpected(
                GpuFailure{{"protocol/field", "the size of an input differs from the task", "", nullptr}});
        step(m_driver.memcpyHtoD(buffers->address[i], inputs[i].data(), inputs[i].size()));
    }
    step(m_driver.ctxSynchronize()); // the copies are no part of the stream that reads them
    if (code != 0)
        return std::unexpected(failed(code, "the inputs cannot be copied"));
    if (auto computed = computeOperation(request.dims, request.elements, *buffers); !computed)
        return std::unexpected(computed.error());
    std::vector<std::string> outputs;
    for (const Place& place : places(request.elements).first)
        for (const cu::Pointer from : {place.truth, place.magnitude}) {
            std::string& bytes = outputs.emplace_back(8 * place.elements, '\0');
            step(m_driver.memcpyDtoH(bytes.data(), from, bytes.size()));
        }
    if (code != 0)
        return std::unexpected(failed(code, "the expected result cannot be read"));
    return outputs;
}

} // namespace tilewright
