// SPDX-License-Identifier: GPL-3.0-or-later
// A pause that cancels what flies: who was on the way waits for its turn as before, and is judged and counted once.
// moc 6.4 stumbles over g++ 12's <concepts>, which some of these lead to.
#ifndef Q_MOC_RUN
#include "core/store/sql.h"
#include "tests/engine/figures_of.h"
#include "tests/engine/twins.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/llm/model_stage.h"
#endif

#include "tests/test_program.h"

#include <set>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

bool isAtWork(Stage stage) { return stage == Stage::Building || stage == Stage::Checking || stage == Stage::Screening; }

/// Ids of the evaluations of one pass of each candidate; none of them has two.
bool isJudgedOnce(const RunState& run)
{
    std::set<std::pair<CandidateId, Purpose>> judged;
    return std::ranges::all_of(run.evaluations, [&judged](const Evaluation& evaluation) {
        return judged.emplace(evaluation.candidate, evaluation.result.purpose).second;
    });
}

/// 1 … n, each once.
bool isCountedOnce(const RunState& run)
{
    std::set<std::int64_t> numbers;
    for (const Candidate& candidate : run.candidates)
        if (candidate.evaluationNumber > 0 && !numbers.insert(candidate.evaluationNumber).second)
            return false;
    return static_cast<std::int64_t>(numbers.size()) == run.evaluationsStarted
        && (numbers.empty() || *numbers.rbegin() == run.evaluationsStarted);
}

/// Somebody is built and somebody is on the device.
bool fliesEverywhere(EngineDriver& driver)
{
    const SnapshotPtr now = driver.engine.snapshot();
    return now->run.evaluationsDone >= 3 && now->status.building > 0
        && now->status.checking + now->status.measuring > 0;
}

/// All that a candidate is but when it came and was finished: a pause is an event of its own.
std::vector<Candidate> withoutTimes(const RunState& run)
{
    std::vector<Candidate> candidates(run.candidates.begin(), run.candidates.end());
    for (Candidate& candidate : candidates)
        candidate.finishedNs = candidate.seq = 0;
    return candidates;
}

/// The first candidate in which two runs differ, in words; empty where they do not.
std::string firstDifference(const RunState& run, const RunState& other)
{
    const auto told = [](const Candidate& c) {
        std::string words
            = candidateName(c.id) + " " + nameOf(c.stage) + " " + nameOf(c.outcome) + " " + c.rule + ", parents";
        for (const CandidateId parent : c.parents)
            words += " " + candidateName(parent);
        return words + ", program " + c.program.hex().substr(0, 8) + ", score "
            + (c.score ? std::to_string(c.score->value) : "-") + ", evaluation " + std::to_string(c.evaluationNumber)
            + ", result " + std::to_string(c.resultNumber) + ", figures of " + std::to_string(c.latest.value)
            + ", newest " + std::to_string(c.newest.value) + (c.confirmed ? ", confirmed" : "");
    };
    const std::vector<Candidate> one = withoutTimes(run), two = withoutTimes(other);
    for (std::size_t i = 0; i < std::max(one.size(), two.size()); ++i)
        if (i >= one.size() || i >= two.size() || !(one[i] == two[i]))
            return (i < one.size() ? told(one[i]) : "nothing") + " | " + (i < two.size() ? told(two[i]) : "nothing");
    return {};
}

/// A run of four that has ended, and a measurement of its second candidate that was asked for again and cancelled.
bool endsWithAnOpenRerun(EngineDriver& driver, const TaskPack& pack)
{
    driver.create(pack, 4);
    if (!driver.waitForEnd())
        return false;
    driver.execute(commands::Rerun{{2}, 2});
    if (!QTest::qWaitFor([&] { return driver.engine.snapshot()->status.measuring > 0; }, patience))
        return false;
    driver.execute(commands::PauseNow{});
    return driver.waitForEnd();
}

NewSession askingModels(const EngineDriver& driver, const FakeServer& server)
{
    const QString models = driver.m_folder.filePath(u"models.json"_s);
    writeModelsFile(models, server.serverPort(), "\"limits\": {\"in_flight\": 2},\n");
    NewSession session;
    session.path = driver.path();
    session.pack = gemmPack();
    session.settings.proposer = "model:" + models.toStdString();
    session.settings.budget.evaluations = 5;
    return session;
}

std::vector<std::string> said(const SeenRequest& request, const std::string& text)
{
    Said said;
    said.pieces = {text};
    const bool anthropic = request.target.ends_with("/messages");
    return eventsOf(anthropic ? ModelProtocol::Anthropic : ModelProtocol::OpenAiChat, said);
}

} // namespace

class TestPausing : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void aTroubleOfSavingIsOverOnceTheRunGoesOnAndIsSaved()
    {
        EngineDriver driver;
        driver.create(gemmPack(), 4000);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsDone >= 2; }, patience));
        SqlConnection other; // in the way, as a full disk is
        QVERIFY(other.open(driver.path().toStdString(), OpenMode::ReadWrite));
        QVERIFY(execute(other.database(), "BEGIN IMMEDIATE"));
        QVERIFY(QTest::qWaitFor([&] { return driver.run().phase == events::Phase::Paused; }, patience));
        QVERIFY(driver.engine.snapshot()->status.unsaved && !driver.engine.snapshot()->status.trouble.empty());
        driver.execute(commands::Run{});
        QVERIFY(execute(other.database(), "ROLLBACK"));
        QVERIFY(QTest::qWaitFor([&] { return !driver.engine.snapshot()->status.unsaved; }, patience));
        QVERIFY(driver.run().phase == events::Phase::Running);
        QCOMPARE(driver.engine.snapshot()->status.trouble, std::string());
    }

    void initTestCase() { qputenv(qUtf8Printable(canaryVariable), canaryKey); }

    void whatFliesIsCancelledAndJudgedOnceWhenTheRunGoesOn()
    {
        EngineDriver driver({u"--delay-ms"_s, u"20"_s});
        driver.create(m_pack, 14);
        std::size_t made = 0;
        for (int times = 0; times < 3; ++times) {
            QVERIFY(QTest::qWaitFor([&] { return fliesEverywhere(driver); }, patience));
            driver.execute(commands::PauseNow{});
            QCOMPARE(driver.ends, times + 1); // at once: nothing is waited for
            QVERIFY(driver.waitForEnd());
            const RunState& paused = driver.ended->run;
            QCOMPARE(paused.phase, events::Phase::Paused);
            QVERIFY2(paused.phaseReason.starts_with("paused by user; cancelled: "), paused.phaseReason.c_str());
            QVERIFY2(paused.phaseReason.find("build") != std::string::npos, paused.phaseReason.c_str());
            QVERIFY(driver.ended->status.pausedAsTold && driver.ended->status.jobs.empty());
            QVERIFY(std::ranges::none_of(paused.candidates, [](const Candidate& c) { return isAtWork(c.stage); }));
            QVERIFY(std::ranges::any_of(paused.candidates,
                [](const Candidate& c) { return c.stage == Stage::Queued && c.evaluationNumber > 0; }));
            QVERIFY(paused.candidates.size() >= made);
            made = paused.candidates.size();
            driver.execute(commands::Run{});
        }
        QVERIFY(driver.waitForEnd());
        const RunState run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.evaluationsStarted, std::int64_t(14));
        QCOMPARE(run.evaluationsDone, std::int64_t(14));
        QVERIFY(run.candidates.size() >= made);
        QVERIFY(std::ranges::all_of(run.candidates, &Candidate::isOver));
        QVERIFY(isJudgedOnce(run) && isCountedOnce(run));
        QVERIFY(driver.failures.isEmpty());
        QVERIFY(driver.close());
        QVERIFY(rebuildsAlike(driver.path()));
    }

    void aCancelledCandidateComesToTheFiguresOfItsTwinAndSoDoesTheNext()
    {
        Twins twins(m_pack, 6, {u"--delay-ms"_s, u"20"_s});
        QVERIFY(twins.ready);
        twins.steered.execute(commands::SetBudget{{7, 0, 0, 0}});
        twins.steered.execute(commands::Step{});
        const auto isMeasured = [&] { return twins.steered.engine.snapshot()->status.measuring > 0; };
        QVERIFY(QTest::qWaitFor(isMeasured, patience));
        twins.steered.execute(commands::PauseNow{});
        // Which of them is confirmed within a step is a question of time: the others are when nothing else is to do.
        const auto differenceOf = [](Twins& both) {
            both.settle(both.steered);
            both.settle(*both.untouched);
            return QString::fromStdString(firstDifference(both.state(both.steered), both.state(*both.untouched)));
        };
        const RunState paused = twins.state(twins.steered);
        const Candidate cancelled = paused.candidates[paused.candidates.size() - 1];
        QVERIFY(cancelled.stage == Stage::Queued && cancelled.evaluationNumber == 7);
        QCOMPARE(paused.evaluationsDone, std::int64_t(6));
        twins.steered.execute(commands::Run{});
        QVERIFY(QTest::qWaitFor([&] { return twins.steered.ends == 3; }, twinPatienceMs));
        twins.step(*twins.untouched);
        QCOMPARE(differenceOf(twins), QString());
        twins.step(twins.steered);
        twins.step(*twins.untouched);
        QCOMPARE(differenceOf(twins), QString());
        QVERIFY(isJudgedOnce(twins.state(twins.steered)) && isCountedOnce(twins.state(twins.steered)));
    }

    void callsAreAbortedAndAskedAgainAndWhatHadArrivedIsKept()
    {
        FakeServer server;
        QVERIFY(server.start());
        int number = 0;
        bool stalls = true;
        server.setHandler([&](const SeenRequest& request) {
            if (!stalls)
                return stream(said(request, scriptedReply(++number).toStdString()));
            Script part = stream(said(request, "half of an idea"));
            part.insert(part.begin() + static_cast<std::ptrdiff_t>(part.size()) - 2, hold());
            return part;
        });
        EngineDriver driver;
        driver.engine.create(askingModels(driver, server));
        QVERIFY(QTest::qWaitFor([&] { return server.holding() == 2; }, patience));
        driver.execute(commands::Pause{});
        QVERIFY(driver.engine.snapshot()->status.pausing); // it waits for what is paid for
        driver.execute(commands::PauseNow{});
        QVERIFY(driver.waitForEnd());
        const RunState paused = driver.ended->run;
        QCOMPARE(paused.phaseReason, std::string("paused by user; cancelled: 2 requests"));
        QCOMPARE(paused.modelRequests.size(), std::size_t(2));
        for (const ModelRequest& modelRequest : paused.modelRequests) {
            QVERIFY(modelRequest.state != ModelRequestState::Open);
            QCOMPARE(driver.text(modelRequest.answer.reply), std::string("half of an idea"));
        }
        stalls = false;
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.ended->run;
        QCOMPARE(run.evaluationsDone, std::int64_t(5));
        for (const std::int64_t id : {1, 2})
            QVERIFY(std::ranges::any_of(run.modelRequests, [id](const ModelRequest& modelRequest) {
                return modelRequest.repeats == ModelRequestId{id} && modelRequest.state == ModelRequestState::Complete;
            }));
        QVERIFY(isJudgedOnce(run) && isCountedOnce(run));
    }

    void whatIsMeasuredAgainIsMeasuredWithTheNextStart()
    {
        EngineDriver driver({u"--delay-ms"_s, u"20"_s});
        QVERIFY(endsWithAnOpenRerun(driver, m_pack));
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished); // as it stood
        QCOMPARE(driver.ended->run.phaseReason, std::string("evaluation budget exhausted"));
        QVERIFY(openRerunOf(driver.ended->run, {2}) != nullptr);
        driver.execute(commands::SetBudget{{5, 0, 0, 0}});
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QVERIFY(openRerunOf(driver.ended->run, {2}) == nullptr);
        QCOMPARE(driver.ended->run.evaluationsDone, std::int64_t(5));
    }

    void whatIsMeasuredAgainOnAPausedRunMovesNobodyElse()
    {
        EngineDriver driver({u"--delay-ms"_s, u"20"_s});
        driver.create(m_pack, 14);
        QVERIFY(QTest::qWaitFor([&] { return fliesEverywhere(driver); }, patience));
        driver.execute(commands::PauseNow{});
        QVERIFY(driver.waitForEnd());
        const RunState paused = driver.run();
        QVERIFY(std::ranges::any_of(
            paused.candidates, [](const Candidate& c) { return c.stage == Stage::Queued && c.evaluationNumber > 0; }));
        driver.execute(commands::Rerun{{1}, 2});
        QVERIFY(driver.waitForEnd());
        const RunState after = driver.run();
        QVERIFY(openRerunOf(after, {1}) == nullptr);
        QCOMPARE(after.evaluations.size(), paused.evaluations.size() + 1);
        QVERIFY(figuresOf(after) == figuresOf(paused));
        QCOMPARE(after.phaseReason, paused.phaseReason);
    }

    void aSessionThatIsOpenedMeasuresNothingBeforeItIsTold()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"kept.tilewright"_s);
        {
            EngineDriver driver({u"--delay-ms"_s, u"20"_s}, path);
            QVERIFY(endsWithAnOpenRerun(driver, m_pack));
            QVERIFY(driver.close());
        }
        EngineDriver driver({u"--delay-ms"_s, u"20"_s}, path);
        driver.engine.open(path);
        QVERIFY(QTest::qWaitFor([&] { return driver.engine.snapshot()->status.telemetry.has_value(); }, patience));
        QVERIFY(openRerunOf(driver.run(), {2}) != nullptr);
        const auto moves = [&] {
            const SnapshotPtr now = driver.engine.snapshot();
            return now->status.building + now->status.checking + now->status.measuring > 0
                || openRerunOf(now->run, {2}) == nullptr;
        };
        QVERIFY(!QTest::qWaitFor(moves, 1000));
        driver.execute(commands::SetBudget{{5, 0, 0, 0}});
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QVERIFY(openRerunOf(driver.run(), {2}) == nullptr);
    }
};

TILEWRIGHT_TEST(TestPausing)
#include "test_pausing.moc"
