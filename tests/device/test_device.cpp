// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu.h"
#include "core/device/microarchitecture.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

class TestDevice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void processorsAreNamedByFamilyAndModel()
    {
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x19, 0x11), std::string("Zen 4"));
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x19, 0x21), std::string("Zen 3"));
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x1a, 0x02), std::string("Zen 5"));
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x17, 0x31), std::string("Zen 2"));
        QCOMPARE(microarchitectureOf("GenuineIntel", 6, 0x8f), std::string("Sapphire Rapids"));
    }

    void whatIsNotKnownIsNotNamed()
    {
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x99, 1), std::string());
        QCOMPARE(microarchitectureOf("GenuineIntel", 0x19, 0x11), std::string());
        QCOMPARE(microarchitectureOf("", 0, 0), std::string());
    }

    void thisProcessorHasFacts()
    {
        const CpuFacts facts = readCpuFacts();
        QVERIFY(facts.cores >= 1 && facts.memoryBytes > 0);
        QVERIFY(facts.microarchitecture.find('\n') == std::string::npos);
    }
};

TILEWRIGHT_TEST(TestDevice)
#include "test_device.moc"
