// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on by steps: one candidate, or one admission of each island.
#include "core/store/replay.h"
#include "core/store/sql.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/patience.h"
#include "tests/test_program.h"

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

/// What was proposed within steps of each island, and how much of it for islands whose admission was there already.
struct ProposedInSteps {
    int all = 0, inVain = 0;
};
ProposedInSteps proposedInSteps(const QString& path)
{
    ProposedInSteps proposed;
    std::map<IslandId, std::int64_t> wanted;
    const auto look = [&](const Event& event, const RunState& state) {
        if (const auto* change = std::get_if<events::PhaseChanged>(&event.body)) {
            wanted.clear();
            if (change->reason == "one step of each island")
                for (const Island& island : state.islands)
                    wanted[island.id] = island.admissions + 1;
        } else if (const auto* made = std::get_if<events::Proposed>(&event.body); made && !wanted.empty()) {
            ++proposed.all;
            if (state.island(made->proposal.island)->admissions >= wanted.at(made->proposal.island))
                ++proposed.inVain;
        }
    };
    SqlConnection connection;
    if (!connection.open(path.toStdString(), OpenMode::ReadOnly))
        return {};
    const auto run = newestRun(connection.database());
    return run && replay(connection.database(), *run, look) ? proposed : ProposedInSteps{};
}

} // namespace

class TestSteps : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void aStepOfARunThatIsPausingIsTakenBeforeItRests()
    {
        EngineDriver driver({u"--delay-ms"_s, u"20"_s});
        driver.create(m_pack, 30);
        QVERIFY(QTest::qWaitFor([&] { return driver.engine.snapshot()->status.measuring > 0; }, patience));
        driver.execute(commands::Pause{});
        const SnapshotPtr pausing = driver.engine.snapshot();
        QVERIFY(pausing->status.pausing);
        driver.execute(commands::Step{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.run().phase, events::Phase::Paused);
        QCOMPARE(driver.run().evaluationsStarted, pausing->run.evaluationsStarted + 1);
        QVERIFY(restsWhole(driver.run()));
    }

    void aStepThatBecomesARunSaysSoInTheRecord()
    {
        EngineDriver driver({u"--delay-ms"_s, u"20"_s});
        driver.create(m_pack, 6);
        QVERIFY(QTest::qWaitFor([&] { return driver.engine.snapshot()->status.measuring > 0; }, patience));
        driver.execute(commands::Pause{});
        QVERIFY(driver.waitForEnd());
        driver.execute(commands::Step{});
        QCOMPARE(driver.run().phaseReason, std::string("one step"));
        driver.execute(commands::Run{});
        QCOMPARE(driver.run().phase, events::Phase::Running);
        QCOMPARE(driver.run().phaseReason, events::afterAStep);
        const RunState run = driver.run();
        const RunChange& change = run.changes[run.changes.size() - 1];
        QCOMPARE(change.what, std::string("run"));
        QCOMPARE(change.to, "running: " + events::afterAStep);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.run().phase, events::Phase::Finished);
        QCOMPARE(driver.run().evaluationsStarted, std::int64_t(6));
    }

    void aPausedRunCanBeStoppedAndNothingIsOrderedOfASessionThatCloses()
    {
        EngineDriver driver({u"--delay-ms"_s, u"20"_s});
        driver.create(m_pack, 30);
        QVERIFY(QTest::qWaitFor([&] { return driver.engine.snapshot()->status.measuring > 0; }, patience));
        driver.execute(commands::Pause{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.run().phase, events::Phase::Paused);
        driver.execute(commands::Stop{});
        QCOMPARE(driver.run().phase, events::Phase::Stopped);
        QVERIFY(!driver.engine.snapshot()->status.pausedAsTold);
        QSignalSpy closed(&driver.engine, &Engine::closed);
        driver.engine.close();
        QCOMPARE(driver.engine.execute(commands::Run{}).error.code, std::string("session/closing"));
        QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, patience);
    }

    void aStepThatOnlyAPersonsWordWouldLeadOnEndsAtOnce_data()
    {
        QTest::addColumn<int>("limit");
        QTest::addColumn<int>("evaluations");
        QTest::addColumn<bool>("ofIslands");
        for (const bool ofIslands : {false, true}) {
            const char* of = ofIslands ? "of the islands" : "of one";
            QTest::addRow("%s, every island at its limit", of) << 2 << 100 << ofIslands;
            QTest::addRow("%s, all evaluations begun", of) << 0 << 6 << ofIslands;
        }
    }

    void aStepThatOnlyAPersonsWordWouldLeadOnEndsAtOnce()
    {
        QFETCH(int, limit);
        QFETCH(int, evaluations);
        QFETCH(bool, ofIslands);
        EngineDriver driver;
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = evaluations;
        session.settings.review = {{IslandId{}, ReviewPolicy::Every}};
        session.settings.reviewLimit = limit;
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return driver.engine.snapshot()->status.waitingCode == "reviews"; }, patience));
        driver.execute(commands::Pause{});
        QVERIFY(driver.waitForEnd());
        const RunState before = driver.run();
        const auto step = [&] {
            ofIslands ? driver.execute(commands::StepIslands{}) : driver.execute(commands::Step{});
            return driver.waitForEnd();
        };
        for (int again = 0; again < 2; ++again) {
            QVERIFY(step());
            QCOMPARE(driver.run().phase, events::Phase::Paused);
            QCOMPARE(driver.run().phaseReason,
                "no step is possible before you decide: " + std::to_string(before.waitingReviews)
                    + " edits wait for review");
            QVERIFY(driver.engine.snapshot()->status.pausedAsTold); // whoever ran it waits for the next order
            QCOMPARE(driver.run().proposals.size(), before.proposals.size());
        }
        // A word leads it on.
        driver.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}, WhatWaits::Approved});
        QVERIFY(step());
        QVERIFY(driver.run().evaluationsDone > before.evaluationsDone);
    }

    void oneStepIsOneEvaluation()
    {
        EngineDriver driver;
        driver.create(m_pack, 0, 1, false);
        for (int step = 1; step <= 4; ++step) {
            driver.execute(commands::Step{});
            QVERIFY(driver.waitForEnd());
            QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
            QCOMPARE(driver.ended->run.evaluationsStarted, step);
            QVERIFY(restsWhole(driver.ended->run));
        }
    }

    void whatIsTakenBackWithinAStepGivesItNoSecondCandidate()
    {
        EngineDriver driver({u"--delay-ms"_s, u"200"_s});
        driver.create(m_pack, 0, 1, false);
        driver.execute(commands::Step{});
        QVERIFY(driver.waitForEnd());
        driver.execute(commands::Inject{{}, {}, withLine(m_pack.seed(), "static int by_hand = 1;"), "mine"});
        QVERIFY2(driver.failures.isEmpty(), qPrintable(driver.failures.join(u' ')));
        const CandidateId mine = driver.run().candidates.back().id;
        driver.execute(commands::Step{});
        QVERIFY(QTest::qWaitFor([&] { return driver.run().candidate(mine)->evaluationNumber > 0; }, patience));
        driver.execute(commands::PauseNow{}); // it has its place, and waits for its turn again
        QVERIFY(driver.waitForEnd());
        const std::int64_t done = driver.run().evaluationsDone;
        driver.execute(commands::Step{});
        driver.execute(commands::Withdraw{mine});
        QVERIFY2(driver.failures.isEmpty(), qPrintable(driver.failures.join(u' ')));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.run().phaseReason, std::string("one step done"));
        QCOMPARE(driver.run().evaluationsDone, done + 1);
        QCOMPARE(driver.run().evaluationsStarted, done + 1);
    }

    void aStepOfEachIslandEndsWhenAllHaveAdmittedOne()
    {
        EngineDriver driver;
        driver.create(m_pack, 0, 1, false);
        driver.execute(commands::Step{});
        QVERIFY(driver.waitForEnd()); // the seed is everybody's first
        for (int step = 0; step < 3; ++step) {
            const RunState before = driver.run();
            driver.execute(commands::StepIslands{});
            QVERIFY(driver.waitForEnd());
            const RunState after = driver.run();
            QCOMPARE(after.phase, events::Phase::Paused);
            QCOMPARE(after.phaseReason, std::string("each island has admitted one"));
            QVERIFY(restsWhole(after));
            for (std::size_t i = 0; i < after.islands.size(); ++i)
                QVERIFY(after.islands[i].admissions > before.islands[i].admissions);
        }
    }

    void whoHasAdmittedOneIsAskedForNothingMore()
    {
        EngineDriver driver;
        driver.create(m_pack, 0, 1, false);
        driver.execute(commands::Step{});
        QVERIFY(driver.waitForEnd());
        for (int step = 0; step < 3; ++step) {
            driver.execute(commands::StepIslands{});
            QVERIFY(driver.waitForEnd());
            QCOMPARE(driver.ended->run.phaseReason, std::string("each island has admitted one"));
        }
        const auto islands = static_cast<int>(driver.run().islands.size());
        QVERIFY(driver.close());
        const ProposedInSteps proposed = proposedInSteps(driver.path());
        QVERIFY2(proposed.all >= 3 * islands, qPrintable(QString::number(proposed.all)));
        QCOMPARE(proposed.inVain, 0);
    }

    void aPausedIslandIsNotWaitedFor()
    {
        EngineDriver driver;
        driver.create(m_pack, 0, 1, false);
        driver.execute(commands::Step{});
        QVERIFY(driver.waitForEnd());
        driver.execute(commands::PauseIsland{{2}});
        const RunState before = driver.run();
        QVERIFY(before.islands[1].standing == Standing::Paused);
        driver.execute(commands::StepIslands{});
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
        driver.execute(commands::StepIslands{}); // the seed
        QVERIFY(driver.waitForEnd());
        driver.execute(commands::StepIslands{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.run().evaluationsDone, std::int64_t(2));
        QCOMPARE(driver.run().phaseCode, std::string("budget/evaluations"));
    }
};

TILEWRIGHT_TEST(TestSteps)
#include "test_steps.moc"
