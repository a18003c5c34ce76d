// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/gpu_program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <memory>
#include <span>

namespace tilewright {
namespace {

constexpr int attributeCooperative = 2, attributeCluster = 4, attributeProgrammatic = 6;
constexpr std::uint32_t portableCluster = 8;

/// CUtensorMapDataType by the contract's DType; −1 where the hardware has none.
constexpr int tensorMapTypes[] = {8 /*f64*/, 7 /*f32*/, 11 /*tf32*/, 6 /*f16*/, 9 /*bf16*/, 0, 0, 0, 3 /*i32*/};

/// As its author wrote it: "gemm<64, 128>".
std::string kernelName(const std::string& entry)
{
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status), std::free);
    std::string name = status == 0 && text ? text.get() : entry;
    name.resize(std::min(name.size(), name.find('(')));
    return name.starts_with("void ") ? name.substr(5) : name;
}

} // namespace

void GpuProgram::unload()
{
    m_prepared.clear();
    if (m_module)
        m_driver.moduleUnload(std::exchange(m_module, nullptr));
}

Result<void> GpuProgram::reload()
{
    unload();
    if (const cu::Code code = m_driver.moduleLoadData(&m_module, m_cubin.data()); code != 0)
        return std::unexpected(m_driver.error(code, "the program cannot be loaded onto this GPU"));
    return {};
}

Result<cu::Function> GpuProgram::function(const std::string& entry) const
{
    cu::Function function = nullptr;
    if (const cu::Code code = m_driver.moduleGetFunction(&function, m_module, entry.c_str()); code != 0)
        return fail("run/no-kernel", "the program has no kernel '" + entry + "'");
    return function;
}

std::vector<std::uint8_t> argumentBytes(const std::array<cu::TensorMap, 8>& maps, const std::vector<std::int64_t>& dims,
    const BoundBuffers& buffers, const std::array<std::int32_t, 8>& user)
{
    std::vector<std::uint8_t> bytes;
    const auto put = [&](const void* value, std::size_t size) {
        const auto* first = static_cast<const std::uint8_t*>(value);
        bytes.insert(bytes.end(), first, first + size);
    };
    put(maps.data(), sizeof maps);
    for (const std::int64_t extent : dims) {
        const auto narrow = static_cast<std::int32_t>(extent);
        put(&narrow, sizeof narrow);
    }
    bytes.resize((bytes.size() + 7) / 8 * 8);
    put(buffers.address.data(), sizeof(cu::Pointer) * buffers.count);
    put(user.data(), sizeof user);
    bytes.resize((bytes.size() + 63) / 64 * 64);
    return bytes;
}

Result<cu::TensorMap> GpuProgram::encode(const GpuTensorMap& map, const BoundBuffers& buffers) const
{
    cu::TensorMap encoded{};
    if (!m_driver.tensorMapEncodeTiled)
        return fail("run/tensor-map", "this driver has no tensor maps");
    const auto buffer = static_cast<std::size_t>(map.buffer); // the node saw that there is one of this number
    const cu::Code code
        = m_driver.tensorMapEncodeTiled(&encoded, tensorMapTypes[map.dtype], static_cast<std::uint32_t>(map.rank),
            reinterpret_cast<void*>(buffers.address[buffer] + map.offset), map.dim.data(), map.stride.data(),
            map.box.data(), map.elementStride.data(), 0, map.swizzle, map.l2, map.nanOutside ? 1 : 0);
    if (code != 0)
        return fail("run/tensor-map", "a tensor map cannot be encoded: the hardware refuses its sizes or strides", "",
            {{"cuda_error", code}});
    return encoded;
}

Result<void> GpuProgram::prepare(
    const GpuPlan& plan, const std::vector<std::int64_t>& dims, const std::vector<BoundBuffers>& sets)
{
    m_prepared.clear();
    m_launches = plan.launches.size();
    for (const BoundBuffers& buffers : sets)
        if (auto added = addSet(plan, dims, buffers); !added)
            return added;
    return {};
}

Result<void> GpuProgram::addSet(const GpuPlan& plan, const std::vector<std::int64_t>& dims, const BoundBuffers& buffers)
{
    std::array<cu::TensorMap, 8> maps{};
    for (std::size_t i = 0; i < plan.maps.size() && i < maps.size(); ++i) {
        const auto encoded = encode(plan.maps[i], buffers);
        if (!encoded)
            return std::unexpected(encoded.error());
        maps[i] = *encoded;
    }
    for (const GpuLaunch& launch : plan.launches) {
        Prepared prepared;
        const auto found = function(launch.entry);
        if (!found)
            return std::unexpected(found.error());
        prepared.entry = launch.entry;
        prepared.function = *found;
        if (const cu::Code code
            = m_driver.funcSetAttribute(*found, cu::MaxDynamicShared, static_cast<int>(launch.dynamicShared));
            code != 0)
            return std::unexpected(m_driver.error(code,
                "'" + launch.entry + "' asks for " + std::to_string(launch.dynamicShared)
                    + " bytes of dynamic shared memory, which is not possible"));
        const std::uint32_t blocks = launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
        if (blocks > portableCluster)
            m_driver.funcSetAttribute(*found, cu::NonPortableCluster, 1); // refused at the launch if it cannot be
        if (blocks > 1) {
            cu::LaunchAttribute cluster{attributeCluster, 0, {}};
            std::memcpy(cluster.value, launch.cluster.data(), sizeof launch.cluster);
            prepared.attributes.push_back(cluster);
        }
        if (launch.cooperative)
            prepared.attributes.push_back({attributeCooperative, 0, {1}});
        if (launch.programmatic)
            prepared.attributes.push_back({attributeProgrammatic, 0, {1}});
        for (int i = 0; i < 3; ++i) {
            prepared.config.grid[i] = launch.grid[static_cast<std::size_t>(i)];
            prepared.config.block[i] = launch.block[static_cast<std::size_t>(i)];
        }
        prepared.config.sharedBytes = launch.dynamicShared;
        prepared.arguments = argumentBytes(maps, dims, buffers, launch.user);
        m_prepared.push_back(std::move(prepared));
    }
    return {};
}

cu::Code GpuProgram::launch(cu::Stream stream, std::size_t set)
{
    for (Prepared& prepared : std::span(m_prepared).subspan(set * m_launches, m_launches)) {
        prepared.config.stream = stream;
        prepared.config.attributes = prepared.attributes.data();
        prepared.config.attributeCount = static_cast<unsigned>(prepared.attributes.size());
        // The node saw in the cubin that the kernel takes one argument of exactly this size.
        void* arguments[] = {prepared.arguments.data()};
        if (const cu::Code code = m_driver.launchKernelEx(&prepared.config, prepared.function, arguments, nullptr);
            code != 0)
            return code;
    }
    return 0;
}

std::string GpuProgram::whyRefused() const
{
    for (const Prepared& prepared : m_prepared) {
        const auto& block = prepared.config.block;
        const auto threads = static_cast<int>(block[0] * block[1] * block[2]);
        int most = 0, registers = 0;
        if (m_driver.funcGetAttribute(&most, cu::MostThreads, prepared.function) == 0
            && m_driver.funcGetAttribute(&registers, cu::Registers, prepared.function) == 0 && threads > most)
            return "'" + kernelName(prepared.entry) + "' is launched with " + std::to_string(threads)
                + " threads a block and can have " + std::to_string(most) + ": it uses " + std::to_string(registers)
                + " registers a thread, and its __launch_bounds__ count";
    }
    return {};
}

} // namespace tilewright
