// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/gpu_tools.h"

#include "core/node/gpu_process.h"
#include "core/node/machine_trouble.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace tilewright {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto toolLimit = 120s;
constexpr std::size_t toolOutput = 1 << 20;
constexpr int foundSomething = 86; ///< compute-sanitizer's exit code, as asked for

bool isBelow(const fs::path& path, const char* folder) { return path.string().starts_with(std::string(folder) + "/"); }

/// What of the system the tool needs: its own folder, where its libraries stand, or the toolkit that it is part of.
fs::path folderOf(const fs::path& tool)
{
    for (const fs::path& root : toolkitFolders()) {
        std::error_code problem;
        const fs::path toolkit = fs::canonical(root, problem);
        if (!problem && isBelow(tool, toolkit.c_str()))
            return toolkit;
    }
    return tool.parent_path();
}

Error missing(const char* tool) { return {"tool/missing", std::string(tool) + ": not installed", "", nullptr}; }

} // namespace

GpuTools::GpuTools(const Sandbox& sandbox, fs::path worker, std::string uuid, StuckProcesses& stuck)
    : m_sandbox(sandbox)
    , m_worker(std::move(worker))
    , m_uuid(std::move(uuid))
    , m_stuck(stuck)
{
}

fs::path GpuTools::find(const char* name)
{
    std::vector<fs::path> folders;
    for (const fs::path& root : toolkitFolders())
        for (const char* below : {"bin", "compute-sanitizer", "nsight-compute"})
            folders.push_back(root / below);
    std::error_code problem;
    for (const fs::directory_entry& version : fs::directory_iterator("/opt/nvidia/nsight-compute", problem))
        folders.push_back(version.path());
    const char* search = std::getenv("PATH");
    std::string_view left = search ? search : "";
    while (!left.empty()) {
        const std::string_view folder = left.substr(0, left.find(':'));
        left.remove_prefix(std::min(left.size(), folder.size() + 1));
        if (folder.starts_with('/'))
            folders.emplace_back(folder);
    }
    for (const fs::path& folder : folders)
        if (const fs::path path = folder / name; access(path.c_str(), X_OK) == 0 && !fs::is_directory(path, problem))
            return fs::canonical(path, problem);
    return {};
}

Result<RunResult> GpuTools::run(const fs::path& tool, const std::vector<std::string>& options,
    const CudaArtifact& program, const GpuFormats& formats, const std::vector<ToolLaunch>& launches,
    const Cancelled& cancelled) const
{
    const auto scratch = ScratchFolder::make("tilewright-tool");
    if (!scratch)
        return std::unexpected(scratch.error());
    nlohmann::json list = nlohmann::json::array();
    for (const ToolLaunch& launch : launches)
        list.push_back({{"dims", launch.shape}, {"bytes", launch.bytes}, {"plan", launch.plan.json()}});
    const nlohmann::json job{{"uuid", m_uuid}, {"formats", toJson(formats)}, {"launches", list}};
    if (auto written = writeText("the tool's folder", scratch->path() / "job.json", job.dump()); !written)
        return std::unexpected(written.error());
    if (auto written = writeText("the tool's folder", scratch->path() / "program.cubin", program.cubin); !written)
        return std::unexpected(written.error());
    SandboxRequest request;
    request.command = {tool.string()};
    request.command.insert(request.command.end(), options.begin(), options.end());
    request.command.push_back(m_sandbox.pathInside(m_worker, "/tilewright-cuda-worker"));
    request.command.emplace_back("once");
    request.command.push_back(m_sandbox.pathInside(scratch->path(), "/work"));
    request.readOnly.emplace_back(m_worker, "/tilewright-cuda-worker");
    if (!isBelow(tool, "/usr")) {
        const fs::path home = folderOf(tool);
        request.readOnly.emplace_back(home, home.string());
    }
    request.writable = scratch->path();
    request.devices = gpuDeviceFiles();
    std::string libraries;
    for (const fs::path& folder : searchedFolders())
        libraries += (libraries.empty() ? "" : ":") + folder.string();
    request.environment = {{"CUDA_CACHE_DISABLE", "1"}, {"LC_ALL", "C.UTF-8"}, {"HOME", "/tmp"}, {"TMPDIR", "/tmp"},
        {"PATH", "/usr/bin:/bin"}};
    if (!libraries.empty())
        request.environment.emplace_back("LD_LIBRARY_PATH", libraries);
    ChildSetup setup;
    setup.command = m_sandbox.wrap(request);
    setup.stuck = &m_stuck;
    auto result = runToEnd(setup, toolLimit, toolOutput, cancelled);
    if (result && result->cancelled)
        return fail("cancelled", "cancelled while a tool looked at the program");
    if (result && result->status.timedOut)
        return fail("tool/timeout", tool.filename().string() + " did not end in time");
    return result;
}

Result<void> GpuTools::memcheck(const CudaArtifact& program, const GpuFormats& formats,
    const std::vector<ToolLaunch>& launches, const Cancelled& cancelled) const
{
    const fs::path tool = find("compute-sanitizer");
    if (tool.empty())
        return std::unexpected(missing("compute-sanitizer"));
    const auto result = run(tool,
        {"--tool", "memcheck", "--error-exitcode", std::to_string(foundSomething), "--print-limit", "4",
            "--report-api-errors", "no"},
        program, formats, launches, cancelled);
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

Result<std::vector<LaunchCounters>> GpuTools::counters(
    const CudaArtifact& program, const GpuFormats& formats, const ToolLaunch& launch, const Cancelled& cancelled) const
{
    const fs::path tool = find("ncu");
    if (tool.empty())
        return std::unexpected(missing("ncu"));
    std::string metrics;
    for (const std::string& name : counterNames())
        metrics += (metrics.empty() ? "" : ",") + name;
    const auto result = run(tool,
        {"--csv", "--page", "raw", "--clock-control", "none", "--metrics", metrics, "--target-processes",
            "application-only"},
        program, formats, {launch}, cancelled);
    if (!result)
        return std::unexpected(result.error());
    return readCounters(result->output);
}

} // namespace tilewright
