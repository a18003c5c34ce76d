// SPDX-License-Identifier: GPL-3.0-or-later
// Which differences between two machines part their figures, and whose failure is whose.
#include "core/engine/measuring/measuring_device.h"
#include "core/engine/measuring/pipeline.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

RunState measuredWith(const nlohmann::json& facts)
{
    RunState state;
    state.evaluations.push_back(Evaluation{});
    state.device = "cpu0";
    state.deviceFacts = facts;
    return state;
}

nlohmann::json cpu()
{
    return {{"name", "AMD EPYC"}, {"arch", "native"}, {"microarchitecture", "Zen 4"}, {"features", {"avx2", "avx512f"}},
        {"compiler", "g++ 12.2.0"}, {"openblas", "OpenBLAS 0.3.21 Zen"}, {"cores", 2}};
}

} // namespace

class TestMeasuringDevice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunWhoseDeviceIsElsewhereMayBeLookedAt()
    {
        const Error none{"device/missing", "this machine has no device 'cuda:0'; it has cpu (AMD EPYC)", "doctor", {}};
        const MissingDevice measured = missingDevice(measuredWith(cpu()), none);
        QVERIFY(measured.measuredThere);
        QCOMPARE(measured.why.code, none.code);
        QVERIFY(measured.why.text.starts_with("this session was measured on "));
        QVERIFY(measured.why.text.ends_with(none.text));
        QVERIFY(measured.why.hint.find("can be viewed") != std::string::npos);
        QVERIFY(!missingDevice(RunState{}, none).measuredThere);
        QVERIFY(missingDevice(RunState{}, none).why == none);
        const Error mixed{"device/mixed", "two kinds", "", {}};
        QVERIFY(!missingDevice(measuredWith(cpu()), mixed).measuredThere);
    }

    void whatFiguresHangOnPartsThem_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* key, const char* value, const char* said) {
            QTest::newRow(key) << QString::fromUtf8(key) << QString::fromUtf8(value) << QString::fromUtf8(said);
        };
        row("name", "\"Xeon\"", "this device is Xeon");
        row("compiler", "\"g++ 14.2.0\"", "g++ 14.2.0");
        row("microarchitecture", "\"Zen 5\"", "microarchitecture was Zen 4 and is Zen 5");
        row("features", "[\"avx2\", \"sse4a\"]",
            "features only on the other device: avx512f, only on this device: sse4a");
        row("openblas", "\"OpenBLAS 0.3.26 Zen\"", "openblas was OpenBLAS 0.3.21 Zen and is OpenBLAS 0.3.26 Zen");
    }

    void whatFiguresHangOnPartsThem()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, said);
        nlohmann::json other = cpu();
        other[key.toStdString()] = nlohmann::json::parse(value.toStdString());
        const auto same = checkSameDevice(measuredWith(cpu()), "cpu0", other);
        QVERIFY(!same);
        QCOMPARE(same.error().code, std::string("device/other"));
        QVERIFY2(same.error().text.contains(said.toStdString()), same.error().text.c_str());
    }

    void whatIsNotKnownOrDoesNotMatterPartsNothing()
    {
        nlohmann::json other = cpu();
        other.erase("openblas");
        other["cores"] = 64;
        QVERIFY(checkSameDevice(measuredWith(cpu()), "cpu0", other));
        QVERIFY(checkSameDevice(measuredWith(other), "cpu0", cpu()));
        QVERIFY(!checkSameDevice(measuredWith(cpu()), "GPU-1", cpu()));
    }

    void aFailureBesideTheCandidateIsItsOwners()
    {
        const Error candidates{"verify/timed", "a timed launch gave a wrong result", "", {{"contestant", "candidate"}}};
        QVERIFY(!troubleOfOpponent(candidates));
        QVERIFY(!troubleOfOpponent({"run/crash", "signal 11", "", nullptr}));
        const auto vendors = troubleOfOpponent({"verify/timed", "a wrong result", "", {{"contestant", "vendor"}}});
        QVERIFY(vendors);
        QCOMPARE(vendors->code, std::string("device/opponent"));
        QVERIFY(vendors->text.starts_with("the vendor, ") && vendors->text.contains("verify/timed, a wrong result"));
        QVERIFY(vendors->hint.contains("vendor library"));
    }
};

TILEWRIGHT_TEST(TestMeasuringDevice)
#include "test_measuring_device.moc"
