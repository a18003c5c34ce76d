// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning of a real matrix product: the seed with the pack's moves for a register tile, copied panels and a cut depth,
// whose three constants have 100 legal combinations. All of them are measured once, for real, by injecting them into a
// run with the real node, in three runs, as the best of 100 noisy figures is better than its program: the median of the
// three is the table. The tuner has to end at a combination that is within 2 % of the table's best, in less than a
// third of the evaluations, for five seeds; what a combination is worth is looked up in the table in each case, so that
// the noise of a further measurement decides nothing. In the runs of the five seeds a fake node reads its speeds from
// the table, with a noise of ±0.4 %: the tuner's decisions are made anew, the speeds are the measured ones. One more
// run tunes live, with the real node, in model mode.
#ifndef Q_MOC_RUN
#include "core/model/measurement/shape_choice.h"
#include "core/model/requests/repair_turns.h"
#include "core/model/tuning_record.h"
#include "core/proposer/tuning.h"
#include "core/proposer/variation.h"
#include "tests/engine/model_sessions.h"
#include "tests/engine/person.h"
#endif

#include "tests/test_program.h"

#include <cmath>
#include <fstream>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

/// A program is built, checked and timed in seconds. It only ends a test in which something hangs.
constexpr int measuringMs = 1'300'000;
constexpr double nearBest = 0.98;
constexpr int mostVersions = 32; ///< --tune 32; of 100 combinations no more than 32 are tried

/// The constant's line with these choices.
std::string withChoices(std::string text, const std::string& name, const std::string& choices)
{
    const std::size_t line = text.find("constexpr int " + name + " = "), mark = text.find("// tune:", line);
    return text.replace(mark, text.find('\n', mark) - mark, "// tune: " + choices);
}

std::string tunedProgram(const TaskPack& pack)
{
    Variation program{pack.seed(), {}, {}, {}};
    for (const char* move : {"tile-rows", "tile-columns", "vector-types", "pack-b", "pack-a", "cut-depth"})
        program = withMove(program, *moveNamed(pack, move)).value();
    program.text = withChoices(program.text, "MR", "2 4 6 8 12");
    program.text = withChoices(program.text, "NR", "16 32 48 64");
    return withChoices(program.text, "KC", "16 32 64 128 256");
}

std::vector<Tunables> assignmentsOf(const std::string& text)
{
    std::vector<Tunables> all{{}};
    for (const Tunable& tunable : tunablesOf(text)) {
        std::vector<Tunables> longer;
        for (const Tunables& begun : all)
            for (const std::int64_t choice : tunable.choices) {
                longer.push_back(begun);
                longer.back()[tunable.name] = choice;
            }
        all = std::move(longer);
    }
    return all;
}

std::string wordsOf(const Tunables& values)
{
    std::string text;
    for (const auto& [name, value] : values)
        text += name + " " + std::to_string(value) + " ";
    return text;
}

} // namespace

class TestRealTuning : public QObject, ModelSessions
{
    Q_OBJECT

    const TaskPack m_small = packWith(m_pack, {{"train", {{120, 128, 192}, {64, 256, 160}}}, {"heldout", {}}}).value();
    const std::string m_program = tunedProgram(m_small);
    const std::string m_reply = replyWith("constants to tune", unifiedDiff(m_small.seed(), m_program, "seed.cpp"));
    const std::int64_t m_legal = legalAssignments(m_program);
    std::map<Hash, double> m_table; ///< measured speeds, the seed's being 1
    double m_best = 0;
    QStringList m_node{QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright-node")};

    /// Where the tuner ended, by the table.
    void checkTuned(const RunState& run, const char* how)
    {
        const Proposal* proposal = nullptr;
        for (const Proposal& each : run.proposals)
            if (!proposal && each.proposer != "seed" && each.proposer != "tuner")
                proposal = &each;
        QVERIFY(proposal);
        const Candidate* base = candidateOf(run, *proposal);
        QVERIFY2(base && base->isRanked(), run.phaseReason.c_str());
        const TuningRecord record = tuningOf(run, base->id);
        QVERIFY(record.best && record.waiting == 0);
        const Candidate& best = *run.candidate(record.best);
        QVERIFY(m_table.contains(best.program));
        const double share = m_table.at(best.program) / m_best;
        const std::int64_t evaluations = record.tried + 1; // the program as it was written
        qInfo("%s: %s: %.4f of the best in %lld of %lld evaluations", how, wordsOf(best.tunables).c_str(), share,
            static_cast<long long>(evaluations), static_cast<long long>(m_legal));
        QVERIFY(3 * evaluations < m_legal);
        QVERIFY2(share >= nearBest, std::to_string(share).c_str());
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv(qUtf8Printable(canaryVariable), canaryKey);
        qputenv("XDG_CACHE_HOME", m_folder.filePath(u"cache"_s).toUtf8());
        QCOMPARE(tunablesOf(m_program).size(), std::size_t(3));
        QVERIFY2(m_legal >= 60, std::to_string(m_legal).c_str());
    }

    void allCombinationsAreMeasured()
    {
        constexpr int times = 3;
        std::map<Hash, std::vector<double>> measured;
        std::map<Hash, std::string> words;
        double unit = 0; ///< the baseline of the first run: its figures are of no other run
        for (int time = 0; time < times; ++time) {
            EngineDriver driver;
            driver.engine.setNodeCommand(m_node);
            NewSession session;
            session.path = driver.path();
            session.pack = m_small;
            session.settings.proposer = "manual:" + m_folder.filePath(u"nobody"_s).toStdString(); // replies to nothing
            session.settings.islands = 1;
            session.settings.budget.evaluations = 1 + m_legal;
            session.startNow = false;
            driver.engine.create(session);
            driver.execute(commands::Step{}); // the seed, which others can follow
            QVERIFY(driver.waitForEnd(measuringMs));
            for (const Tunables& values : assignmentsOf(m_program))
                driver.execute(commands::Inject{{}, {}, withTunables(m_program, values), {}});
            QVERIFY2(driver.failures.isEmpty(), qPrintable(driver.failures.join(u' ')));
            driver.execute(commands::Run{});
            QVERIFY(driver.waitForEnd(measuringMs));
            const RunState run = driver.run();
            double mean = 0; ///< geometric, of all combinations
            for (const Candidate& candidate : run.candidates)
                if (candidate.isRanked() && candidate.id.value > 1)
                    mean += std::log(candidate.score->value) / static_cast<double>(m_legal);
            unit = time == 0 ? mean : unit;
            for (const Candidate& candidate : run.candidates)
                if (candidate.isRanked()) {
                    measured[candidate.program].push_back(candidate.score->value * std::exp(unit - mean));
                    words[candidate.program] = wordsOf(candidate.tunables);
                }
        }
        QCOMPARE(static_cast<std::int64_t>(measured.size()), 1 + m_legal);
        std::string listed;
        for (auto& [program, scores] : measured) {
            QCOMPARE(static_cast<int>(scores.size()), times);
            std::ranges::sort(scores);
            m_table[program] = scores[times / 2];
            m_best = std::max(m_best, scores[times / 2]);
            listed += words[program] + std::to_string(scores[times / 2]) + " of " + std::to_string(scores.front())
                + " to " + std::to_string(scores.back()) + "\n";
        }
        qInfo("%s", listed.c_str());
    }

    void theTunerEndsNearTheBestOfTheTable_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 5; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }

    void theTunerEndsNearTheBestOfTheTable()
    {
        QFETCH(int, seed);
        QVERIFY(!m_table.empty());
        const QString speeds = m_folder.filePath(u"speeds"_s), replies = m_folder.filePath(u"replies"_s);
        std::ofstream file(speeds.toStdString());
        for (const auto& [program, speed] : m_table)
            file << program.hex() << ' ' << speed << '\n';
        file.close();
        QDir().mkpath(replies);
        Person(replies, [](const ReadPrompt&) { return std::string(); }).write(u"0001"_s, m_reply);
        EngineDriver driver({u"--speeds"_s, speeds});
        NewSession session;
        session.path = driver.path();
        session.pack = m_small;
        session.settings.proposer = "replay:" + replies.toStdString();
        session.settings.islands = 1;
        session.settings.tuning = mostVersions;
        session.settings.seed = static_cast<std::uint64_t>(seed);
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd());
        checkTuned(driver.run(), QTest::currentDataTag());
    }

    void aModelsProgramIsTunedLive()
    {
        FakeServer server;
        QVERIFY(server.start());
        server.setHandler(
            [this](const SeenRequest& request) { return saying(request, QByteArray::fromStdString(m_reply)); });
        EngineDriver driver;
        driver.engine.setNodeCommand(m_node);
        NewSession session = sessionOf(driver.path(), server.serverPort(), 0, "\"limits\": {\"in_flight\": 1},\n");
        session.pack = m_small;
        session.settings.islands = 1;
        session.settings.tuning = mostVersions;
        session.settings.budget.replies = 1;
        driver.engine.create(session);
        QVERIFY(driver.waitForEnd(measuringMs));
        QVERIFY(!m_table.empty());
        checkTuned(driver.run(), "live");
    }
};

TILEWRIGHT_TEST(TestRealTuning)
#include "test_real_tuning.moc"
