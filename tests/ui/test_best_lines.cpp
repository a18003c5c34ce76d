// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the fitness plot: what was the best of an island, from when to when, as the run tells it.
#include "tests/test_program.h"
#include "tests/ui/fitness_of_run.h"
#include "tests/ui/fixture.h"
#include "ui/evolve/fitness_changes.h"
#include "ui/models/display_text.h"

#include <QtTest>
#include <cmath>

using namespace tilewright;
using namespace tilewright::ui;
using namespace Qt::StringLiterals;
using test::dataOf;
using test::FixtureRun;

class TestBestLines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The best so far is what was known then: an evaluation that began early and waited for a user was not.
    void whatWasApprovedLateRaisesTheLineLate()
    {
        FixtureRun run;
        run.grow(60);
        RunState state = run.state();
        const FitnessLook look{RunAxis::Evaluation, FitnessValue::Score, {}, {}};
        const CandidateId best = state.islands[0].best;
        const double bestY = state.candidate(best)->score->value, late = static_cast<double>(state.resultsEver) + 9;
        const auto risesAt = [&] {
            const PlotSeries series = dataOf(state, look).series[0];
            const auto rises = std::ranges::find(series.stepY, bestY);
            return rises == series.stepY.end() ? noPlace : series.stepX[rises - series.stepY.begin()];
        };
        state.islands[0].bestTrace.clear();
        QVERIFY(risesAt() > 0 && risesAt() < late);
        state.candidates.edit(static_cast<std::size_t>(best.value - 1)).resultNumber = state.resultsEver + 9;
        QCOMPARE(risesAt(), late);
    }

    void aBestStepsUpWhereItsDotStands()
    {
        FixtureRun run;
        run.grow(60);
        RunState state = run.state();
        const FitnessLook look{RunAxis::Evaluation, FitnessValue::Score, {}, {}};
        const FitnessData before = dataOf(state, look);
        const auto highest = std::ranges::max_element(before.series[0].y);
        const double bestY = *highest, bestX = before.series[0].x[highest - before.series[0].y.begin()];
        state.islands[0].bestTrace = {{1, bestY}}; // the first result that came
        const FitnessData data = dataOf(state, look);
        const PlotSeries& series = data.series[0];
        const auto rises = std::ranges::find(series.stepY, bestY);
        QVERIFY(rises != series.stepY.end());
        QCOMPARE(series.stepX[rises - series.stepY.begin()], bestX);
        QVERIFY(bestX > 1);
    }

    void aLineEndsAtWhatItsIslandsBestIsWorthToday()
    {
        FixtureRun run;
        run.grow(60);
        RunState state = run.state();
        const FitnessLook look{RunAxis::Evaluation, FitnessValue::Score, {}, {}};
        Island& island = state.islands[0];
        const double now = state.candidate(island.best)->score->value;
        island.bestTrace.emplace_back(59, 1.5 * now); // as its screening told
        const FitnessData data = dataOf(state, look);
        const PlotSeries& series = data.series[0];
        QCOMPARE(series.stepY.last(), now);
        QCOMPARE(*std::ranges::max_element(series.stepY), now);
        QVERIFY2(series.label.endsWith(fitnessWords(now, FitnessValue::Score)), qPrintable(series.label));
    }

    /// Only whoever has passed a confirmation was measured against the vendor's library.
    void whatACopyBroughtIsAsSureAsTheOneItIsOf()
    {
        FixtureRun run;
        run.grow(400); // one migration every 60 candidates that rank
        RunState state = run.state();
        QVERIFY(!state.migrations.empty());
        const MigrationMark came = state.migrations[0];
        for (std::size_t i = 0; i < state.candidates.size(); ++i) {
            Candidate& one = state.candidates.edit(i);
            one.vsVendor.reset();
            if (one.id == came.copy) {
                one.vsVendor = Interval{1.25, 1.2, 1.3};
                one.confirmed = true;
            }
        }
        QVERIFY(state.candidate(came.copy)->isRanked());
        state.islands[static_cast<std::size_t>(came.to.value - 1)].best = {};
        const FitnessData data = dataOf(state, {RunAxis::Evaluation, FitnessValue::VersusVendor, {}, {}});
        const QString label = data.series[came.to.value - 1].label;
        QVERIFY2(label.contains(times(1.25)) && !label.contains(u'≈'), qPrintable(label));
    }

    /// It was the best then, whatever a user thinks of it now; so were its copies.
    void aBanTakesNothingOutOfThePastOfALine()
    {
        for (const RunAxis axis : {RunAxis::Evaluation, RunAxis::WallTime})
            for (int value = 0; value < fitnessValues; ++value) {
                FixtureRun run;
                run.grow(70); // one migration
                const FitnessLook look{axis, static_cast<FitnessValue>(value), {}, {}};
                const auto placeOfTheLast = [&] {
                    const BanMark& ban = run.state().bans.back();
                    return RunPlaces(run.state(), axis).of(ban.evaluations, ban.runNs);
                };
                const auto isSameUntil = [](const PlotSeries& one, const PlotSeries& other, double end) {
                    const auto until = [end](const PlotSeries& series) {
                        QVector<QPointF> steps;
                        for (qsizetype i = 0; i < series.stepX.size() && series.stepX[i] < end; ++i)
                            if (steps.isEmpty() || steps.last().y() != series.stepY[i]) // where it goes on is no step
                                steps << QPointF(series.stepX[i], series.stepY[i]);
                        return steps;
                    };
                    return !until(one).isEmpty() && until(one) == until(other);
                };
                const FitnessData before = dataOf(run.state(), look);
                CandidateId best; // of an island's line, measured there
                int home = 0;
                for (int i = 0; i < before.series.size() && !best; ++i) {
                    const PlotSeries& line = before.series[i];
                    if (const auto at = line.y.indexOf(line.stepY.last()); at >= 0) {
                        best = before.candidates[static_cast<std::size_t>(i)][static_cast<std::size_t>(at)];
                        home = i;
                    }
                }
                QVERIFY(best);
                Marks banned;
                banned.banned = true;
                run.put(events::Marked{best, banned});
                const double from = placeOfTheLast();
                run.grow(5);
                const FitnessData after = dataOf(run.state(), look);
                for (int i = 0; i < before.series.size(); ++i)
                    QVERIFY2(isSameUntil(before.series[i], after.series[i], from),
                        qPrintable(u"%1, %2, island %3"_s.arg(nameOf(axis), nameOf(look.value)).arg(i)));
                const PlotSeries& line = after.series[home];
                QVERIFY(line.stepX.contains(from)); // there it falls to who is the best now
                const auto falls = line.stepX.lastIndexOf(from);
                const bool isLower = line.stepY[falls] < line.stepY[falls - 1];
                QCOMPARE(isLower, look.value != FitnessValue::Time);
                if (look.value == FitnessValue::Score)
                    QCOMPARE(line.stepY.last(),
                        run.state().candidate(run.state().islands[static_cast<std::size_t>(home)].best)->score->value);
                run.put(events::MarkUndone{best});
                const double to = placeOfTheLast();
                const PlotSeries lifted = dataOf(run.state(), look).series[home];
                QVERIFY(isSameUntil(line, lifted, to));
                QVERIFY(lifted.stepX.contains(to)); // and is what it was from there on
                QCOMPARE(lifted.stepY.last(), before.series[home].stepY.last());
            }
        // Over generations a ban has no place: the line is that of those who are not banned.
        FixtureRun run;
        run.grow(70);
        Marks banned;
        banned.banned = true;
        run.put(events::Marked{run.state().incumbent, banned});
        const FitnessData data = dataOf(run.state(), {RunAxis::Generation, FitnessValue::Score, {}, {}});
        for (std::size_t i = 0; i < data.islands.size(); ++i)
            if (const Candidate* best = run.state().candidate(run.state().islands[i].best))
                QCOMPARE(data.series[static_cast<qsizetype>(i)].stepY.last(), best->score->value);
    }

    void aResetTakesNothingOutOfThePastOfALine()
    {
        FixtureRun run;
        run.grow(60);
        const FitnessLook look;
        const Island island = run.state().islands[0];
        CandidateId weakest = island.members.front();
        for (const CandidateId id : island.members)
            if (run.state().candidate(id)->score->value < run.state().candidate(weakest)->score->value)
                weakest = id;
        const QVector<double> before = dataOf(run.state(), look).series[0].stepY;
        run.put(events::IslandReset{island.id, {weakest}});
        const QVector<double> after = dataOf(run.state(), look).series[0].stepY;
        const double highest = *std::ranges::max_element(before);
        QVERIFY(after.contains(highest));
        QCOMPARE(after.last(), run.state().candidate(weakest)->score->value);
        QVERIFY(after.last() < highest);
    }

    /// An island begins with the seed or a copy of it: from when that came there, on whichever axis.
    void aLineBeginsWhereTheSeedCameToItsIsland()
    {
        FixtureRun run;
        const Candidate seed = run.state().candidates[0];
        Candidate copy = seed;
        copy.id = {2};
        copy.island = {2};
        copy.parents = {seed.id};
        copy.generation = 1;
        copy.migrated = true;
        copy.evaluationNumber = copy.resultNumber = 0;
        run.put(events::Admitted{seed.id, {3}, "0,0", true, {}}); // as at the start of every run
        run.put(events::Migrated{seed.id, copy, "0,0", true, {}});
        for (const RunAxis axis : {RunAxis::Evaluation, RunAxis::Generation, RunAxis::WallTime})
            for (int value = 0; value < fitnessValues; ++value) {
                const FitnessLook look{axis, static_cast<FitnessValue>(value), {}, {}};
                if (!fitnessOf(run.state(), seed, look.value))
                    continue;
                const FitnessData data = dataOf(run.state(), look);
                const PlotSeries &home = data.series[0], &other = data.series[1];
                QVERIFY2(!other.stepX.isEmpty(), qPrintable(nameOf(axis)));
                QCOMPARE(other.stepY.first(), home.stepY.first());
                const MigrationMark& came = run.state().migrations[0];
                QCOMPARE(other.stepX.first(),
                    axis == RunAxis::Generation ? 1.0 : RunPlaces(run.state(), axis).of(came.evaluations, came.runNs));
                QVERIFY(other.x.isEmpty()); // it was not measured there
                const PlotSeries& founded = data.series[2];
                QVERIFY2(!founded.stepX.isEmpty() && founded.x.isEmpty(), qPrintable(nameOf(axis)));
                QCOMPARE(founded.stepX.first(), home.stepX.first());
                QCOMPARE(founded.stepY.first(), home.stepY.first());
                QVERIFY(data.series[3].stepX.isEmpty()); // nobody was there
            }
    }

    void theLineOfAnIslandThatCameLateBeginsWhereItCame()
    {
        FixtureRun run;
        run.grow(40);
        const IslandId late{static_cast<std::int64_t>(run.state().islands.size()) + 1};
        run.put(events::IslandCreated{late, "Late", "evolve", Focus::Tune});
        run.put(events::Admitted{CandidateId{1}, late, "0,0", true, {}});
        run.grow(40);
        QVERIFY(run.state().newestIslandChange());
        const FitnessData data = dataOf(run.state(), {RunAxis::Evaluation, FitnessValue::Score, {}, {}});
        const PlotSeries& line = data.series[static_cast<std::size_t>(late.value) - 1];
        QVERIFY(!line.stepX.isEmpty());
        const RunChange& added
            = *std::ranges::find(run.state().changes, run.state().newestIslandChange()->seq, &RunChange::seq);
        QVERIFY(added.evaluations > 10);
        QCOMPARE(line.stepX.first(), RunPlaces(run.state(), RunAxis::Evaluation).of(added.evaluations, added.runNs));
    }

    /// What an ended island still had under way lives where it was merged into.
    void aLineRisesWithWhatComesLateOfAMergedIsland()
    {
        FixtureRun run;
        run.grow(60);
        RunState state = run.state();
        const Candidate* late = nullptr; // of A, counted as B's
        for (const Candidate& one : state.candidates)
            if (one.island == IslandId{1} && one.isRanked() && !one.migrated)
                late = &one;
        QVERIFY(late);
        const CandidateId id = late->id;
        const double high = 2 * state.candidate(state.incumbent)->score->value;
        state.candidates.edit(static_cast<std::size_t>(id.value - 1)).score = Interval{high, high, high};
        Island& host = state.islands[1];
        host.members.push_back(id);
        host.best = id;
        for (const RunAxis axis : {RunAxis::Evaluation, RunAxis::WallTime}) {
            const PlotSeries line = dataOf(state, {axis, FitnessValue::Score, {}, {}}).series[1];
            const auto rises = line.stepY.indexOf(high);
            QVERIFY(rises >= 0);
            QCOMPARE(line.stepX[rises], RunPlaces(state, axis).of(*state.candidate(id)));
        }
    }
};

TILEWRIGHT_TEST(TestBestLines)
#include "test_best_lines.moc"
