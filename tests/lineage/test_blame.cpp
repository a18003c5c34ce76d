// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidate brought each line: checked beside a replay of the recorded patches that shares no code with it.
#include "core/base/text.h"
#include "core/lineage/line_origins.h"
#include "core/lineage/provenance.h"
#include "core/store/packed_session.h"
#include "core/store/session_reader.h"
#include "tests/lineage/made_run.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <set>
#include <sstream>

using namespace tilewright;
using namespace tilewright::test;

namespace {

const std::string wordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// A line of a program as the replay follows it: whoever may have brought it.
struct Followed {
    std::string text;
    std::set<std::int64_t> brought;
};
using Program = std::vector<Followed>;

/// Replays the patches as they were recorded, hunk by hunk, and follows each line.
class Replay
{
public:
    Replay(const RunState& state, SessionReader& reader)
        : m_state(state)
        , m_reader(reader)
    {
    }

    const Program& program(std::int64_t id)
    {
        if (const auto known = m_programs.find(id); known != m_programs.end())
            return known->second;
        const Candidate& candidate = *m_state.candidate({id});
        Program program;
        if (candidate.migrated) {
            program = this->program(candidate.parents.at(0).value);
        } else if (candidate.parents.empty()) {
            std::istringstream text(m_reader.text(candidate.source).value());
            for (std::string line; std::getline(text, line);)
                program.push_back({line, {id}});
        } else {
            program = patched(candidate);
        }
        return m_programs[id] = std::move(program);
    }

private:
    Program patched(const Candidate& candidate)
    {
        const Program before = program(candidate.parents.at(0).value);
        std::istringstream diff(m_reader.text(candidate.patch).value());
        Program after;
        std::size_t at = 0;
        bool inHunk = false;
        for (std::string line; std::getline(diff, line);) {
            unsigned long first = 0, count = 1;
            if (std::sscanf(line.c_str(), "@@ -%lu,%lu", &first, &count) >= 1) {
                inHunk = true;
                for (const std::size_t begin = count == 0 ? first : first - 1; at < begin; ++at)
                    after.push_back(before.at(at));
            } else if (inHunk && line.rfind('+', 0) == 0) {
                after.push_back({line.substr(1), broughtInto(candidate, line.substr(1))});
            } else if (inHunk && line.rfind('-', 0) == 0) {
                if (before.at(at++).text != line.substr(1))
                    throw std::runtime_error("a removed line is another one");
            } else if (inHunk && line.rfind(' ', 0) == 0) {
                if (before.at(at).text != line.substr(1))
                    throw std::runtime_error("a line of context is another one");
                after.push_back(before.at(at++));
            }
        }
        for (; at < before.size(); ++at)
            after.push_back(before.at(at));
        return after;
    }

    /// An added line of a crossover that a further parent has is that one's, from wherever it has it there.
    std::set<std::int64_t> broughtInto(const Candidate& candidate, const std::string& text)
    {
        for (std::size_t i = 1; i < candidate.parents.size(); ++i) {
            std::set<std::int64_t> there;
            for (const Followed& line : program(candidate.parents[i].value))
                if (line.text == text)
                    there.insert(line.brought.begin(), line.brought.end());
            // A line without a word, or one that several brought there, is the crossover's own if it was moved.
            if (there.size() > 1 || (!there.empty() && text.find_first_of(wordLetters) == std::string::npos))
                there.insert(candidate.id.value);
            if (!there.empty())
                return there;
        }
        return {candidate.id.value};
    }

    const RunState& m_state;
    SessionReader& m_reader;
    std::map<std::int64_t, Program> m_programs;
};

std::vector<std::int64_t> candidatesOf(const LineOrigins& origins)
{
    std::vector<std::int64_t> ids;
    for (const LineOrigin& line : origins.lines)
        ids.push_back(line.candidate.value);
    return ids;
}

} // namespace

class TestBlame : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    void eachLineOfAWinnerNamesWhoBroughtIt_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("gemm-cpu") << QStringLiteral("gemm-cpu");
        QTest::newRow("gemm-h200") << QStringLiteral("gemm-h200");
    }

    void eachLineOfAWinnerNamesWhoBroughtIt()
    {
        QFETCH(QString, name);
        const std::string file = m_folder.filePath(name + QStringLiteral(".tilewright")).toStdString();
        QVERIFY(unpackSession(shippedDemo(name.toStdString()), file).has_value());
        const auto reader = SessionReader::open(file);
        QVERIFY2(reader, reader ? "" : reader.error().line().c_str());
        const auto state = (*reader)->load();
        QVERIFY2(state, state ? "" : state.error().line().c_str());
        const TextOf textOf = [&](const Hash& hash) { return (*reader)->text(hash); };
        Replay replay(*state, **reader);

        // The winner of the run and of each island, and all crossovers, which no winner needs to descend from.
        std::set<CandidateId> asked{state->best()->id};
        for (const Island& island : state->islands)
            if (island.best)
                asked.insert(island.best);
        std::size_t winners = asked.size(), crossovers = 0;
        for (const Candidate& candidate : state->candidates)
            if (candidate.parents.size() > 1) {
                asked.insert(candidate.id);
                ++crossovers;
            }
        QVERIFY(winners > 0 && crossovers >= 13);
        std::size_t compared = 0, certain = 0;
        int fromSecondParent = 0;
        for (const CandidateId id : asked) {
            const auto origins = lineOriginsOf(*state, id, textOf);
            QVERIFY2(origins, origins ? "" : origins.error().line().c_str());
            const Program& expected = replay.program(id.value);
            QCOMPARE(origins->lines.size(), expected.size());
            for (std::size_t line = 0; line < expected.size(); ++line, ++compared) {
                certain += expected[line].brought.size() == 1;
                QVERIFY2(expected[line].brought.contains(origins->lines[line].candidate.value),
                    qPrintable(q(candidateName(id) + " line " + std::to_string(line + 1) + " of "
                        + candidateName(origins->lines[line].candidate) + ": " + expected[line].text)));
            }
            const Candidate& candidate = *state->candidate(id);
            if (candidate.parents.size() > 1) {
                std::set<std::int64_t> first;
                for (const Followed& line : replay.program(candidate.parents[0].value))
                    first.insert(line.brought.begin(), line.brought.end());
                for (const LineOrigin& line : origins->lines)
                    fromSecondParent += line.candidate != id && !first.contains(line.candidate.value);
            }
        }
        // Nearly all lines have one answer; of equal lines of a second parent any is right.
        QVERIFY2(compared > 200 * asked.size() && certain > compared * 9 / 10,
            std::to_string(compared).append(" ").append(std::to_string(certain)).c_str());
        QVERIFY2(fromSecondParent > 0, "no crossover has a line of its second parent");
    }

    void aLineStaysWithWhoBroughtIt()
    {
        MadeRun run("a\nb\nc\n");
        run.add({{{1}}, "a\nB\nc\n", 1.2});
        run.add({{{2}}, "a\nB\nc\nd\n", 1.3});
        const auto origins = lineOriginsOf(run.state(), {3}, run.textOf());
        QVERIFY(origins.has_value());
        QCOMPARE(candidatesOf(*origins), (std::vector<std::int64_t>{1, 2, 1, 3}));
        QCOMPARE(origins->lines[2].line, std::size_t(2));
    }

    void aCrossoverHasLinesOfBothParents()
    {
        MadeRun run("a\nb\nc\n");
        run.add({{{1}}, "a\nB\nc\n", 1.2});
        run.add({{{1}}, "a\nb\nC\n", 1.2});
        run.add({{{2}, {3}}, "a\nB\nC\nnew\n", 1.4});
        const auto origins = lineOriginsOf(run.state(), {4}, run.textOf());
        QVERIFY(origins.has_value());
        QCOMPARE(candidatesOf(*origins), (std::vector<std::int64_t>{1, 2, 3, 4}));
    }

    void aCrossoverMayPutALineOfTheOtherParentElsewhere()
    {
        MadeRun run("a\nb\nc\n");
        run.add({{{1}}, "a\nb\nc\nmoved();\n}\n", 1.2});
        run.add({{{1}}, "x\na\nb\nc\n", 1.2});
        run.add({{{3}, {2}}, "}\nmoved();\nx\na\nb\nc\n", 1.4});
        const auto origins = lineOriginsOf(run.state(), {4}, run.textOf());
        QVERIFY(origins.has_value());
        QCOMPARE(candidatesOf(*origins), (std::vector<std::int64_t>{4, 2, 3, 1, 1, 1}));
    }

    void aCopyIsNobodysWork()
    {
        MadeRun run("a\nb\n");
        run.add({{{1}}, "a\nB\n", 1.2});
        const CandidateId copy = run.migrate({2}, {2});
        run.add({{copy}, "A\nB\n", 1.4, "", "", "mutator", "", {2}});
        const auto ofCopy = lineOriginsOf(run.state(), copy, run.textOf());
        const auto ofChild = lineOriginsOf(run.state(), {4}, run.textOf());
        QVERIFY(ofCopy && ofChild);
        QCOMPARE(candidatesOf(*ofCopy), (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(candidatesOf(*ofChild), (std::vector<std::int64_t>{4, 2}));
    }

    /// Of lines that are alike the patch says which one is new, where a comparison of the texts could only guess.
    void thePatchSaysWhichOfEqualLinesIsNew()
    {
        const std::string before = "x\n}\n", after = "x\n}\n}\n";
        const std::string diff = "--- a/p\n+++ b/p\n@@ -1,2 +1,3 @@\n x\n+}\n }\n";
        const std::vector<DiffLine> lines = alignmentBy(before, after, diff);
        QCOMPARE(lines.size(), std::size_t(3));
        QVERIFY(lines[1].change == LineChange::Added && lines[2].change == LineChange::Same);
        // One that does not lead there is not followed.
        for (const char* bad : {"", "--- a/p\n+++ b/p\n@@ -1,2 +1,3 @@\n y\n+}\n }\n", "@@ -7,1 +7,1 @@\n-x\n",
                 "@@ -1,2 +1,3 @@\n x\n }\n", "@@ -18446744073709551615,2 +1,3 @@\n x\n+}\n }\n", "@@ nonsense"})
            QVERIFY2(alignmentBy(before, after, bad) == diffLines(before, after), bad);
    }

    void anUnknownCandidateIsRefused()
    {
        MadeRun run("a\n");
        QCOMPARE(lineOriginsOf(run.state(), {9}, run.textOf()).error().code, std::string("candidate/unknown"));
        QCOMPARE(lineOriginsOf(run.state(), {}, run.textOf()).error().code, std::string("candidate/unknown"));
    }

    void whoBroughtALineIsToldWithPromptCostAndGain()
    {
        MadeRun run("a\n");
        run.add({{{1}}, "b\n", 1.2, "Title", "", "model", "gpt-x"});
        run.add({{{2}}, "c\n", 1.32, "", "", "tuner"});
        const Provenance model = provenanceOf(run.state(), *run.state().candidate({2}));
        QCOMPARE(model.author, std::string("gpt-x"));
        QCOMPARE(model.proposer, std::string("model"));
        QCOMPARE(promptText(model), std::string("exploit shipped"));
        QCOMPARE(costText(model), std::string("0.0123 $"));
        QCOMPARE(gainText(model.gain), std::string("+20.0 %"));
        const Provenance tuner = provenanceOf(run.state(), *run.state().candidate({3}));
        QCOMPARE(promptText(tuner) + costText(tuner), std::string());
        QCOMPARE(gainText(tuner.gain), std::string("+10.0 %"));
        QVERIFY(!provenanceOf(run.state(), *run.state().candidate({1})).gain);
    }
};

TILEWRIGHT_TEST(TestBlame)
#include "test_blame.moc"
