// SPDX-License-Identifier: GPL-3.0-or-later
// What mutator and tuner offer, and how well they search a synthetic landscape in memory.
#include "core/base/text.h"
#include "core/patch/patch.h"
#include "core/proposer/experience.h"
#include "core/proposer/mutator.h"
#include "core/proposer/recombiner.h"
#include "core/proposer/tuner.h"
#include "core/proposer/tuning.h"
#include "core/proposer/variation.h"
#include "tests/engine/dry_run.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

Result<Offer> ask(Proposer& proposer, const ProposalRequest& request, const DryRun& run)
{
    Result<Offer> got = fail("test/no-answer", "not answered at once");
    const ProposerView view{run.state(), run.pack(), [&](const Hash& hash) { return run.text(hash); }};
    proposer.propose(request, view, [&](Result<Offer> offer) { got = std::move(offer); });
    return got;
}

/// Each tunable with so many of its choices, spread over all of them.
std::string withFewerChoices(const std::string& text, std::size_t most)
{
    std::vector<std::string> lines;
    for (const std::string_view line : splitLines(text))
        lines.emplace_back(line);
    for (const Tunable& tunable : tunablesOf(text)) {
        const auto isIts = [&](const std::string& line) {
            return line.find(" " + tunable.name + " = ") != std::string::npos
                && line.find("// tune:") != std::string::npos;
        };
        std::string& line = *std::ranges::find_if(lines, isIts);
        line.resize(line.find("// tune:"));
        line += "// tune:";
        const std::size_t count = std::min(most, tunable.choices.size());
        for (std::size_t i = 0; i < count; ++i)
            line += " " + std::to_string(tunable.choices[i * tunable.choices.size() / count]);
    }
    return joined(lines, "\n") + "\n";
}

} // namespace

class TestProposer : public QObject
{
    Q_OBJECT

    std::unique_ptr<DryRun> m_run;

private Q_SLOTS:
    void initTestCase()
    {
        m_run = std::make_unique<DryRun>(gemmPack(), RunSettings{});
        m_run->runTo(60);
    }

    void everyOfferAppliesIsNewAndKeepsItsConstraints()
    {
        // DryRun throws on an offer that does not apply or repeats a program.
        QCOMPARE(m_run->state().evaluationsStarted, std::int64_t(60));
        for (const Candidate& candidate : m_run->state().candidates) {
            const auto broken = Constraints(m_run->text(candidate.source)).broken(candidate.tunables);
            QVERIFY(broken && broken->empty());
        }
    }

    void legalAssignmentsAreCountedAndAThirdIsTriedAtMost()
    {
        const std::string text = "// EVOLVE-BLOCK-START\nconstexpr int A = 1; // tune: 1 2 4 8\n"
                                 "constexpr int B = 4; // tune: 1 2 4\n// require: A <= B\n// EVOLVE-BLOCK-END\n";
        QCOMPARE(legalAssignments(text), std::int64_t(6));
        QCOMPARE(legalAssignments(text, 4), std::int64_t(4));
        QCOMPARE(legalAssignments("no constants"), std::int64_t(1));
        QCOMPARE(tuningBudget(6, 24), std::int64_t(3));
        QCOMPARE(tuningBudget(60, 24), std::int64_t(19));
        QCOMPARE(tuningBudget(1000, 24), std::int64_t(24));
        QCOMPARE(tuningBudget(2, 24), std::int64_t(1));
        TuningRecord record;
        QVERIFY(wantsVersion(record, 60, 24));
        record.waiting = 2;
        QVERIFY(!wantsVersion(record, 60, 24) && !isTuned(record, 60, 24));
        record.sinceBest = 8;
        QVERIFY(!isTuned(record, 60, 24) && isTuned(record, 60, 17));
        record.sinceBest = 9; // half of the 19 that may be tried
        QVERIFY(isTuned(record, 60, 24));
        record = {};
        record.tried = 19;
        QVERIFY(isTuned(record, 60, 24));
    }

    void anEditIsCarriedToAnotherProgramWithItsConstants()
    {
        const auto program = [](const std::string& loop, const std::string& tile, const std::string& tail = "") {
            return "#include \"kernel.h\"\n// EVOLVE-BLOCK-START\nconstexpr int TILE = " + tile
                + "; // tune: 4 8 16\nconstexpr int DEPTH = 2; // tune: 1 2 4\n// require: DEPTH <= TILE\n\n"
                  "void load();\nvoid run()\n{\n    int sum = 0;\n    int k = 0;\n"
                + loop + "    store(sum);\n}\n\nint other()\n{\n    return 1;\n}\n" + tail + "// EVOLVE-BLOCK-END\n";
        };
        const std::string plain = "    for (; k < 9; ++k)\n        sum += k;\n", fast = "    sum = 36;\n";
        const std::string before = program(plain, "4"), after = program(fast, "4");
        const std::string target = program(plain, "16", "int more = 1;\n");
        const auto carried = carriedEdit(before, after, target, "kernel.cpp");
        QVERIFY(carried);
        QCOMPARE(carried->text, applyDiff(target, carried->diff)->text);
        QCOMPARE(carried->text, program(fast, "16", "int more = 1;\n"));
        // A constant that the edit changes is changed there, too; its other constants stay.
        const auto wider
            = carriedEdit(before, program(fast, "8"), program(plain, "4", "int more = 1;\n"), "kernel.cpp");
        QVERIFY(wider
            && applyDiff(program(plain, "4", "int more = 1;\n"), wider->diff)->text.find("TILE = 8;")
                != std::string::npos);
        // It is there already; other lines stand in its place; a requirement breaks.
        QVERIFY(!carriedEdit(before, after, program(fast, "8"), "kernel.cpp"));
        QVERIFY(!carriedEdit(before, after, program("    sum = 9 * 4;\n", "4"), "kernel.cpp"));
        const std::string deep = withTunables(program(plain, "4", "int more = 1;\n"), {{"DEPTH", 4}});
        const std::string strict = withTunables(after, {{"DEPTH", 2}});
        QVERIFY(carriedEdit(before, strict, deep, "kernel.cpp"));
        std::string narrow = after;
        narrow.replace(narrow.find("DEPTH <= TILE"), 13, "DEPTH < TILE");
        QVERIFY(carriedEdit(before, narrow, program(plain, "4", "int more = 1;\n"), "kernel.cpp"));
        QVERIFY(!carriedEdit(before, narrow, deep, "kernel.cpp"));
    }

    void tuningEndsNearTheBestOfAllVersions()
    {
        TaskPack pack = gemmPack();
        Variation program{pack.seed(), {}, {}, {}};
        for (const Move* move : ladderOf(pack))
            if (tunablesOf(program.text).size() < 3)
                program = withMove(program, *move).value_or(program);
        program.text = withFewerChoices(program.text, 5);
        const std::vector<Tunable> tunables = tunablesOf(program.text);
        QCOMPARE(tunables.size(), std::size_t(3));
        const std::int64_t legal = legalAssignments(program.text);
        QVERIFY2(legal >= 60, std::to_string(legal).c_str());
        double best = 0;
        const Constraints constraints(program.text);
        for (const std::int64_t a : tunables[0].choices)
            for (const std::int64_t b : tunables[1].choices)
                for (const std::int64_t c : tunables[2].choices) {
                    const Tunables values{{tunables[0].name, a}, {tunables[1].name, b}, {tunables[2].name, c}};
                    if (constraints.hold(values))
                        best = std::max(best, syntheticSpeed(withTunables(program.text, values)));
                }
        pack.files[pack.task.sources.front()] = program.text;
        const std::int64_t versions = std::min<std::int64_t>(legal / 3 - 1, 24);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            RunSettings settings;
            settings.proposer = "tuner";
            settings.islands = 1;
            settings.seed = seed;
            DryRun run(pack, settings);
            run.runTo(1 + versions);
            QVERIFY2(run.bestAt(1 + versions) >= 0.98 * best,
                ("seed " + std::to_string(seed) + ": " + std::to_string(run.bestAt(1 + versions)) + " of "
                    + std::to_string(best) + " in " + std::to_string(versions) + " of " + std::to_string(legal))
                    .c_str());
        }
    }

    void everyMoveOfTheShippedPacksCanBeReached_data()
    {
        QTest::addColumn<QString>("pack");
        for (const char* name : {"gemm-fp32-cpu", "gemm-fp32", "gemm-bf16"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void everyMoveOfTheShippedPacksCanBeReached()
    {
        QFETCH(QString, pack);
        const auto loaded = loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/" + pack.toStdString());
        QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().line().c_str());
        std::set<std::string> reached;
        for (std::uint64_t order = 1; order <= 60; ++order) {
            CounterRandom random(order, 0, 0);
            Variation variation{loaded->seed(), {}, {}, {}};
            for (auto fitting = applicableMoves(variation, *loaded); !fitting.empty();
                 fitting = applicableMoves(variation, *loaded)) {
                variation = *withMove(variation, *fitting[random.below(fitting.size())]);
                const auto readable = Constraints(variation.text).broken();
                QVERIFY2(readable.has_value(), readable ? "" : readable.error().line().c_str());
                if (readable->empty())
                    reached.insert(variation.lineage.begin(), variation.lineage.end());
            }
        }
        for (const Move& move : loaded->moves)
            QVERIFY2(reached.contains(move.name), move.name.c_str());
    }

    void offersComeInThePrimaryReplyForm()
    {
        Mutator mutator;
        const auto offer = ask(mutator, {IslandId{1}, 90, Focus::Explore, {m_run->state().incumbent}}, *m_run);
        QVERIFY(offer.has_value());
        for (const char* part :
            {"<reasoning>", "</reasoning>", "<diff>", "</diff>", "<expected_impact>", "</expected_impact>"})
            QVERIFY(offer->reply.find(part) != std::string::npos);
        const auto reply = parseReply(offer->reply);
        QVERIFY(reply && !reply->reasoning.empty() && !reply->claim.empty());
    }

    void theSameRequestGetsTheSameOffer()
    {
        for (const Focus focus : {Focus::Explore, Focus::Exploit, Focus::Crossover, Focus::Tune}) {
            const ProposalRequest request{IslandId{2}, 77, focus, {m_run->state().incumbent, CandidateId{3}}};
            const auto proposer = proposerNamed(focus == Focus::Tune ? "tuner" : "mutator");
            const auto first = ask(*proposer, request, *m_run),
                       second = ask(*proposerNamed(proposer->name()), request, *m_run);
            QVERIFY(first && second);
            QCOMPARE(first->reply, second->reply);
        }
    }

    void crossingTakesOverMovesAndConstants()
    {
        const Candidate* rich = nullptr;
        for (const Candidate& candidate : m_run->state().candidates)
            if (!rich || candidate.moves.size() > rich->moves.size())
                rich = &candidate;
        QVERIFY(rich && rich->moves.size() >= 6);
        CounterRandom random(1, 1, 1);
        const Variation seed{m_run->pack().seed(), {}, {}, {}};
        const Variation child = crossed(seed, *rich, m_run->pack(), 0, random);
        QVERIFY(child.edits == rich->moves);
        QCOMPARE(valuesOf(tunablesOf(child.text)), rich->tunables);
    }

    void aBrokenConstraintIsMetByTheNearestConstants()
    {
        const auto text = [](int stages, int passes) {
            return "// EVOLVE-BLOCK-START\nconstexpr int STAGES = " + std::to_string(stages)
                + "; // tune: 2 3 4\nconstexpr int PASSES = " + std::to_string(passes)
                + "; // tune: 1 2 4\nconstexpr int SHARED = 40 * STAGES + 64 / PASSES; // require: SHARED <= 152\n"
                  "// EVOLVE-BLOCK-END\n";
        };
        const auto fittedText = [&](int stages, int passes) {
            return fitted({text(stages, passes), {}, {}, {}})->text;
        };
        QCOMPARE(fittedText(3, 2), text(3, 2)); // holds
        QCOMPARE(fittedText(3, 1), text(2, 1)); // one step of the first
        QCOMPARE(fittedText(4, 4), text(3, 4)); // 176
        QCOMPARE(fittedText(4, 1), text(2, 1)); // no one step helps
        const std::string two
            = "// EVOLVE-BLOCK-START\nconstexpr int A = 2; // tune: 1 2\nconstexpr int B = 2; // tune: 1 2\n"
              "// require: A * B == 1\n// require: 1 == 1\n// EVOLVE-BLOCK-END\n";
        QCOMPARE(valuesOf(tunablesOf(fitted({two, {}, {}, {}})->text)), (Tunables{{"A", 1}, {"B", 1}}));
        const std::string never = "// EVOLVE-BLOCK-START\nconstexpr int A = 2; // tune: 1 2\n// require: A > 2\n"
                                  "// EVOLVE-BLOCK-END\n";
        QVERIFY(!fitted({never, {}, {}, {}}));
    }

    void aMoveTakenOutLeavesTheOthers()
    {
        Variation variation{m_run->pack().seed(), {}, {}, {}};
        for (const char* name : {"cut-depth", "cut-rows", "cut-columns"})
            variation = withMove(variation, *moveNamed(m_run->pack(), name)).value();
        variation.text = withTunables(variation.text, {{"KC", 256}, {"MC", 96}});
        const auto without = withoutMove(variation, "cut-columns", m_run->pack());
        QVERIFY(without.has_value());
        QCOMPARE(without->lineage, (std::vector<std::string>{"cut-depth", "cut-rows"}));
        QCOMPARE(valuesOf(tunablesOf(without->text)), (Tunables{{"KC", 256}, {"MC", 96}}));
        QCOMPARE(without->edits, (std::vector<std::string>{"cut-depth", "cut-rows"}));
    }

    void theTunerLeavesTheStructureAlone()
    {
        Tuner tuner;
        const Candidate& parent = *m_run->state().candidate(m_run->state().incumbent);
        const std::string before = m_run->text(parent.source);
        for (std::int64_t ordinal = 100; ordinal < 110; ++ordinal) {
            const auto offer = ask(tuner, {IslandId{3}, ordinal, Focus::Tune, {parent.id}}, *m_run);
            QVERIFY(offer.has_value());
            const auto after = applyDiff(before, parseReply(offer->reply)->diff);
            QVERIFY(after.has_value());
            QCOMPARE(structureOf(after->text), structureOf(before));
            QVERIFY(valuesOf(tunablesOf(after->text)) != parent.tunables);
            QVERIFY(offer->moves.empty());
            // Called by what it changes; how the values were found comes after it.
            const std::string reasoning = parseReply(offer->reply)->reasoning;
            const std::string changes = changesText(valuesOf(tunablesOf(before)), valuesOf(tunablesOf(after->text)));
            QVERIFY2(reasoning.starts_with(changes + "."), reasoning.c_str());
        }
    }

    void theTunerWeighsByTheModelWhereAConstraintFollowsFromTunables()
    {
        TaskPack pack = gemmPack();
        const Variation seed{pack.seed(), {}, {}, {}};
        std::string text = withMove(seed, *moveNamed(pack, "cut-depth")).value().text;
        const std::size_t end = text.rfind("// EVOLVE-BLOCK-END");
        text.insert(text.rfind('\n', end) + 1, "constexpr int BYTES = 4 * KC; // require: BYTES <= 4096\n");
        pack.files[pack.task.sources.front()] = text;
        QVERIFY(Constraints(text).hold());
        RunSettings settings;
        settings.proposer = "tuner";
        settings.islands = 1;
        DryRun run(pack, settings);
        run.runTo(8); // the seed among them
        QCOMPARE(run.state().evaluationsStarted, std::int64_t(8));
        Tuner tuner;
        const auto offer = ask(tuner, {IslandId{1}, 99, Focus::Tune, {run.state().incumbent}}, run);
        QVERIFY(offer.has_value());
        QVERIFY(offer->reply.find("look best among the untried") != std::string::npos);
    }

    void aTextWithoutTunablesExhaustsTheTuner()
    {
        Tuner tuner;
        const auto offer = ask(tuner, {IslandId{1}, 5, Focus::Tune, {CandidateId{1}}}, *m_run);
        QVERIFY(!offer.has_value());
        QCOMPARE(QString::fromStdString(offer.error().code), QStringLiteral("proposer/exhausted"));
    }

    void theModelFindsTheHillItWasShown()
    {
        std::vector<ModelSample> samples;
        for (int i = 0; i <= 10; ++i)
            for (int j = 0; j <= 10; j += 5)
                samples.push_back(
                    {{{"m"}, {{"X", i / 10.0}, {"Y", j / 10.0}}}, 1 - (i / 10.0 - 0.7) * (i / 10.0 - 0.7)});
        const PerformanceModel model(samples);
        const auto at = [&](double x) { return model.predict({{"m"}, {{"X", x}, {"Y", 0.5}}}); };
        QVERIFY(std::abs(at(0.7).mean - 1) < 0.05);
        QVERIFY(at(0.7).mean > at(0.2).mean + 0.1);
        QVERIFY(model.predict({{"other", "m"}, {{"X", 0.7}}}).deviation > at(0.7).deviation);
    }

    void evidenceNarrowsTheBeliefAboutAMove()
    {
        const auto& state = m_run->state();
        const auto& lineage = state.candidate(state.incumbent)->moves;
        const MoveBelief known = beliefAbout(state, "tile-columns", lineage),
                         unknown = beliefAbout(state, "no-such-move", lineage);
        QVERIFY(known.deviation < unknown.deviation);
        QVERIFY(unknown.mean > 0); // hopeful without evidence
    }

    void everyTunableOfThePackIsKnown()
    {
        const auto choices = tunablesOfPack(m_run->pack());
        for (const char* name : {"KC", "MC", "NC", "MR", "NR", "UNROLL", "GRAIN", "AHEAD"})
            QVERIFY2(choices.contains(name) && choices.at(name).choices.size() > 3, name);
    }

    void theSearchFindsSixMovesAndBeatsRandomSearch()
    {
#ifdef __SANITIZE_ADDRESS__
        constexpr int seeds = 1, evaluations = 60; // the same code is run, and every evaluation takes long there
#else
        constexpr int seeds = 3, evaluations = 120;
#endif
        double evolved = 0, random = 0;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            RunSettings settings;
            settings.seed = seed;
            DryRun run(gemmPack(), settings);
            run.runTo(evaluations);
            evolved += std::log(run.bestAt(evaluations)) / seeds;
            QVERIFY(run.state().candidate(run.state().incumbent)->moves.size() >= 6);
            settings.proposer = "random";
            DryRun other(gemmPack(), settings);
            other.runTo(evaluations);
            random += std::log(other.bestAt(evaluations)) / seeds;
        }
        QVERIFY2(evolved > random + 0.1, qPrintable(QStringLiteral("%1 against %2").arg(evolved).arg(random)));
    }
};

TILEWRIGHT_TEST(TestProposer)
#include "test_proposer.moc"
