// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring a candidate again on other shapes and on another device: an evaluation more, and nothing else changes.
#include "core/model/measurement/dispute.h"
#include "core/model/measurement/roofline.h"
#include "core/model/measurement/shape_choice.h"
#include "core/prompt/measured.h"
#include "tests/engine/figures_of.h"
#include "tests/engine/twins.h"
#include "tests/test_program.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

std::string refusalOf(const Task& task, const std::string& words, HeldoutSight sight = HeldoutSight::Shown)
{
    const auto chosen = chosenShapes(task, words, sight);
    return chosen ? "" : chosen.error().code;
}

/// Runs until nothing is to be measured again.
RunState measured(EngineDriver& driver, const commands::Rerun& rerun)
{
    driver.execute(rerun);
    if (driver.failures.isEmpty() && !driver.waitForEnd(twinPatienceMs))
        qFatal("the run did not end");
    return driver.run();
}

const Evaluation& lastOf(const RunState& run) { return run.evaluations[run.evaluations.size() - 1]; }

} // namespace

class TestReruns : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();
    const Task& m_task = m_pack.task;

private Q_SLOTS:
    void shapesAreNamedByWordsSizesAndDimensions()
    {
        const auto chosen
            = [&](const std::string& words) { return chosenShapes(m_task, words, HeldoutSight::Shown).value(); };
        QVERIFY(chosen("").empty() && chosen("all").empty());
        QCOMPARE(chosen("train"), m_task.train);
        QCOMPARE(chosen("heldout"), m_task.heldout);
        QVERIFY(chosen("train, heldout").empty()); // that is all of the task's
        const std::vector<Shape> own{{777, 1023, 511}};
        for (const char* words :
            {"777x1023x511", "777×1023×511", " 777 * 1023 * 511 ", "M=777 N=1023 K=511", "K=511, M=777, N=1023"})
            QVERIFY2(chosen(words) == own, words);
        QCOMPARE(chosen("7x8x9; 7x8x9,1x2x3"), (std::vector<Shape>{{7, 8, 9}, {1, 2, 3}}));
        QCOMPARE(chosen("M=7 N=8 K=9; M=1 N=2 K=3"), (std::vector<Shape>{{7, 8, 9}, {1, 2, 3}}));
        QCOMPARE(chosen("7x8x9," + shapeText(m_task.train[1])), (std::vector<Shape>{m_task.train[1], {7, 8, 9}}));
    }

    void whatTheTaskDoesNotTakeIsRefusedWithItsReason()
    {
        Task task = m_task;
        task.dims[2].multiple = 8;
        task.sealed = {{640, 640, 640}};
        for (const char* words : {"fast", "7x8", "7x8x9x1", "7x8xnine", "M=7 N=8", "M=7 N=8 Z=9", ";", "-7x8x8"})
            QCOMPARE(refusalOf(task, words),
                words == std::string("-7x8x8") ? std::string("shapes/dimension") : std::string("shapes/words"));
        QCOMPARE(refusalOf(task, "7x8x9"), std::string("shapes/dimension"));
        QCOMPARE(refusalOf(task, "0x8x8"), std::string("shapes/dimension"));
        QCOMPARE(refusalOf(task, "9999999999x8x8"), std::string("shapes/dimension"));
        QCOMPARE(refusalOf(task, "99999999999999999999x8x8"), std::string("shapes/words"));
        QCOMPARE(refusalOf(task, "20000x20000x20000"), std::string("shapes/large"));
        QCOMPARE(refusalOf(task, "640x640x640"), std::string("shapes/sealed"));
        QCOMPARE(refusalOf(task, "heldout", HeldoutSight::Hidden), std::string("shapes/heldout"));
        QCOMPARE(refusalOf(task, shapeText(task.heldout[0]), HeldoutSight::Hidden), std::string("shapes/heldout"));
        QCOMPARE(refusalOf(m_task, "train", HeldoutSight::Hidden), std::string());
    }

    void theTaskOnOtherShapesIsTheSameTaskOtherwise()
    {
        const auto on = packOn(m_pack, {{77, 103, 51}});
        QVERIFY2(on.has_value(), on ? "" : on.error().text.c_str());
        Task expected = m_task;
        expected.train = {{77, 103, 51}};
        expected.heldout.clear();
        expected.sealed.clear();
        QVERIFY(on->task == expected);
        QVERIFY(on->files == m_pack.files);
        const auto read = TaskPack::fromBlob(on->blob());
        QVERIFY(read && read->task == expected);
    }

    void aRerunOnOwnShapesIsAddedWithThemAndChangesNoFigureNoProposalAndNoPrompt()
    {
        Twins twins(m_pack, 24);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId best = before.best()->id;
        const RunState after = measured(twins.steered, commands::Rerun{best, 2, {}, "M=77 N=103 K=51"});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        QCOMPARE(after.evaluations.size(), before.evaluations.size() + 1);
        const Evaluation added = lastOf(after);
        QCOMPARE(added.candidate, best);
        QCOMPARE(added.result.purpose, Purpose::Rerun);
        QCOMPARE(added.result.shapes.size(), std::size_t(1));
        QCOMPARE(added.result.shapes[0].shape, (Shape{77, 103, 51}));
        QCOMPARE(added.result.shapes[0].split, ShapeSplit::Own);
        QCOMPARE(added.result.shapes[0].samples, 40);
        QCOMPARE(after.reruns[0].shapes, (std::vector<Shape>{{77, 103, 51}}));
        QCOMPARE(after.reruns[0].evaluation, added.id);
        QCOMPARE(rerunOf(after, added.id), &after.reruns[0]);
        QVERIFY(figuresOf(after, best) == figuresOf(before, best));
        QVERIFY(after.islands == before.islands);
        QCOMPARE(after.noiseFloor, before.noiseFloor);
        QVERIFY(tells(after, "queued for a re-run, 2 times the samples, on 77×103×51"));
        QVERIFY(tells(after, "measured again, on 77×103×51: score"));
        QVERIFY(std::any_of(after.changes.begin(), after.changes.end(),
            [](const RunChange& change) { return change.to == "again, 2 times the samples, on 77×103×51"; }));
        QVERIFY(deviceFactsOf(after) == deviceFactsOf(before));
        QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
    }

    void heldOutShapesAreMeasuredAgainOfConfirmedCandidatesAlone()
    {
        Twins twins(m_pack, 24);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        CandidateId unconfirmed;
        for (const Candidate& candidate : before.candidates)
            if (candidate.isOver() && candidate.latest && !candidate.confirmed)
                unconfirmed = candidate.id;
        QVERIFY(unconfirmed);
        twins.steered.execute(commands::Rerun{unconfirmed, 1, {}, "heldout"});
        QCOMPARE(twins.steered.failures, QStringList{u"shapes/heldout"_s});
        twins.steered.failures.clear();
        const RunState after = measured(twins.steered, commands::Rerun{before.best()->id, 1, {}, "heldout"});
        const Evaluation& added = lastOf(after);
        QCOMPARE(added.result.shapes.size(), m_task.heldout.size());
        for (const ShapeResult& shape : added.result.shapes)
            QCOMPARE(shape.split, ShapeSplit::Heldout);
    }

    void onShapesThatBothHaveAContradictionIsFlaggedAndOnOthersOnlyAnotherOutcomeIs()
    {
        Twins twins(m_pack, 24, {u"--rerun-slower"_s, u"20"_s, u"--wrong-rows"_s, u"777"_s});
        QVERIFY(twins.ready);
        const CandidateId best = twins.state(twins.steered).best()->id;
        const RunState elsewhere = measured(twins.steered, commands::Rerun{best, 1, {}, "77x103x51"});
        QVERIFY(!elsewhere.candidate(best)->disputed); // nothing was known of this shape
        const std::string known = shapeText(m_task.train[0]);
        const RunState again = measured(twins.steered, commands::Rerun{best, 1, {}, known});
        QVERIFY(again.candidate(best)->disputed);
        QVERIFY(tells(again, "on " + known + " contradicts the first verdict: its score over the same shapes was"));
        const CandidateId twin = best;
        const RunState wrong = measured(*twins.untouched, commands::Rerun{twin, 1, {}, "777x64x64"});
        QVERIFY(wrong.candidate(twin)->disputed);
        QCOMPARE(lastOf(wrong).result.outcome, Outcome::Refused);
        QCOMPARE(wrong.candidate(twin)->outcome, Outcome::Ranked); // the first verdict stands beside it
    }

    void anOpponentThatDoesNotBuildForTheShapesEndsTheRerunAndNotTheRun()
    {
        Twins twins(m_pack, 24, {u"--seed-unbuilt-rows"_s, u"777"_s});
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId best = before.best()->id;
        const RunState after = measured(twins.steered, commands::Rerun{best, 1, {}, "777x64x64"});
        QCOMPARE(lastOf(after).result.rule, std::string("rerun/opponent"));
        QVERIFY(!after.candidate(best)->disputed);
        QCOMPARE(after.phase, before.phase);
        QVERIFY(tells(after, "could not be measured again, on 777×64×64: rerun/opponent"));
        QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
    }

    void aRerunOnAnotherDeviceSaysWhichAndLeavesTheRunsOwnAlone()
    {
        Twins twins(m_pack, 24, {u"--second-device"_s, u"Other CPU"_s, u"--rerun-slower"_s, u"20"_s});
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId best = before.best()->id;
        for (const char* gone : {"cuda:0", "cuda:3", "cpu7"})
            twins.steered.execute(commands::Rerun{best, 1, {}, "", gone});
        QCOMPARE(twins.steered.failures, (QStringList{u"device/kind"_s, u"device/missing"_s, u"device/missing"_s}));
        twins.steered.failures.clear();
        const RunState after = measured(twins.steered, commands::Rerun{best, 1, {}, "", "cpu1"});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        const Evaluation& added = lastOf(after);
        QCOMPARE(added.device, std::string("cpu1"));
        QCOMPARE(added.result.environment.value("device", ""), std::string("Other CPU"));
        QCOMPARE(added.result.outcome, Outcome::Ranked);
        QVERIFY(figuresOf(after, best) == figuresOf(before, best)); // figures of two devices do not contradict
        QVERIFY(tells(after, "on cpu1, on another kind of device: score"));
        QCOMPARE(after.device, before.device);
        QCOMPARE(after.noiseFloor, before.noiseFloor);
        QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
        // The run's own device by its name is no other one.
        const RunState usual = measured(*twins.untouched, commands::Rerun{best, 1, {}, "", "cpu"});
        QVERIFY(usual.reruns.back().device.empty());
    }

    void onAnotherDeviceOfTheSameModelAContradictionCounts()
    {
        Twins twins(m_pack, 24, {u"--second-device"_s, u"Synthetic CPU"_s, u"--rerun-slower"_s, u"20"_s});
        QVERIFY(twins.ready);
        const CandidateId best = twins.state(twins.steered).best()->id;
        const RunState after = measured(twins.steered, commands::Rerun{best, 1, {}, "", "cpu1"});
        QVERIFY(after.candidate(best)->disputed);
    }

    void copiesStandInTheSameDoubtAsWhomTheyWereCopiedFrom()
    {
        Twins twins(m_pack, 24, {u"--second-device"_s, u"Synthetic CPU"_s, u"--rerun-slower"_s, u"20"_s});
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId best = before.best()->id;
        const auto copied = [&](const RunState& run) { // to the first island that has room for it
            for (const Island& island : run.islands) {
                twins.steered.failures.clear();
                twins.steered.execute(commands::Place{best, island.id, Placing::Copy});
                if (twins.steered.failures.isEmpty())
                    return twins.steered.run().candidates.back().id;
            }
            return CandidateId{};
        };
        const CandidateId earlier = copied(before);
        QVERIFY(earlier);
        RunState after = measured(twins.steered, commands::Rerun{best, 1, {}, "", "cpu1"});
        QVERIFY(after.candidate(best)->disputed && after.candidate(earlier)->disputed);
        QVERIFY(disputeOf(after, *after.candidate(earlier)) == disputeOf(after, *after.candidate(best)));
        twins.steered.execute(commands::AddIsland{"Mine", Focus::Explore}); // where it does not live yet
        const CandidateId later = copied(twins.steered.run());
        QVERIFY(later && later != earlier);
        after = twins.steered.run();
        QVERIFY(after.candidate(later)->disputed);
        QVERIFY(disputeOf(after, *after.candidate(later)) == disputeOf(after, *after.candidate(best)));
        for (const Candidate& each : after.candidates)
            QCOMPARE(each.disputed, each.latest == after.candidate(best)->latest); // and no other
        after = measured(twins.steered, commands::Rerun{later});
        QCOMPARE(after.reruns.back().candidate, later);
        QVERIFY(!isQuickResult(after, after.reruns.back())); // the verdict of its original was there before
    }

    void aRunThatGoesOnWhileOneIsMeasuredAgainSaysSo()
    {
        EngineDriver driver({u"--delay-ms"_s, u"100"_s});
        driver.create(m_pack, 6);
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        driver.execute(commands::SetBudget{{12, 0, 0, 0}});
        driver.execute(commands::Rerun{{1}, 1, {}, ""});
        QCOMPARE(driver.run().phaseReason, std::string("measuring again"));
        driver.execute(commands::Run{});
        const RunState after = driver.run();
        QCOMPARE(after.phaseReason, events::afterMeasuringAgain);
        QCOMPARE(after.changes[after.changes.size() - 1].to, "running: " + events::afterMeasuringAgain);
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        QCOMPARE(driver.run().evaluationsDone, 12);
        QCOMPARE(driver.failures, QStringList());
    }

    void whatWaitsIsMeasuredAsAskedAfterTheSessionWasOpenedAgain()
    {
        EngineDriver first;
        first.create(m_pack, 6);
        QVERIFY(first.waitForEnd(twinPatienceMs));
        first.execute(commands::Rerun{{1}, 1, {}, "77x103x51"});
        QVERIFY(first.close()); // before it was measured
        QCOMPARE(first.failures, QStringList());
        EngineDriver again({}, first.path());
        again.engine.open(first.path());
        const Rerun* waiting = openRerunOf(again.run(), {1});
        QVERIFY(waiting);
        QCOMPARE(waiting->shapes, (std::vector<Shape>{{77, 103, 51}}));
        again.execute(commands::Run{});
        QVERIFY(again.waitForEnd(twinPatienceMs));
        const RunState after = again.run();
        QVERIFY(!openRerunOf(after, {1}));
        QCOMPARE(after.evaluation(after.reruns[0].evaluation)->result.shapes[0].shape, (Shape{77, 103, 51}));
        // Its score is 1 by definition: that neither agrees nor contradicts.
        const Evaluation& measuredAgain = *after.evaluation(after.reruns[0].evaluation);
        QVERIFY(findingOf(after, *after.candidate({1}), measuredAgain).agreement == Agreement::IsBaseline);
        QVERIFY(tells(after, "it is the baseline, whose score is 1 by definition"));
    }

    void whereTheSessionsDeviceIsNotNothingIsPromisedToBeMeasured()
    {
        EngineDriver first;
        first.create(m_pack, 6);
        QVERIFY(first.waitForEnd(twinPatienceMs));
        QVERIFY(first.close());
        EngineDriver away({u"--no-device"_s}, first.path());
        away.engine.open(first.path());
        away.execute(commands::Rerun{{1}, 1, {}, ""}); // the node has not answered yet
        QCOMPARE(away.failures, QStringList{u"device/unknown"_s});
        QVERIFY(QTest::qWaitFor([&] { return !away.engine.snapshot()->status.elsewhere.empty(); }, patience));
        const std::int64_t before = away.run().lastSeq;
        const Error refused = away.execute(commands::Rerun{{1}, 1, {}, ""}).error;
        QCOMPARE(away.failures, (QStringList{u"device/unknown"_s, u"device/missing"_s}));
        const QString hint = QString::fromStdString(refused.text + ": " + refused.hint);
        QVERIFY2(
            hint.contains(u"was measured on Synthetic CPU"_s) && hint.contains(u"can be viewed"_s), qPrintable(hint));
        QCOMPARE(away.run().lastSeq, before);
        QVERIFY(!openRerunOf(away.run(), {1}));
        Marks star;
        star.starred = true;
        away.execute(commands::SetMarks{{1}, star}); // a word, not a measurement
        QVERIFY(away.run().marksOf({1}).starred);
    }
};

TILEWRIGHT_TEST(TestReruns)
#include "test_reruns.moc"
