// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli doctor: what this machine has, and what each absence costs.
#include "app/cli/cli_options.h"
#include "app/cli/gpu_findings.h"
#include "app/cli/subcommands.h"
#include "core/base/folders.h"
#include "core/base/text.h"
#include "core/device/core_split.h"
#include "core/device/core_usage.h"
#include "core/device/cpu.h"
#include "core/node/child_process.h"
#include "core/node/cuda_toolkit.h"
#include "core/node/disassembler.h"
#include "core/node/gpu_process.h"
#include "core/node/gpu_tool_output.h"
#include "core/node/sandbox.h"
#include "core/protocol/device_names.h"

#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <unistd.h>

namespace tilewright::cli {
namespace {

namespace fs = std::filesystem;

const Synopsis doctorSynopsis{"doctor", " [options]",
    "Report what was found on this machine and the effect of each missing component.",
    {{"--device", Value::Text, "D", "check the requirements of this device: cpu, cuda:N or a GPU's UUID"},
        {"--task", Value::Text, "T", "check the requirements of this task: its name, or the path of a pack's folder"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "all requirements of CPU tasks are met; with --device or --task, the requirements of those"},
        {Internal, "internal error"}, {Usage, "usage, or an invalid task"},
        {Missing, "a required component is missing"}},
    0};

std::string firstLineOf(const std::vector<std::string>& command)
{
    ChildSetup setup;
    setup.command = command;
    const auto result = runToEnd(setup, std::chrono::seconds(10), 4096);
    if (!result || !result->status.clean())
        return {};
    return result->output.substr(0, result->output.find('\n'));
}

bool hasLibrary(const char* name)
{
    void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library)
        dlclose(library);
    return library != nullptr;
}

std::string size(std::int64_t bytes)
{
    return bytes >= (1 << 20) ? std::to_string(bytes >> 20) + " MiB" : std::to_string(bytes >> 10) + " KiB";
}

Finding program(const std::string& what, const std::vector<std::string>& command, bool needed, const std::string& cost)
{
    const std::string line = firstLineOf(command);
    return {what, !line.empty(), needed, line.empty() ? cost : line};
}

Finding processor()
{
    const CpuFacts facts = readCpuFacts();
    std::string features;
    for (const std::string& feature : facts.features)
        features += " " + feature;
    return {"processor", true, true,
        facts.model + ", " + std::to_string(facts.cores) + (facts.cores == 1 ? " core:" : " cores:") + features};
}

Finding caches()
{
    const CpuFacts facts = readCpuFacts();
    const bool known = facts.l1dBytes > 0 && facts.l2Bytes > 0;
    return {"caches", known, false,
        known ? "L1d " + size(facts.l1dBytes) + ", L2 " + size(facts.l2Bytes) + ", L3 " + size(facts.l3Bytes)
              : "sizes unknown: 2 MiB are flushed before each sample"};
}

Finding cores()
{
    const CoreSplit split = splitCores();
    std::string detail = "core " + std::to_string(split.measuring) + " measures";
    if (split.hasOwnClock())
        detail += ", core " + std::to_string(split.clock) + " controls the timing";
    else if (split.isQuotaTight())
        detail += ": a control group grants less than the time of 2 cores, so both share it, and builds pause during "
                  "timings; runs take about twice as long";
    else
        detail += ": a single core, so measurement and control share it, and builds pause during timings; runs take "
                  "about twice as long";
    if (!split.slower.empty())
        detail += "; " + std::to_string(split.slower.size()) + " efficiency cores only build";
    return {"measuring core", split.hasOwnClock(), false, detail};
}

/// Who runs on the cores that timing needs, now.
Finding quiet()
{
    constexpr auto watched = std::chrono::milliseconds(500);
    const CoreSplit split = splitCores();
    std::vector<int> cores{split.measuring};
    if (split.hasOwnClock())
        cores.push_back(split.clock);
    const std::vector<CoreUser> users = watchCores(cores, {getpid()}, watched);
    return {"quiet cores", users.empty(), false,
        users.empty() ? "no other program uses the measuring cores"
                      : describeCoreUsers(users)
                + " in half a second: disturbed samples are repeated, so timing takes longer; a run reports when it "
                  "has to wait"};
}

Finding sandboxed()
{
    const Sandbox sandbox(programFolder() / "tilewright-worker");
    return {"sandbox", sandbox.isFull(), false,
        sandbox.isFull()
            ? "bubblewrap works"
            : "reduced isolation (" + sandbox.reason() + "): candidates are confined by Landlock and seccomp only"};
}

/// A program that later versions use; what it is called when it is there, and why its absence costs nothing.
Finding unused(const std::string& what, const std::vector<std::string>& command, const std::string& why)
{
    const std::string line = firstLineOf(command);
    return {what, !line.empty(), false,
        line.empty() ? "not found, not needed by this version: " + why : line + "; not used by this version: " + why};
}

/// The git view of a session is written without it.
Finding gitFinding()
{
    const std::string line = firstLineOf({"git", "--version"});
    return {"git", !line.empty(), false,
        line.empty()
            ? "not found: 'lineage' writes a session as a git repository without it; reading the repository needs it"
            : line};
}

Finding toolkit(const GpuListing& listing)
{
    const auto found = CudaToolkit::find();
    if (!found)
        return {"CUDA toolkit", false, false, found.error().line() + "; CPU tasks are not affected"};
    const std::string newer = wordsOnNvrtc(found->nvrtc.filename().string(), readDriverFacts(), listing);
    return {"CUDA toolkit", true, false,
        found->nvrtc.string()
            + (found->include.empty() ? ", no headers: programs that include CUDA headers cannot be built"
                                      : ", headers in " + found->include.string())
            + (found->notFollowed.empty() ? "" : "; " + found->notFollowed) + (newer.empty() ? "" : "; " + newer)};
}

/// The tool of this name, and what is left out without it.
Finding tool(const char* name, const std::string& without)
{
    const fs::path path = findTool(name);
    return {name, !path.empty(), false, path.empty() ? "not found: " + without : path.string()};
}

Finding cublas()
{
    const bool found
        = hasLibrary("libcublasLt.so.13") || hasLibrary("libcublasLt.so.12") || hasLibrary("libcublasLt.so");
    return {"cuBLAS", found, false,
        found ? "cublasLt is available"
              : "cublasLt is not among the system's libraries: no comparison with the vendor library on a GPU, unless "
                "LD_LIBRARY_PATH names it"};
}

std::vector<Finding> examine()
{
    std::vector<Finding> findings;
    findings.push_back(
        program("compiler", {"g++", "--version"}, true, "no g++: nothing can be built (Debian: apt install g++)"));
    findings.push_back(processor());
    findings.push_back(caches());
    findings.push_back(cores());
    findings.push_back(quiet());
    findings.push_back(sandboxed());
    const bool blas = hasLibrary("libopenblas.so.0");
    findings.push_back({"OpenBLAS", blas, false,
        blas ? "libopenblas.so.0"
             : "not installed: no comparison with a vendor library on the CPU, and each confirmed candidate is audited "
               "instead (Debian: apt install libopenblas0)"});
    const Sandbox sandbox(programFolder() / "tilewright-worker");
    const GpuListing listing = listGpus(sandbox, programFolder() / "tilewright-cuda-worker");
    for (Finding& finding : gpuFindings(listing))
        findings.push_back(std::move(finding));
    findings.push_back(driverFinding(readDriverFacts(), listing));
    findings.push_back(toolkit(listing));
    findings.push_back(cublas());
    findings.push_back(tool("compute-sanitizer", "GPU programs are confirmed without memcheck, which is recorded"));
    findings.push_back(tool("ncu", "no profiler counters for new bests and re-runs on a GPU"));
    findings.push_back(tool("objdump", "the assembly of CPU programs cannot be shown (Debian: apt install binutils)"));
    findings.push_back(
        tool("nvdisasm", "for GPU programs, PTX is shown but no SASS (install cuda-nvdisasm of the CUDA toolkit)"));
    const bool keyring = std::getenv("DBUS_SESSION_BUS_ADDRESS") != nullptr && hasLibrary("libqt6keychain.so.1");
    findings.push_back({"keyring", keyring, false,
        keyring ? "a session bus is available"
                : "no session bus or QtKeychain: keys come from the environment or are kept in memory only"});
    const bool worker
        = fs::exists(programFolder() / "tilewright-worker") && fs::exists(programFolder() / "tilewright-node");
    findings.push_back({"node and worker", worker, true,
        worker ? programFolder().string()
               : "tilewright-node or tilewright-worker is missing beside this program: build all of Tilewright"});
    findings.push_back(gitFinding());
    findings.push_back(unused("Slurm", {"sinfo", "--version"}, "measures on this machine only"));
    return findings;
}

/// What --device or --task asks for: a device's name; empty for what CPU tasks need. The exit code where it is neither.
std::pair<std::string, int> wantedDevice(const Options& options)
{
    std::string device = options.text("--device");
    if (options.has("--task")) {
        const auto pack = findTaskPack(options.text("--task"));
        if (!pack) {
            complain(pack.error());
            return {"", exitCodeOf(pack.error().code)};
        }
        const bool isGpus = pack->task.target == Target::Cuda;
        if (!device.empty() && device.starts_with("cpu") == isGpus) {
            complain(
                Error{"device/missing", "the task '" + pack->task.name + "' cannot be measured on '" + device + "'",
                    isGpus ? "it takes cuda:0, cuda:1, … or a GPU's UUID" : "it takes cpu", nullptr});
            return {"", Missing};
        }
        if (device.empty() && isGpus)
            device = "cuda:0";
    }
    if (!device.empty())
        if (const auto named = checkDeviceName(device); !named) {
            complain(named.error());
            return {"", Usage};
        }
    return {device.starts_with("cpu") ? "" : device, Done};
}

/// What is said at the end: whether everything is there, for whom it is not.
std::string closingWords(const std::vector<std::string>& lacking, const std::string& wanted, bool hasCommon)
{
    if (!hasCommon)
        return "A required component is missing.";
    if (lacking.empty())
        return "All required components are present.";
    return "All requirements of CPU tasks are met. "
        + (wanted.empty() ? std::string("GPU tasks lack ") : "Tasks on " + wanted + " lack ") + joined(lacking, " and ")
        + ".";
}

} // namespace

int doctor(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(doctorSynopsis, arguments);
    if (!options)
        return code;
    const auto [wanted, wrong] = wantedDevice(*options);
    if (wrong != Done)
        return wrong;
    const std::vector<Finding> findings = examine();
    const std::vector<std::string> lacking = lackedByGpuTasks(findings, wanted);
    bool hasCommon = true;
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& finding : findings) {
        hasCommon &= finding.found || !finding.needed;
        list.push_back(
            {{"what", finding.what}, {"found", finding.found}, {"needed", finding.needed}, {"detail", finding.detail}});
        if (!finding.device.is_null())
            list.back()["device"] = finding.device;
        if (!options->has("--json"))
            std::printf("%-3s %-16s %s\n",
                finding.found        ? "yes"
                    : finding.needed ? "NO"
                                     : "no",
                finding.what.c_str(), finding.detail.c_str());
    }
    const bool complete = hasCommon && (wanted.empty() || lacking.empty());
    if (options->has("--json"))
        printJson({{"complete", complete}, {"gpu_tasks_lack", lacking}, {"findings", list}});
    else
        std::printf("%s\n", closingWords(lacking, wanted, hasCommon).c_str());
    return complete ? Done : Missing;
}

} // namespace tilewright::cli
