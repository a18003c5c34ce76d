// SPDX-License-Identifier: GPL-3.0-or-later
// The evidence of a candidate says what its record says: magnitudes, limits, what was not checked, the vendor library.
#include "core/model/measurement/evidence.h"
#include "core/model/measurement/measured_checks.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

struct Measured {
    RunState run;
    Task task;

    explicit Measured(EvaluationResult result)
    {
        task.target = Target::Cpp;
        task.vendor = "openblas-sgemm-1t";
        task.tensors = {{"A", TensorRole::Input, Dtype::Fp32, {"M", "K"}},
            {"B", TensorRole::Input, Dtype::Fp32, {"K", "N"}}, {"C", TensorRole::Output, Dtype::Fp32, {"M", "N"}}};
        task.numeric.reduction = "K";
        RunSettings settings;
        settings.taskName = "t";
        Candidate seed;
        seed.id = {1};
        seed.island = {1};
        seed.program = sha256("seed");
        Evaluation evaluation;
        evaluation.id = {1};
        evaluation.candidate = {1};
        evaluation.device = "cpu0";
        evaluation.result = std::move(result);
        put(events::RunCreated{settings});
        put(events::IslandCreated{{1}, "Tiling", "evolve", Focus::Explore});
        put(events::CandidateMade{seed});
        put(events::Evaluated{evaluation, 1});
    }

    void put(EventBody body)
    {
        if (auto applied = apply(run, {{1}, run.lastSeq + 1, "2026-01-01T00:00:00.000Z", std::move(body)}); !applied)
            qFatal("%s", applied.error().text.c_str());
    }

    Evidence evidence() const { return evidenceOf(run, *run.candidate({1}), &task); }
};

EvaluationResult confirmed(std::vector<std::string> passed)
{
    EvaluationResult result;
    result.purpose = Purpose::Confirm;
    result.outcome = Outcome::Ranked;
    result.score = Interval{2, 1.9, 2.1};
    result.vsVendor = Interval{0.9, 0.89, 0.91};
    result.environment = {{"class", "cpu"}, {"device", "Some CPU"}, {"isolation", "sandbox"},
        {"launches_checked", 8808}, {"rules_passed", std::move(passed)},
        {"openblas", "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Cooperlake MAX_THREADS=64"}};
    ShapeResult shape;
    shape.shape = {255, 257, 191};
    shape.versusVendor = Interval{0.9, 0.89, 0.91};
    shape.samples = 204;
    result.shapes.push_back(shape);
    return result;
}

const CheckEvidence* checkOf(const Evidence& evidence, std::string_view name)
{
    const auto found = std::ranges::find(evidence.checks, name, &CheckEvidence::check);
    return found == evidence.checks.end() ? nullptr : &*found;
}

} // namespace

class TestEvidence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCheckThatWasNotMadeIsCalledSo()
    {
        const Evidence evidence = Measured(confirmed({"build", "written", "norm", "timed-launches"})).evidence();
        QCOMPARE(checkOf(evidence, "norm")->verdict, CheckVerdict::Passed);
        QCOMPARE(checkOf(evidence, "determinism")->verdict, CheckVerdict::NotChecked);
        QCOMPARE(checkOf(evidence, "guard-pages")->verdict, CheckVerdict::NotChecked);
        QVERIFY(!checkOf(evidence, "red-zones")); // of GPUs
        QVERIFY(!checkOf(evidence, "audit")); // nothing called for it
        QCOMPARE(checkOf(evidence, "norm")->limit.value(), 2e-5);
        QVERIFY(!checkOf(evidence, "norm")->measured);
        QVERIFY(!evidence.largestError);
        QVERIFY(evidenceText(evidence, "c-0001").find("largest error: not recorded") != std::string::npos);
        QCOMPARE(checkOf(evidence, "timed-launches")->measuredText, std::string("8808 launches checked"));
    }

    void magnitudesThatTheNodeRecordedStandBesideTheirLimits()
    {
        EvaluationResult result = confirmed({"norm", "elementwise", "vendor-bound", "size-sweep", "unheard-of"});
        result.environment["size_sweep"] = {{"residues", 384}, {"pairs", 12}};
        result.environment["measured_checks"]
            = {{{"check", "norm"}, {"measured", 3.1e-7}, {"limit", 2e-5}, {"shape", {64, 65, 66}}, {"inputs", "mixed"}},
                {{"check", "elementwise"}, {"measured", 0.4}, {"limit", 1.0}, {"shape", {7, 8, 9}}},
                {{"check", "roofline"}, {"measured", 0.9}, {"limit", 1.0}, {"shape", {7, 8, 9}}},
                {{"check", "size-sweep"}, {"measured", 0.3}, {"limit", 1.0}, {"shape", {513, 7, 9}}}};
        result.environment["rules_passed"].push_back("roofline");
        const Evidence evidence = Measured(std::move(result)).evidence();
        QCOMPARE(checkOf(evidence, "norm")->measured.value(), 3.1e-7);
        QCOMPARE(checkOf(evidence, "norm")->detail, std::string("on 64×65×66, inputs mixed"));
        QCOMPARE(evidence.largestError->check, std::string("elementwise")); // nearer to its limit; roofline is no error
        QCOMPARE(largestErrorText(evidence),
            std::string("elementwise 0.4 × its bound, limit 1 × (1.05 u |R| + 4 √K u (|A||B|)) (40 %), on 7×8×9"));
        QCOMPARE(checkOf(evidence, "norm")->measuredText, std::string("3.1e-07 relative error"));
        // The bound of a task that is no product has that task's names.
        Measured softmax(confirmed({"elementwise"}));
        softmax.task.numeric.bound = NumericBound::Sum;
        softmax.task.numeric.reduction = "cols";
        QCOMPARE(checkOf(softmax.evidence(), "elementwise")->limitText,
            std::string("1 × (1.05 u |R| + 4 √cols u Σ|terms|)"));
        softmax.task.numeric.bound = NumericBound::Ulp;
        QCOMPARE(checkOf(softmax.evidence(), "elementwise")->limitText, std::string("1 × (1.05 u |R| + 4 u Σ|terms|)"));
        QCOMPARE(checkOf(evidence, "vendor-bound")->measured.value(), 0.9);
        QCOMPARE(checkOf(evidence, "size-sweep")->measuredText,
            std::string("0.3 × its bound; 0 of 384 residues and 12 pairs wrong"));
        QCOMPARE(checkOf(evidence, "size-sweep")->detail, std::string("on 513×7×9"));
        QVERIFY(checkOf(evidence, "unheard-of")); // a check that this version does not know
        const nlohmann::json json = toJson(evidence);
        QCOMPARE(json.at("largest_error").at("measured").get<double>(), 0.4);
        QCOMPARE(json.at("shapes").at(0).at("samples").get<int>(), 204);
    }

    void ofEachCheckTheValueNearestToItsLimitIsKept()
    {
        MeasuredChecks checks;
        checks.add({"norm", 3e-6, 2e-5, {8, 8}, "normal"});
        checks.add({"norm", 4e-6, 8e-5, {9, 9}, "mixed"}); // larger, but its limit is wider
        checks.add({"elementwise", 0.5, 1, {9, 9}, "mixed"});
        MeasuredChecks later;
        later.add({"norm", 6e-6, 2e-5, {7, 7}, "integer"});
        checks.add(later);
        QCOMPARE(checks.all().size(), std::size_t(2));
        QCOMPARE(*checks.find("norm"), (MeasuredCheck{"norm", 6e-6, 2e-5, {7, 7}, "integer"}));
        QCOMPARE(*checks.asPartOf("size-sweep").find("size-sweep"),
            (MeasuredCheck{"size-sweep", 0.5, 1, {9, 9}, "mixed"})); // the largest share of a limit
        QCOMPARE(MeasuredChecks::fromJson(checks.json()), checks);
        QVERIFY(MeasuredChecks().asPartOf("size-sweep").all().empty());
    }

    void aRecordOfMeasuredChecksIsReadAsFarAsItIsOne()
    {
        nlohmann::json record = {1, nullptr, {{"check", "norm"}}, {{"check", 7}, {"measured", 1}, {"limit", 1}},
            {{"check", "norm"}, {"measured", 0.5}, {"limit", 1}, {"shape", "wide"}, {"inputs", 3}}};
        QCOMPARE(MeasuredChecks::fromJson(record).all(), (std::vector<MeasuredCheck>{{"norm", 0.5, 1}}));
        QVERIFY(MeasuredChecks::fromJson(nullptr).all().empty());
        QVERIFY(MeasuredChecks::fromJson({{"check", "norm"}}).all().empty());
        record = nlohmann::json::array();
        for (int i = 0; i < 1000; ++i)
            record.push_back({{"check", std::to_string(i)}, {"measured", 0.5}, {"limit", 1}});
        QCOMPARE(MeasuredChecks::fromJson(record).all().size(), MeasuredChecks::mostChecks);
    }

    void whatARefusalFoundIsItsMagnitude()
    {
        EvaluationResult result;
        result.outcome = Outcome::Refused;
        result.rule = "verify/norm";
        result.text = "the relative error 0.25 is above the limit 2e-05";
        result.evidence = {{"error", 0.25}, {"bound", 2e-5}, {"shape", {33, 17, 65}}, {"inputs", "normal"}};
        const Evidence evidence = Measured(std::move(result)).evidence();
        const CheckEvidence* norm = checkOf(evidence, "norm");
        QCOMPARE(norm->verdict, CheckVerdict::Failed);
        QCOMPARE(norm->measured.value(), 0.25);
        QCOMPARE(norm->limit.value(), 2e-5);
        QVERIFY(norm->detail.find("on 33×17×65, inputs normal") != std::string::npos);
        QCOMPARE(evidence.largestError->measured.value(), 0.25);
        QCOMPARE(checkOf(evidence, "poison")->verdict, CheckVerdict::NotChecked); // it ended before
    }

    void aBrokenRuleFailsTheCheckThatItBelongsTo()
    {
        for (const auto& [rule, check] : {std::pair("verify/sweep", "size-sweep"), std::pair("verify/nan", "written"),
                 std::pair("verify/timed", "timed-launches"), std::pair("verify/memory", "memory")}) {
            EvaluationResult result;
            result.outcome = Outcome::Refused;
            result.rule = rule;
            const Evidence evidence = Measured(std::move(result)).evidence();
            QVERIFY2(checkOf(evidence, check), check);
            QCOMPARE(checkOf(evidence, check)->verdict, CheckVerdict::Failed);
            QCOMPARE(std::ranges::count(evidence.checks, CheckVerdict::Failed, &CheckEvidence::verdict), 1);
        }
    }

    void theVendorLibraryIsNamedAsItsRecordAllows()
    {
        EvaluationResult result = confirmed({"norm"});
        QCOMPARE(describe(*vendorLibraryOf(result)),
            std::string("OpenBLAS 0.3.21, core type not recorded in the timed process (the node reports Cooperlake)"));
        result.environment["vendor_library"] = {{"name", "OpenBLAS"}, {"version", "0.3.21"}, {"core_type", "SkylakeX"}};
        QCOMPARE(describe(*vendorLibraryOf(result)), std::string("OpenBLAS 0.3.21, SkylakeX"));
        result.environment = {{"class", "sm_90a"}};
        QCOMPARE(describe(*vendorLibraryOf(result)), std::string("cublasLt, version not recorded"));
        result.vsVendor.reset();
        result.shapes.clear();
        QVERIFY(!vendorLibraryOf(result)); // it was not timed beside it
    }

    void theLibraryOfTheBestStandsForTheRun()
    {
        EvaluationResult result = confirmed({"norm"});
        result.environment["vendor_library"] = {{"name", "OpenBLAS"}, {"version", "0.3.21"}, {"core_type", "SkylakeX"}};
        const Measured measured(result);
        QCOMPARE(vendorLibraryOf(measured.run)->coreType, std::string("SkylakeX"));
        QCOMPARE(vendorWordsOf(measured.run, *measured.run.candidate({1})), std::string("OpenBLAS 0.3.21, SkylakeX"));
        result.vsVendor.reset();
        result.shapes.clear();
        const Measured alone(std::move(result));
        QVERIFY(!vendorLibraryOf(alone.run));
        QCOMPARE(vendorWordsOf(alone.run, *alone.run.candidate({1})), std::string("vendor library"));
        QVERIFY(!vendorLibraryOf(RunState()));
    }

    void aCandidateThatWasNotEvaluatedHasNoEvidence()
    {
        const Measured measured(confirmed({"norm"}));
        Candidate young = *measured.run.candidate({1});
        young.latest = {};
        const Evidence evidence = evidenceOf(measured.run, young, &measured.task);
        QVERIFY(!evidence.evaluation && evidence.checks.empty());
        QCOMPARE(evidenceText(evidence, "c-0001"), std::string("c-0001 was not evaluated: there is no evidence.\n"));
    }
};

TILEWRIGHT_TEST(TestEvidence)
#include "test_evidence.moc"
