// SPDX-License-Identifier: GPL-3.0-or-later
// What doctor says of GPUs, drivers and toolkits that this machine need not have.
#include "app/cli/gpu_findings.h"
#include "core/protocol/gpu_trouble.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace tilewright::cli;

namespace {

GpuListing oneGpu(const std::string& cuda)
{
    CudaFacts gpu;
    gpu.uuid = "GPU-12345678-1234-1234-1234-123456789abc";
    gpu.name = "Fake GPU";
    gpu.driver = cuda;
    return {{gpu}, {}};
}

} // namespace

class TestGpuFindings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDriverIsThereWhereItsLibraryAnswers()
    {
        // A container may have neither NVML nor the kernel's file.
        const Finding own = driverFinding(std::nullopt, oneGpu("12.4"));
        QVERIFY(own.found);
        QVERIFY2(
            own.detail.find("for CUDA 12.4, as it reports; without NVML") != std::string::npos, own.detail.c_str());
        const GpuListing old{{}, gpuTrouble("device/driver-too-old", "it has no cuDeviceGet")};
        const Finding useless = driverFinding(std::nullopt, old);
        QVERIFY(!useless.found);
        QVERIFY2(useless.detail.find("is installed but not usable") != std::string::npos, useless.detail.c_str());
        const GpuListing none{{}, gpuTrouble("device/missing", "no GPU")};
        QVERIFY(driverFinding(std::nullopt, none).detail.starts_with("no NVIDIA driver: "));
        QCOMPARE(
            q(driverFinding(DriverFacts{"580.1", "13.0"}, none).detail), QStringLiteral("NVIDIA 580.1, for CUDA 13.0"));
    }

    void aDriverOfLongAgoIsToldByItsVersion()
    {
        QVERIFY(!driverTrouble("12.0") && !driverTrouble("13.1") && !driverTrouble(""));
        const auto trouble = driverTrouble("11.8");
        QVERIFY(trouble && trouble->code == "device/driver-too-old");
        QVERIFY2(
            trouble->line().find("for CUDA 11.8, and GPU tasks need one for CUDA 12.0 or newer") != std::string::npos,
            trouble->line().c_str());
        QVERIFY(trouble->hint.find("525") != std::string::npos);
    }

    void aCompilerThatIsNewerThanTheDriverIsToldWithItsRemedy()
    {
        const std::string words = wordsOnNvrtc("libnvrtc.so.13.0.48", std::nullopt, oneGpu("12.4"));
        QVERIFY2(
            words.starts_with("it is of CUDA 13.0, newer than the driver, which is for CUDA 12.4: "), words.c_str());
        QVERIFY(words.find("may not load") != std::string::npos && words.find("CUDA toolkit 12") != std::string::npos);
        for (const char* file : {"libnvrtc.so.12.9.86", "libnvrtc.so.11.8.89", "libnvrtc.so"})
            QCOMPARE(q(wordsOnNvrtc(file, std::nullopt, oneGpu("12.4"))), QString());
        QCOMPARE(q(wordsOnNvrtc("libnvrtc.so.13.0.48", DriverFacts{"580", "13.0"}, {})), QString());
        QCOMPARE(q(wordsOnNvrtc("libnvrtc.so.13.0.48", std::nullopt, {})), QString());
    }

    void whatGpuTasksLackIsNamed()
    {
        std::vector<Finding> findings = gpuFindings(oneGpu("12.4"));
        findings.push_back({"CUDA toolkit", false, false, "none"});
        using Lacking = std::vector<std::string>;
        QCOMPARE(lackedByGpuTasks(findings, "cuda:0"), Lacking{"a CUDA toolkit"});
        findings.back().found = true;
        QCOMPARE(lackedByGpuTasks(findings, ""), Lacking());
        QCOMPARE(lackedByGpuTasks(findings, "GPU-12345678-1234-1234-1234-123456789abc"), Lacking());
        QCOMPARE(lackedByGpuTasks(findings, "cuda:1"), Lacking{"the GPU cuda:1"});
        const auto none = gpuFindings({{}, gpuTrouble("device/missing", "no GPU")});
        QCOMPARE(lackedByGpuTasks(none, ""), Lacking{"a GPU"});
    }

    void aLibraryThatDoesNotFitTheDriverIsToldInContainers()
    {
        QVERIFY(QString::fromLatin1(gpuRemedy(gpuRuleOf(804))).contains(QStringLiteral("cuda-compat")));
    }
};

TILEWRIGHT_TEST(TestGpuFindings)
#include "test_gpu_findings.moc"
