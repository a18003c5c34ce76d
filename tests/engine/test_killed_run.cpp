// SPDX-License-Identifier: GPL-3.0-or-later
// Runs whose processes, or whose node, somebody else ends by SIGKILL: every candidate comes to what it would have come
// to undisturbed, and where nothing gets through any more the run pauses and says why.
#include "core/base/random.h"
#include "core/engine/measuring/pipeline.h"
#include "core/model/measurement/shape_choice.h"
#include "core/node/stuck_processes.h"
#include "core/node/worker_channel.h"
#include "core/protocol/killed.h"
#include "core/source/program_text.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/patience.h"
#include "tests/test_program.h"

#include <QFileInfo>
#include <atomic>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

/// Program → what became of it.
std::map<std::string, std::string> fates(const RunState& run)
{
    std::map<std::string, std::string> all;
    for (const Candidate& candidate : run.candidates)
        if (candidate.evaluationNumber > 0)
            all[candidate.program.hex()] = nameOf(candidate.outcome) + " " + candidate.rule;
    return all;
}

int lines(const RunState& run, const std::string& words)
{
    return static_cast<int>(std::ranges::count_if(
        run.log, [&](const LogLine& line) { return line.text.find(words) != std::string::npos; }));
}

bool isPausedByKills(const EngineDriver& driver)
{
    return driver.ended->run.phase == events::Phase::Paused && driver.ended->status.troubleCode == killedFromOutside;
}

std::string nameOfProcess(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
    std::string name;
    std::getline(file, name);
    return name;
}

/// Ends what a node beneath this process has started, the node itself excepted: by the order in which it starts.
class Killer
{
public:
    explicit Killer(int most)
        : m_most(most)
        , m_thread([this](const std::stop_token& stop) { work(stop); })
    {
    }
    int kills() const { return m_kills; }

private:
    void work(const std::stop_token& stop)
    {
        CounterRandom random(11, 0, 0);
        std::set<pid_t> seen;
        std::uint64_t next = 6; // the first compiler, or what is around it
        for (; !stop.stop_requested() && m_kills < m_most; usleep(2000))
            for (const ProcessHandle& process : processesBeneath(getpid())) {
                if (nameOfProcess(process.pid()) == "tilewright-node" || !seen.insert(process.pid()).second
                    || seen.size() < next)
                    continue;
                usleep(static_cast<useconds_t>(random.below(20'000))); // somewhere in the midst of it
                process.kill();
                ++m_kills;
                next = seen.size() + 5 + random.below(25);
            }
    }

    int m_most;
    std::atomic<int> m_kills{0};
    std::jthread m_thread;
};

} // namespace

class TestKilledRun : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

    /// The seed with another line, which makes it another program.
    std::string variant(int number) const
    {
        std::string text = m_pack.seed();
        const std::string marker = "// EVOLVE-BLOCK-START\n";
        text.insert(
            text.find(marker) + marker.size(), "constexpr int variant_number = " + std::to_string(number) + ";\n");
        return text;
    }

private Q_SLOTS:
    void killsAreCountedByWorkAndByCandidate()
    {
        using Advice = OutsideKills::Advice;
        OutsideKills kills;
        const CandidateId one{1}, two{2}, three{3};
        // Over different candidates, with nothing of that kind between them.
        QCOMPARE(kills.note(one, Work::Build), Advice::Again);
        QCOMPARE(kills.note(two, Work::Build), Advice::Again);
        kills.finished(Work::Check); // which says nothing about builds
        QCOMPARE(kills.note(three, Work::Build), Advice::Pause);
        kills.clear();
        // Always the same one's, while others get through: it is given up, and nobody else is.
        for (int i = 1; i < OutsideKills::ofOne; ++i) {
            QCOMPARE(kills.note(one, Work::Check), Advice::Again);
            kills.finished(Work::Check);
        }
        QCOMPARE(kills.note(two, Work::Check), Advice::Again);
        QCOMPARE(kills.note(one, Work::Check), Advice::GiveUp);
        // The node's ends are nobody's.
        kills.clear();
        for (int i = 0; i < 20; ++i) {
            QCOMPARE(kills.note({}, Work::Screen), Advice::Again);
            kills.finished(Work::Screen);
        }
    }

    void everyCandidateComesToWhatItWouldHaveComeToUndisturbed_data()
    {
        QTest::addColumn<QStringList>("manners");
        QTest::addColumn<QString>("told");
        QTest::newRow("a process now and then") << QStringList{u"--kill"_s, u"7"_s} << QString::fromLatin1(triedAgain);
        QTest::newRow("a process often") << QStringList{u"--kill"_s, u"5"_s} << QString::fromLatin1(triedAgain);
        QTest::newRow("the node now and then")
            << QStringList{u"--kill-node"_s, u"23"_s} << u"the node was killed by signal 9"_s;
    }

    void everyCandidateComesToWhatItWouldHaveComeToUndisturbed()
    {
        QFETCH(QStringList, manners);
        QFETCH(QString, told);
        const QStringList alone{u"--builders"_s, u"1"_s};
        EngineDriver calm(alone), disturbed(alone + manners);
        for (EngineDriver* driver : {&calm, &disturbed}) {
            driver->create(m_pack, 25, 7);
            QVERIFY(driver->waitForEnd());
            while (isPausedByKills(*driver)) {
                driver->engine.execute(commands::Run{});
                QVERIFY(driver->waitForEnd());
            }
            QCOMPARE(driver->ended->run.phase, events::Phase::Finished);
            QCOMPARE(driver->ended->run.evaluationsStarted, 25);
        }
        QVERIFY2(lines(disturbed.ended->run, told.toStdString()) > 0, "nobody was killed, or nobody told");
        QCOMPARE(calm.ended->run.outcomes.at("ranked"), 25);
        QCOMPARE(disturbed.ended->run.outcomes.at("ranked"), 25);
    }

    void realCompilersAndGuestsThatAreKilledChangeNothingOfWhatIsRanked()
    {
        if (!limitsWorkerMemory)
            QSKIP("a node that is built with sanitizers reads memory so slowly that honest programs seem too fast");
        QTemporaryDir caches;
        const auto pack = packWith(m_pack, {{"train", {{48, 32, 40}}}, {"heldout", {}}});
        QVERIFY(pack.has_value());
        constexpr int programs = 8;
        std::set<std::string> ours{programIdentity(pack->seed()).hex()};
        for (int i = 0; i < programs; ++i)
            ours.insert(programIdentity(variant(i)).hex());
        const auto isFinished = [](EngineDriver& driver) {
            do {
                driver.execute(commands::Run{});
                if (!driver.waitForEnd())
                    return false;
            } while (isPausedByKills(driver));
            return true;
        };
        const auto run = [&](EngineDriver& driver, const char* cache) {
            qputenv("XDG_CACHE_HOME", caches.filePath(QString::fromLatin1(cache)).toUtf8());
            driver.engine.setNodeCommand({QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright-node")});
            driver.create(*pack, programs + 1, 7, false);
            driver.execute(commands::Step{}); // the seed, which others can follow
            if (!driver.waitForEnd())
                return QStringLiteral("it does not end after the seed");
            for (int i = 0; i < programs; ++i)
                driver.execute(commands::Inject{{}, {}, variant(i), {}});
            if (!isFinished(driver))
                return QStringLiteral("it does not end");
            if (!driver.failures.isEmpty())
                return driver.failures.join(u' ');
            // While one waits to be tried again, after a kill or on a busy machine, the mutator may have begun another
            // in its place: it still has its turn.
            const auto isMissing = [&](const std::string& each) { return !fates(driver.ended->run).contains(each); };
            for (int more = 1; more <= programs && std::ranges::any_of(ours, isMissing); ++more) {
                driver.execute(commands::SetBudget{{programs + 1 + more, 0}});
                if (!isFinished(driver))
                    return QStringLiteral("it does not end with more evaluations");
            }
            return QString::fromStdString(driver.ended->status.trouble);
        };
        EngineDriver calm, disturbed;
        QCOMPARE(run(calm, "calm"), QString());
        Killer killer(8);
        QCOMPARE(run(disturbed, "disturbed"), QString());
        QVERIFY(killer.kills() > 0);
        for (const EngineDriver* driver : {&calm, &disturbed}) {
            const auto came = fates(driver->ended->run);
            for (const std::string& program : ours) {
                std::string what = "it is no candidate";
                for (const Candidate& candidate : driver->ended->run.candidates)
                    if (candidate.program.hex() == program)
                        what = candidateName(candidate.id) + ", evaluation "
                            + std::to_string(candidate.evaluationNumber) + ": " + nameOf(candidate.stage) + " "
                            + nameOf(candidate.outcome) + " " + candidate.rule + " " + candidate.text;
                QVERIFY2(came.contains(program), what.c_str());
            }
            for (const auto& [program, fate] : came)
                QCOMPARE(QString::fromStdString(fate), u"ranked "_s);
        }
    }

    void whoIsEndedEachTimeWhileOthersAreNotIsGivenUpInTrueWords()
    {
        EngineDriver driver({u"--kill-own"_s, u"5"_s});
        driver.create(m_pack, 30);
        QVERIFY(driver.waitForEnd());
        // It may be that only such are left, and it pauses then: whoever looks into it goes on.
        for (int goes = 0; isPausedByKills(driver) && goes < 20; ++goes) {
            driver.execute(commands::Run{});
            QVERIFY(driver.waitForEnd());
        }
        const RunState& run = driver.ended->run;
        QCOMPARE(run.phase, events::Phase::Finished);
        int given = 0;
        for (const Candidate& candidate : run.candidates) {
            QCOMPARE(candidate.stage, Stage::Done);
            if (candidate.outcome == Outcome::Ranked || candidate.evaluationNumber == 0)
                continue;
            QCOMPARE(candidate.outcome, Outcome::RunFailed);
            QCOMPARE(QString::fromStdString(candidate.rule), u"run/killed"_s);
            QVERIFY2(candidate.text.find("each of 5 attempts, although no limit of Tilewright was reached")
                    != std::string::npos,
                candidate.text.c_str());
            QCOMPARE(leading64(candidate.program) % 5, std::uint64_t(1));
            ++given;
        }
        QVERIFY(given > 0);
    }

    void whereNothingGetsThroughTheRunPausesAndGoesOnFromThere()
    {
        EngineDriver driver({u"--build-fault"_s, QString::fromLatin1(killedFromOutside)});
        driver.create(m_pack, 8);
        QVERIFY(driver.waitForEnd());
        const SnapshotPtr paused = driver.ended;
        QCOMPARE(paused->run.phase, events::Phase::Paused);
        QCOMPARE(paused->status.troubleCode, std::string(killedFromOutside));
        QVERIFY2(paused->status.trouble.starts_with("3 processes in a row were killed externally, the last one at c-0"),
            paused->status.trouble.c_str());
        QCOMPARE(paused->status.troubleHint, std::string("mend it"));
        QCOMPARE(paused->run.evaluationsDone, 0);
        QVERIFY(paused->run.evaluations.empty()); // the seed is blamed for nothing
        QVERIFY(driver.close());
        EngineDriver again({}, driver.path());
        again.engine.open(driver.path());
        again.execute(commands::Run{});
        QVERIFY(again.waitForEnd());
        QCOMPARE(again.ended->run.phase, events::Phase::Finished);
        QCOMPARE(again.ended->run.outcomes.at("ranked"), 8);
        QVERIFY(again.ended->status.trouble.empty());
    }

    void aNodeThatIsKilledEachTimeIsGivenUpAndNobodyIsBlamed()
    {
        EngineDriver driver({u"--kill-node"_s, u"1"_s});
        driver.create(m_pack, 8);
        QVERIFY(driver.waitForEnd());
        const SnapshotPtr paused = driver.ended;
        QCOMPARE(paused->run.phase, events::Phase::Paused);
        QVERIFY2(paused->status.trouble.find("signal 9 (Killed), which Tilewright did not send") != std::string::npos,
            paused->status.trouble.c_str());
        QCOMPARE(paused->status.troubleHint, std::string(killedRemedy));
        QVERIFY(paused->run.evaluations.empty());
    }
};

TILEWRIGHT_TEST(TestKilledRun)
#include "test_killed_run.moc"
