// SPDX-License-Identifier: Apache-2.0
#include "core/node/gpu_tools.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/node/disassembler.h"
#include "core/node/gpu_process.h"
#include "core/node/gpu_tool_output.h"
#include "core/node/machine_trouble.h"

namespace tilewright {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto memcheckLimit = 120s;
constexpr std::size_t toolOutput = 1 << 20;
constexpr int foundSomething = 86; ///< compute-sanitizer's exit code, as asked for

Error missing(const char* tool) { return {"tool/missing", std::string(tool) + ": not installed", "", nullptr}; }

} // namespace

GpuTools::GpuTools(const Sandbox& sandbox, fs::path worker, std::string uuid, StuckProcesses& stuck)
    : m_sandbox(sandbox)
    , m_worker(std::move(worker))
    , m_uuid(std::move(uuid))
    , m_stuck(stuck)
{
}

Result<RunResult> GpuTools::run(const fs::path& tool, const std::vector<std::string>& options,
    const CudaArtifact& program, const GpuFormats& formats, const std::vector<ToolLaunch>& launches,
    std::chrono::seconds limit, const Cancelled& cancelled) const
{
    const auto scratch = ScratchFolder::make("tilewright-tool");
    if (!scratch)
        return std::unexpected(scratch.error());
    nlohmann::json list = nlohmann::json::array();
    for (const ToolLaunch& launch : launches)
        list.push_back({{"dims", launch.shape}, {"bytes", launch.bytes}, {"plan", launch.plan.json()}});
    const nlohmann::json job{{"uuid", m_uuid}, {"formats", toJson(formats)}, {"launches", list}};
    if (auto written = writeText("the tool's folder", scratch->path() / "job.json", dumped(job)); !written)
        return std::unexpected(written.error());
    if (auto written = writeText("the tool's folder", scratch->path() / "program.cubin", program.cubin); !written)
        return std::unexpected(written.error());
    const std::string scratchInside = m_sandbox.pathInside(scratch->path(), "/work"); // sockets and locks go there too
    SandboxRequest request;
    request.command = {tool.string()};
    request.command.insert(request.command.end(), options.begin(), options.end());
    request.command.push_back(m_sandbox.pathInside(m_worker, "/tilewright-cuda-worker"));
    request.command.emplace_back("once");
    request.command.push_back(scratchInside);
    request.readOnly.emplace_back(m_worker, "/tilewright-cuda-worker");
    addFoldersOf(tool, request);
    request.writable = scratch->path();
    request.devices = gpuDeviceFiles();
    std::string libraries;
    for (const fs::path& folder : searchedFolders())
        libraries += (libraries.empty() ? "" : ":") + folder.string();
    request.environment = {{"CUDA_CACHE_DISABLE", "1"}, {"LC_ALL", "C.UTF-8"}, {"HOME", scratchInside},
        {"TMPDIR", scratchInside}, {"PATH", "/usr/bin:/bin"}};
    if (!libraries.empty())
        request.environment.emplace_back("LD_LIBRARY_PATH", libraries);
    for (auto& said : gpuVisibility())
        request.environment.push_back(std::move(said));
    ChildSetup setup;
    setup.command = m_sandbox.wrap(request);
    setup.stuck = &m_stuck;
    auto result = runToEnd(setup, limit, toolOutput, cancelled);
    if (result && result->cancelled)
        return fail("cancelled", "cancelled while a tool analysed the program");
    if (result && result->status.timedOut)
        return fail("tool/timeout", tool.filename().string() + " did not end in time");
    return result;
}

Result<void> GpuTools::memcheck(const CudaArtifact& program, const GpuFormats& formats,
    const std::vector<ToolLaunch>& launches, const Cancelled& cancelled) const
{
    const fs::path tool = findTool("compute-sanitizer");
    if (tool.empty())
        return std::unexpected(missing("compute-sanitizer"));
    const auto result = run(tool,
        {"--tool", "memcheck", "--error-exitcode", std::to_string(foundSomething), "--print-limit", "4",
            "--report-api-errors", "no"},
        program, formats, launches, memcheckLimit, cancelled);
    if (!result)
        return std::unexpected(result.error());
    const auto found = readMemcheck(result->output);
    if (!found)
        return std::unexpected(found.error());
    if (*found)
        return fail("verify/memcheck",
            "compute-sanitizer: " + (*found)->what + ((*found)->where.empty() ? "" : " at " + (*found)->where), "",
            {{"errors", (*found)->errors}, {"shape", launches.front().shape}});
    if (!result->status.clean())
        return fail("tool/output", "compute-sanitizer could not run the program: it " + result->status.text(), "",
            {{"output", result->output.substr(0, 1000)}});
    return {};
}

Result<std::vector<LaunchCounters>> GpuTools::counters(const CudaArtifact& program, const GpuFormats& formats,
    const ToolLaunch& launch, const CounterRequest& wanted, const Cancelled& cancelled) const
{
    const fs::path tool = findTool("ncu");
    if (tool.empty())
        return std::unexpected(missing("ncu"));
    const auto result = run(tool,
        {"--csv", "--page", "raw", "--clock-control", "none", "--metrics", joined(wanted.names, ","),
            "--target-processes", "application-only"},
        program, formats, {launch}, wanted.limit, cancelled);
    if (!result)
        return std::unexpected(result.error());
    return readCounters(result->output);
}

} // namespace tilewright
