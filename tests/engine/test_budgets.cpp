// SPDX-License-Identifier: GPL-3.0-or-later
// What ends a run by itself, and how it goes on once it is allowed more.
#include "core/engine/proposals/proposing.h"
#include "core/evolve/islands.h"
#include "core/model/run_change.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/engine/twins.h"
#include "tests/patience.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

class TestBudgets : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void aLargerBudgetLetsAFinishedRunGoOn()
    {
        EngineDriver driver;
        driver.create(m_pack, 5);
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.ended->status.needsBudget);
        QCOMPARE(driver.ended->run.phaseCode, std::string("budget/evaluations"));
        driver.execute(commands::SetBudget{{9, 0}});
        QVERIFY(!driver.engine.snapshot()->status.needsBudget);
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.evaluationsStarted, 9);
        QVERIFY(driver.ended->status.needsBudget);
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
    }

    void aLargerBudgetBringsTheNextProposalAndTheTwinMakesNone()
    {
        Twins twins(m_pack, 8);
        QVERIFY(twins.ready);
        const ProposalRequest next = nextRequest(twins.state(twins.steered), {}).value();
        twins.steered.execute(commands::SetBudget{{9, 0}});
        for (EngineDriver* each : {&twins.steered, twins.untouched.get()})
            each->engine.execute(commands::Run{});
        QVERIFY(twins.steered.waitForEnd(twinPatienceMs) && twins.untouched->waitForEnd(twinPatienceMs));
        const RunState steered = twins.state(twins.steered), twin = twins.state(*twins.untouched);
        QCOMPARE(twin.proposals.size(), twins.known);
        QCOMPARE(twin.evaluationsStarted, 8);
        QVERIFY(steered.proposals.size() > twins.known);
        const Proposal& made = steered.proposals[twins.known];
        QCOMPARE(std::tuple(made.island, made.ordinal, made.focus), std::tuple(next.island, next.ordinal, next.focus));
        QCOMPARE(made.parents.front(), next.parents.front());
        QVERIFY(twins.beganAlike());
    }

    /// It is said when the limit is set, not when the run stops at its next question.
    void moneyCannotBeLimitedWhileAPriceIsUnknown()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(u"models.json"_s).toStdString();
        const auto whyWith = [&](const std::string& price) {
            std::ofstream(file) << R"({"format": 1, "endpoints": [{"name": "near", "template": "ollama"}],
                "models": [{"name": "writer", "endpoint": "near", "model": "llama4")"
                    + price + "}]}";
            return whyNoMoneyLimit("model:" + file);
        };
        const std::string why = whyWith("");
        QVERIFY2(why.find("writer") != std::string::npos && why.find("\"price\"") != std::string::npos, why.c_str());
        QCOMPARE(
            whyWith(R"(, "price": {"input": 0, "output": 0, "date": "2026-11-21", "source": "mine"})"), std::string());
        QCOMPARE(whyNoMoneyLimit("mutator"), std::string());
    }

    void wallTimeEndsARun()
    {
        EngineDriver driver({QStringLiteral("--delay-ms"), QStringLiteral("2")});
        driver.create(m_pack, 0, 1, false);
        driver.execute(commands::SetBudget{{0, 0.3}});
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QCOMPARE(driver.ended->run.phase, events::Phase::Finished);
        QCOMPARE(QString::fromStdString(driver.ended->run.phaseReason), QStringLiteral("wall-time budget exhausted"));
        QVERIFY(driver.ended->run.runNs >= 300'000'000);
    }

    void aRunThatFindsNothingBetterEnds()
    {
        EngineDriver driver;
        driver.create(m_pack, 0, 1, false);
        driver.execute(commands::SetBudget{{400, 0, 0, 0, 12}});
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        const RunState ended = driver.run();
        QCOMPARE(ended.phase, events::Phase::Finished);
        QCOMPARE(ended.phaseCode, std::string("budget/no-gain"));
        QVERIFY(ended.evaluationsDone < 400);
        QVERIFY(ended.evaluationsSinceGain() >= 12);
        QCOMPARE(ended.phaseReason, std::string("no improvement in 12 evaluations"));
        QVERIFY(driver.ended->status.needsBudget);
        for (const Candidate& candidate : ended.candidates)
            QVERIFY(candidate.isOver()); // what had begun was finished

        const std::int64_t more = ended.evaluationsSinceGain() + 5;
        driver.execute(commands::SetBudget{{400, 0, 0, 0, more}});
        QVERIFY(!driver.engine.snapshot()->status.needsBudget);
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd());
        QVERIFY(driver.run().evaluationsDone > ended.evaluationsDone);
        const RunState after = driver.run();
        QVERIFY(std::ranges::any_of(after.changes, [more](const RunChange& change) {
            return QString::fromStdString(lineOf(change)).contains(u"%1 evaluations without improvement"_s.arg(more));
        }));
    }
};

TILEWRIGHT_TEST(TestBudgets)
#include "test_budgets.moc"
