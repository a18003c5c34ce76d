// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that prompts are made of, each by itself.
#include "core/base/files.h"
#include "core/model/measurement/resource_figures.h"
#include "core/model/measurement/roofline.h"
#include "core/prompt/bottleneck.h"
#include "core/prompt/examples.h"
#include "core/prompt/findings.h"
#include "core/prompt/insights.h"
#include "core/prompt/prompt_statistics.h"
#include "core/prompt/prompt_template.h"
#include "core/prompt/redaction.h"
#include "core/prompt/request_text.h"
#include "core/prompt/template_files.h"
#include "tests/engine/dry_run.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

/// Two train shapes with plain figures.
Measured plainFigures()
{
    Measured measured;
    measured.candidate = CandidateId{2};
    measured.best = CandidateId{1};
    measured.gigahertz = 4;
    MeasuredShape large, deep;
    large.shape = {384, 384, 128};
    large.ns = 200'000;
    large.vendorNs = 180'000;
    large.flops = 2.0 * 384 * 384 * 128;
    large.bytes = 1e6;
    deep.shape = {64, 48, 8192};
    deep.ns = 800'000;
    deep.vendorNs = 400'000;
    deep.flops = 2.0 * 64 * 48 * 8192;
    deep.bytes = 3.7e6;
    measured.shapes = {large, deep};
    return measured;
}

const nlohmann::json facts{
    {"features", {"avx512f"}}, {"l1d_bytes", 49152}, {"l2_bytes", 1 << 20}, {"l3_bytes", 32 << 20}};

/// The same, on a device whose limits were measured.
nlohmann::json knownLimits()
{
    nlohmann::json known = facts;
    known["measured_gflops"] = {{"fp32", 400.0}};
    known["measured_memory_gb_s"] = 500.0;
    return known;
}

std::string said(const Measured& measured, const nlohmann::json& device = knownLimits())
{
    std::string text;
    for (const std::string& sentence : bottlenecks(measured, device, gemmPack().task))
        text += sentence + "\n";
    return text;
}

} // namespace

class TestPromptFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timesHaveUnitsThatFit()
    {
        QCOMPARE(q(durationText(0.42)), QStringLiteral("0.4200 ns"));
        QCOMPARE(q(durationText(23'456)), QStringLiteral("23.46 µs"));
        QCOMPARE(q(durationText(999'999)), QStringLiteral("1.000 ms"));
        QCOMPARE(q(durationText(1'142'191)), QStringLiteral("1.142 ms"));
        QCOMPARE(q(durationText(2.5e9)), QStringLiteral("2.500 s"));
        QCOMPARE(q(durationText(0)), QStringLiteral("–"));
        for (double ns = 1e-3; ns < 1e12; ns *= 1.7)
            QVERIFY2(durationText(ns).find("0.0000") == std::string::npos, durationText(ns).c_str());
        QCOMPARE(q(bytesText(1048576)), QStringLiteral("1 MiB"));
        QCOMPARE(q(bytesText(9524)), QStringLiteral("9.3 KiB"));
        QCOMPARE(q(gainText(Interval{1.042, 1.021, 1.063})), QStringLiteral("+4.2 % [+2.1 %, +6.3 %]"));
        QCOMPARE(q(briefGain(Interval{1.042, 1.021, 1.063})), QStringLiteral("+4.2 % ±2.1"));
        QCOMPARE(q(briefGain(Interval{0.2, 0.19, 0.21})), QStringLiteral("0.200× ±5.0 %"));
        QCOMPARE(q(withMargin(Interval{1, 1, 1})), QStringLiteral("1.000×"));
        QCOMPARE(q(gainText(Interval{3.1, 3.0, 3.2})), QStringLiteral("3.100× [3.000, 3.200]"));
    }

    void aSentenceIsNotCutWithinFigures()
    {
        QCOMPARE(q(firstSentence("One. Two.")), QStringLiteral("One."));
        QCOMPARE(q(firstSentence("made for 257 × 263 × 251 alone", 16)), QStringLiteral("made for …"));
        QCOMPARE(q(firstSentence("made for 257, 263 and 251 alone", 23)), QStringLiteral("made for 257, 263 and …"));
    }

    void oneMeasuredValueChangesTheBottleneck()
    {
        const Measured before = plainFigures();
        QVERIFY(said(before).find("would raise the score: 64×48×8192 by 41.4 %") != std::string::npos);
        QVERIFY(said(before).find("Bound by latency or overhead, as neither limit is near") != std::string::npos);
        for (std::size_t shape = 0; shape < 2; ++shape) {
            Measured after = before;
            after.shapes[shape].ns *= 1.1;
            QVERIFY(said(after) != said(before));
            after = before;
            after.shapes[shape].vendorNs *= 0.8;
            QVERIFY(said(after) != said(before));
        }
        Measured faster = before;
        faster.shapes[0].vendorNs = faster.shapes[1].vendorNs = 1e6;
        QVERIFY(said(faster).find("On no shape clearly slower than the vendor library") != std::string::npos);
        Measured bound = before;
        bound.shapes[1].bytes = 3.7e8;
        QVERIFY(said(bound).find("Memory-bound") != std::string::npos);
        // What L3 holds comes at the rate that was measured of it.
        nlohmann::json cached = knownLimits();
        cached["measured_outer_gb_s"] = 5.0;
        const std::string ofCache = said(before, cached);
        QVERIFY2(ofCache.find(" of the bandwidth of L3 (") != std::string::npos
                && ofCache.find("which fit in L3). Memory-bound") != std::string::npos,
            ofCache.c_str());
        nlohmann::json slowDevice = knownLimits();
        slowDevice["measured_gflops"]["fp32"] = 70.0;
        QVERIFY(said(before, slowDevice).find("Compute-bound") != std::string::npos);
        Measured spilled = before;
        spilled.resources = {{"registers", 255}, {"spill_bytes", 512},
            {"kernels",
                {{{"kernel", "scale"}, {"registers", 32}, {"threads", 256}, {"occupancy", 1.0}, {"blocks_per_sm", 8}},
                    {{"kernel", "gemm<128>"}, {"registers", 255}, {"shared_bytes", 41472}, {"threads", 128},
                        {"occupancy", 0.125}, {"blocks_per_sm", 2}, {"limited_by", "registers"}}}}};
        QVERIFY(said(spilled).find("512 bytes a thread") != std::string::npos);
        QVERIFY(said(spilled).find("Occupancy is 12.5 %") != std::string::npos);
        QVERIFY(resourcesText(spilled).find(
                    "the most demanding of 2 kernels, gemm<128>: 128 threads a block, 255 registers "
                    "a thread, 40.5 KiB of shared memory a block, occupancy 12.5 % (2 blocks a "
                    "multiprocessor, limited by registers)")
            != std::string::npos);
        QVERIFY(said(Measured{}).empty());
    }

    void machineCodeAndCountersOfAGpuProgramAreTold()
    {
        Measured measured = plainFigures();
        GpuLoopMix loop;
        loop.kernel = "gemm<8>";
        loop.instructions = 29;
        loop.fused = 4;
        loop.globalLoads = {{32, 8}};
        loop.spillStores = 4;
        measured.resources = {{"spill_bytes", 512},
            {"kernels",
                {{{"kernel", "scale"}, {"registers", 32}, {"threads", 256}},
                    {{"kernel", "gemm<8>"}, {"registers", 64}, {"threads", 128}, {"hot_loop", loop.json()}}}}};
        measured.profile = {{"launches",
            {{{"kernel", "gemm"},
                {"counters",
                    {{{"name", "sm__throughput.avg.pct_of_peak_sustained_elapsed"}, {"value", 31.0}, {"unit", "%"}},
                        {{"name", "dram__throughput.avg.pct_of_peak_sustained_elapsed"}, {"value", 84.0},
                            {"unit", "%"}}}}}}}};
        const std::string resources = resourcesText(measured);
        QVERIFY2(resources.find("; hot loop of gemm<8>, per iteration: 4 multiply-adds, 8 loads from global "
                                "memory (32 bits), 4 stores and 0 loads of local memory in 29 instructions.")
                != std::string::npos,
            resources.c_str());
        nlohmann::json gpu{{"sms", 132}, {"clock_mhz", 1980}, {"arch", "sm_90a"}, {"fp32_flops_per_s", 66.9e12},
            {"bf16_flops_per_s", 1.07e15}};
        const std::string text = said(measured, gpu);
        for (const char* part :
            {"it is memory-bound, by the memory's bandwidth (84 % of the memory's bandwidth, 31 % of "
             "the multiprocessors' peak)",
                "The hot loop goes through local memory", "2 accesses of 128 bits would do",
                "12 per iteration for 4 operations, where a multiprocessor starts 4 operations for each"})
            QVERIFY2(text.find(part) != std::string::npos, (part + ("\nnot in: " + text)).c_str());
        QVERIFY(text.find("Registers spill") == std::string::npos); // the same once more
        QVERIFY(text.find("tensor cores") == std::string::npos); // which do not multiply fp32
    }

    void withoutMeasuredLimitsNoLimitIsClaimed()
    {
        const std::string text = said(plainFigures(), facts);
        QVERIFY2(text.find("are not known, so which limit it meets is unknown") != std::string::npos, text.c_str());
        QVERIFY(text.find("at least 210 GFLOP/s, reached by the vendor library on 384×384×128") != std::string::npos);
        for (const char* claim : {"Memory-bound", "Compute-bound", "Bound by latency"})
            QVERIFY(text.find(claim) == std::string::npos);
        const std::string roofline = rooflineText(plainFigures(), gemmPack().task, facts);
        QVERIFY(roofline.find("peak rate of arithmetic was not measured") != std::string::npos);
        QVERIFY(roofline.find("GB/s") == std::string::npos); // traffic beside a bandwidth that is not known
    }

    void whatAnEvaluationMeasuredOfTheDeviceIsAFactOfIt()
    {
        RunState state;
        state.deviceFacts = {{"l2_bytes", 1 << 20}};
        Evaluation evaluation;
        evaluation.result.environment = {{"measured_gflops", {{"fp32", 100.0}}}, {"measured_memory_gb_s", 12.0},
            {"measured_outer_gb_s", 28.0}, {"mhz", {3000}}};
        state.evaluations.push_back(evaluation);
        const nlohmann::json known = deviceFactsOf(state);
        QCOMPARE(known.value("measured_outer_gb_s", 0.0), 28.0);
        QCOMPARE(known.value("measured_memory_gb_s", 0.0), 12.0);
        QVERIFY(known.contains("measured_gflops") && known.contains("l2_bytes") && !known.contains("mhz"));
    }

    void theRooflineFollowsFromTheFigures()
    {
        const Task task = gemmPack().task;
        const std::string text = rooflineText(plainFigures(), task, knownLimits());
        const double rate = std::sqrt(2.0 * 384 * 384 * 128 / 2e5 * (2.0 * 64 * 48 * 8192 / 8e5));
        QCOMPARE(q(text), q("Geometric mean " + numberText(rate) + " GFLOP/s, 27.2 % of the peak."));
        Measured busy = plainFigures();
        busy.shapes[1].bytes = 0.6 * 500 * busy.shapes[1].ns;
        QVERIFY(rooflineText(busy, task, knownLimits())
                    .ends_with(" Least traffic: at most 60 % of the memory bandwidth (64×48×8192)."));
        const std::string unknown = rooflineText(plainFigures(), task, facts);
        QVERIFY2(unknown.find(" multiply-adds of a whole vector.") != std::string::npos, unknown.c_str());
        QVERIFY2(unknown.find(numberText(rate / 4) + " flop per cycle at 4 GHz") != std::string::npos, unknown.c_str());
        QCOMPARE(vectorLanes(facts, Dtype::Fp64), 8);
        QCOMPARE(vectorLanes(nlohmann::json{}, Dtype::Fp32), 1);
    }

    void aCompilersMessageStandsAboveTheLineThatItIsAbout()
    {
        const std::string program = "int f()\n{\n    return g();\n}\n";
        const std::string log = "candidate.cpp: In function ‘int f()’:\n"
                                "candidate.cpp:3:12: error: ‘g’ was not declared in this scope\n"
                                "candidate.cpp:3:5: note: here\n"
                                "candidate.cpp:99:1: error: beyond the end\n";
        QCOMPARE(q(logWithLines(log, program, "seed.cpp")),
            q("seed.cpp: In function ‘int f()’:\n"
              "seed.cpp:3:12: error: ‘g’ was not declared in this scope\n"
              "    | return g();\n"
              "seed.cpp:3:5: note: here\n"
              "seed.cpp:99:1: error: beyond the end\n"));
        QCOMPARE(q(logWithLines("candidate.cu(3): error: no\n      return g();\n", program, "seed.cu")),
            q("seed.cu(3): error: no\n      return g();\n"));
        std::string many;
        for (int i = 0; i < 1000; ++i)
            many += "candidate.cpp:1:1: error: once more\n";
        const std::string cut = logWithLines(many, program, "seed.cpp");
        QVERIFY(cut.size() < 5000 && cut.ends_with("[further lines omitted]\n"));
    }

    void evidenceNamesTheElementAndTellsTheShapeByClassesOfItsSizes()
    {
        const Task task = gemmPack().task;
        const nlohmann::json evidence{{"shape", {3, 2, 301}}, {"index", {1, 0}}, {"want", 4.25}, {"got", -13.5},
            {"bound", 2e-5}, {"error", 0.8}, {"inputs", "normal"}};
        const std::string shape = "- the shape's sizes: M below 16, odd; N below 16, a multiple of 2; K 256 to 1023, "
                                  "odd\n";
        const std::string text = evidenceText("verify/norm", evidence, task);
        QCOMPARE(q(text), q("- C[1, 0]: got -13.5, right is 4.25\n" + shape));
        QCOMPARE(q(redactedForPrompt(text, task)), q(text));
        QCOMPARE(q(evidenceText("verify/elementwise", evidence, task)),
            q("- C[1, 0]: got -13.5, right is 4.25\n" + shape + "- bound: 2e-05\n- error: 0.8\n"));
        QCOMPARE(q(evidenceText("verify/determinism", {{"index", {1, 0}}, {"want", 4.25}, {"got", -13.5}}, task)),
            q("- C[1, 0]: one run gave 4.25, another -13.5\n"));
        QCOMPARE(q(evidenceText("verify/poison", {{"index", {1, 0}}, {"want", 0}, {"got", "NaN"}}, task)),
            q("- C[1, 0]: got NaN\n"));
        nlohmann::json timed = evidence;
        timed["shape"] = task.train.front(); // its sizes stand in the text of the rule
        QCOMPARE(q(evidenceText("verify/norm", timed, task)), q("- C[1, 0]: got -13.5, right is 4.25\n"));
        QCOMPARE(q(evidenceText("run/killed", nullptr, task)), QString());
        QVERIFY(!looksUnwritten("verify/norm", evidence) && looksUnwritten("verify/determinism", evidence));
        timed["got"] = 3e9;
        QVERIFY(looksUnwritten("verify/norm", timed));
        timed["got"] = "NaN";
        QVERIFY(looksUnwritten("verify/nan", timed));
    }

    void hiddenTextsAreCleaned_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::newRow("shape") << "wrong (257×263×251, normal)"
                               << "wrong (a shape that is not shown, normal)";
        QTest::newRow("brackets") << "at [257, 263, 251]."
                                  << "at a shape that is not shown.";
        QTest::newRow("words") << "257 rows, 263 columns, depth 251"
                               << "a shape that is not shown";
        QTest::newRow("train") << "at 255×257×191"
                               << "at 255×257×191";
        QTest::newRow("path") << "/home/a/b.cpp:3: error"
                              << "<path>:3: error";
        QTest::newRow("own file") << "/tmp/x/candidate.cpp:3: error"
                                  << "candidate.cpp:3: error";
        QTest::newRow("home") << "in ~/notes"
                              << "in <path>";
        QTest::newRow("division") << "K /b and a/b // c"
                                  << "K /b and a/b // c";
        QTest::newRow("key") << "use sk-abcdefghijkl now"
                             << "use <key> now";
        QTest::newRow("variable") << "OPENAI_API_KEY=abc"
                                  << "<key>=<key>";
        QTest::newRow("plain") << "8×6 tiles, KC 64 → 256"
                               << "8×6 tiles, KC 64 → 256";
    }

    void hiddenTextsAreCleaned()
    {
        QFETCH(const QString, before);
        QFETCH(const QString, after);
        QCOMPARE(q(redactedForPrompt(before.toStdString(), gemmPack().task)), after);
    }

    void sealedShapesAreHiddenAndTrainShapesAreNot()
    {
        Task task = gemmPack().task;
        task.sealed = {{500, 600, 700}, task.train.front()};
        QCOMPARE(q(redactedForPrompt("500x600x700", task)), QStringLiteral("a shape that is not shown"));
        QCOMPARE(q(redactedForPrompt(shapeText(task.train.front()), task)), q(shapeText(task.train.front())));
    }

    /// A number may be the whole of a shape; what merely holds its digits stays.
    void ofOneDimensionOnlySizesAreHidden()
    {
        Task task = gemmPack().task;
        task.train = {{4096}};
        task.heldout = {{1000003}};
        task.verify = {{1}, {257}};
        task.sealed.clear();
        const std::string hidden = "a shape that is not shown";
        for (const std::string kept : {"L1 data cache: 32 KiB", "1 of 3 shapes", "a factor of 1.257", "257.5 us",
                 "1,257", "line 257u", "x257 = 0", "4096"})
            QCOMPARE(q(redactedForPrompt(kept, task)), q(kept));
        QCOMPARE(q(redactedForPrompt("wrong for n = 1", task)), q("wrong for n = " + hidden));
        QCOMPARE(q(redactedForPrompt("shape [1], element 0", task)), q("shape " + hidden + ", element 0"));
        QCOMPARE(q(redactedForPrompt("n=257: differs", task)), q("n=" + hidden + ": differs"));
        QCOMPARE(q(redactedForPrompt("of 1000003 elements, not 257.", task)),
            q("of " + hidden + " elements, not " + hidden + "."));
    }

    void theVendorsRateIsThatOfTheTimeInTheTable()
    {
        Measured measured = plainFigures();
        measured.shapes[0].versusVendor = Interval{0.5, 0.49, 0.51}; // of pairs; the medians' ratio is another
        const VendorRate vendor = vendorRate(measured);
        QVERIFY(vendor.timed && vendor.shape == measured.shapes[0].shape);
        QVERIFY(std::abs(vendor.gigaflopsPerSecond - measured.shapes[0].flops / measured.shapes[0].vendorNs) < 1e-9);
    }

    void aMeanGainHasAnIntervalThatTellsHowLittleIsKnown()
    {
        QVERIFY(!meanGain({}).has_value());
        const Interval one = *meanGain({std::log(1.1)});
        QVERIFY(one.lo < 1 && one.hi > 1 && std::abs(one.value - 1.1) < 1e-12);
        const Interval five = *meanGain(std::vector<double>{0.10, 0.11, 0.09, 0.10, 0.10});
        QVERIFY(five.lo > 1.09 && five.hi < 1.12);
        // t = 4.303 for two degrees of freedom: mean 0.2, deviation 0.1.
        const Interval three = *meanGain({0.1, 0.2, 0.3});
        QVERIFY(std::abs(std::log(three.hi) - (0.2 + 4.303 * 0.1 / std::sqrt(3.0))) < 1e-9);
    }

    void insightsCountWhatARunTried()
    {
        DryRun run(gemmPack(), RunSettings{});
        QVERIFY(insightText(DryRun(gemmPack(), RunSettings{}).state()).empty());
        run.runTo(80);
        const Insights insights = insightsOf(run.state());
        int attempts = 0;
        for (const Candidate& candidate : run.state().candidates)
            attempts += !candidate.migrated && !candidate.parents.empty() && candidate.isRanked();
        QCOMPARE(insights.measured, attempts);
        QVERIFY(!insights.moves.empty() && !insights.tunables.empty());
        for (const Insight& insight : insights.moves)
            QVERIFY(insight.tried + insight.together > 0 && insight.gain.lo <= insight.gain.value
                && insight.gain.value <= insight.gain.hi);
        QVERIFY(std::ranges::is_sorted(insights.moves, std::greater(), [](const Insight& i) { return i.gain.value; }));
        const std::string text = insightText(run.state(), {}, InsightDetail::Whole);
        QVERIFY(text.find(std::to_string(attempts) + " attempts were measured") != std::string::npos);
        QCOMPARE(text, insightText(run.state(), {}, InsightDetail::Whole));
    }

    void onlyWhatWasChangedAloneHasAGain()
    {
        RunState state;
        std::int64_t seq = 0;
        const auto add = [&](EventBody body) {
            QVERIFY(apply(state, Event{{1}, ++seq, "2026-11-22T00:00:00.000Z", std::move(body)}).has_value());
        };
        const auto attempt
            = [&](std::vector<std::string> moves, Tunables tunables, double score, Outcome outcome = Outcome::Ranked) {
                  Proposal proposal;
                  proposal.id = {static_cast<std::int64_t>(state.proposals.size()) + 1};
                  proposal.island = {1};
                  proposal.proposer = "mutator";
                  proposal.moves = std::move(moves);
                  Candidate made;
                  made.id = {static_cast<std::int64_t>(state.candidates.size()) + 1};
                  made.island = {1};
                  made.proposal = proposal.id;
                  made.program = sha256(std::to_string(made.id.value));
                  if (made.id.value > 1)
                      made.parents = proposal.parents = {CandidateId{1}};
                  made.tunables = std::move(tunables);
                  Evaluation evaluation;
                  evaluation.id = {static_cast<std::int64_t>(state.evaluations.size()) + 1};
                  evaluation.candidate = made.id;
                  evaluation.result.outcome = outcome;
                  if (outcome == Outcome::Ranked)
                      evaluation.result.score = Interval{score, score * 0.99, score * 1.01};
                  add(events::Proposed{proposal});
                  add(events::CandidateMade{made});
                  add(events::Evaluated{evaluation, 1});
              };
        add(events::RunCreated{});
        add(events::IslandCreated{{1}, "A", "evolve", Focus::Explore});
        attempt({}, {{"KC", 64}}, 1);
        attempt({"pack"}, {{"KC", 64}}, 1.2); // alone
        attempt({"pack", "unroll"}, {{"KC", 64}}, 4); // who did it?
        attempt({"pack"}, {{"KC", 128}}, 0.5); // the move, or the constant?
        // Both scores' intervals, and the drift of two measurements that were not made side by side.
        const auto change = versusParent(state, *state.candidate({2}));
        const double half = std::hypot(std::log(1.01 / 0.99), 2 * std::log1p(change->noise)) / std::sqrt(2);
        QVERIFY(!change->paired && std::abs(std::log(change->ratio.hi / change->ratio.lo) / 2 - half) < 1e-9);
        QVERIFY(gainText(*change).starts_with("≈ +20"));
        const Insights insights = insightsOf(state);
        const auto named = [](const std::vector<Insight>& list, const char* name) {
            return *std::ranges::find(list, std::string(name), &Insight::name);
        };
        const Insight pack = named(insights.moves, "pack");
        QCOMPARE(pack.tried, 1);
        QCOMPARE(pack.together, 2);
        QVERIFY(std::abs(pack.gain.value - 1.2) < 1e-9);
        QCOMPARE(q(recordText(pack)),
            q("alone ≈ " + briefGain(*pack.once) + " in one attempt; also part of 2 combinations"));
        QVERIFY(pack.chained); // both were timed, but not side by side
        QVERIFY(pack.once && pack.once->lo > 1.15 && pack.once->hi < 1.25); // the attempt's own interval
        QCOMPARE(q(recordText(named(insights.moves, "unroll"))),
            QStringLiteral("never measured alone, part of 1 combination"));
        QCOMPARE(named(insights.tunables, "KC 64 → 128").tried, 0);
        const std::string text = insightText(state);
        const std::size_t once = text.find("Once beyond the noise: pack ≈ +20");
        QVERIFY2(once != std::string::npos && text.find("without clear effect") == std::string::npos, text.c_str());
        const std::string whole = insightText(state, {}, InsightDetail::Whole);
        QVERIFY2(
            whole.find(text) != std::string::npos && whole.find("their own effect is not known: ") != std::string::npos,
            whole.c_str());
        QVERIFY(whole.find("unroll once") != std::string::npos && whole.find("KC 64 → 128 once") != std::string::npos);
        QVERIFY2(whole.starts_with("3 attempts were measured.\n"), whole.c_str());
        // The step back is another change, and so is another step in the same direction.
        const auto step = [&](std::int64_t to, std::int64_t from, double score) {
            attempt({}, {{"KC", to}}, score);
            return named(
                insightsOf(state).tunables, ("KC " + std::to_string(from) + " → " + std::to_string(to)).c_str());
        };
        QVERIFY(std::abs(step(128, 64, 1.1).gain.value - 1.1) < 1e-9);
        QVERIFY(std::abs(step(256, 64, 0.7).gain.value - 0.7) < 1e-9);
        QVERIFY(std::abs(step(32, 64, 0.9).gain.value - 0.9) < 1e-9);
        QCOMPARE(insightsOf(state).tunables.size(), std::size_t(3));
        QCOMPARE(named(insightsOf(state).tunables, "KC 64 → 128").tried, 1);
        attempt({"pack"}, {{"KC", 64}}, 0, Outcome::BuildFailed);
        QVERIFY(insightText(state, {}, InsightDetail::Whole).starts_with("6 attempts were measured, 1 more failed.\n"));
    }

    void promptStatisticsGroupByVersionAndByModel()
    {
        const Hash first = sha256("1"), second = sha256("2");
        const std::vector<PromptOutcome> outcomes{
            {{}, "exploit", first, "a", ProposalFate::Refused, {}},
            {{}, "exploit", first, "a", ProposalFate::Duplicate, {}},
            {{}, "exploit", first, "b", ProposalFate::Applied, {}},
            {{}, "exploit", first, "b", ProposalFate::Ranked, 1.21},
            {{}, "exploit", second, "b", ProposalFate::Ranked, 1.0},
        };
        const auto versions = promptStatistics(outcomes, PromptGrouping::TemplateVersion);
        QCOMPARE(versions.size(), std::size_t(2));
        const PromptStatistics& old = versions[first < second ? 0 : 1];
        QCOMPARE(old.proposals, 4);
        QCOMPARE(old.duplicates, 1);
        QCOMPARE(old.acceptanceRate(), 0.5);
        QCOMPARE(old.buildRate(), 0.5);
        const auto models = promptStatistics(outcomes, PromptGrouping::Model);
        QCOMPARE(models.size(), std::size_t(2));
        QCOMPARE(models[1].proposals, 3);
        QVERIFY(!models[0].meanGain && std::abs(models[1].meanGain->value - 1.1) < 1e-9);

        DryRun run(gemmPack(), RunSettings{});
        run.runTo(40);
        int proposals = 0;
        for (const PromptStatistics& one : promptStatistics(promptOutcomesOf(run.state()), PromptGrouping::Model))
            proposals += one.proposals;
        QVERIFY(proposals >= 39);
    }

    void partsStayOnlyWithAValue()
    {
        QCOMPARE(q(filled("a\n{{#name}}\n  {{name}}!\n{{/name}}\n{{! no }}\nb{{#x}}c{{/x}}\n", {{"name", "N {{code}}"}})
                         .text),
            QStringLiteral("a\n  N {{code}}!\nb\n"));
        QCOMPARE(q(filled("a\n{{#name}}\n{{#x}}\n1\n{{/x}}\n{{/name}}\nb", {{"x", "y"}}).text), QStringLiteral("a\nb"));
    }

    void everyPlaceholderIsDocumentedAndUsed()
    {
        const auto readme = readFile(TILEWRIGHT_SOURCE_DIR "/prompts/README.md");
        QVERIFY(readme.has_value());
        std::set<std::string> used;
        for (const char* name : {"system", "situation", "reply", "whole_reply", "explore", "exploit", "crossover",
                 "repair", "rewrite", "summary", "translate", "judge"})
            used.merge(placeholdersIn(*readFile(std::string(TILEWRIGHT_SOURCE_DIR "/prompts/") + name + ".md")));
        for (const std::string& name : knownPlaceholders()) {
            QVERIFY2(readme->find("`" + name + "`") != std::string::npos, name.c_str());
            // A template of a user may use more than the shipped ones do.
            QVERIFY2(used.contains(name) || name == "language" || name == "other_times", name.c_str());
        }
    }
};

TILEWRIGHT_TEST(TestPromptFacts)
#include "test_prompt_facts.moc"
