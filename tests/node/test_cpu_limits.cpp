// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu.h"
#include "core/node/cpu_limits.h"

#include <QTest>

using namespace tilewright;

class TestCpuLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTheCoreCanDoIsMeasured()
    {
        const CpuFacts facts = readCpuFacts();
        const CpuLimits limits = measuredCpuLimits(splitCores().measuring);
        const auto has = [&](const char* feature) {
            return std::find(facts.features.begin(), facts.features.end(), feature) != facts.features.end();
        };
        QCOMPARE(limits.gigaflopsPerSecond > 0, has("avx512f") || (has("avx2") && has("fma")));
        QVERIFY(limits.gigabytesPerSecond > 0);
        QVERIFY(limits.gigaflopsPerSecond < 1000 && limits.gigabytesPerSecond < 1000); // of one core
        qInfo("%.1f GFLOP/s, %.1f GB/s", limits.gigaflopsPerSecond, limits.gigabytesPerSecond);
    }

    void whatIsUnknownIsLeftOut()
    {
        QVERIFY(CpuLimits{}.json().empty());
        const nlohmann::json json = CpuLimits{100, 0}.json();
        QVERIFY(json == nlohmann::json({{"measured_gflops", {{"fp32", 100.0}}}}));
    }
};

QTEST_GUILESS_MAIN(TestCpuLimits)
#include "test_cpu_limits.moc"
