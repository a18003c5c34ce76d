// SPDX-License-Identifier: GPL-3.0-or-later
// The engine against a real child process that speaks the real protocol.
#include "core/engine/measuring/node_connection.h"
#include "core/engine/session/run_activity.h"
#include "core/llm/keys.h"
#include "core/store/session_reader.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/patience.h"
#include "tests/test_program.h"

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

int countStage(const RunState& run, Stage stage)
{
    return static_cast<int>(std::count_if(
        run.candidates.begin(), run.candidates.end(), [&](const Candidate& c) { return c.stage == stage; }));
}

/// Numbers 1 … n, each once: no evaluation was counted twice or lost.
void compareNumbering(const RunState& run)
{
    std::set<std::int64_t> numbers;
    for (const Candidate& candidate : run.candidates)
        if (candidate.evaluationNumber > 0)
            QVERIFY(numbers.insert(candidate.evaluationNumber).second);
    QCOMPARE(static_cast<std::int64_t>(numbers.size()), run.evaluationsStarted);
    if (!numbers.empty())
        QCOMPARE(*numbers.rbegin(), run.evaluationsStarted);
}

std::vector<std::string> programs(const RunState& run)
{
    std::vector<std::string> names;
    for (const Candidate& candidate : run.candidates)
        names.push_back(candidate.program.hex());
    return names;
}

bool logHolds(const RunState& run, const std::string& words)
{
    return std::any_of(run.log.begin(), run.log.end(),
        [&words](const LogLine& line) { return line.text.find(words) != std::string::npos; });
}

} // namespace

class TestEngine : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void whatWasCutOffIsToldBesideWhatIsKept()
    {
        RunState state;
        const auto add = [&state](Stage stage, Outcome outcome, std::int64_t number) {
            Candidate candidate;
            candidate.id = {static_cast<std::int64_t>(state.candidates.size()) + 1};
            candidate.stage = stage;
            candidate.outcome = outcome;
            candidate.evaluationNumber = number;
            state.candidates.push_back(candidate);
            state.evaluationsStarted += number > 0 ? 1 : 0;
            state.evaluationsDone += number > 0 && outcome != Outcome::None ? 1 : 0;
        };
        add(Stage::Done, Outcome::Ranked, 1);
        add(Stage::Done, Outcome::Ranked, 2);
        add(Stage::Review, Outcome::None, 3); // it waits as it did
        add(Stage::Queued, Outcome::None, 0);
        QCOMPARE(wordsOfRecovery(state), std::string());
        add(Stage::Screening, Outcome::None, 4);
        QCOMPARE(wordsOfRecovery(state), std::string("Recovered 2 evaluations, 1 was incomplete."));
        add(Stage::Confirming, Outcome::Ranked, 5); // it has a result, and counts
        QCOMPARE(wordsOfRecovery(state),
            std::string("Recovered 3 evaluations, 1 was incomplete, 1 of them is still to be confirmed."));
    }

    void theSeedIsTheFirstEvaluationWithScoreOneAndConfirmed()
    {
        EngineDriver driver;
        driver.create(m_pack, 1);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.evaluationsStarted, 1);
        QCOMPARE(run.candidates.size(), std::size_t(1));
        const Candidate& seed = run.candidates[0];
        QVERIFY(seed.confirmed);
        QCOMPARE(seed.score->value, 1.0);
        QVERIFY(seed.vsVendor.has_value());
        QCOMPARE(run.incumbent, CandidateId{1});
        QCOMPARE(run.islands.size(), std::size_t(4));
        for (const Island& island : run.islands)
            QCOMPARE(island.members, std::vector<CandidateId>{CandidateId{1}});
    }

    void aRunUsesItsBudgetExactlyAndImproves()
    {
        EngineDriver driver;
        driver.create(m_pack, 60);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(QString::fromStdString(run.phaseReason), QStringLiteral("evaluation budget exhausted"));
        QCOMPARE(run.evaluationsStarted, 60);
        compareNumbering(run);
        QCOMPARE(countStage(run, Stage::Done), static_cast<int>(run.candidates.size()));
        QVERIFY(run.best());
        QVERIFY2(run.best()->score->value > 20, qPrintable(QString::number(run.best()->score->value)));
        QVERIFY(run.bestTrace.size() > 1);
        for (std::size_t i = 1; i < run.bestTrace.size(); ++i)
            QVERIFY(run.bestTrace[i].second > run.bestTrace[i - 1].second);
    }

    void noProgramIsBuiltTwice()
    {
        EngineDriver driver;
        driver.create(m_pack, 50);
        QVERIFY(driver.waitForEnd());
        std::set<Hash> built;
        for (const Candidate& candidate : driver.ended->run.candidates)
            if (candidate.evaluationNumber > 0)
                QVERIFY(built.insert(candidate.program).second);
    }

    void theSameSeedAndNodeGiveTheSameCandidates()
    {
        std::vector<std::string> first;
        for (int round = 0; round < 2; ++round) {
            EngineDriver driver({QStringLiteral("--builders"), QStringLiteral("1")});
            driver.create(m_pack, 25, 7);
            QVERIFY(driver.waitForEnd());
            if (round == 0)
                first = programs(driver.ended->run);
            else
                QCOMPARE(programs(driver.ended->run), first);
        }
    }

    void anotherSeedGivesOtherCandidates()
    {
        EngineDriver one, other;
        one.create(m_pack, 12, 1);
        other.create(m_pack, 12, 2);
        QVERIFY(one.waitForEnd());
        QVERIFY(other.waitForEnd() || other.ends > 0);
        QVERIFY(programs(one.ended->run) != programs(other.ended->run));
    }

    void failuresOfEveryKindCostTheirCandidateOnly()
    {
        EngineDriver driver(
            {QStringLiteral("--build-error"), QStringLiteral("7"), QStringLiteral("--refuse"), QStringLiteral("6"),
                QStringLiteral("--crash"), QStringLiteral("11"), QStringLiteral("--garbage"), QStringLiteral("13")});
        driver.create(m_pack, 60);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.evaluationsStarted, 60);
        compareNumbering(run);
        QVERIFY(run.outcomes.at("build_failed") > 0);
        QVERIFY(run.outcomes.at("refused") > 0);
        QVERIFY(run.outcomes.at("run_failed") > 0);
        for (const Candidate& candidate : run.candidates) {
            QCOMPARE(candidate.stage, Stage::Done);
            const std::uint64_t chance = leading64(candidate.program);
            const bool ends = chance % 11 == 1 || chance % 13 == 1;
            if (candidate.migrated || candidate.tunables.empty() || chance % 7 == 1)
                continue;
            QCOMPARE(candidate.outcome == Outcome::RunFailed, ends);
            if (ends)
                QCOMPARE(QString::fromStdString(candidate.rule), QStringLiteral("node/crash"));
        }
    }

    void aSilentNodeIsKilledAndItsCandidateFails()
    {
        EngineDriver driver({QStringLiteral("--silent"), QStringLiteral("4")});
        driver.engine.setNodeSilenceLimit(std::chrono::milliseconds(500));
        driver.create(m_pack, 25);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsStarted, 25);
        int silent = 0;
        for (const Candidate& candidate : run.candidates)
            if (candidate.evaluationNumber > 0 && !candidate.tunables.empty()
                && leading64(candidate.program) % 4 == 1) {
                QCOMPARE(candidate.outcome, Outcome::RunFailed);
                ++silent;
            }
        QVERIFY(silent > 0);
    }

    void aBusyMachineIsWaitedForAndCostsNoCandidate()
    {
        EngineDriver driver({QStringLiteral("--busy"), QStringLiteral("1")});
        driver.create(m_pack, 8);
        QVERIFY(
            QTest::qWaitFor([&] { return driver.engine.snapshot()->status.troubleCode == "machine/busy"; }, patience));
        const SnapshotPtr held = driver.engine.snapshot();
        QCOMPARE(held->status.waitingCode, std::string("machine/busy"));
        QVERIFY2(
            held->status.waiting.starts_with("waiting: the machine is too busy to time (another process ran on the "
                                             "measuring core); attempt 1 failed: 9 of 11 blocks of samples on "
                                             "64×64×64 were disturbed; attempt 2 in "),
            held->status.waiting.c_str());
        QVERIFY(logHolds(held->run, "the machine is too busy to time (another process ran on the measuring core)"));
        QCOMPARE(held->run.evaluationsDone, 0); // the seed was not measured yet
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.outcomes.at("ranked"), 8);
        QVERIFY(driver.ended->status.trouble.empty() && driver.ended->status.waiting.empty());
        QVERIFY(logHolds(driver.ended->run, "the run resumes"));
        compareNumbering(driver.ended->run);
    }

    void whileTheMachineIsTooBusyForTheSeedOthersAreCheckedAndWaitForItOrForAPerson()
    {
        EngineDriver driver({QStringLiteral("--busy"), QStringLiteral("2")});
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 8;
        session.settings.review[IslandId{}] = ReviewPolicy::Every;
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().waitingReviews >= 1; }, patience));
        const RunState early = driver.run();
        QVERIFY(early.candidates[0].stage != Stage::Done); // the second try is seconds away
        QCOMPARE(early.evaluations.size(), std::size_t(0));
        const Review asked = early.reviews[0];
        QCOMPARE(early.candidate(asked.candidate)->parents, std::vector<CandidateId>{CandidateId{1}});
        driver.execute(commands::Rerun{asked.candidate, 1, {}});
        QCOMPARE(driver.failures, QStringList{QStringLiteral("rerun/early")}); // it is measured beside the seed
        driver.execute(commands::Decide{{asked.candidate}, Decision::Approved, ""});
        driver.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}});
        QVERIFY(QTest::qWaitFor(
            [&] { return driver.engine.snapshot()->status.waiting.contains("attempt 2 failed"); }, patience));
        const RunState held = driver.run();
        QVERIFY(std::ranges::all_of(
            held.work.spans, [](const WorkSpan& span) { return span.work != Work::Screen; })); // not before the seed
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.outcomes.at("ranked"), 8);
        QCOMPARE(run.evaluations[0].candidate, CandidateId{1}); // the seed was measured before all others
        QCOMPARE(run.incumbents.at(0), CandidateId{1});
        QVERIFY(driver.ended->status.trouble.empty() && driver.ended->status.waiting.empty());
        compareNumbering(run);
        QVERIFY(driver.close());
        EngineDriver again({}, driver.path());
        again.engine.open(driver.path());
        QVERIFY(again.run() == run); // replayed
    }

    void aDeviceThatCannotBeUsedForAWhileIsWaitedForAndCostsNoCandidate()
    {
        EngineDriver driver({QStringLiteral("--stuck"), QStringLiteral("1")});
        driver.create(m_pack, 4);
        QVERIFY(
            QTest::qWaitFor([&] { return driver.engine.snapshot()->status.waitingCode == "device/stuck"; }, patience));
        const SnapshotPtr held = driver.engine.snapshot();
        QVERIFY2(
            held->status.waiting.starts_with("waiting: process 7 was killed and still hangs in the driver; retry in "),
            held->status.waiting.c_str());
        QCOMPARE(held->status.troubleHint, std::string("the run goes on by itself when it is gone"));
        QCOMPARE(held->run.evaluationsDone, 0);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.outcomes.at("ranked"), 4);
        QVERIFY(driver.ended->status.trouble.empty() && driver.ended->status.waiting.empty());
        QVERIFY(logHolds(driver.ended->run, "the device is available again: the run resumes"));
    }

    void aFaultOfTheDeviceEndsTheRunAndLeavesItsCandidatePending_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("told");
        QTest::newRow("a fault") << QStringLiteral("device/fault") << QStringLiteral("device/fault");
        QTest::newRow("lost") << QStringLiteral("device/lost") << QStringLiteral("run/halted");
        QTest::newRow("the driver") << QStringLiteral("device/driver") << QStringLiteral("device/driver");
        QTest::newRow("another architecture")
            << QStringLiteral("device/architecture") << QStringLiteral("device/architecture");
    }

    void aFaultOfTheDeviceEndsTheRunAndLeavesItsCandidatePending()
    {
        QFETCH(QString, code);
        QFETCH(QString, told);
        EngineDriver driver({QStringLiteral("--device-fault"), code});
        driver.create(m_pack, 6);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QVERIFY(run.phase == events::Phase::Paused || run.phase == events::Phase::Stopped);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), told);
        QVERIFY(driver.ended->status.trouble.find("the GPU reported something") != std::string::npos);
        QVERIFY(!driver.ended->status.troubleHint.empty());
        for (const Candidate& candidate : run.candidates) // nobody is blamed
            QVERIFY(candidate.outcome == Outcome::None || candidate.outcome == Outcome::Ranked);
    }

    void aNodeSeesNoCredentials()
    {
        const QTemporaryDir folder;
        const QString seen = folder.filePath(QStringLiteral("environment"));
        qputenv("TILEWRIGHT_TEST_API_KEY", "canary");
        qputenv("TILEWRIGHT_TEST_PLAIN", "ordinary");
        // A variable that a models file names for a key, and one that holds the key under another name.
        qputenv("TILEWRIGHT_TEST_WORD", "canary-word");
        QCOMPARE(KeyRing::atHand({KeyPlace::Variable, "TILEWRIGHT_TEST_WORD"}), std::string("canary-word"));
        qputenv("TILEWRIGHT_TEST_OTHER", "canary-kept");
        KeyRing().keepInMemory("kept", "canary-kept");
        NodeConnection node;
        node.setCommand({QStringLiteral("sh"), QStringLiteral("-c"),
            QStringLiteral("env > '%1.part' && mv '%1.part' '%1'; sleep 10").arg(seen)});
        node.start();
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(seen); }, patience));
        QFile file(seen);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray environment = file.readAll();
        QVERIFY(environment.contains("ordinary"));
        QVERIFY(!environment.contains("canary"));
        qunsetenv("TILEWRIGHT_TEST_API_KEY");
        for (const char* name : {"TILEWRIGHT_TEST_PLAIN", "TILEWRIGHT_TEST_WORD", "TILEWRIGHT_TEST_OTHER"})
            qunsetenv(name);
        node.stop();
    }

    void aDeviceThatAnotherNodeHoldsIsWaitedForAloud()
    {
        EngineDriver driver({QStringLiteral("--taken-ms"), QStringLiteral("5000")});
        driver.create(m_pack, 4);
        QVERIFY(QTest::qWaitFor(
            [&] { return driver.latest && driver.latest->status.waitingCode == "device/taken"; }, patience));
        QVERIFY2(driver.latest->status.waiting.starts_with("waiting: another program has used this device for "),
            driver.latest->status.waiting.c_str());
        QVERIFY(QTest::qWaitFor(
            [&] { return logHolds(driver.latest->run, "another program uses this device for measurements"); },
            patience));
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.evaluationsDone, 4);
        // What was waited for is no work of the device: 5 s in steps of 200 ms.
        const auto& spans = driver.ended->run.work.spans;
        QVERIFY(std::ranges::any_of(
            spans, [](const WorkSpan& span) { return span.startedNs - span.askedNs >= 4'500'000'000; }));
    }

    void aBuildThatWasKeptFromBeforeIsRecordedAsThat()
    {
        for (const bool kept : {false, true}) {
            EngineDriver driver(kept ? QStringList{QStringLiteral("--cached")} : QStringList());
            driver.create(m_pack, 3);
            QVERIFY(driver.waitForEnd());
            QVERIFY(driver.ended->run.evaluations.size() > 0);
            for (const Evaluation& each : driver.ended->run.evaluations)
                QCOMPARE(each.result.environment.value("build_cached", false), kept);
        }
    }

    void whyMeasuringTakesLongOnALoadedMachineIsSaidWhileItDoes()
    {
        EngineDriver driver({QStringLiteral("--disturbed-ms"), QStringLiteral("3000")});
        driver.create(m_pack, 4);
        QVERIFY(QTest::qWaitFor(
            [&] { return driver.latest && driver.latest->status.waitingCode == "machine/disturbed"; }, patience));
        QVERIFY2(driver.latest->status.waiting.starts_with("waiting for a quiet machine: 5 of 8 blocks of samples were "
                                                           "disturbed (the host used time of this core)"),
            driver.latest->status.waiting.c_str());
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->status.waiting.empty());
        QCOMPARE(driver.ended->run.evaluationsDone, 4);
    }

    void aRunThatWaitsForAnothersDeviceCanBePaused()
    {
        EngineDriver driver({QStringLiteral("--taken-ms"), QStringLiteral("1000000")});
        driver.create(m_pack, 4);
        QVERIFY(QTest::qWaitFor(
            [&] { return driver.latest && driver.latest->status.waitingCode == "device/taken"; }, patience));
        driver.execute(commands::Pause{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(driver.ended->run.evaluationsDone, 0);
        QCOMPARE(driver.ended->run.evaluationsStarted, 1); // its place is kept, and it goes on there
    }

    void anOpponentThatCannotBeBuiltEndsTheRunWithTheReason()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        {
            EngineDriver driver({}, path);
            driver.create(m_pack, 4);
            QVERIFY(driver.waitForEnd());
            QVERIFY(driver.close());
        }
        EngineDriver driver({QStringLiteral("--seed-fault")}, path);
        driver.engine.open(path);
        driver.execute(commands::SetBudget{{12, 0}});
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Stopped);
        QCOMPARE(driver.ended->status.troubleCode, std::string("run/halted"));
        QVERIFY2(driver.ended->status.trouble.find("cannot be built: build/no-room") != std::string::npos,
            driver.ended->status.trouble.c_str());
    }

    void anEvaluationCountsWhenItsResultIsIn()
    {
        EngineDriver driver({QStringLiteral("--delay-ms"), QStringLiteral("3")});
        std::int64_t most = 0;
        bool early = false, ahead = false;
        connect(&driver.engine, &Engine::published, &driver.engine, [&](const SnapshotPtr& snapshot) {
            const RunState& run = snapshot->run;
            std::int64_t results = 0;
            for (const Candidate& candidate : run.candidates)
                results += candidate.evaluationNumber > 0 && candidate.outcome != Outcome::None ? 1 : 0;
            early = early || run.evaluationsDone != results;
            ahead = ahead || run.evaluationsStarted > run.evaluationsDone;
            most = std::max(most, run.evaluationsStarted);
        });
        driver.create(m_pack, 20);
        QVERIFY(driver.waitForEnd());
        QVERIFY(!early && ahead);
        QCOMPARE(most, 20);
        QCOMPARE(driver.ended->run.evaluationsDone, 20);
        QCOMPARE(driver.ended->run.bestTrace.front().first, 1);
        QVERIFY(driver.ended->run.bestTrace.back().first <= 20);
    }

    void whatNeedsNoClockGoesOnWhileTheMachineIsTooBusyToTime()
    {
        EngineDriver driver(
            {QStringLiteral("--busy-after"), QStringLiteral("6"), QStringLiteral("--builders"), QStringLiteral("2")});
        driver.create(m_pack, 60);
        const auto checkedAndWaiting = [&](const RunState& run) {
            int count = 0;
            for (const Candidate& candidate : run.candidates)
                count += candidate.outcome == Outcome::None
                    && std::ranges::any_of(run.work.spans, [&](const WorkSpan& span) {
                           return span.work == Work::Check && span.candidate == candidate.id;
                       });
            return count;
        };
        QVERIFY(QTest::qWaitFor(
            [&] {
                const SnapshotPtr now = driver.engine.snapshot();
                return now->status.waitingCode == "machine/busy" && checkedAndWaiting(now->run) >= 2;
            },
            patience));
        driver.execute(commands::Pause{});
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->run.evaluationsDone < 10);
        QVERIFY2(driver.ended->run.evaluationsStarted <= driver.ended->run.evaluationsDone + 6, "they do not pile up");
    }

    void aRunThatWaitsForABusyMachineCanBePaused()
    {
        EngineDriver driver({QStringLiteral("--busy"), QStringLiteral("1000000")});
        driver.create(m_pack, 8);
        QVERIFY(
            QTest::qWaitFor([&] { return driver.engine.snapshot()->status.troubleCode == "machine/busy"; }, patience));
        driver.execute(commands::Pause{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QVERIFY(driver.ended->run.outcomes.empty());
        QVERIFY(driver.ended->run.candidates[0].stage != Stage::Done);
    }

    void aVendorThatFailsIsNamedAndNoCandidateIsRefusedForIt()
    {
        EngineDriver driver({QStringLiteral("--wrong-vendor")});
        driver.create(m_pack, 8);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Stopped);
        QVERIFY2(
            driver.ended->status.trouble.find("the vendor") != std::string::npos, driver.ended->status.trouble.c_str());
        QVERIFY(driver.ended->run.outcomes.empty());
    }

    void pausingFinishesWhatFliesAndRunningGoesOn()
    {
        EngineDriver driver({QStringLiteral("--delay-ms"), QStringLiteral("3")});
        driver.create(m_pack, 40);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsStarted >= 8; }, patience));
        driver.execute(commands::Pause{});
        QVERIFY(driver.engine.snapshot()->status.pausing);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        for (const Candidate& candidate : driver.ended->run.candidates)
            QVERIFY(candidate.stage == Stage::Done || candidate.stage == Stage::Queued);
        const std::int64_t runNs = driver.ended->run.runNs;
        QVERIFY(runNs > 0);
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.evaluationsStarted, 40);
        QVERIFY(driver.ended->run.runNs > runNs);
        compareNumbering(driver.ended->run);
    }

    void stoppingIsImmediateAndWhatFlewIsTakenUpAgain()
    {
        EngineDriver driver({QStringLiteral("--delay-ms"), QStringLiteral("5")});
        driver.create(m_pack, 30);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsStarted >= 6; }, patience));
        driver.execute(commands::Stop{});
        QCOMPARE(driver.ends, 1);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Stopped);
        QVERIFY(countStage(driver.ended->run, Stage::Done) < static_cast<int>(driver.ended->run.candidates.size()));
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.evaluationsStarted, 30);
        compareNumbering(driver.ended->run);
    }

    void aClosedSessionOpensWithTheSameState()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        RunState before;
        {
            EngineDriver driver({}, path);
            driver.create(m_pack, 15);
            QVERIFY(driver.waitForEnd());
            QVERIFY(driver.close());
            before = driver.ended->run;
        }
        QVERIFY(!QFile::exists(path + QStringLiteral("-wal")));
        EngineDriver driver({}, path);
        driver.engine.open(path);
        QVERIFY(driver.failures.isEmpty());
        const SnapshotPtr opened = driver.engine.snapshot();
        QVERIFY(opened->status.sessionOpen);
        QVERIFY(!opened->status.readOnly);
        QVERIFY(opened->run == before);
        QVERIFY(opened->pack && opened->pack->task == m_pack.task);
        QString text;
        connect(&driver.engine, &Engine::answered, this, [&](quint64 tag, const QueryAnswer& got) {
            QCOMPARE(tag, quint64(5));
            text = std::get<QString>(got);
        });
        driver.engine.ask(5, queries::Text{before.candidates[0].source});
        QCOMPARE(text, QString::fromStdString(m_pack.seed()));
        QVERIFY(driver.close());
    }

    void aNewSessionTakesThePlaceOfTheOneThatRunsOnlyOnceItIsThere()
    {
        EngineDriver driver({QStringLiteral("--delay-ms"), QStringLiteral("20")});
        driver.create(m_pack, 0);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsStarted > 0; }, patience));
        NewSession next;
        next.pack = m_pack;
        next.startNow = true;
        next.path = driver.path() + QStringLiteral("/below-a-file.tilewright");
        driver.engine.create(next);
        QCOMPARE(driver.failures, QStringList{QStringLiteral("session/missing")});
        const std::int64_t before = driver.run().evaluationsStarted;
        QCOMPARE(driver.engine.snapshot()->status.sessionPath, driver.path().toStdString());
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsStarted > before; }, patience)); // it goes on
        next.path = driver.m_folder.filePath(QStringLiteral("next.tilewright"));
        driver.engine.create(next);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const EngineStatus status = driver.engine.snapshot()->status;
                return status.sessionPath == next.path.toStdString() && status.phase == events::Phase::Running;
            },
            patience));
        QCOMPARE(driver.closes, 0);
        auto left = SessionReader::open(driver.path().toStdString());
        QVERIFY(left && (*left)->load()->phase == events::Phase::Paused);
        // Whoever closes meanwhile closes for good.
        next.path = driver.m_folder.filePath(QStringLiteral("third.tilewright"));
        driver.engine.create(next);
        QVERIFY(driver.close());
        QVERIFY(!driver.engine.snapshot()->status.sessionOpen);
        QCOMPARE(driver.closes, 1);
    }

    void aSecondOpenerReadsOnly()
    {
        EngineDriver writer;
        writer.create(m_pack, 3);
        QVERIFY(writer.waitForEnd());
        EngineDriver reader({}, writer.path());
        reader.engine.open(writer.path());
        const SnapshotPtr seen = reader.engine.snapshot();
        QVERIFY(seen->status.readOnly);
        QCOMPARE(QString::fromStdString(seen->status.troubleCode), QStringLiteral("session/locked"));
        QVERIFY(seen->status.trouble.find(std::to_string(QCoreApplication::applicationPid())) != std::string::npos);
        QCOMPARE(seen->run.evaluationsStarted, 3);
        reader.execute(commands::Run{});
        QCOMPARE(reader.failures, QStringList{QStringLiteral("session/read-only")});
    }

    void anOpeningThatNobodyWantsAnyMoreEndsQuietly()
    {
        EngineDriver writer;
        writer.create(m_pack, 3);
        QVERIFY(writer.waitForEnd());
        QVERIFY(writer.close());
        EngineDriver reader({}, writer.path());
        reader.engine.openInSight(writer.path(), [] { return false; });
        QVERIFY(!reader.engine.snapshot()->status.sessionOpen);
        QVERIFY(reader.failures.isEmpty());
        reader.engine.openInSight(writer.path(), [] { return true; });
        QVERIFY(reader.engine.snapshot()->status.sessionOpen);
        QVERIFY(!reader.engine.snapshot()->status.opening);
        QCOMPARE(reader.engine.snapshot()->run.evaluationsStarted, 3);
        QVERIFY(reader.close());
    }

    void aMissingNodePausesWithAClearReason()
    {
        EngineDriver driver;
        driver.engine.setNodeCommand({QStringLiteral("/nonexistent/tilewright-node")});
        driver.create(m_pack, 5);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("node/missing"));
    }

    void aNodeThatNeverGreetsIsGivenUp()
    {
        EngineDriver driver({QStringLiteral("--crash-at-hello")});
        driver.create(m_pack, 5);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("node/missing"));
    }

    void aNodeForProofsIsNotTaken_data()
    {
        QTest::addColumn<QStringList>("command"); // empty: the node that these tests are of
        QTest::addColumn<QString>("leftOut");
        const QString node = QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright-node");
        const QString rules = QStringLiteral("--without-static-rules"), open = QStringLiteral("--with-open-references");
        QTest::newRow("told") << QStringList() << QStringLiteral("static rules off");
        QTest::newRow("static rules") << QStringList{node, rules} << QStringLiteral("static rules off");
        QTest::newRow("references") << QStringList{node, open} << QStringLiteral("references open");
        QTest::newRow("both") << QStringList{node, open, rules} << QStringLiteral("static rules off, references open");
    }
    void aNodeForProofsIsNotTaken()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, leftOut);
        EngineDriver driver({QStringLiteral("--for-proofs")});
        if (!command.isEmpty())
            driver.engine.setNodeCommand(command);
        driver.create(m_pack, 5);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Paused);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("node/missing"));
        const QString trouble = QString::fromStdString(driver.ended->status.trouble);
        QVERIFY2(trouble.contains(QStringLiteral("for tests of the evaluator (%1)").arg(leftOut)), qPrintable(trouble));
    }

    void aMissingDeviceIsNamed()
    {
        EngineDriver driver({QStringLiteral("--no-device")});
        driver.create(m_pack, 5);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("device/missing"));
    }

    void aSeedThatDoesNotBuildEndsTheRun()
    {
        TaskPack pack = m_pack;
        std::string& seed = pack.files.at(pack.task.sources.front());
        seed += "// FAKE_BUILD_ERROR\n";
        EngineDriver driver;
        driver.create(pack, 5);
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Stopped);
        QCOMPARE(QString::fromStdString(driver.ended->status.troubleCode), QStringLiteral("run/halted"));
        QCOMPARE(driver.ended->run.candidates[0].outcome, Outcome::BuildFailed);
    }

    void figuresOfTwoDevicesAreNotMixed_data()
    {
        QTest::addColumn<QStringList>("node");
        QTest::addColumn<QString>("names");
        QTest::newRow("another model") << QStringList{QStringLiteral("--device-name"), QStringLiteral("Other CPU")}
                                       << QStringLiteral("Other CPU");
        QTest::newRow("another compiler")
            << QStringList{QStringLiteral("--compiler"), QStringLiteral("g++ 14.2.0")} << QStringLiteral("g++ 14.2.0");
    }

    void figuresOfTwoDevicesAreNotMixed()
    {
        QFETCH(QStringList, node);
        QFETCH(QString, names);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        {
            EngineDriver driver({}, path);
            driver.create(m_pack, 4);
            QVERIFY(driver.waitForEnd());
            QVERIFY(driver.close());
        }
        EngineDriver driver(node, path);
        driver.engine.open(path); // looking at it is never refused, and nobody is bothered
        QVERIFY(QTest::qWaitFor([&] { return driver.engine.snapshot()->status.telemetry.has_value(); }, patience));
        const SnapshotPtr opened = driver.engine.snapshot();
        QVERIFY(!opened->status.readOnly && opened->status.trouble.empty());
        QCOMPARE(opened->run.evaluationsDone, 4);
        QCOMPARE(opened->run.deviceFacts.value("name", ""), std::string("Synthetic CPU")); // the record stays as it was
        driver.execute(commands::SetBudget{{12, 0}});
        driver.execute(commands::Run{});
        QCOMPARE(driver.failures, QStringList{QStringLiteral("device/other")});
        const SnapshotPtr refused = driver.engine.snapshot();
        const QString said = QString::fromStdString(refused->status.trouble + refused->status.troubleHint);
        QVERIFY2(said.contains(QStringLiteral("Synthetic CPU (cpu, x86-64, g++ 12.2.0)")) && said.contains(names)
                && said.contains(QStringLiteral("--proposer replay:")),
            qPrintable(said));
        QCOMPARE(refused->run.evaluationsStarted, 4);
        QVERIFY(driver.close());
        EngineDriver home({}, path);
        home.engine.open(path);
        home.execute(commands::Run{});
        QVERIFY(home.waitForEnd());
        QCOMPARE(home.ended->run.evaluationsDone, 12);
    }

    void aRunThatStartsBeforeTheNodeGreetsIsRefusedAnotherDeviceAsWell()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        {
            EngineDriver driver({}, path);
            driver.create(m_pack, 4);
            QVERIFY(driver.waitForEnd());
            QVERIFY(driver.close());
        }
        EngineDriver driver({QStringLiteral("--device-name"), QStringLiteral("Other CPU")}, path);
        driver.engine.open(path);
        const std::int64_t before = driver.engine.snapshot()->run.lastSeq;
        driver.engine.onceDeviceIsHere([&driver] {
            driver.execute(commands::SetBudget{{12, 0}});
            driver.execute(commands::Run{});
        });
        QVERIFY(QTest::qWaitFor([&] { return !driver.failures.isEmpty(); }, patience));
        driver.execute(commands::Run{});
        driver.execute(commands::Step{});
        driver.execute(commands::StepIslands{});
        QCOMPARE(driver.failures, QStringList(4, QStringLiteral("device/other")));
        const SnapshotPtr refused = driver.engine.snapshot();
        QCOMPARE(refused->status.troubleCode, std::string("device/other"));
        QVERIFY(!refused->status.elsewhere.empty());
        QCOMPARE(refused->run.settings.budget.evaluations, 4);
        QCOMPARE(refused->run.lastSeq, before); // nothing at all was recorded
    }

    void aRunThatStartsBeforeTheNodeGreetsGoesOnOnceItsDeviceIsThere()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        {
            EngineDriver driver({}, path);
            driver.create(m_pack, 4);
            QVERIFY(driver.waitForEnd());
            QVERIFY(driver.close());
        }
        {
            EngineDriver broken({}, path);
            broken.engine.setNodeCommand({QStringLiteral("/nonexistent/tilewright-node")});
            broken.engine.open(path);
            broken.execute(commands::Run{});
            QVERIFY(QTest::qWaitFor([&] { return !broken.failures.isEmpty(); }, patience));
            QCOMPARE(broken.failures, QStringList{QStringLiteral("node/missing")});
            QCOMPARE(broken.engine.snapshot()->run.phaseReason, std::string("evaluation budget exhausted"));
            QVERIFY(broken.close());
        }
        EngineDriver driver({}, path);
        driver.engine.open(path);
        driver.execute(commands::SetBudget{{9, 0}});
        driver.execute(commands::Run{});
        driver.execute(commands::Pause{}); // changed their mind
        QVERIFY(QTest::qWaitFor([&] { return driver.engine.snapshot()->status.telemetry.has_value(); }, patience));
        QVERIFY(driver.engine.snapshot()->status.phase != events::Phase::Running);
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.evaluationsDone, 9);
        QVERIFY(driver.ended->status.elsewhere.empty());
    }

    void aSessionThatHasMeasuredNothingTakesTheDeviceThatIsThere()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        {
            EngineDriver driver({}, path);
            driver.create(m_pack, 4, 1, false);
            QVERIFY(QTest::qWaitFor([&] { return !driver.run().device.empty(); }, patience));
            QVERIFY(driver.close());
        }
        EngineDriver driver({QStringLiteral("--device-name"), QStringLiteral("Other CPU")}, path);
        driver.engine.open(path);
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.deviceFacts.value("name", ""), std::string("Other CPU"));
    }

    void everyEvaluationKeepsItsRulesAndItsEnvironment()
    {
        EngineDriver driver({QStringLiteral("--build-error"), QStringLiteral("7"), QStringLiteral("--refuse"),
            QStringLiteral("6"), QStringLiteral("--crash"), QStringLiteral("11")});
        driver.create(m_pack, 60);
        QVERIFY(driver.waitForEnd());
        using Rules = std::vector<std::string>;
        std::set<Outcome> seen;
        for (const Evaluation& evaluation : driver.ended->run.evaluations) {
            const EvaluationResult& result = evaluation.result;
            seen.insert(result.outcome);
            QCOMPARE(result.environment.value("compiler", ""), std::string("g++ 12.2.0"));
            QCOMPARE(result.environment.value("isolation", ""), std::string("sandbox"));
            QCOMPARE(result.environment.value("mode", ""), std::string("cold"));
            QVERIFY(!result.environment.value("device", "").empty());
            const auto passed = result.environment.at("rules_passed").get<Rules>();
            const MeasuredChecks measured
                = MeasuredChecks::fromJson(result.environment.value("measured_checks", nlohmann::json()));
            QCOMPARE(measured.all().empty(), result.outcome != Outcome::Ranked);
            if (result.outcome == Outcome::Ranked) { // of the check and of the timing
                QVERIFY(measured.find("norm") && measured.find("timed-launches"));
                QCOMPARE(measured.find("norm")->inputs, std::string("normal"));
            }
            if (result.outcome == Outcome::Ranked)
                QCOMPARE(passed, (Rules{"build", "verify/normwise", "verify/exact", "timed-launches", "roofline"}));
            else if (result.outcome == Outcome::BuildFailed)
                QVERIFY(passed.empty());
            else if (result.outcome == Outcome::Refused)
                QCOMPARE(passed, Rules{"build"}); // a gate is passed when it holds everywhere
        }
        QCOMPARE(
            seen, (std::set<Outcome>{Outcome::Ranked, Outcome::BuildFailed, Outcome::Refused, Outcome::RunFailed}));
    }

    void anAuditedCandidateIsMarkedSo()
    {
        EngineDriver driver({QStringLiteral("--audited")});
        driver.create(m_pack, 1);
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->run.candidates[0].audited);
    }

    void thatNothingCountsIsSaidOnceAndChangesNoSearch()
    {
        const auto searched = [this](const QStringList& manners) {
            EngineDriver driver(manners);
            driver.create(m_pack, 12);
            return driver.waitForEnd() ? std::optional(driver.ended->run) : std::nullopt;
        };
        const auto without = searched({QStringLiteral("--no-counters")}), with = searched({});
        QVERIFY(without && with);
        QCOMPARE(std::ranges::count_if(without->log,
                     [](const LogLine& line) { return line.text.find("ncu: not installed") != std::string::npos; }),
            1);
        QVERIFY(without->incumbent == with->incumbent);
        QCOMPARE(without->candidates.size(), with->candidates.size());
        for (std::size_t i = 0; i < with->candidates.size(); ++i)
            QVERIFY(without->candidates[i].program == with->candidates[i].program
                && without->candidates[i].score == with->candidates[i].score);
    }

    void whatTheMachineLacksPausesTheRunAndBlamesNobody()
    {
        EngineDriver driver({QStringLiteral("--machine-fault"), QStringLiteral("5"), QStringLiteral("--builders"),
            QStringLiteral("1")});
        driver.create(m_pack, 30);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(driver.ended->status.troubleCode, std::string("machine/no-room"));
        QVERIFY2(
            driver.ended->status.trouble.find("/cache") != std::string::npos, driver.ended->status.trouble.c_str());
        QVERIFY(driver.ended->status.troubleHint.find("free some space") != std::string::npos);
        for (const Candidate& candidate : run.candidates)
            QVERIFY(candidate.outcome == Outcome::None || candidate.outcome == Outcome::Ranked);
        QVERIFY(run.evaluationsDone >= 1 && run.evaluationsDone < run.evaluationsStarted);
    }

    void whatKeepsTheMachineFromBuildingIsNoProgramsFault_data()
    {
        QTest::addColumn<QString>("code");
        for (const char* code : {"build/no-headers", "build/no-nvrtc", "run/start", "machine/killed"})
            QTest::newRow(code) << QString::fromLatin1(code);
    }

    void whatKeepsTheMachineFromBuildingIsNoProgramsFault()
    {
        QFETCH(QString, code);
        EngineDriver driver({QStringLiteral("--build-fault"), code});
        driver.create(m_pack, 6);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Paused);
        QCOMPARE(driver.ended->status.troubleCode, code.toStdString());
        QCOMPARE(driver.ended->status.troubleHint, std::string("mend it"));
        QCOMPARE(run.candidates[0].outcome, Outcome::None);
        QCOMPARE(run.evaluationsDone, 0);
    }

    void withoutACompilerTheRunPausesAndGoesOnOnceThereIsOne()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        {
            EngineDriver driver({QStringLiteral("--no-compiler")}, path);
            driver.create(m_pack, 6);
            QVERIFY(driver.waitForEnd());
            const RunState& run = driver.ended->run;
            QCOMPARE(run.phase, events::Phase::Paused);
            QCOMPARE(driver.ended->status.troubleCode, std::string("build/no-compiler"));
            QVERIFY(driver.ended->status.trouble.find("install the CUDA toolkit") != std::string::npos);
            QCOMPARE(run.candidates[0].outcome, Outcome::None);
            QCOMPARE(run.evaluationsDone, 0);
            QVERIFY(driver.close());
        }
        EngineDriver driver({}, path);
        driver.engine.open(path);
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(driver.ended->run.evaluationsDone, 6);
        QCOMPARE(driver.ended->run.candidates[0].outcome, Outcome::Ranked);
    }

    void snapshotsAreCoalesced()
    {
        EngineDriver driver;
        QElapsedTimer timer;
        timer.start();
        driver.create(m_pack, 40);
        QVERIFY(driver.waitForEnd());
        QVERIFY2(driver.published <= 3 + timer.elapsed() / 90, qPrintable(QString::number(driver.published)));
        QCOMPARE(driver.latest->run.evaluationsStarted, 40);
    }

    void nothingIsToldThatIsNotInTheFile()
    {
        EngineDriver driver;
        std::unique_ptr<SessionReader> reader;
        int told = 0, ahead = 0;
        const auto compare = [&](const Snapshot& snapshot) {
            if (!reader)
                reader = std::move(*SessionReader::open(driver.path().toStdString()));
            const auto kept = reader->load();
            ++told;
            ahead += !kept || kept->lastSeq < snapshot.run.lastSeq ? 1 : 0;
        };
        connect(&driver.engine, &Engine::published, &driver.engine,
            [&](const SnapshotPtr& snapshot) { compare(*snapshot); });
        driver.create(m_pack, 40);
        driver.execute(commands::SetHints{{}, "wider tiles"});
        compare(*driver.engine.snapshot());
        QVERIFY(driver.waitForEnd());
        QVERIFY(told > 2);
        QCOMPARE(ahead, 0);
    }

    void theFileHoldsWhatTheEngineHolds()
    {
        EngineDriver driver;
        driver.create(m_pack, 20);
        QVERIFY(driver.waitForEnd());
        auto reader = SessionReader::open(driver.path().toStdString());
        QVERIFY(reader.has_value());
        auto state = (*reader)->load();
        QVERIFY(state.has_value());
        QVERIFY(*state == driver.ended->run);
    }
};

TILEWRIGHT_TEST(TestEngine)
#include "test_engine.moc"
