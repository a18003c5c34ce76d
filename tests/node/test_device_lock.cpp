// SPDX-License-Identifier: GPL-3.0-or-later
// Processes take turns on a device, and none measures where no turn can be taken, nor while a killed one hangs on it.
#include "core/node/child_process.h"
#include "core/node/device_lock.h"
#include "core/node/gpu_turns.h"
#include "tests/patience.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;

namespace {

/// Traces a process and never looks after it: its end is not reported to its parent as long as this lives, as with one
/// that hangs in a driver.
class Withholder
{
public:
    explicit Withholder(pid_t pid)
    {
        int ends[2];
        if (pipe(ends) != 0)
            return;
        m_tracer = fork();
        if (m_tracer == 0) {
            const char holds = ptrace(PTRACE_SEIZE, pid, 0, 0) == 0;
            if (write(ends[1], &holds, 1) == 1)
                for (;;)
                    pause();
            _exit(1);
        }
        char holds = 0;
        m_holds = read(ends[0], &holds, 1) == 1 && holds;
        close(ends[0]);
        close(ends[1]);
    }
    ~Withholder() { letGo(); }
    Withholder(const Withholder&) = delete;
    Withholder& operator=(const Withholder&) = delete;
    bool holds() const { return m_holds; }
    void letGo()
    {
        if (m_tracer <= 0)
            return;
        ::kill(m_tracer, SIGKILL);
        waitpid(std::exchange(m_tracer, -1), nullptr, 0);
    }

private:
    pid_t m_tracer = -1;
    bool m_holds = false;
};

ChildSetup sleeper(StuckProcesses& stuck)
{
    ChildSetup setup;
    setup.command = {"sleep", "1000"};
    setup.stuck = &stuck;
    setup.deathLimit = std::chrono::milliseconds(50);
    return setup;
}

} // namespace

class TestDeviceLock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoeverComesSecondWaitsUntilTheFirstIsDone()
    {
        const QTemporaryDir folder;
        const DeviceLockFile mine("gpu", folder.path().toStdString()), theirs("gpu", folder.path().toStdString());
        std::optional<DeviceLock> first(std::in_place, mine, never, [] {});
        QVERIFY(first->held());
        int waits = 0;
        const DeviceLock second(theirs, never, [&] {
            if (++waits == 2)
                first.reset();
        });
        QVERIFY(second.held());
        QCOMPARE(waits, 2);
    }

    void aCancelEndsTheWait()
    {
        const QTemporaryDir folder;
        const DeviceLockFile mine("gpu", folder.path().toStdString()), theirs("gpu", folder.path().toStdString());
        const DeviceLock first(mine, never, [] {});
        int asked = 0;
        const DeviceLock second(
            theirs, [&] { return ++asked == 2; }, [] {});
        QVERIFY(!second.held());
        QCOMPARE(second.whyNot().code, std::string("cancelled"));
    }

    void otherDevicesAreFree()
    {
        const QTemporaryDir folder;
        const DeviceLockFile one("cpu1", folder.path().toStdString()), other("cpu2", folder.path().toStdString());
        const DeviceLock first(one, never, [] {}), second(other, never, [] {});
        QVERIFY(first.held() && second.held());
    }

    void everybodyMayOpenTheFileWhateverTheUmask()
    {
        const QTemporaryDir folder;
        const mode_t before = umask(0077);
        const DeviceLockFile file("gpu", folder.path().toStdString());
        umask(before);
        struct stat status {
        };
        QCOMPARE(stat((folder.path() + QStringLiteral("/tilewright-gpu.lock")).toUtf8().constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, mode_t(0666));
    }

    void aProcessThatDoesNotEndIsLeftAndKnownUntilItDoes()
    {
        StuckProcesses stuck;
        auto child = ChildProcess::start(sleeper(stuck));
        QVERIFY(child);
        const pid_t pid = child->pid();
        Withholder withholder(pid);
        if (!withholder.holds())
            QSKIP("processes may not be traced here");
        child->kill(); // returns, although the process cannot be reaped
        QVERIFY(child->poll().has_value());
        QCOMPARE(stuck.still(), std::vector<pid_t>{pid});
        withholder.letGo();
        QTRY_VERIFY_WITH_TIMEOUT(stuck.still().empty(), patience);
    }

    void whatAChildHasStartedEndsWithItInWhateverSession()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("pid")).toStdString();
        StuckProcesses stuck;
        ChildSetup setup = sleeper(stuck);
        setup.command = {"sh", "-c",
            "setsid sh -c 'echo $$ > " + file + ".part; mv " + file + ".part " + file + "; exec sleep 1000'; true"};
        auto child = ChildProcess::start(setup);
        QVERIFY(child);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(file)), patience);
        pid_t pid = 0;
        std::ifstream(file) >> pid;
        QVERIFY(pid > 0);
        const ProcessHandle grandchild(pid);
        if (!grandchild.isKnown())
            QSKIP("this kernel cannot hold on to a process");
        child->kill();
        QVERIFY(grandchild.hasEnded(patience));
    }

    void nobodyGetsAGpuOnWhichAKilledProcessHangs()
    {
        const QTemporaryDir folder;
        const std::string place = folder.path().toStdString();
        GpuTurns mine("GPU-1", "a GPU", place);
        const DeviceLockFile theirs("GPU-1", place);
        const auto isFree = [&] {
            return DeviceLock(
                theirs, [] { return true; }, [] {})
                .held();
        };
        std::optional<Withholder> withholder;
        pid_t pid = 0;
        {
            const auto turn = mine.take({});
            QVERIFY(turn);
            QVERIFY(!isFree());
            auto child = ChildProcess::start(sleeper(mine.stuck()));
            QVERIFY(child);
            pid = child->pid();
            withholder.emplace(pid);
            if (!withholder->holds())
                QSKIP("processes may not be traced here");
        }
        const auto refused = mine.take({});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("device/stuck"));
        QVERIFY(refused.error().text.contains(std::to_string(pid)) && refused.error().text.contains("a GPU"));
        QVERIFY(!refused.error().hint.empty());
        QVERIFY(!isFree()); // other nodes wait as well
        withholder.reset();
        QTRY_VERIFY_WITH_TIMEOUT(!mine.look(), patience);
        QVERIFY(isFree());
        QVERIFY(mine.take({}));
    }

    void withoutAFileNothingIsHeldAndThePlaceIsNamed()
    {
        const DeviceLockFile file("gpu", "/nowhere/at/all");
        const DeviceLock lock(file, never, [] {});
        QVERIFY(!lock.held());
        QCOMPARE(lock.whyNot().code, std::string("machine/folder"));
        QVERIFY(lock.whyNot().text.contains("/nowhere/at/all/tilewright-gpu.lock"));
    }
};

TILEWRIGHT_TEST(TestDeviceLock)
#include "test_device_lock.moc"
