// SPDX-License-Identifier: GPL-3.0-or-later
// Programs beside each other: which figure a ratio is taken from, what it says with the arms swapped, and what is
// refused as a comparison.
#include "core/compare/comparison.h"
#include "core/compare/crossover.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;
using Kind = ComparedProgram::Kind;

namespace {

const Shape train{64, 64, 64}, heldout{65, 65, 65};

Interval around(double value, double logHalf) { return {value, value * std::exp(-logHalf), value * std::exp(logHalf)}; }

bool isNear(const Interval& a, const Interval& b)
{
    return std::abs(a.value / b.value - 1) < 1e-9 && std::abs(a.lo / b.lo - 1) < 1e-9
        && std::abs(a.hi / b.hi - 1) < 1e-9;
}

Task taskOfTests()
{
    Task task;
    task.name = "test";
    task.vendor = "blas";
    task.train = {train};
    task.heldout = {heldout};
    return task;
}

/// A confirmed candidate that is so much faster than baseline and vendor, to 1 % and 2 %.
ComparedProgram candidate(std::int64_t id, double overBaseline, double overVendor)
{
    ComparedProgram program;
    program.name = "c-000" + std::to_string(id);
    program.session = "run.tilewright";
    program.candidate = {id};
    program.confirmed = true;
    program.tunables = {{"KC", 64 * id}};
    program.text = "program " + std::to_string(id);
    EvaluationResult result;
    result.purpose = Purpose::Confirm;
    result.outcome = Outcome::Ranked;
    result.noiseFloor = 0.004;
    result.environment = {{"device", "AMD EPYC"}, {"class", "cpu"}, {"mode", "cold"}, {"mhz", {3690, 3690}},
        {"protocol", 1}, {"compiler", "g++ 12"}};
    for (const auto& [shape, split] : {std::pair{train, ShapeSplit::Train}, {heldout, ShapeSplit::Heldout}}) {
        ShapeResult one;
        one.shape = shape;
        one.split = split;
        one.candidateNs = 1000 / overBaseline;
        one.baselineNs = 1000;
        one.vendorNs = 1000 / overBaseline * overVendor;
        one.versusBaseline = around(overBaseline, 0.01);
        one.versusVendor = around(overVendor, 0.02);
        result.shapes.push_back(one);
    }
    program.result = result;
    return program;
}

ComparedProgram as(ComparedProgram program, Kind kind, const std::string& name)
{
    program.kind = kind;
    program.name = name;
    return program;
}

Comparison compared(
    const std::vector<ComparedProgram>& programs, std::size_t reference = 0, const std::vector<SideBySide>& pairs = {})
{
    auto comparison = comparisonOf(programs, pairs, reference, taskOfTests());
    if (!comparison)
        qFatal("%s", comparison.error().text.c_str());
    return *comparison;
}

} // namespace

class TestComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstTheBaselineAFigureIsTheOneThatWasTimedInTurnsWithIt()
    {
        const ComparedProgram one = candidate(2, 3, 0.9);
        const Comparison comparison = compared({as(one, Kind::Baseline, "baseline"), one});
        QVERIFY(isNear(*comparison.shapes[0].figures[1].ratio, around(3, 0.01)));
        QVERIFY(comparison.shapes[0].figures[1].isSideBySide && comparison.train[1].isSideBySide);
        QCOMPARE(comparison.verdicts, (std::vector<Verdict>{Verdict::None, Verdict::Better}));
        QCOMPARE(comparison.shapes[0].figures[0].ns, 1000.0);
        QVERIFY(comparison.train[1].isBest && !comparison.train[0].isBest);
    }

    void twoThatWereNotTimedTogetherAreComparedByTheirBaseline()
    {
        const Comparison comparison = compared({candidate(2, 2, 0.5), candidate(3, 3, 0.75)});
        const ComparedFigure& figure = comparison.shapes[0].figures[1];
        QVERIFY(isNear(*figure.ratio, around(1.5, std::hypot(0.01, 0.01)))); // narrower than by the vendor
        QVERIFY(!figure.isSideBySide);
        QVERIFY(comparison.refusals[1].empty());
    }

    void whereTheBaselinesAreOtherProgramsTheVendorLinksThem()
    {
        ComparedProgram other = candidate(3, 30, 0.75);
        other.seed = sha256("another seed");
        const Comparison comparison = compared({candidate(2, 2, 0.5), other});
        QVERIFY(isNear(*comparison.shapes[0].figures[1].ratio, around(1.5, std::hypot(0.02, 0.02))));
    }

    void vendorAndBaselineOfOneMeasurementStandByItAlone()
    {
        const ComparedProgram one = candidate(2, 3, 0.75);
        const Comparison comparison
            = compared({as(one, Kind::Vendor, "blas"), one, as(one, Kind::Baseline, "baseline")});
        QVERIFY(isNear(*comparison.train[1].ratio, around(0.75, 0.02)));
        QVERIFY(isNear(*comparison.train[2].ratio, around(0.25, std::hypot(0.01, 0.02))));
        QCOMPARE(comparison.verdicts[1], Verdict::Worse);
        QCOMPARE(comparison.shapes[0].figures[0].ns, 250.0);
    }

    void aProgramWasTimedSideBySideWithTheBaselineAndTheVendorOfItsOwnMeasurement()
    {
        const auto withLibrary = [](ComparedProgram program, const char* version) {
            program.result->environment["vendor_library"] = {{"name", "BLAS"}, {"version", version}};
            return program;
        };
        const ComparedProgram by = withLibrary(candidate(2, 3, 0.75), "1"),
                              other = withLibrary(candidate(3, 6, 1.5), "1");
        const ComparedProgram baseline = as(by, Kind::Baseline, "baseline"), vendor = as(by, Kind::Vendor, "blas");
        const Comparison overBaseline = compared({baseline, by, other});
        QVERIFY(overBaseline.train[2].isSideBySide && overBaseline.shapes[0].figures[2].isSideBySide);
        QVERIFY(isNear(*overBaseline.train[2].ratio, around(6, 0.01)));
        const Comparison overVendor = compared({vendor, by, other});
        QVERIFY(overVendor.train[2].isSideBySide && isNear(*overVendor.train[2].ratio, around(1.5, 0.02)));
        const Comparison turned = compared({other, baseline, vendor, by});
        QVERIFY(turned.train[1].isSideBySide && isNear(*turned.train[1].ratio, around(1.0 / 6, 0.01)));
        QVERIFY(turned.train[2].isSideBySide && isNear(*turned.train[2].ratio, around(1 / 1.5, 0.02)));
        QVERIFY(!turned.train[3].isSideBySide); // two candidates of two measurements

        ComparedProgram otherSeed = other;
        otherSeed.seed = sha256("another seed");
        QVERIFY(!compared({baseline, otherSeed}).train[1].isSideBySide);
        QVERIFY(!compared({vendor, withLibrary(candidate(3, 6, 1.5), "2")}).train[1].isSideBySide);
    }

    void withTheArmsSwappedTheVerdictIsTheOpposite()
    {
        const std::vector<ComparedProgram> programs{candidate(2, 2, 0.5), candidate(3, 3, 0.75)};
        const std::vector<SideBySide> pairs{{1, 0, around(1.4, 0.01), {{train, around(1.4, 0.01)}}, 0.004}};
        const Comparison there = compared(programs, 0, pairs), back = compared(programs, 1, pairs);
        QVERIFY(isNear(*there.train[1].ratio, around(1.4, 0.01))); // timed in turns: no way by the baseline
        QVERIFY(isNear(*back.train[0].ratio, around(1 / 1.4, 0.01)));
        QVERIFY(there.train[1].isSideBySide && back.train[0].isSideBySide);
        QCOMPARE(there.verdicts[1], Verdict::Better);
        QCOMPARE(back.verdicts[0], Verdict::Worse);
        for (const double ratio : {1.006, 0.994}) {
            const std::vector<SideBySide> near{{1, 0, around(ratio, 0.002), {}, 0.004}};
            QCOMPARE(compared(programs, 0, near).verdicts[1], Verdict::Neutral);
            QCOMPARE(compared(programs, 1, near).verdicts[0], Verdict::Neutral);
        }
        QCOMPARE(comparedWords(Verdict::Neutral), std::string("not distinguishable"));
    }

    void theTextNamesTheMarginThatTheVerdictsAllowForAndItsRule()
    {
        const auto textAt = [](double floor) {
            ComparedProgram one = candidate(2, 2, 0.5), other = candidate(3, 3, 0.75);
            one.result->noiseFloor = other.result->noiseFloor = floor;
            const Comparison comparison = compared({one, other});
            const double margin = toJson(comparison, taskOfTests()).at("margin");
            if (std::abs(margin - verdictMargin(noiseMargin(floor))) > 1e-12)
                return std::string("the JSON says another margin");
            return comparisonText(comparison, taskOfTests(), false);
        };
        for (const auto& [floor, words] :
            {std::pair{0.0116,
                 "beyond the margin of 2.32 %, which is the larger one of 0.5 % and twice the noise floor of 1.16 %. "},
                {0.001,
                    "beyond the margin of 0.50 %, which is the larger one of 0.5 % and twice the noise floor of 0.10 "
                    "%. "},
                {0.0,
                    "beyond the margin of 2.00 %, which is the larger one of 0.5 % and twice 1 %, because no noise "
                    "floor was measured. "}}) {
            const std::string text = textAt(floor);
            QVERIFY2(text.find(words) != std::string::npos, text.c_str());
        }
        // The sentence is true: 1.5 % above 1 is no difference at a noise floor of 1.16 %.
        const std::vector<SideBySide> near{{1, 0, around(1.015, 0.001), {}, 0.0116}};
        QCOMPARE(compared({candidate(2, 2, 0.5), candidate(3, 3, 0.75)}, 0, near).verdicts[1], Verdict::Neutral);
    }

    void theNewestOfSeveralPairsCounts()
    {
        const std::vector<SideBySide> pairs{{1, 0, around(1.4, 0.01), {}, 0.004}, {1, 0, around(1.3, 0.01), {}, 0.004}};
        QCOMPARE(compared({candidate(2, 2, 0.5), candidate(3, 3, 0.75)}, 0, pairs).train[1].ratio->value, 1.3);
    }

    void figuresOfOtherCircumstancesAreNoComparison_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("words");
        QTest::newRow("device") << "device"
                                << "\"Intel Xeon\""
                                << "measured on another device: c-0003 Intel Xeon, c-0002 AMD EPYC";
        QTest::newRow("protocol") << "protocol"
                                  << "2"
                                  << "measured by another protocol version: c-0003 2, c-0002 1";
        QTest::newRow("mode") << "mode"
                              << "\"warm\""
                              << "timed in another way: c-0003 warm, c-0002 cold";
        QTest::newRow("clock") << "mhz"
                               << "[3100, 3200]"
                               << "measured at another clock: c-0003 3100 to 3200 MHz, c-0002 3690 MHz";
    }

    void figuresOfOtherCircumstancesAreNoComparison()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, words);
        ComparedProgram other = candidate(3, 3, 0.75);
        other.session = "other.tilewright";
        other.result->environment[key.toStdString()] = nlohmann::json::parse(value.toStdString());
        const std::vector<ComparedProgram> programs{candidate(2, 2, 0.5), other};
        const Comparison comparison = compared(programs);
        QCOMPARE(comparison.refusals[1], words.toStdString());
        QVERIFY(!comparison.train[1].ratio && !comparison.shapes[0].figures[1].ratio);
        QCOMPARE(comparison.verdicts[1], Verdict::None);
        QVERIFY(comparison.shapes[0].figures[1].ns > 0); // its own time is still told
        // Timed in turns now, it is one.
        const Comparison paired = compared(programs, 0, {{1, 0, around(1.4, 0.01), {}, 0.004}});
        QVERIFY(paired.refusals[1].empty() && paired.train[1].ratio);
    }

    void anotherCompilerIsRemarkedOn()
    {
        ComparedProgram other = candidate(3, 3, 0.75);
        other.result->environment["compiler"] = "g++ 14";
        const Comparison comparison = compared({candidate(2, 2, 0.5), other});
        QCOMPARE(comparison.remarks[1], std::string("another compiler: c-0003 g++ 14, c-0002 g++ 12"));
        QVERIFY(comparison.train[1].ratio);
    }

    void heldOutFiguresAreToldOfConfirmedProgramsAlone()
    {
        ComparedProgram screened = candidate(3, 3, 0.75);
        screened.confirmed = false;
        const Comparison comparison = compared({candidate(2, 2, 0.5), screened});
        QVERIFY(!comparison.heldout[1].ratio && comparison.shapes[1].figures[1].ns == 0);
        QVERIFY(comparison.train[1].ratio);
        QVERIFY(compared({candidate(2, 2, 0.5), candidate(3, 3, 0.75)}).heldout[1].ratio);
    }

    void anUnmeasuredProgramHasNoFigures()
    {
        ComparedProgram file;
        file.kind = Kind::File;
        file.name = "mine.cpp";
        file.text = "int x;";
        const Comparison comparison = compared({candidate(2, 2, 0.5), file});
        QVERIFY(!comparison.train[1].ratio);
        QCOMPARE(comparison.verdicts[1], Verdict::None);
        QVERIFY(
            comparisonText(comparison, taskOfTests(), false).find("mine.cpp was not measured") != std::string::npos);
    }

    void normwiseAndComponentwiseResultsAreNeverRankedTogether()
    {
        TaskPack pack{taskOfTests(), {}, {}, {}, {}};
        pack.task.sources = {"seed.cpp"};
        pack.files["seed.cpp"] = "int seed;";
        QCOMPARE(whyNotOneTask(pack, pack), std::string());
        TaskPack other = pack;
        other.task.numeric.error = ErrorMeasure::Normwise;
        for (const auto& why : {whyNotOneTask(pack, other), whyNotOneTask(other, pack)})
            QVERIFY2(why.find("never ranked together") != std::string::npos, why.c_str());
        TaskPack scheme = other;
        scheme.task.numeric.scheme = TaskScheme{1, 1, 1, 1, {{1}}, {{1}}, {{1}}};
        QVERIFY(whyNotOneTask(other, scheme).find("for another scheme") != std::string::npos);
        other = pack;
        other.task.train = {heldout};
        QVERIFY(whyNotOneTask(pack, other).find("on other shapes") != std::string::npos);
    }

    void aCrossoverIsWhereTheRatioLastRisesAboveOne()
    {
        const auto point = [](std::int64_t size, double ratio) { return CrossoverPoint{size, around(ratio, 0.01)}; };
        const double up = std::exp(0.02), down = std::exp(-0.02);
        // Half of the way between 512 and 2048, by their logarithms; the ends a quarter of it apart.
        const std::vector<CrossoverPoint> rising{point(2048, up), point(256, up), point(512, down)};
        const Crossover crossover = crossoverOf(rising);
        QCOMPARE(*crossover.size, 1024.0);
        QCOMPARE(*crossover.lo, 512 * std::exp2(0.5));
        QCOMPARE(*crossover.hi, 512 * std::exp2(1.5));
        QCOMPARE(crossoverText(rising), std::string("1024 [724, 1448]"));
        QCOMPARE(crossoverText({point(256, down), point(512, down)}), std::string("above 512"));
        QCOMPARE(crossoverText({point(256, up), point(512, up)}), std::string("at most 256"));
        QCOMPARE(crossoverText({point(256, down), point(512, std::exp(0.005))}), std::string("446 [338, above 512]"));
        QCOMPARE(crossoverText({}), std::string("not measured"));
    }

    void twoToSixProgramsAreCompared()
    {
        const std::vector<ComparedProgram> many(7, candidate(2, 2, 0.5));
        QCOMPARE(comparisonOf({many[0]}, {}, 0, taskOfTests()).error().code, std::string("compare/number"));
        QCOMPARE(comparisonOf(many, {}, 0, taskOfTests()).error().code, std::string("compare/number"));
        QCOMPARE(comparisonOf({many[0], many[1]}, {}, 2, taskOfTests()).error().code, std::string("compare/reference"));
    }

    void propertiesTellWhatDiffers()
    {
        const Comparison comparison = compared({candidate(2, 2, 0.5), candidate(3, 3, 0.75)});
        const auto named = [&](const std::string& name) {
            return *std::ranges::find(comparison.properties, name, &ComparedProperty::name);
        };
        QCOMPARE(named("KC").values, (std::vector<std::string>{"128", "192"}));
        QVERIFY(named("KC").differs() && !named("device").differs());
        const std::string only = comparisonText(comparison, taskOfTests(), true);
        QVERIFY(only.find("KC") != std::string::npos && only.find("AMD EPYC") == std::string::npos);
        QVERIFY(comparisonText(comparison, taskOfTests(), false).find("AMD EPYC") != std::string::npos);
    }

    void csvAndJsonHoldTheFigures()
    {
        const Comparison comparison = compared({candidate(2, 2, 0.5), candidate(3, 3, 0.75)});
        const std::string csv = comparisonCsv(comparison, taskOfTests());
        QVERIFY(csv.starts_with("task,shape,split,program,reference,time_ns,ratio,lo,hi,side_by_side\n"));
        QVERIFY(csv.find("\"64×64×64\",train,\"c-0003\",\"c-0002\",333.3333333,1.5,") != std::string::npos);
        const nlohmann::json json = toJson(comparison, taskOfTests());
        QCOMPARE(json["programs"][1]["verdict"].get<std::string>(), std::string("better"));
        QCOMPARE(json["shapes"][0]["figures"][1]["ratio"]["value"].get<double>(), 1.5);
        QVERIFY(!json["shapes"][0]["figures"][1]["side_by_side"].get<bool>());
    }

    void aSessionsPairsAreThoseOfItsMeasurements()
    {
        RunState run;
        for (std::int64_t id = 1; id <= 4; ++id) {
            Candidate each;
            each.id = {id};
            run.candidates.push_back(each);
        }
        const auto measure = [&](std::int64_t id, std::int64_t against, double ratio) -> EvaluationResult& {
            Evaluation evaluation;
            evaluation.id = {static_cast<std::int64_t>(run.evaluations.size()) + 1};
            evaluation.candidate = {id};
            evaluation.against = {against};
            evaluation.result.outcome = Outcome::Ranked;
            evaluation.result.versusIncumbent = around(ratio, 0.01);
            run.evaluations.push_back(evaluation);
            return run.evaluations.edit(run.evaluations.size() - 1).result;
        };
        measure(2, 1, 5);
        measure(3, 2, 1.2);
        measure(4, 3, 1.1).versusParent = ParentPair{{2}, around(1.3, 0.01), {{train, around(1.3, 0.01)}}, 0};
        std::vector<ComparedProgram> programs{candidate(2, 2, 0.5), candidate(4, 3, 0.75), candidate(3, 2, 0.5)};
        programs.push_back(as(candidate(3, 2, 0.5), Kind::Baseline, "baseline"));
        const auto pairs = sideBySideIn(run, "run.tilewright", programs);
        QCOMPARE(pairs.size(), std::size_t(4));
        const auto ratioOf = [&](std::size_t program, std::size_t over) {
            for (const SideBySide& pair : pairs)
                if (pair.program == program && pair.over == over)
                    return pair.ratio.value;
            return 0.0;
        };
        QCOMPARE(ratioOf(0, 3), 5.0); // beside the seed
        QCOMPARE(ratioOf(2, 0), 1.2);
        QCOMPARE(ratioOf(1, 2), 1.1);
        QCOMPARE(ratioOf(1, 0), 1.3); // beside its parent
        QVERIFY(sideBySideIn(run, "other.tilewright", programs).empty());
    }
};

TILEWRIGHT_TEST(TestComparison)
#include "test_comparison.moc"
