// SPDX-License-Identifier: GPL-3.0-or-later
// What the profiler counted, in words; and which of a candidate's measurements has it.
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
    void countersAreTold()
    {
        const std::vector<std::string> lines = profileLines(counted);
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(lines.front()),
            QStringLiteral("gemm: 380.7 µs on the GPU, 58 % of the multiprocessors' peak, 25.5 MB moved to and from "
                           "memory, 12 bank conflicts in shared memory"));
        QCOMPARE(QString::fromStdString(counterWords("another__one.sum", 3, "cycle")),
            QStringLiteral("3 cycle another__one.sum"));
        for (const nlohmann::json& none : {nlohmann::json(), nlohmann::json("no"), nlohmann::json::object(),
                 nlohmann::json{{"launches", {1, "two"}}}})
            QVERIFY(profileLines(none).empty());
    }

    void theNewestOfItsReRunsHasThem()
    {
        RunState run;
        for (const Evaluation& each :
            {evaluationOf(1, {{"counters", counted}}), evaluationOf(2, {{"driver", "580"}}), evaluationOf(3, nullptr)})
            run.evaluations.push_back(each);
        QVERIFY(countersOf(run, {1}).is_null()); // of none that was asked for
        for (std::int64_t id = 1; id <= 3; ++id) {
            Rerun rerun;
            rerun.id = {id};
            rerun.candidate = {1};
            rerun.evaluation = {id};
            run.reruns.push_back(rerun);
        }
        QVERIFY(countersOf(run, {1}) == counted);
        QVERIFY(countersOf(run, {2}).is_null());
    }
};

TILEWRIGHT_TEST(TestProfileCounters)
#include "test_profile_counters.moc"
