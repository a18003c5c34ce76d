// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/core_split.h"
#include "core/device/core_usage.h"
#include "core/device/cpu.h"
#include "core/device/cpu_quota.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <numeric>
#include <sched.h>
#include <thread>
#include <unistd.h>

using namespace tilewright;

namespace {

/// A folder with files as sysfs and cgroupfs have them.
class MadeUpSystem
{
public:
    std::filesystem::path root() const { return m_folder.path().toStdString(); }
    void write(const std::string& file, const std::string& text)
    {
        std::filesystem::create_directories((root() / file).parent_path());
        std::ofstream(root() / file) << text;
    }
    void writeOf(int core, const std::string& file, const std::string& text)
    {
        write("devices/system/cpu/cpu" + std::to_string(core) + "/" + file, text + "\n");
    }

private:
    QTemporaryDir m_folder;
};

std::vector<int> upTo(int count)
{
    std::vector<int> cores(static_cast<std::size_t>(count));
    std::iota(cores.begin(), cores.end(), 0);
    return cores;
}

} // namespace

class TestDevice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void processorsAreNamedByFamilyAndModel()
    {
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x19, 0x11), std::string("Zen 4"));
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x19, 0x21), std::string("Zen 3"));
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x1a, 0x02), std::string("Zen 5"));
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x17, 0x31), std::string("Zen 2"));
        QCOMPARE(microarchitectureOf("GenuineIntel", 6, 0x8f), std::string("Sapphire Rapids"));
    }

    void whatIsNotKnownIsNotNamed()
    {
        QCOMPARE(microarchitectureOf("AuthenticAMD", 0x99, 1), std::string());
        QCOMPARE(microarchitectureOf("GenuineIntel", 0x19, 0x11), std::string());
        QCOMPARE(microarchitectureOf("", 0, 0), std::string());
    }

    void anEfficiencyCoreDoesNotMeasure()
    {
        // Four fast cores with two threads each, four efficiency cores behind them, as a laptop numbers them.
        MadeUpSystem laptop;
        laptop.write("devices/cpu_atom/cpus", "8-11\n");
        for (int core = 0; core < 8; ++core)
            laptop.writeOf(core, "topology/thread_siblings_list",
                std::to_string(core / 2 * 2) + "-" + std::to_string(core / 2 * 2 + 1));
        for (int core = 8; core < 12; ++core)
            laptop.writeOf(core, "topology/thread_siblings_list", std::to_string(core));
        const CoreSplit split = splitCores(upTo(12), laptop.root(), 0);
        QCOMPARE(split.measuring, 7);
        QCOMPARE(split.clock, 5);
        QVERIFY(split.hasOwnClock());
        QCOMPARE(split.slower, (std::vector<int>{8, 9, 10, 11}));
        QCOMPARE(split.builders, (std::vector<int>{0, 1, 2, 3, 4, 8, 9, 10, 11}));

        // The same by capacity (Arm) and by frequency; favoured cores are of the same kind as the others.
        MadeUpSystem phone, desktop;
        for (int core = 0; core < 6; ++core) {
            phone.writeOf(core, "cpu_capacity", core < 2 ? "1024" : "381");
            desktop.writeOf(core, "cpufreq/cpuinfo_max_freq", core < 2 ? "5700000" : "5400000");
        }
        QCOMPARE(splitCores(upTo(6), phone.root(), 0).measuring, 1);
        QCOMPARE(splitCores(upTo(6), phone.root(), 0).clock, 0);
        QCOMPARE(splitCores(upTo(6), desktop.root(), 0).measuring, 5);
        QVERIFY(splitCores(upTo(6), desktop.root(), 0).slower.empty());
        // Where only efficiency cores may be used, one of them measures.
        QCOMPARE(splitCores({2, 3}, phone.root(), 0).measuring, 3);
    }

    void onASingleCoreAndUnderATightQuotaTheClockSharesTheMeasuringCore()
    {
        MadeUpSystem plain;
        for (const auto& [cores, quota] :
            {std::pair(1, 0.0), std::pair(2, 1.0), std::pair(16, 1.5), std::pair(2, 0.5)}) {
            const CoreSplit split = splitCores(upTo(cores), plain.root(), quota);
            QVERIFY(!split.hasOwnClock());
            QVERIFY(split.buildsWait());
        }
        const CoreSplit enough = splitCores(upTo(4), plain.root(), 2);
        QVERIFY(enough.hasOwnClock() && !enough.buildsWait());
        QCOMPARE(enough.measuring, 3);
        QCOMPARE(enough.clock, 2);
    }

    void processorTimeIsLimitedByTheTightestControlGroup()
    {
        MadeUpSystem second; // version 2: the limit stands in an outer group
        second.write("cgroup/cgroup.controllers", "cpu memory\n");
        second.write("cgroup/outer/cpu.max", "150000 100000\n");
        second.write("cgroup/outer/cpu.stat", "usage_usec 5\nnr_throttled 1\nthrottled_usec 7\n");
        second.write("cgroup/outer/inner/cpu.max", "max 100000\n");
        second.write("membership", "0::/outer/inner\n");
        const CpuQuotaGroups groups(second.root() / "cgroup", second.root() / "membership");
        QCOMPARE(groups.cores(), 1.5);
        QVERIFY(groups.period() == std::chrono::milliseconds(100));
        QVERIFY(groups.stopped() == std::chrono::microseconds(7));

        MadeUpSystem first; // version 1: a container sees its own group as the root
        first.write("cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
        first.write("cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        first.write("cgroup/cpu,cpuacct/cpu.stat", "nr_periods 3\nnr_throttled 1\nthrottled_time 11\n");
        first.write("membership", "9:name=systemd:/\n4:cpu,cpuacct:/docker/0123\n");
        const CpuQuotaGroups container(first.root() / "cgroup", first.root() / "membership");
        QCOMPARE(container.cores(), 0.5);
        QVERIFY(container.stopped() == std::chrono::nanoseconds(11));

        MadeUpSystem none;
        QCOMPARE(CpuQuotaGroups(none.root() / "cgroup", none.root() / "membership").cores(), 0.0);
    }

    void aFileThatCannotBeReadOnceOpenHasNoContent()
    {
        QCOMPARE(contentOf("/proc/self/mem"), std::string()); // opens, then read() fails with EIO
        QCOMPARE(contentOf("/nowhere/at/all"), std::string());
        QVERIFY(contentOf("/proc/self/status").find("State:") != std::string::npos);
    }

    void whoRunsOnACoreIsNamed()
    {
        const std::vector<int> cores = allowedCores();
        std::jthread busy([&](std::stop_token stop) {
            cpu_set_t set;
            CPU_ZERO(&set);
            CPU_SET(static_cast<std::size_t>(cores.front()), &set);
            sched_setaffinity(0, sizeof set, &set);
            while (!stop.stop_requested()) { }
        });
        const auto isOurs = [](const CoreUser& user) { return user.process == getpid(); };
        const std::vector<CoreUser> users = watchCores({cores.front()}, {}, std::chrono::milliseconds(200));
        const auto ours = std::ranges::find_if(users, isOurs);
        QVERIFY(ours != users.end());
        QCOMPARE(ours->core, cores.front());
        QVERIFY(ours->share > 0.01 && ours->share <= 1);
        QVERIFY(!ours->program.empty());
        const std::string words = describeCoreUsers({{"firefox", 4711, 1, 0.336}, {"cc1plus", 5, 0, 0.1}});
        QCOMPARE(
            words, std::string("firefox (process 4711) took 34 % of core 1, cc1plus (process 5) took 10 % of core 0"));
        const std::vector<CoreUser> others = watchCores({cores.front()}, {getpid()}, std::chrono::milliseconds(50));
        QVERIFY(std::ranges::none_of(others, isOurs));
        QVERIFY(watchCores({cores.back() + 1}, {}, std::chrono::milliseconds(20)).empty());
    }

    void thisProcessorHasFacts()
    {
        const CpuFacts facts = readCpuFacts();
        QVERIFY(facts.cores >= 1 && facts.memoryBytes > 0);
        QVERIFY(facts.microarchitecture.find('\n') == std::string::npos);
    }
};

TILEWRIGHT_TEST(TestDevice)
#include "test_device.moc"
