// SPDX-License-Identifier: Apache-2.0
#include "core/node/cuda_plan.h"

#include "kernels/include/tilewright/plan.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace tilewright {
namespace {

namespace contract = tilewright_contract;

constexpr std::uint32_t mostThreads = 1024, mostBlockZ = 64, mostClusterBlocks = 16;
constexpr std::uint32_t mostGridX = 0x7fffffff, mostGridYz = 65535;
constexpr std::uint64_t mostDim = std::uint64_t(1) << 32, mostStride = std::uint64_t(1) << 40;
constexpr std::uint64_t mostBox = 256, mostElementStride = 8;

/// Refuses one field; the shape is named because plans branch on it.
struct Refusal {
    const Shape& shape;
    std::unexpected<Error> operator()(const std::string& field, const std::string& why, nlohmann::json value) const
    {
        return fail("plan/" + field, "the plan for " + shapeText(shape) + ": " + why, "",
            {{"shape", shape}, {"field", field}, {"value", std::move(value)}});
    }
};

std::string_view nameOf(const contract::Launch& launch)
{
    const auto* end = static_cast<const char*>(std::memchr(launch.kernel, 0, sizeof launch.kernel));
    return end ? std::string_view(launch.kernel, static_cast<std::size_t>(end - launch.kernel)) : std::string_view();
}

/// An identifier, with namespaces perhaps, and whole numbers in angle brackets after it perhaps.
bool isKernelName(std::string_view name)
{
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())))
        return false;
    const std::size_t open = std::min(name.find('<'), name.size());
    const auto identifier = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; };
    if (open == 0 || !std::ranges::all_of(name.substr(0, open), identifier))
        return false;
    if (open == name.size())
        return true;
    const auto argument = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == ',' || c == '-'; };
    return name.ends_with('>') && name.size() > open + 2
        && std::ranges::all_of(name.substr(open + 1, name.size() - open - 2), argument);
}

std::string byBy(const std::array<std::uint32_t, 3>& extents)
{
    return std::to_string(extents[0]) + "×" + std::to_string(extents[1]) + "×" + std::to_string(extents[2]);
}

std::string capabilityOf(const CudaFacts& facts)
{
    return std::to_string(facts.major) + "." + std::to_string(facts.minor);
}

/// Why the launch cannot have its clusters; empty if it can.
std::string whyNoCluster(const GpuLaunch& launch, const CudaFacts& facts)
{
    const auto& [x, y, z] = launch.cluster;
    const std::string who = "'" + launch.entry + "' has clusters of " + byBy(launch.cluster) + " blocks";
    const bool sides = x > 0 && y > 0 && z > 0 && std::max({x, y, z}) <= mostClusterBlocks;
    if (!sides || x * y * z > mostClusterBlocks)
        return who + ": a cluster has 1 to " + std::to_string(mostClusterBlocks);
    if (x * y * z > 1 && facts.major < 9)
        return who + ": this GPU has none, they come with compute capability 9.0, it has " + capabilityOf(facts);
    if (launch.grid[0] % x != 0 || launch.grid[1] % y != 0 || launch.grid[2] % z != 0)
        return who + ", which do not divide its grid of " + byBy(launch.grid);
    return {};
}

Result<GpuLaunch> readLaunch(const contract::Launch& launch, const CudaFacts& facts, const Refusal& refuse)
{
    GpuLaunch read;
    read.entry = nameOf(launch);
    if (!isKernelName(read.entry))
        return refuse("name",
            read.entry.empty() ? "a launch has no kernel name, or an unterminated one"
                               : "a launch names '" + read.entry + "', which is not a kernel name",
            read.entry);
    std::copy_n(launch.grid, 3, read.grid.begin());
    std::copy_n(launch.block, 3, read.block.begin());
    std::copy_n(launch.cluster, 3, read.cluster.begin());
    std::copy_n(launch.user, read.user.size(), read.user.begin());
    const auto& grid = read.grid;
    if (grid[0] == 0 || grid[0] > mostGridX || grid[1] == 0 || grid[1] > mostGridYz || grid[2] == 0
        || grid[2] > mostGridYz)
        return refuse("grid",
            "'" + read.entry + "' has a grid of " + byBy(grid) + " blocks: a grid has 1 to " + std::to_string(mostGridX)
                + " along x, and 1 to " + std::to_string(mostGridYz) + " along y and z",
            grid);
    const auto& block = read.block;
    const bool sides = block[0] > 0 && block[1] > 0 && block[2] > 0 && block[0] <= mostThreads
        && block[1] <= mostThreads && block[2] <= mostBlockZ;
    if (!sides || block[0] * block[1] * block[2] > mostThreads)
        return refuse("block",
            "'" + read.entry + "' has blocks of " + byBy(block)
                + " threads: a block has 1 to 1024, at most 64 of them along z",
            block);
    if (const std::string why = whyNoCluster(read, facts); !why.empty())
        return refuse("cluster", why, read.cluster);
    if (launch.dynamic_smem > static_cast<std::uint32_t>(std::max(0, facts.sharedPerBlock)))
        return refuse("shared",
            "'" + read.entry + "' asks for " + std::to_string(launch.dynamic_smem)
                + " bytes of dynamic shared memory: a block has at most " + std::to_string(facts.sharedPerBlock),
            launch.dynamic_smem);
    if (launch.flags & ~(contract::COOPERATIVE | contract::PROGRAMMATIC))
        return refuse("flags",
            "'" + read.entry + "' has the flags " + std::to_string(launch.flags)
                + ": use COOPERATIVE (1) and PROGRAMMATIC (2)",
            launch.flags);
    read.dynamicShared = launch.dynamic_smem;
    read.cooperative = launch.flags & contract::COOPERATIVE;
    read.programmatic = launch.flags & contract::PROGRAMMATIC;
    return read;
}

/// Bytes of buffer `index` at this shape: the task's tensors, then the workspace.
std::uint64_t bufferBytes(const Task& task, const Shape& shape, std::size_t index, std::uint64_t workspace)
{
    if (index >= task.tensors.size())
        return workspace;
    const Tensor& tensor = task.tensors[index];
    return static_cast<std::uint64_t>(task.elementsOf(tensor, shape)) * bytesOf(tensor.dtype);
}

/// A field of a tensor map and the range that it must keep to.
struct MapField {
    std::string name; ///< "box[1]"
    std::uint64_t value, least, most;
};

/// Refuses a tensor map: which it is, and why.
class MapRefusal
{
public:
    MapRefusal(const Refusal& refuse, std::size_t index, const std::string& buffer)
        : m_refuse(refuse)
        , m_who("map[" + std::to_string(index) + "]" + (buffer.empty() ? "" : " (of " + buffer + ")"))
    {
    }
    std::unexpected<Error> operator()(const std::string& why, nlohmann::json value) const
    {
        return m_refuse("tensor-map", m_who + ": " + why, std::move(value));
    }
    std::unexpected<Error> operator()(const MapField& field) const
    {
        return (*this)(field.name + " is " + std::to_string(field.value) + ": it may be " + std::to_string(field.least)
                + " to " + std::to_string(field.most),
            field.value);
    }

private:
    const Refusal& m_refuse;
    std::string m_who;
};

/// The first field whose range does not depend on other fields' values and that leaves it.
std::optional<MapField> fieldOutOfRange(const contract::TensorMapRequest& map)
{
    std::vector<MapField> fields{
        {"dtype", static_cast<std::uint64_t>(map.dtype), 0, static_cast<std::uint64_t>(contract::DType::I32)},
        {"rank", map.rank, 1, std::size(map.dim)}, {"swizzle", static_cast<std::uint64_t>(map.swizzle), 0, 3},
        {"l2", static_cast<std::uint64_t>(map.l2), 0, 3}, {"oob_nan", map.oob_nan, 0, 1}};
    for (std::size_t i = 0; i < std::min<std::size_t>(map.rank, std::size(map.dim)); ++i) {
        const std::string at = "[" + std::to_string(i) + "]";
        fields.push_back({"dim" + at, map.dim[i], 1, mostDim});
        fields.push_back({"box" + at, map.box[i], 1, mostBox});
        fields.push_back({"element_stride" + at, map.element_stride[i], 1, mostElementStride});
        if (i > 0)
            fields.push_back({"stride[" + std::to_string(i - 1) + "]", map.stride[i - 1], 0, mostStride});
    }
    const auto found = std::ranges::find_if(
        fields, [](const MapField& field) { return field.value < field.least || field.value > field.most; });
    return found == fields.end() ? std::nullopt : std::optional(*found);
}

Result<GpuTensorMap> readMap(const contract::TensorMapRequest& map, std::size_t index, const Task& task,
    const Shape& shape, std::uint64_t workspace, const CudaFacts& facts, const Refusal& refuse)
{
    if (facts.major < 9)
        return refuse("tensor-map",
            "it asks for tensor maps: this GPU has none, they come with compute capability 9.0, it has "
                + capabilityOf(facts),
            facts.major);
    const std::size_t buffers = task.tensors.size() + 1;
    if (map.buffer >= buffers)
        return MapRefusal(refuse, index, "")(
            MapField{"buffer", map.buffer, 0, static_cast<std::uint64_t>(buffers - 1)});
    const std::uint64_t buffer = bufferBytes(task, shape, map.buffer, workspace);
    const std::string name = map.buffer < task.tensors.size() ? task.tensors[map.buffer].name : "the workspace";
    const MapRefusal refused(refuse, index, name);
    if (const auto field = fieldOutOfRange(map))
        return refused(*field);
    GpuTensorMap read;
    read.buffer = map.buffer;
    read.dtype = static_cast<int>(map.dtype);
    read.rank = map.rank;
    read.swizzle = static_cast<int>(map.swizzle);
    read.l2 = static_cast<int>(map.l2);
    read.nanOutside = map.oob_nan == 1;
    read.offset = map.offset;
    std::copy_n(map.dim, 5, read.dim.begin());
    std::copy_n(map.stride, 4, read.stride.begin());
    std::copy_n(map.box, 5, read.box.begin());
    std::copy_n(map.element_stride, 5, read.elementStride.begin());
    const auto notBy16 = [&](const std::string& field, std::uint64_t value) {
        return refused(field + " is " + std::to_string(value) + " bytes: it must be a multiple of 16", value);
    };
    const auto behind = [&](const std::string& what, std::uint64_t value) {
        return refused(what + ", which has " + std::to_string(buffer) + " bytes for this shape", value);
    };
    const std::uint64_t element = contract::element_bytes(map.dtype);
    if (map.offset % 16 != 0)
        return notBy16("offset", map.offset);
    if (map.offset > buffer)
        return behind("offset is " + std::to_string(map.offset) + ": it is beyond " + name, map.offset);
    // Last byte that the map can reach: each factor is bounded, so nothing overflows.
    std::uint64_t last = map.offset;
    for (std::size_t i = 0; i < map.rank; ++i) {
        const std::uint64_t stride = i == 0 ? element : map.stride[i - 1];
        if (i > 0 && stride % 16 != 0)
            return notBy16("stride[" + std::to_string(i - 1) + "]", stride);
        const auto reach = static_cast<unsigned __int128>(map.dim[i] - 1) * stride + last;
        if (reach + element > buffer)
            return behind(std::to_string(map.dim[i]) + " of dim[" + std::to_string(i) + "], " + std::to_string(stride)
                    + " bytes apart, reach beyond " + name,
                map.dim[i]);
        last = static_cast<std::uint64_t>(reach);
    }
    return read;
}

} // namespace

std::size_t planRecordBytes() { return sizeof(contract::Plan); }

Result<GpuPlan> readPlan(std::string_view record, const Task& task, const Shape& shape, const CudaFacts& facts)
{
    const Refusal refuse{shape};
    contract::Plan plan;
    if (record.size() != sizeof plan)
        return refuse("size", "the record of the plan has an unexpected size", record.size());
    std::memcpy(&plan, record.data(), sizeof plan);
    if (plan.launches < 1 || plan.launches > contract::mostLaunches)
        return refuse("launches",
            "it has " + std::to_string(plan.launches) + " launches: a plan has 1 to "
                + std::to_string(contract::mostLaunches),
            plan.launches);
    if (plan.maps < 0 || plan.maps > contract::mostMaps)
        return refuse("maps",
            "it has " + std::to_string(plan.maps) + " tensor maps: a plan has 0 to "
                + std::to_string(contract::mostMaps),
            plan.maps);
    if (plan.workspace_bytes > static_cast<std::uint64_t>(task.limits.workspaceBytes))
        return refuse("workspace",
            "it asks for " + std::to_string(plan.workspace_bytes) + " bytes of workspace: the task allows "
                + std::to_string(task.limits.workspaceBytes),
            plan.workspace_bytes);
    GpuPlan read;
    read.workspaceBytes = plan.workspace_bytes;
    for (int i = 0; i < plan.launches; ++i) {
        auto launch = readLaunch(plan.launch[i], facts, refuse);
        if (!launch)
            return std::unexpected(launch.error());
        if (i == 0 && launch->programmatic) // what is in front of it is ours: inputs, poison, the cold cache
            return refuse("flags",
                "'" + launch->entry
                    + "' is the first launch and PROGRAMMATIC: a launch may overlap with one of the plan in front of "
                      "it, "
                      "and there is none",
                plan.launch[i].flags);
        read.launches.push_back(std::move(*launch));
    }
    for (int i = 0; i < plan.maps; ++i) {
        auto map = readMap(plan.map[i], static_cast<std::size_t>(i), task, shape, plan.workspace_bytes, facts, refuse);
        if (!map)
            return std::unexpected(map.error());
        read.maps.push_back(*map);
    }
    return read;
}

Result<void> checkCooperative(const GpuLaunch& launch, const std::string& written, const Shape& shape,
    const Occupancy& occupancy, const CudaFacts& facts)
{
    const std::uint64_t blocks = std::uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const std::uint64_t most = static_cast<std::uint64_t>(occupancy.blocks) * static_cast<std::uint64_t>(facts.sms);
    if (!launch.cooperative || blocks <= most)
        return {};
    return Refusal{shape}("grid",
        "'" + written + "' is COOPERATIVE and has a grid of " + byBy(launch.grid)
            + " blocks: all of them have to be on the GPU at once, and " + facts.name + " has room for "
            + std::to_string(most) + " (" + std::to_string(occupancy.blocks) + " on each of "
            + std::to_string(facts.sms) + " multiprocessors)",
        launch.grid);
}

} // namespace tilewright
