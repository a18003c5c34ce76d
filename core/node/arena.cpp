// SPDX-License-Identifier: Apache-2.0
#include "core/node/arena.h"

#include "core/node/gates.h"
#include "core/source/candidate_header.h"

#include <algorithm>
#include <cstring>

namespace tilewright {
namespace {

constexpr std::size_t alignment = 64;
/// Poison on each side of the workspace that is watched; beyond it stand pages nobody asked for, then the guard.
constexpr std::size_t watchedMargin = 64 << 10;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

bool holds(std::span<const std::uint8_t> bytes, std::uint8_t pattern)
{
    return bytes.empty() || (bytes[0] == pattern && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

} // namespace

Result<std::unique_ptr<Arena>> Arena::start(const Sandbox& sandbox, const std::filesystem::path& worker,
    const std::string& object, const Task& task, const std::vector<Shape>& shapes, const CoreSplit& cores,
    CoreKeptAwake* awake)
{
    std::vector<std::int64_t> elements(task.tensors.size());
    for (const Shape& shape : shapes)
        for (std::size_t i = 0; i < elements.size(); ++i)
            elements[i] = std::max(elements[i], task.elementsOf(task.tensors[i], shape));
    const bool vendor = object.starts_with("vendor:");
    GuestSetup setup;
    setup.worker = worker;
    setup.object = object;
    if (const std::size_t slash = object.find('/'); vendor && slash != std::string::npos) {
        setup.object = object.substr(0, slash);
        setup.environment = {{"OPENBLAS_CORETYPE", object.substr(slash + 1)}};
    }
    setup.cpu = cores.measuring;
    setup.ownCore = cores.hasOwnClock();
    setup.awake = awake;
    for (std::size_t i = 0; i < elements.size(); ++i)
        setup.regions.push_back(
            {static_cast<std::uint64_t>(elements[i]) * 4, task.tensors[i].role == TensorRole::Output});
    setup.regions.push_back(
        {vendor ? 4096 : static_cast<std::uint64_t>(task.limits.workspaceBytes) + 2 * watchedMargin, true});
    auto guest = GuestProcess::start(sandbox, setup);
    if (!guest)
        return std::unexpected(guest.error());
    return std::unique_ptr<Arena>(new Arena(std::move(*guest), task, vendor ? Callee::Vendor : Callee::Candidate));
}

Arena::Range Arena::place(std::size_t region, std::size_t bytes, Placement placement) const
{
    const std::size_t room = m_guest->region(region).size();
    return {region, placement == Placement::FlushLeft ? 0 : room - std::min(room, aligned(bytes)), bytes};
}

std::vector<std::span<float>> Arena::tensors(TensorRole role)
{
    std::vector<std::span<float>> found;
    for (std::size_t i = 0; i < m_tensors.size(); ++i)
        if (const Range& range = m_tensors[i]; m_task.tensors[i].role == role)
            found.emplace_back(
                reinterpret_cast<float*>(m_guest->region(range.region).data() + range.offset), range.bytes / 4);
    return found;
}

Result<void> Arena::bind(const Shape& shape, Placement placement)
{
    m_bound = shape;
    m_tensors.clear();
    for (std::size_t i = 0; i < m_task.tensors.size(); ++i)
        m_tensors.push_back(
            place(i, static_cast<std::size_t>(m_task.elementsOf(m_task.tensors[i], shape)) * 4, placement));
    // A candidate takes the task's dims in their order, the vendor's library always M, N, K.
    Shape dims = shape;
    if (m_callee == Callee::Vendor) {
        const ProductShape product = productShape(m_task, shape);
        dims = {product.rows, product.columns, product.depth};
    }
    const auto known = m_workspaceOf.find(shape);
    if (known == m_workspaceOf.end()) {
        m_guest->setArgs(argsBytes(dims, {}, 0, 0));
        if (const auto asked = m_guest->call(GuestCommand::Workspace, std::chrono::seconds(2)); !asked)
            return std::unexpected(asked.error());
        const std::uint64_t wanted = m_guest->result();
        if (wanted > static_cast<std::uint64_t>(m_task.limits.workspaceBytes))
            return fail("run/workspace-limit",
                "the program requests " + std::to_string(wanted) + " bytes of workspace for " + shapeText(shape)
                    + ", at most " + std::to_string(m_task.limits.workspaceBytes) + " are allowed",
                "", {{"wanted", wanted}});
        m_workspaceOf[shape] = static_cast<std::int64_t>(wanted);
    }
    m_workspaceBytes = m_workspaceOf[shape];
    m_workspace = place(workspaceRegion(), static_cast<std::size_t>(m_workspaceBytes), placement);
    std::vector<std::uint64_t> addresses;
    for (const Range& range : m_tensors)
        addresses.push_back(m_guest->guestAddress(range.region) + range.offset);
    m_guest->setArgs(argsBytes(dims, addresses, m_guest->guestAddress(workspaceRegion()) + m_workspace.offset,
        static_cast<std::uint64_t>(m_workspaceBytes)));
    return {};
}

void Arena::poison(std::uint8_t pattern)
{
    for (std::size_t i = 0; i < m_task.tensors.size(); ++i)
        if (m_task.tensors[i].role == TensorRole::Output)
            std::memset(m_guest->region(i).data(), pattern, m_guest->region(i).size());
    const auto workspace = m_guest->region(workspaceRegion());
    const std::size_t from = m_workspace.offset - std::min(m_workspace.offset, watchedMargin);
    const std::size_t to = std::min(workspace.size(), m_workspace.offset + m_workspace.bytes + watchedMargin);
    std::memset(workspace.data() + from, pattern, to - from);
}

Result<void> Arena::checkSurroundings(std::uint8_t pattern) const
{
    std::vector<Range> written;
    for (std::size_t i = 0; i < m_tensors.size(); ++i)
        if (m_task.tensors[i].role == TensorRole::Output)
            written.push_back(m_tensors[i]);
    written.push_back(m_workspace);
    for (const Range& range : written) {
        const std::span<const std::uint8_t> region = m_guest->region(range.region);
        const std::size_t margin = range.region == workspaceRegion() ? watchedMargin : region.size();
        const std::size_t from = range.offset - std::min(range.offset, margin), end = range.offset + range.bytes;
        const std::size_t to = std::min(region.size(), end + std::min(margin, region.size()));
        const bool before = !holds(region.subspan(from, range.offset - from), pattern);
        if (before || !holds(region.subspan(end, to - end), pattern))
            return fail("verify/out-of-bounds-write",
                std::string("the program wrote ") + (before ? "before the start" : "past the end") + " of its "
                    + (range.region == workspaceRegion() ? "workspace" : "output"),
                "", {{"region", range.region}, {"side", before ? "before" : "behind"}});
    }
    return {};
}

} // namespace tilewright
