// SPDX-License-Identifier: GPL-3.0-or-later
// Compilers and guests that somebody else ends by SIGKILL, at moments drawn from a seed: whatever they were at, nothing
// of it is held against the program.
#include "core/base/random.h"
#include "core/node/checker.h"
#include "core/node/compiler_end.h"
#include "core/node/machine_trouble.h"
#include "core/node/stuck_processes.h"
#include "tests/node/building_stage.h"
#include "tests/test_program.h"

#include <QTest>
#include <atomic>
#include <csignal>
#include <fstream>
#include <map>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::string nameOfProcess(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
    std::string name;
    std::getline(file, name);
    return name;
}

/// Runs `work` while the first process beneath this one that bears the name is ended.
template <typename Work> auto whileKilling(const std::string& name, Work work)
{
    std::atomic<bool> isDone{false};
    std::thread killer([&] {
        for (bool hasKilled = false; !hasKilled && !isDone; usleep(500))
            for (const ProcessHandle& process : processesBeneath(getpid()))
                if (!hasKilled && nameOfProcess(process.pid()) == name) {
                    process.kill();
                    hasKilled = true;
                }
    });
    auto result = work();
    isDone = true;
    killer.join();
    return result;
}

} // namespace

class TestKilled : public QObject, BuildingStage
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aProgramWhoseCompilerIsKilledIsNotBlamed_data();
    void aProgramWhoseCompilerIsKilledIsNotBlamed();
    void aCompilerThatComputesTooLongIsToldFromOneThatWasKilled();
    void aGuestThatIsKilledAtAnyMomentIsNotBlamed();
};

void TestKilled::initTestCase()
{
    setUp(splitCores().builders);
    if (!hasCompiler())
        QSKIP("there is no compiler");
}

void TestKilled::aProgramWhoseCompilerIsKilledIsNotBlamed_data()
{
    QTest::addColumn<QString>("process");
    QTest::newRow("the compiler proper") << QStringLiteral("cc1plus");
    QTest::newRow("its driver") << QStringLiteral("g++");
    QTest::newRow("the sandbox around it") << QStringLiteral("bwrap");
}

void TestKilled::aProgramWhoseCompilerIsKilledIsNotBlamed()
{
    QFETCH(QString, process);
    if (process == QLatin1String("bwrap") && !m_sandbox->isFull())
        QSKIP("there is no sandbox here");
    const std::string source = m_pack.seed() + "\n// " + QTest::currentDataTag();
    const auto buildIt = [&] { return m_builder->buildCandidate(m_pack.task, source + "\nint unlike;"); };
    const BuildOutcome killed = whileKilling(process.toStdString(), buildIt);
    QVERIFY(!killed.ok);
    QCOMPARE(q(killed.rule), q(killedFromOutside));
    QVERIFY2(killed.text.find("signal 9") != std::string::npos, killed.text.c_str());
    QVERIFY(!killed.hint.empty());
    const BuildOutcome later = buildIt();
    QVERIFY2(later.cached == false, "what a kill made of it was kept");
    QVERIFY2(later.rule != killedFromOutside, later.text.c_str());
}

void TestKilled::aCompilerThatComputesTooLongIsToldFromOneThatWasKilled()
{
    ChildSetup setup;
    setup.command = {"/bin/sh", "-c", "while :; do :; done"};
    setup.cpuSeconds = 1;
    const auto run = runToEnd(setup, 60s, 100);
    QVERIFY(run.has_value());
    QCOMPARE(run->status.signal, SIGXCPU); // not SIGKILL, which is anybody's
}

void TestKilled::aGuestThatIsKilledAtAnyMomentIsNotBlamed()
{
    Task task = m_pack.task;
    task.train = {{8, 8, 8}};
    const BuildOutcome built = m_builder->buildCandidate(task, m_pack.seed());
    QVERIFY2(built.ok, built.text.c_str());
    CounterRandom random(20, 0, 0);
    std::map<std::string, int> ends;
    for (int round = 0; round < 60; ++round) {
        auto arena = Arena::start(
            *m_sandbox, worker, *m_builder->artifactPath(built.artifact), task, task.train, splitCores());
        QVERIFY2(arena.has_value(), arena ? "" : arena.error().text.c_str());
        QVERIFY((*arena)->bind(task.train.front(), Placement::FlushRight).has_value());
        auto beneath = processesBeneath(getpid());
        QVERIFY(!beneath.empty());
        const std::uint64_t call = random.below(20), pause = random.below(300);
        std::atomic<bool> begun{false};
        std::thread killer([&] {
            while (!begun)
                usleep(50);
            usleep(static_cast<useconds_t>(pause));
            beneath.back().kill();
        });
        Result<std::chrono::nanoseconds> time;
        for (std::uint64_t i = 0; time; ++i) {
            begun = i >= call;
            time = (*arena)->run(60s);
        }
        killer.join();
        ++ends[time.error().code];
        QVERIFY2(time.error().code == killedFromOutside || time.error().code == "machine/memory",
            (time.error().code + ": " + time.error().text).c_str());
    }
    QVERIFY(ends[killedFromOutside] > 0);
}

TILEWRIGHT_TEST(TestKilled)
#include "test_killed.moc"
