// SPDX-License-Identifier: GPL-3.0-or-later
// What a run records of its work: every build, check and timing with true times, failures and drops included, the same
// when the session is opened again.
#include "core/store/session_reader.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/test_program.h"

#include <algorithm>

using namespace tilewright;
using tilewright::testing::EngineDriver;

namespace {

std::vector<WorkSpan> spansOf(const RunState& run) { return {run.work.spans.begin(), run.work.spans.end()}; }

std::int64_t count(const RunState& run, Work work) { return std::ranges::count(spansOf(run), work, &WorkSpan::work); }

} // namespace

class TestWorkRecord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyEvaluationLeavesItsWork()
    {
        EngineDriver driver;
        driver.create(m_pack, 20);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        for (const Candidate& candidate : run.candidates) {
            if (candidate.evaluationNumber == 0)
                continue;
            const auto spans = spansOf(run);
            const auto isBuild = [&](const WorkSpan& span) {
                return span.candidate == candidate.id && span.work == Work::Build && span.place >= 1;
            };
            QVERIFY(std::ranges::any_of(spans, isBuild));
        }
        // The seed is confirmed without a screening; nobody else is.
        QCOMPARE(count(run, Work::Screen),
            static_cast<std::int64_t>(std::ranges::count_if(run.evaluations,
                [](const Evaluation& e) { return e.result.purpose == Purpose::Screen && e.result.score; })));
        QCOMPARE(count(run, Work::Confirm),
            static_cast<std::int64_t>(std::ranges::count_if(
                run.evaluations, [](const Evaluation& e) { return e.result.purpose == Purpose::Confirm; })));
        for (const WorkSpan& span : run.work.spans)
            QVERIFY(!span.derived);
        QVERIFY(driver.ended->status.work.empty());
    }

    void timesAreInOrderAndTheDeviceDoesOneThingAtATime()
    {
        EngineDriver driver({QStringLiteral("--delay-ms"), QStringLiteral("2")});
        driver.create(m_pack, 15);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        std::int64_t deviceFree = 0;
        std::map<int, std::int64_t> placeFree;
        for (const WorkSpan& span : run.work.spans) {
            QVERIFY(span.askedNs <= span.startedNs && span.startedNs <= span.endedNs && span.endedNs <= run.runNs);
            std::int64_t& free = span.place > 0 ? placeFree[span.place] : deviceFree;
            QVERIFY(span.askedNs >= free);
            free = span.endedNs;
            QCOMPARE(span.device, 0);
        }
        QVERIFY(placeFree.size() <= 2); // as many as the node has builders
    }

    void aSessionThatIsOpenedAgainTellsTheSame()
    {
        EngineDriver driver;
        driver.create(m_pack, 10);
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.close());
        auto reader = SessionReader::open(driver.path().toStdString());
        QVERIFY(reader.has_value());
        const auto state = (*reader)->load();
        QVERIFY(state.has_value());
        QCOMPARE(spansOf(*state), spansOf(driver.ended->run));
        QCOMPARE(state->work.noise, driver.ended->run.work.noise);
    }

    void endsOfTheNodeAreCounted()
    {
        EngineDriver driver({QStringLiteral("--crash"), QStringLiteral("5")});
        driver.create(m_pack, 30);
        QVERIFY(driver.waitForEnd(120'000));
        const RunState& run = driver.ended->run;
        QVERIFY(!run.work.nodeEnds.empty());
        const auto crashed
            = std::ranges::count_if(spansOf(run), [](const WorkSpan& span) { return span.rule == "node/crash"; });
        QVERIFY(crashed >= static_cast<std::ptrdiff_t>(run.work.nodeEnds.size()));
    }

    void whatIsStoppedIsDroppedInTheRecord()
    {
        EngineDriver driver({QStringLiteral("--delay-ms"), QStringLiteral("50")});
        driver.create(m_pack, 1000);
        QVERIFY(QTest::qWaitFor(
            [&] {
                return driver.latest && !driver.latest->status.work.empty() && driver.latest->run.evaluationsDone > 0;
            },
            60'000));
        driver.execute(commands::Stop{});
        QVERIFY(driver.waitForEnd());
        const auto spans = spansOf(driver.ended->run);
        QVERIFY(std::ranges::count(spans, std::string("cancelled"), &WorkSpan::rule) > 0);
        QVERIFY(driver.ended->status.work.empty());
    }

    void theDevicesOfTheNodeArePublished()
    {
        EngineDriver driver;
        driver.create(m_pack, 1);
        QVERIFY(driver.waitForEnd());
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto& devices = driver.engine.snapshot()->status.devices;
                return devices.size() == 1 && devices[0].measures && devices[0].telemetry;
            },
            20'000));
        QCOMPARE(driver.latest->status.builders, 2);
    }

private:
    const TaskPack m_pack = testing::gemmPack();
};

TILEWRIGHT_TEST(TestWorkRecord)
#include "test_work_record.moc"
