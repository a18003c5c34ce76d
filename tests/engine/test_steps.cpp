// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on by steps: one candidate, or one admission of each island.
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/patience.h"

#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

/// Nothing is under way.
bool restsWhole(const RunState& run)
{
    return std::ranges::all_of(run.candidates, [](const Candidate& candidate) { return candidate.isOver(); });
}

} // namespace

class TestSteps : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void oneStepIsOneEvaluation()
    {
        EngineDriver driver;
        driver.create(m_pack, 0, 1, false);
        for (int step = 1; step <= 4; ++step) {
            driver.engine.step();
            QVERIFY(driver.waitForEnd());
            QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
            QCOMPARE(driver.ended->run.evaluationsStarted, step);
            QVERIFY(restsWhole(driver.ended->run));
        }
    }

    void aStepOfEachIslandEndsWhenAllHaveAdmittedOne()
    {
        EngineDriver driver;
        driver.create(m_pack, 0, 1, false);
        driver.engine.step();
        QVERIFY(driver.waitForEnd()); // the seed is everybody's first
        for (int step = 0; step < 3; ++step) {
            const RunState before = driver.run();
            driver.engine.stepIslands();
            QVERIFY(driver.waitForEnd());
            const RunState after = driver.run();
            QCOMPARE(after.phase, events::Phase::Paused);
            QCOMPARE(after.phaseReason, std::string("each island has admitted one"));
            QVERIFY(restsWhole(after));
            for (std::size_t i = 0; i < after.islands.size(); ++i)
                QVERIFY(after.islands[i].admissions > before.islands[i].admissions);
        }
    }

    void aPausedIslandIsNotWaitedFor()
    {
        EngineDriver driver;
        driver.create(m_pack, 0, 1, false);
        driver.engine.step();
        QVERIFY(driver.waitForEnd());
        driver.engine.orderIslands(orders::PauseIsland{{2}});
        const RunState before = driver.run();
        QVERIFY(before.islands[1].standing == Standing::Paused);
        driver.engine.stepIslands();
        QVERIFY(driver.waitForEnd());
        const RunState after = driver.run();
        QCOMPARE(after.phaseReason, std::string("each island has admitted one"));
        for (const std::size_t i : {0, 2, 3})
            QVERIFY(after.islands[i].admissions > before.islands[i].admissions);
        QCOMPARE(after.islands[1].proposals, before.islands[1].proposals);
    }

    void aBudgetEndsAStepOfEachIsland()
    {
        EngineDriver driver;
        driver.create(m_pack, 2, 1, false);
        driver.engine.stepIslands(); // the seed
        QVERIFY(driver.waitForEnd());
        driver.engine.stepIslands();
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.run().evaluationsDone, std::int64_t(2));
        QCOMPARE(driver.run().phaseCode, std::string("budget/evaluations"));
    }
};

QTEST_GUILESS_MAIN(TestSteps)
#include "test_steps.moc"
