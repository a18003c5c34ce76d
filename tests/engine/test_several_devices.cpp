// SPDX-License-Identifier: GPL-3.0-or-later
// One run on several devices of a kind: work is spread, whatever is paired stays on one of them, and one that fails is
// left out.
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/test_program.h"

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

/// A run on these devices to its end.
RunState ran(EngineDriver& driver, const TaskPack& pack, const std::string& devices, std::int64_t evaluations)
{
    NewSession session;
    session.path = driver.path();
    session.pack = pack;
    session.settings.device = devices;
    session.settings.budget.evaluations = evaluations;
    session.startNow = true;
    driver.engine.create(session);
    if (!driver.waitForEnd(180'000))
        qFatal("the run did not end");
    return driver.run();
}

std::set<std::string> devicesOf(const RunState& run)
{
    std::set<std::string> devices;
    for (const Evaluation& evaluation : run.evaluations)
        devices.insert(evaluation.device);
    return devices;
}

bool overlap(const WorkSpan& one, const WorkSpan& other)
{
    return one.askedNs < other.endedNs && other.askedNs < one.endedNs;
}

} // namespace

class TestSeveralDevices : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void workIsSpreadAndEachDeviceDoesOneThingAtATime()
    {
        EngineDriver driver({u"--twins"_s, u"3"_s, u"--delay-ms"_s, u"2"_s});
        const RunState run = ran(driver, m_pack, "cpu0,cpu1,cpu2", 30);
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.outcomes.at("ranked"), 30);
        QCOMPARE(run.device, std::string("cpu0"));
        QCOMPARE(run.otherDevices, (std::vector<std::string>{"cpu1", "cpu2"}));
        QCOMPARE(devicesOf(run), (std::set<std::string>{"cpu0", "cpu1", "cpu2"}));
        for (const Evaluation& evaluation : run.evaluations)
            QCOMPARE(evaluation.result.environment.at("device_id").get<std::string>(), evaluation.device);
        QCOMPARE(run.noise.size(), std::size_t(3)); // each has a noise floor of its own

        std::vector<WorkSpan> spans;
        for (const WorkSpan& span : run.work.spans)
            if (span.work != Work::Build)
                spans.push_back(span);
        bool together = false;
        for (std::size_t i = 0; i < spans.size(); ++i)
            for (std::size_t j = i + 1; j < spans.size(); ++j) {
                QVERIFY2(spans[i].device != spans[j].device || !overlap(spans[i], spans[j]), "two at once on a device");
                together |= overlap(spans[i], spans[j]);
            }
        QVERIFY(together);
        QVERIFY(driver.close());

        Engine again;
        again.open(driver.path());
        QCOMPARE(again.snapshot()->run.otherDevices, run.otherDevices);
        QCOMPARE(again.snapshot()->run.work.spans.size(), run.work.spans.size());
        for (std::size_t i = 0; i < run.work.spans.size(); ++i)
            QCOMPARE(again.snapshot()->run.work.spans[i].device, run.work.spans[i].device);
    }

    void aDeviceThatIsLostIsLeftOutAndNobodyPaysForIt()
    {
        EngineDriver driver({u"--twins"_s, u"2"_s, u"--lost-twin"_s, u"1"_s});
        const RunState run = ran(driver, m_pack, "cpu0,cpu1", 24);
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.outcomes.at("ranked"), 24);
        QVERIFY(tells(run, "cpu1 is ignored: the GPU is no longer on the bus"));
        QVERIFY(devicesOf(run).contains("cpu1")); // before that
        QCOMPARE(run.evaluations[run.evaluations.size() - 1].device, std::string("cpu0"));
    }

    void whatTakesOneDeviceAfterTheOtherEndsTheRun()
    {
        EngineDriver driver({u"--twins"_s, u"2"_s, u"--device-fault"_s, u"device/lost"_s});
        const RunState run = ran(driver, m_pack, "cpu0,cpu1", 24);
        QCOMPARE(run.phase, events::Phase::Stopped);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), u"run/halted"_s);
        for (const Candidate& candidate : run.candidates)
            QVERIFY(candidate.outcome == Outcome::None || candidate.outcome == Outcome::Ranked);
    }

    void aDeviceThatCannotBeUsedForAWhileHoldsNobodyUp()
    {
        EngineDriver driver({u"--twins"_s, u"2"_s, u"--stuck-twin"_s, u"1"_s, u"--delay-ms"_s, u"40"_s});
        const RunState run = ran(driver, m_pack, "cpu0,cpu1", 60);
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.outcomes.at("ranked"), 60);
        QVERIFY(tells(run, "cpu1 is ignored: process 7 was killed"));
        QVERIFY(driver.ended->status.trouble.empty());
    }

    void devicesOfTwoKindsDoNotMeasureOneRun()
    {
        EngineDriver driver({u"--second-device"_s, u"Another CPU"_s});
        const RunState run = ran(driver, m_pack, "cpu0,cpu1", 6);
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), u"device/mixed"_s);
        QVERIFY(driver.ended->status.trouble.find("Another CPU") != std::string::npos);
        QCOMPARE(run.evaluations.size(), std::size_t(0));
    }

    void oneThatIsNotThereIsNamed()
    {
        EngineDriver driver({u"--twins"_s, u"2"_s});
        const RunState run = ran(driver, m_pack, "cpu0,cpu7", 6);
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), u"device/missing"_s);
        QVERIFY(driver.ended->status.trouble.find("'cpu7'") != std::string::npos);
    }
};

TILEWRIGHT_TEST(TestSeveralDevices)
#include "test_several_devices.moc"
