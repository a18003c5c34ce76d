// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run stands on steady ground: when a clock has drifted, and what that does to intervals.
#include "core/model/measurement/steadiness.h"
#include "core/model/parent_change.h"
#include "tests/model/claimed_run.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;

namespace {

EvaluationResult timedAt(double low, double high, bool onCpu)
{
    EvaluationResult result;
    result.outcome = Outcome::Ranked;
    result.environment = {{"mhz", {low, high}}};
    if (onCpu)
        result.environment["measuring_core"] = 3;
    return result;
}

/// Evaluations in this order on a GPU, at these clocks; 0: it failed before it was timed.
RunState runAt(const std::vector<double>& clocks, const std::string& device = "gpu0", RunState run = {})
{
    for (const double clock : clocks) {
        Evaluation evaluation;
        evaluation.id = {static_cast<std::int64_t>(run.evaluations.size()) + 1};
        evaluation.device = device;
        evaluation.result = timedAt(clock, clock, false);
        if (clock == 0)
            evaluation.result.environment = {{"isolation", "sandbox"}};
        run.evaluations.push_back(evaluation);
    }
    return run;
}

} // namespace

class TestSteadiness : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theClockOfATimingIsWhatItsBlocksRead()
    {
        QCOMPARE(clockOf(timedAt(1900, 1980, false)), std::optional(1940.0));
        // An interrupted probe of a CPU reads too low, whatever the clock was.
        QCOMPARE(clockOf(timedAt(559, 3694, true)), std::optional(3694.0));
        for (const nlohmann::json& odd : {nlohmann::json(nullptr), nlohmann::json{{"mhz", 1980}},
                 nlohmann::json{{"mhz", {1980}}}, nlohmann::json{{"mhz", {nullptr, nullptr}}},
                 nlohmann::json{{"mhz", {0, 0}}}, nlohmann::json{{"mhz", {1e9, 0}}}}) {
            EvaluationResult result;
            result.environment = odd;
            QVERIFY2(!clockOf(result), odd.dump().c_str());
        }
    }

    void aClockHasDriftedWhenTheNewestTimingsAreFarFromTheFirst_data()
    {
        QTest::addColumn<QList<double>>("clocks");
        QTest::addColumn<double>("percent"); // 0: no drift
        const auto row = [](const char* name, const QList<double>& clocks, double percent) {
            QTest::newRow(name) << clocks << percent;
        };
        row("nothing", {}, 0);
        row("too few", {2000, 2000, 2000, 2000, 1500, 1500, 1500, 1500}, 0);
        row("steady", {2000, 2000, 1990, 2000, 2010, 2000, 1995, 2000, 2000, 2000}, 0);
        row("slower", {2000, 2000, 2000, 2000, 2000, 1900, 1900, 1900, 1900, 1900}, -5);
        row("faster", {2000, 2000, 2000, 2000, 2000, 1950, 2060, 2060, 2060, 2060, 2060}, 3);
        row("just within", {2000, 2000, 2000, 2000, 2000, 1961, 1961, 1961, 1961, 1961}, 0);
        row("one odd one", {2000, 2000, 2000, 2000, 2000, 2000, 2000, 900, 2000, 2000}, 0);
        row("it came back", {2000, 2000, 2000, 2000, 2000, 1700, 1700, 2000, 2000, 2000, 2000, 2000}, 0);
        row("failures between", {2000, 0, 2000, 2000, 2000, 2000, 0, 1900, 1900, 1900, 0, 1900, 1900, 0}, -5);
        row("nothing but failures", QList<double>(200, 0.0), 0);
    }
    void aClockHasDriftedWhenTheNewestTimingsAreFarFromTheFirst()
    {
        QFETCH(QList<double>, clocks);
        QFETCH(double, percent);
        const auto drift = clockDriftOf(runAt({clocks.begin(), clocks.end()}));
        QCOMPARE(drift.has_value(), percent != 0);
        if (drift)
            QVERIFY2(std::abs(100 * drift->share() - percent) < 1e-9, qPrintable(QString::number(drift->share())));
    }

    void ofSeveralDevicesTheFarthestIsTold()
    {
        RunState run;
        for (int i = 0; i < 6; ++i)
            run = runAt({2000}, "gpu0", runAt({3000}, "gpu1", std::move(run)));
        for (int i = 0; i < 6; ++i)
            run = runAt({1940}, "gpu0", runAt({2700}, "gpu1", std::move(run)));
        const auto drift = clockDriftOf(run);
        QVERIFY(drift && drift->device == "gpu1" && drift->firstMhz == 3000 && drift->nowMhz == 2700);
    }

    void scoresFromDifferentClocksAreComparedWithWiderIntervals()
    {
        RunState run = testing::claimedRun(); // scores without evaluations
        const auto narrow = versusParent(run, *run.candidate({2}));
        QVERIFY(narrow && !narrow->paired && narrow->clocks == 0);
        const auto timed = [&run](std::int64_t candidate, double clock) {
            run = runAt({clock}, "gpu0", std::move(run));
            run.candidates.edit(static_cast<std::size_t>(candidate - 1)).latest = run.evaluations.back().id;
        };
        timed(1, 2000);
        timed(2, 1990);
        QVERIFY(versusParent(run, *run.candidate({2})) == narrow);
        timed(2, 1800);
        const auto wide = versusParent(run, *run.candidate({2}));
        QVERIFY(std::abs(std::exp(wide->clocks) - 2000.0 / 1800) < 1e-9);
        QVERIFY(wide->ratio.value == narrow->ratio.value);
        QVERIFY(std::log(wide->ratio.hi / wide->ratio.lo) > 2 * wide->clocks);
        QVERIFY(!narrow->isWithinNoise() && wide->isWithinNoise()); // +5 % at clocks a tenth apart proves nothing
    }

    void aNoiseFloorAboveTwoPercentIsHigh()
    {
        QVERIFY(!isNoisy(0) && !isNoisy(0.02));
        QVERIFY(isNoisy(0.021));
    }
};

TILEWRIGHT_TEST(TestSteadiness)
#include "test_steadiness.moc"
