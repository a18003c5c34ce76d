// SPDX-License-Identifier: Apache-2.0
#include "app/kernel/cuda_kernel.h"

#include "core/base/text.h"
#include "core/node/cubin.h"
#include "core/node/cuda_plan.h"
#include "core/source/candidate_header.h"

#include <algorithm>
#include <dlfcn.h>

namespace tilewright {
namespace {

constexpr const char* programName = "program.cu";
constexpr const char* planTableName = "tilewright_plans";

Error ofCompiler(const NvrtcResult& result)
{
    return {"build/error", "the program does not build here: " + oneLine(result.log, 400), "", {{"log", result.log}}};
}

/// What fits into one argument of a kernel: Args as the contract lays it out.
std::size_t argumentSize(const Task& task)
{
    const std::size_t pointers = (sizeof(cu::TensorMap) * 8 + 4 * task.dims.size() + 7) / 8 * 8;
    return (pointers + 8 * (task.tensors.size() + 1) + 4 * 8 + 63) / 64 * 64;
}

} // namespace

CudaKernel::CudaKernel(std::string task, std::string program)
    : m_taskText(std::move(task))
    , m_program(std::move(program))
{
}

Result<void> CudaKernel::load()
{
    if (m_isLoaded)
        return {};
    auto task = parseTask(m_taskText);
    auto driver = task ? cu::Driver::load() : std::unexpected(task.error());
    const auto toolkit = driver ? CudaToolkit::find() : std::unexpected(driver.error());
    auto nvrtc = toolkit ? Nvrtc::load(toolkit->nvrtc.string()) : std::unexpected(toolkit.error());
    if (!nvrtc)
        return std::unexpected(nvrtc.error());
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    m_currentContext
        = reinterpret_cast<decltype(m_currentContext)>(library ? dlsym(library, "cuCtxGetCurrent") : nullptr);
    m_currentDevice = reinterpret_cast<decltype(m_currentDevice)>(library ? dlsym(library, "cuCtxGetDevice") : nullptr);
    if (!m_currentContext || !m_currentDevice)
        return fail("device/driver-too-old", "the NVIDIA driver is too old: it does not name the current context");
    if (includesHeaders(m_program))
        m_headers = readHeaders(toolkit->include);
    m_task = std::move(*task);
    m_driver = std::move(*driver);
    m_nvrtc = std::move(*nvrtc);
    m_isLoaded = true;
    return {};
}

Result<CudaFacts> CudaKernel::facts() const
{
    cu::Device device = 0;
    if (const cu::Code code = m_currentDevice(&device); code != 0)
        return std::unexpected(m_driver->error(code, "the current device is unknown"));
    const auto fact = [&](cu::Attribute which) {
        int value = 0;
        m_driver->deviceGetAttribute(&value, which, device);
        return value;
    };
    CudaFacts facts;
    facts.major = fact(cu::Major);
    facts.minor = fact(cu::Minor);
    facts.sms = fact(cu::Multiprocessors);
    facts.l2Bytes = fact(cu::L2Size);
    facts.sharedPerBlock = fact(cu::SharedPerBlockOptIn);
    facts.sharedPerSm = fact(cu::SharedPerSm);
    facts.reservedSharedPerBlock = fact(cu::ReservedSharedPerBlock);
    facts.registersPerSm = fact(cu::RegistersPerSm);
    facts.threadsPerSm = fact(cu::ThreadsPerSm);
    facts.blocksPerSm = fact(cu::BlocksPerSm);
    return facts;
}

NvrtcResult CudaKernel::compile(const std::string& text, std::vector<std::string> options,
    const std::set<std::string>& kernels, const CudaFacts& facts) const
{
    options.insert(options.begin(), "--gpu-architecture=" + facts.architecture());
    if (m_nvrtc->version() >= versionWithDiskCache)
        options.emplace_back("--no-cache");
    return m_nvrtc->compile({text, programName, m_headers, std::move(options), {kernels.begin(), kernels.end()}});
}

Result<GpuPlan> CudaKernel::planFor(const Shape& shape, const CudaFacts& facts) const
{
    std::vector<std::string> options = candidateOptions(m_task);
    options.emplace_back("--diag-suppress=177");
    const NvrtcResult result = compile(planOnlyPrelude() + cudaCandidateHeader(m_task, programName) + m_program
            + planTable(planTableName, {shape}, facts),
        std::move(options), {}, facts);
    if (result.code != 0)
        return std::unexpected(ofCompiler(result));
    const auto cubin = Cubin::parse(result.cubin);
    if (!cubin)
        return std::unexpected(cubin.error());
    const CubinSymbol* record = cubin->symbol(planTableName);
    if (!record || record->bytes.size() != planRecordBytes())
        return fail("build/plan", "the program has no plan for " + shapeText(shape));
    return readPlan(record->bytes, m_task, shape, facts);
}

Result<GpuProgram*> CudaKernel::programFor(
    GpuPlan& plan, const Shape& shape, cu::Context context, const CudaFacts& facts)
{
    std::set<std::string> names;
    for (const GpuLaunch& launch : plan.launches)
        names.insert(launch.entry);
    Built& built = m_built[{context, names}];
    if (!built.program) {
        NvrtcResult result
            = compile(cudaCandidateHeader(m_task, programName) + m_program, candidateOptions(m_task), names, facts);
        if (result.code != 0)
            return std::unexpected(ofCompiler(result));
        auto program = std::make_unique<GpuProgram>(*m_driver, result.cubin);
        if (auto loaded = program->reload(); !loaded)
            return std::unexpected(loaded.error());
        built = {std::move(result.lowered), std::move(result.cubin), std::move(program)};
    }
    const auto cubin = Cubin::parse(built.cubin);
    if (!cubin)
        return std::unexpected(cubin.error());
    for (GpuLaunch& launch : plan.launches) {
        const std::string written = launch.entry;
        const auto lowered = built.lowered.find(written);
        const CubinKernel* kernel = lowered == built.lowered.end() ? nullptr : cubin->kernel(lowered->second);
        if (!kernel)
            return fail("build/no-kernel", "the plan names '" + written + "', which is not a kernel of the program");
        if (kernel->parameters != 1 || kernel->parameterBytes != static_cast<std::int64_t>(argumentSize(m_task)))
            return fail("build/arguments", "'" + written + "' must take one argument, const __grid_constant__ Args");
        launch.entry = kernel->name;
        const KernelNeeds needs{kernel->registers,
            static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]),
            std::max<std::int64_t>(0, kernel->staticShared - facts.reservedSharedPerBlock) + launch.dynamicShared};
        if (auto fits = checkCooperative(launch, written, shape, occupancyOf(facts, needs), facts); !fits)
            return std::unexpected(fits.error());
    }
    return built.program.get();
}

Result<const CudaKernel::Ready*> CudaKernel::ready(const Shape& shape)
{
    if (auto loaded = load(); !loaded)
        return std::unexpected(loaded.error());
    cu::Context context = nullptr;
    if (m_currentContext(&context) != 0 || !context)
        return fail("kernel/no-context", "no CUDA context is current in this thread",
            "allocate memory on the device first, or make a context current");
    if (const auto known = m_ready.find({context, shape}); known != m_ready.end())
        return &known->second;
    const auto facts = this->facts();
    auto plan = facts ? planFor(shape, *facts) : std::unexpected(facts.error());
    const auto program = plan ? programFor(*plan, shape, context, *facts) : std::unexpected(plan.error());
    if (!program)
        return std::unexpected(program.error());
    return &m_ready.emplace(std::pair(context, shape), Ready{std::move(*plan), *program}).first->second;
}

Result<std::uint64_t> CudaKernel::workspaceBytes(const Shape& shape)
{
    const std::lock_guard lock(m_mutex);
    const auto found = ready(shape);
    if (!found)
        return std::unexpected(found.error());
    return (*found)->plan.workspaceBytes;
}

Result<void> CudaKernel::run(const Shape& shape, const std::vector<cu::Pointer>& tensors, cu::Pointer workspace,
    std::uint64_t workspaceBytes, cu::Stream stream)
{
    const std::lock_guard lock(m_mutex);
    const auto found = ready(shape);
    if (!found)
        return std::unexpected(found.error());
    const auto& [plan, program] = **found;
    if (workspaceBytes < plan.workspaceBytes || (plan.workspaceBytes > 0 && workspace == 0))
        return fail("kernel/workspace",
            "the workspace has " + std::to_string(workspaceBytes) + " bytes; " + std::to_string(plan.workspaceBytes)
                + " are needed");
    BoundBuffers buffers;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        buffers.address[buffers.count++] = tensors[i];
    buffers.address[buffers.count++] = workspace;
    if (auto prepared = program->prepare(plan, shape, {buffers}); !prepared)
        return prepared;
    if (const cu::Code code = program->launch(stream); code != 0) {
        Error error = m_driver->error(code, "the program cannot be launched");
        if (const std::string why = program->whyRefused(); !why.empty())
            error.text += ": " + why;
        return std::unexpected(std::move(error));
    }
    return {};
}

} // namespace tilewright
