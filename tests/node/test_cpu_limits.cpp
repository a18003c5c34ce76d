// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/core_split.h"
#include "core/device/cpu.h"
#include "core/node/core_clock.h"
#include "core/node/cpu_timer.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

class TestCpuLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTheCoreCanDoIsMeasured()
    {
        const CpuFacts facts = readCpuFacts();
        const CpuLimits limits = measuredCpuLimits(splitCores().measuring, facts.l2Bytes);
        const auto has = [&](const char* feature) {
            return std::find(facts.features.begin(), facts.features.end(), feature) != facts.features.end();
        };
        QCOMPARE(limits.gigaflopsPerSecond > 0, has("avx512f") || (has("avx2") && has("fma")));
        QVERIFY(limits.gigabytesPerSecond > 0);
        QVERIFY(limits.gigaflopsPerSecond < 1000 && limits.gigabytesPerSecond < 1000); // of one core
        QVERIFY(limits.outerGigabytesPerSecond >= limits.gigabytesPerSecond && limits.outerGigabytesPerSecond < 2000);
        qInfo("%.1f GFLOP/s, %.1f GB/s, %.1f GB/s beyond the second level", limits.gigaflopsPerSecond,
            limits.gigabytesPerSecond, limits.outerGigabytesPerSecond);
    }

    void whatIsUnknownIsLeftOut()
    {
        QVERIFY(CpuLimits{}.json().empty());
        const nlohmann::json json = CpuLimits{100, 0, 0}.json();
        QVERIFY(json == nlohmann::json({{"measured_gflops", {{"fp32", 100.0}}}}));
    }

    void theFloorIsTheLongerOfWorkAndTraffic()
    {
        const Task task = loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu")->task;
        const Shape deep{512, 512, 512}, flat{1, 4096, 4096};
        // Much reuse: the operations decide, and bandwidth changes nothing.
        QVERIFY(floorNs(task, deep, 3000, 0) > 0);
        QCOMPARE(floorNs(task, deep, 3000, 20), floorNs(task, deep, 3000, 0));
        // A matrix that is read once: its bytes decide.
        const double bytes = task.bytesOf(flat);
        QCOMPARE(floorNs(task, flat, 3000, 20), 0.9 * bytes / (20 * 1.25));
        QVERIFY(floorNs(task, flat, 3000, 20) > 2 * floorNs(task, flat, 3000, 0));
    }

    void whatIsNoProductWaitsForItsInputsAlone()
    {
        Task task = loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu")->task;
        task.numeric.bound = NumericBound::Sum;
        const Shape flat{1, 4096, 4096};
        const double inputs = 4.0 * (4096 + 4096.0 * 4096);
        QCOMPARE(floorNs(task, flat, 3000, 20), 0.9 * inputs / (20 * 1.25));
    }
};

TILEWRIGHT_TEST(TestCpuLimits)
#include "test_cpu_limits.moc"
