// SPDX-License-Identifier: GPL-3.0-or-later
// What the profiler counted, in words; and which of a candidate's measurements has it.
#include "core/model/measurement/energy.h"
#include "core/model/measurement/gpu_counters.h"
#include "core/model/measurement/resource_figures.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

const nlohmann::json counted{{"shape", {512, 512, 512}},
    {"launches",
        {{{"kernel", "gemm"},
            {"counters",
                {{{"name", "gpu__time_duration.sum"}, {"value", 380704.0}, {"unit", "ns"}},
                    {{"name", "sm__throughput.avg.pct_of_peak_sustained_elapsed"}, {"value", 57.68}, {"unit", "%"}},
                    {{"name", "dram__bytes.sum"}, {"value", 25500000.0}, {"unit", "byte"}},
                    {{"name", "l1tex__data_bank_conflicts_pipe_lsu.sum"}, {"value", 12.0}, {"unit", ""}}}}}}}};

Evaluation evaluationOf(std::int64_t id, const nlohmann::json& environment)
{
    Evaluation evaluation;
    evaluation.id = {id};
    evaluation.candidate = {1};
    evaluation.result.environment = environment;
    return evaluation;
}

} // namespace

class TestProfileCounters : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEnergyOfALaunchIsRead()
    {
        const nlohmann::json environment{{"energy",
            {{"shape", {4096, 4096, 1024}}, {"idle_watts", 118.25},
                {"candidate", {{"joules", 0.1421}, {"watts", 512.0}, {"launches", 3000}}},
                {"vendor", {{"joules", 0.0352}, {"watts", 540.0}, {"launches", 9000}}}}}};
        const auto energy = energyOf(environment);
        QVERIFY(energy && energy->vendor);
        QCOMPARE(energy->candidate.joules, 0.1421);
        QCOMPARE(energy->vendor->watts, 540.0);
        QCOMPARE(energy->idleWatts, 118.25);
        QCOMPARE(energyText(*energy),
            std::string("0.142 J a launch on 4096×4096×1024 at 512 W; vendor library 35.2 mJ at 540 W; idle 118 W"));
        for (const char* missing : {"idle_watts", "candidate", "shape"}) {
            nlohmann::json damaged = environment;
            damaged["energy"].erase(missing);
            QVERIFY2(!energyOf(damaged), missing);
        }
        nlohmann::json odd = environment;
        odd["energy"]["candidate"]["joules"] = "much";
        QVERIFY(!energyOf(odd) && !energyOf(nullptr) && !energyOf(nlohmann::json::object()));
        odd = environment;
        odd["energy"].erase("vendor");
        QVERIFY(energyOf(odd) && !energyOf(odd)->vendor);
    }

    void countersAreTold()
    {
        const std::vector<std::string> lines = profileLines(counted);
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(lines.front()),
            QStringLiteral("gemm: 380.7 µs on the GPU, 58 % of the multiprocessors' peak, 25.5 MB moved to and from "
                           "memory, 12 bank conflicts in L1 and shared memory"));
        QCOMPARE(QString::fromStdString(counterWords("another__one.sum", 3, "cycle")),
            QStringLiteral("3 cycle another__one.sum"));
        for (const nlohmann::json& none : {nlohmann::json(), nlohmann::json("no"), nlohmann::json::object(),
                 nlohmann::json{{"launches", {1, "two"}}}})
            QVERIFY(profileLines(none).empty());
    }

    void whatBoundsALaunchFollowsFromItsCounters_data()
    {
        QTest::addColumn<double>("multiprocessors");
        QTest::addColumn<double>("memory");
        QTest::addColumn<double>("cache");
        QTest::addColumn<QString>("said");
        QTest::newRow("memory")
            << 20.0 << 88.0 << 40.0
            << QStringLiteral("it is memory-bound, by the memory's bandwidth (88 % of the memory's bandwidth, 20 % of");
        QTest::newRow("L1") << 70.0 << 10.0 << 90.0
                            << QStringLiteral("it is memory-bound, by L1 and shared memory (10 %");
        QTest::newRow("arithmetic") << 92.0 << 15.0 << 40.0 << QStringLiteral("it is compute-bound (15 %");
        QTest::newRow("latency") << 20.0 << 30.0 << 25.0
                                 << QStringLiteral("it is latency-bound: nothing is near its peak (30 %");
    }
    void whatBoundsALaunchFollowsFromItsCounters()
    {
        QFETCH(double, multiprocessors);
        QFETCH(double, memory);
        QFETCH(double, cache);
        QFETCH(QString, said);
        const auto counter = [](const char* name, double value, const char* unit) {
            return nlohmann::json{{"name", name}, {"value", value}, {"unit", unit}};
        };
        const nlohmann::json short_{{"kernel", "fill"}, {"counters", {counter("gpu__time_duration.sum", 900, "ns")}}};
        const nlohmann::json long_{{"kernel", "gemm"},
            {"counters",
                {counter("gpu__time_duration.sum", 2, "us"),
                    counter("sm__throughput.avg.pct_of_peak_sustained_elapsed", multiprocessors, "%"),
                    counter("dram__throughput.avg.pct_of_peak_sustained_elapsed", memory, "%"),
                    counter("l1tex__throughput.avg.pct_of_peak_sustained_active", cache, "%"),
                    counter("sm__warps_active.avg.pct_of_peak_sustained_active", 12, "%"),
                    counter("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1000, ""),
                    counter("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 500, ""),
                    counter("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 6, "inst"),
                    counter("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 3, "inst"),
                    counter("smsp__average_warps_issue_stalled_selected_per_issue_active.ratio", 1, "inst")}}};
        const nlohmann::json counters{{"launches", {short_, long_}}};
        const auto launch = longestLaunch(counters);
        QVERIFY(launch);
        QCOMPARE(q(launch->kernel), QStringLiteral("gemm"));
        QCOMPARE(*launch->durationNs, 2000.0);
        const std::vector<std::string> sentences = boundSentences(counters);
        QVERIFY2(q(sentences.front()).startsWith(QStringLiteral("By profiler counters, in gemm: ") + said),
            sentences.front().c_str());
        QCOMPARE(q(sentences.at(1)),
            QStringLiteral("Between two instructions its warps wait most for data from global or local memory (60 %, "
                           "long_scoreboard) and other warps at a barrier (30 %, barrier)."));
        QCOMPARE(
            q(sentences.back())
                .startsWith(QStringLiteral("50 % of the passes through shared memory are repeats for bank conflicts")),
            true);
        QCOMPARE(
            sentences.size(), std::size_t(*boundOf(*launch) == GpuBound::Latency ? 4 : 3)); // with few warps at work
        QVERIFY(profileLines(counters).back().find("stalled") == std::string::npos); // told in words of their own
    }

    void withoutCountersNothingIsSaid()
    {
        for (const nlohmann::json& none : {nlohmann::json(), nlohmann::json("no"), nlohmann::json::object(),
                 nlohmann::json{{"launches", {1, "two"}}}, nlohmann::json{{"launches", {{{"kernel", "gemm"}}}}}})
            QVERIFY(boundSentences(none).empty());
    }

    void theNewestOfItsMeasurementsHasThem()
    {
        RunState run;
        for (const Evaluation& each :
            {evaluationOf(1, {{"counters", counted}}), evaluationOf(2, {{"driver", "580"}}), evaluationOf(3, nullptr)})
            run.evaluations.push_back(each);
        QVERIFY(countersOf(run, {1}) == counted);
        QVERIFY(countersOf(run, {2}).is_null());
        Rerun elsewhere; // nothing of what was measured on other shapes reaches prompts
        elsewhere.id = {1};
        elsewhere.candidate = {1};
        elsewhere.evaluation = {1};
        elsewhere.shapes = {{64, 64, 64}};
        run.reruns.push_back(elsewhere);
        QVERIFY(countersOf(run, {1}).is_null());
    }

    void theyAreWantedOfWhatMayBecomeTheBestOfItsIsland()
    {
        RunState run;
        Island island;
        island.id = {1};
        run.islands.push_back(island);
        for (std::int64_t id = 1; id <= 2; ++id) {
            Candidate candidate;
            candidate.id = {id};
            candidate.island = {1};
            run.candidates.push_back(candidate);
        }
        QVERIFY(countersWantedAbove(run, {2}, Purpose::Screen) == 0.0); // nothing is the best yet
        run.islands.front().best = {1};
        run.candidates.edit(0).score = Interval{1.5, 1.4, 1.6};
        QVERIFY(countersWantedAbove(run, {2}, Purpose::Screen) == 1.5);
        QVERIFY(countersWantedAbove(run, {2}, Purpose::Confirm) == 0.0); // only what is better gets that far
        Evaluation evaluation = evaluationOf(1, {{"counters", counted}});
        evaluation.candidate = {2};
        run.evaluations.push_back(evaluation);
        QVERIFY(!countersWantedAbove(run, {2}, Purpose::Confirm)); // they are known
    }
};

TILEWRIGHT_TEST(TestProfileCounters)
#include "test_profile_counters.moc"
