// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/gpu_findings.h"

#include "core/base/text.h"
#include "core/engine/engine.h"
#include "core/engine/measuring/measuring_device.h"
#include "core/engine/measuring/node_connection.h"
#include "core/protocol/device_names.h"
#include "core/protocol/gpu_trouble.h"

#include <QEventLoop>
#include <algorithm>

namespace tilewright::cli {
namespace {

std::string mebibytes(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

/// The newest CUDA that the driver knows, "" where nobody tells.
std::string cudaOf(const std::optional<DriverFacts>& facts, const GpuListing& listing)
{
    if (facts && !facts->cuda.empty())
        return facts->cuda;
    if (!listing.gpus.empty())
        return listing.gpus.front().driver;
    const nlohmann::json& told = listing.whyNone.evidence;
    return told.is_object() ? told.value("cuda", "") : "";
}

/// "13.0" of libnvrtc.so.13.0.48; "" of a name that tells no version.
std::string versionOfLibrary(const std::string& file)
{
    const std::size_t at = file.rfind(".so.");
    if (at == std::string::npos)
        return {};
    const std::string version = file.substr(at + 4);
    return version.substr(0, version.find('.', version.find('.') + 1));
}

} // namespace

std::vector<Finding> gpuFindings(const GpuListing& listing)
{
    if (listing.gpus.empty())
        return {{"GPU", false, false, listing.whyNone.line()}};
    const auto idOf = [](std::size_t index) { return "cuda:" + std::to_string(index); };
    std::vector<Finding> findings;
    for (const CudaFacts& gpu : listing.gpus)
        findings.push_back({idOf(findings.size()), true, false,
            gpu.name + ", " + gpu.architecture() + ", " + mebibytes(gpu.memoryBytes) + ", " + std::to_string(gpu.sms)
                + " multiprocessors, driver for CUDA " + gpu.driver + ", " + gpu.uuid
                + (gpu.pageableAccess ? "; its programs can read this machine's memory (reduced isolation)" : ""),
            {{"id", idOf(findings.size())}, {"uuid", gpu.uuid}, {"index", findings.size()}, {"name", gpu.name},
                {"architecture", gpu.architecture()}, {"multiprocessors", gpu.sms},
                {"memory_bytes", gpu.memoryBytes}}});
    return findings;
}

Finding driverFinding(const std::optional<DriverFacts>& facts, const GpuListing& listing)
{
    if (facts)
        return {"driver", true, false,
            "NVIDIA " + facts->version
                + (facts->cuda.empty() ? ", without NVML: clock, temperature and power of a GPU are unknown"
                                       : ", for CUDA " + facts->cuda)};
    if (const std::string cuda = cudaOf(facts, listing); !listing.gpus.empty())
        return {"driver", true, false,
            "NVIDIA's, for CUDA " + cuda
                + ", as it reports; without NVML: clock, temperature and power of a GPU are unknown"};
    const std::string& code = listing.whyNone.code;
    if (code.starts_with("device/") && code != "device/no-driver" && code != "device/missing")
        return {"driver", false, false, "NVIDIA's library (libcuda.so.1) is installed but not usable: see GPU above"};
    return {"driver", false, false, "no NVIDIA driver: GPU tasks cannot be measured here; CPU tasks are not affected"};
}

std::string wordsOnNvrtc(
    const std::string& nvrtcFile, const std::optional<DriverFacts>& facts, const GpuListing& listing)
{
    return wordsOnNewerToolkit(versionOfLibrary(nvrtcFile), cudaOf(facts, listing));
}

std::vector<std::string> lackedByGpuTasks(const std::vector<Finding>& findings, const std::string& device)
{
    const bool hasGpu = std::ranges::any_of(findings, [&](const Finding& one) {
        return one.found && one.what.starts_with("cuda:")
            && (device.empty() || device == one.what
                || (one.device.is_object() && one.device.value("uuid", "") == device));
    });
    std::vector<std::string> lacking;
    if (!hasGpu)
        lacking.push_back(device.empty() || device == "cuda:0" ? "a GPU" : "the GPU " + printable(device));
    if (std::ranges::any_of(findings, [](const Finding& one) { return !one.found && one.what == "CUDA toolkit"; }))
        lacking.emplace_back("a CUDA toolkit");
    return lacking;
}

Result<void> checkDevice(const std::string& device)
{
    NodeConnection node;
    QEventLoop loop;
    Result<void> verdict;
    QObject::connect(&node, &NodeConnection::ready, &loop, [&] {
        if (const auto devices = devicesNamed(node.hello(), device); !devices)
            verdict = std::unexpected(devices.error());
        else if (const std::string lacking = devices->front()->facts.value("no_compiler", ""); !lacking.empty())
            verdict = fail("build/no-compiler", lacking);
        else
            verdict = checkAlike(*devices);
        node.stop();
    });
    QObject::connect(&node, &NodeConnection::givenUp, &loop, [&](const QString& reason, const QString& hint) {
        verdict = fail("node/missing", reason.toStdString(), hint.toStdString());
        loop.quit();
    });
    QObject::connect(&node, &NodeConnection::stopped, &loop, &QEventLoop::quit);
    node.setCommand(defaultNodeCommand());
    node.setSilenceLimit(std::chrono::seconds(30));
    QMetaObject::invokeMethod(
        &node, [&node] { node.start(); }, Qt::QueuedConnection);
    loop.exec();
    return verdict;
}

} // namespace tilewright::cli
