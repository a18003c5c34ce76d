// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong with a GPU, and what its driver and NVIDIA's tools tell of it, from recorded words and a driver that
// says what a test has it say.
#include "core/base/files.h"
#include "core/model/measurement/gpu_counters.h"
#include "core/model/task/task.h"
#include "core/node/counting_turns.h"
#include "core/node/cuda_timing.h"
#include "core/node/device.h"
#include "core/node/disassembler.h"
#include "core/node/gpu_process.h"
#include "core/node/gpu_tool_output.h"
#include "core/node/gpu_tools.h"
#include "core/node/nvml.h"
#include "core/node/worker_channel.h"
#include "core/protocol/gpu_canary.h"
#include "core/protocol/gpu_trouble.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <dlfcn.h>
#include <fstream>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;

class TestGpuTrouble : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theKnownKernelsResultIsKnownBeforehand();
    void codesOfTheDriverAreToldByTheirCause_data();
    void codesOfTheDriverAreToldByTheirCause();
    void xidsAreTheProgramsOrTheGpus_data();
    void xidsAreTheProgramsOrTheGpus();
    void aToolkitIsTooNewForOldGpusAndTooOldForNewOnes_data();
    void aToolkitIsTooNewForOldGpusAndTooOldForNewOnes();
    void whatAProgramMakesTheDriverSayIsItsOwn();
    void whoEndsWorkersFromOutsideIsNoProgram();
    void whatHidesTheGpusIsToldAndHandedOn();
    void anOldDriverIsToldByWhatItLacks();
    void theDriversReportsAreHeard();
    void aWorkerSeesItsOwnGpuAlone();
    void memcheckLooksAtEachKernel();
    void memcheckIsReadAsItIsWritten_data();
    void memcheckIsReadAsItIsWritten();
    void countersAreReadFromTheProfilersTable();
    void whatBoundsARecordedLaunchFollowsFromItsCounters();
    void theProfilerRunsSeldomAndStopsWhereItMayNot();
    void toolsAreFoundInThePath();
    void aToolRunsTheWorkerInTheSandboxAndIsBelieved_data();
    void aToolRunsTheWorkerInTheSandboxAndIsBelieved();
};

void TestGpuTrouble::theKnownKernelsResultIsKnownBeforehand()
{
    QCOMPARE(canaryDigest(7, 0), std::uint64_t(0));
    QVERIFY(canaryDigest(7, 132) != canaryDigest(8, 132));
    // Blocks are summed: each of them counts, in whatever order.
    QCOMPARE(canaryDigest(7, 2) - canaryDigest(7, 1), canaryDigest(7 + canaryThreads, 1));
}

void TestGpuTrouble::codesOfTheDriverAreToldByTheirCause_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* name, int code, const char* rule, GpuTroubleKind kind) {
        QTest::newRow(name) << code << QString::fromLatin1(rule) << static_cast<int>(kind);
    };
    row("out of memory", 2, "device/memory", GpuTroubleKind::Passing);
    row("taken for itself by another", 46, "device/busy", GpuTroubleKind::Passing);
    row("none", 100, "device/missing", GpuTroubleKind::Lasting);
    row("gone", 101, "device/missing", GpuTroubleKind::Lasting);
    row("no binary for this GPU", 209, "device/architecture", GpuTroubleKind::Lasting);
    row("toolchain newer than driver", 222, "device/architecture", GpuTroubleKind::Lasting);
    row("uncorrectable memory error", 214, "device/fault", GpuTroubleKind::Lasting);
    row("NVLink", 220, "device/fault", GpuTroubleKind::Lasting);
    row("too old", 36, "device/driver-too-old", GpuTroubleKind::Lasting);
    row("not ready", 802, "device/not-ready", GpuTroubleKind::Lasting);
    row("updated meanwhile", 803, "device/driver-mismatch", GpuTroubleKind::Lasting);
    row("unknown", 999, "device/driver", GpuTroubleKind::Lasting);
    row("illegal address", 700, "run/illegal-address", GpuTroubleKind::None);
    row("assert", 710, "run/assert", GpuTroubleKind::None);
    row("misaligned", 716, "run/misaligned-address", GpuTroubleKind::None);
    row("launch failed", 719, "run/launch-failed", GpuTroubleKind::None);
    row("too much asked for", 701, "run/launch", GpuTroubleKind::None);
    row("no image", 200, "run/load", GpuTroubleKind::None);
}

void TestGpuTrouble::codesOfTheDriverAreToldByTheirCause()
{
    QFETCH(int, code);
    QFETCH(int, kind);
    const char* rule = gpuRuleOf(code);
    QTEST(QString::fromLatin1(rule), "rule");
    QCOMPARE(static_cast<int>(gpuTroubleKind(rule)), kind);
    // Whoever reads of a device's trouble is told what to do.
    QCOMPARE(std::string(gpuRemedy(rule)).empty(), kind == static_cast<int>(GpuTroubleKind::None));
}

void TestGpuTrouble::xidsAreTheProgramsOrTheGpus_data()
{
    QTest::addColumn<unsigned>("xid");
    QTest::addColumn<QString>("told");
    for (const unsigned xid : {13U, 31U, 43U, 45U, 999U})
        QTest::addRow("%u", xid) << xid << QString();
    for (const unsigned xid : {48U, 63U, 64U, 74U, 95U, 119U, 120U, 154U})
        QTest::addRow("%u", xid) << xid << QStringLiteral("device/fault");
    QTest::addRow("79") << 79U << QStringLiteral("device/lost");
}

void TestGpuTrouble::xidsAreTheProgramsOrTheGpus()
{
    QFETCH(unsigned, xid);
    const auto fault = gpuFault({{13, xid}, false}, "NVIDIA H200");
    QTEST(fault ? q(fault->code) : QString(), "told");
    if (!fault)
        return;
    QVERIFY2(fault->text.starts_with("NVIDIA H200 reported Xid " + std::to_string(xid) + " ("), fault->text.c_str());
    QVERIFY(!fault->hint.empty());
    QCOMPARE(fault->evidence.at("xid").get<unsigned>(), xid);
}

void TestGpuTrouble::aToolkitIsTooNewForOldGpusAndTooOldForNewOnes_data()
{
    QTest::addColumn<int>("capability");
    QTest::addColumn<bool>("tellsWhichItKnows");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("remedy");
    const QString newer = QStringLiteral("install a newer CUDA toolkit"), older = QStringLiteral("CUDA toolkit 12");
    const QString tooNew = QStringLiteral("device/toolkit-too-new"), tooOld = QStringLiteral("device/toolkit");
    QTest::newRow("V100")
        << 70 << true << tooNew
        << QStringLiteral("NVRTC 13.0 no longer supports compute capability 7.0, which this GPU has: its oldest is 7.5")
        << older;
    QTest::newRow("P40") << 61 << true << tooNew << QStringLiteral("compute capability 6.1") << older;
    QTest::newRow("of the future") << 130 << true << tooOld
                                   << QStringLiteral("does not support compute capability 13.0") << newer;
    QTest::newRow("another option") << 90 << true << tooOld << QStringLiteral("or an option: it said so") << newer;
    QTest::newRow("says nothing") << 70 << false << tooOld << QStringLiteral("or an option: it said so") << newer;
}

void TestGpuTrouble::aToolkitIsTooNewForOldGpusAndTooOldForNewOnes()
{
    QFETCH(int, capability);
    QFETCH(bool, tellsWhichItKnows);
    QFETCH(QString, says);
    QFETCH(QString, remedy);
    const std::vector<int> known{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121}; // of CUDA 13.0
    const Error error
        = toolkitTrouble("NVRTC 13.0", capability, tellsWhichItKnows ? known : std::vector<int>(), "it said so");
    QTEST(q(error.code), "rule");
    QVERIFY2(q(error.text).contains(says), error.text.c_str());
    QVERIFY2(q(error.hint).contains(remedy), error.hint.c_str());
    QVERIFY(gpuTroubleKind(error.code) == GpuTroubleKind::Lasting);
}

void TestGpuTrouble::whatAProgramMakesTheDriverSayIsItsOwn()
{
    const Error memory{"device/memory", "no room", "", nullptr};
    QCOMPARE(withBlame(memory).code, std::string("device/memory"));
    QVERIFY(!withBlame(memory).hint.empty());
    const Error launch{"device/memory", "no room", "", {{"contestant", "candidate"}}};
    QCOMPARE(withBlame(launch).code, std::string("run/memory"));
    QCOMPARE(attemptsFor("run/memory"), 2); // others may have held it for a moment
    const Error unknown{"device/driver", "?", "", {{"contestant", "candidate"}}};
    QCOMPARE(withBlame(unknown).code, std::string("run/driver"));
    QCOMPARE(attemptsFor("run/canary"), 2);
    QCOMPARE(attemptsFor("run/exit"), 3);
    QCOMPARE(attemptsFor("run/timeout"), 1);
    QCOMPARE(attemptsFor("run/timeout", true), 2); // it ended when it was checked
    QCOMPARE(attemptsFor("run/illegal-address"), 1);
}

void TestGpuTrouble::whoEndsWorkersFromOutsideIsNoProgram()
{
    const auto ended = [](int signal) {
        return withKiller({"run/exit", "the worker was ended", "", {{"signal", signal}, {"contestant", "candidate"}}});
    };
    QCOMPARE(q(ended(9).code), QStringLiteral("device/worker-killed"));
    QVERIFY(gpuTroubleKind(ended(9).code) == GpuTroubleKind::Lasting && !ended(9).hint.empty());
    QCOMPARE(q(ended(11).code), QStringLiteral("run/exit")); // a driver may fall over a program
    QCOMPARE(q(withKiller({"run/exit", "the worker ended", "", nullptr}).code), QStringLiteral("run/exit"));
    QCOMPARE(q(withKiller({"run/timeout", "", "", {{"signal", 9}}}).code), QStringLiteral("run/timeout"));
}

/// What a worker with this driver in place of the machine's says when it is asked for its GPUs.
Error errorOfListing(const char* driver)
{
    qputenv("TILEWRIGHT_ISOLATION", "reduced");
    const Sandbox sandbox(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
    qunsetenv("TILEWRIGHT_ISOLATION");
    WorkerSetup setup;
    setup.worker = fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-cuda-worker";
    setup.arguments = {"devices"};
    setup.libraries = {fs::path(driver).parent_path()};
    setup.devices = {"/dev/null"};
    const auto channel = WorkerChannel::start(sandbox, setup, std::chrono::seconds(30));
    return channel ? Error{"fine", "", "", nullptr} : channel.error();
}

void TestGpuTrouble::whatHidesTheGpusIsToldAndHandedOn()
{
    qunsetenv("CUDA_VISIBLE_DEVICES");
    QVERIFY(gpuVisibility().empty());
    QCOMPARE(q(errorOfListing(TILEWRIGHT_FAKE_CUDA).code), QStringLiteral("device/not-ready"));
    const Error none{"device/missing", "no GPU", "", nullptr};
    QCOMPARE(withVisibility(none).text, none.text);
    qputenv("CUDA_VISIBLE_DEVICES", "");
    const Error hidden = errorOfListing(TILEWRIGHT_FAKE_CUDA);
    QCOMPARE(q(hidden.code), QStringLiteral("device/missing"));
    QVERIFY2(withVisibility(hidden).text.starts_with("CUDA_VISIBLE_DEVICES='' hides every GPU"), hidden.text.c_str());
    QVERIFY(withVisibility(hidden).hint.find("unset it") != std::string::npos);
    const Error other{"device/driver-too-old", "old", "", nullptr};
    QCOMPARE(withVisibility(other).text, other.text);
    qunsetenv("CUDA_VISIBLE_DEVICES");
}

void TestGpuTrouble::anOldDriverIsToldByWhatItLacks()
{
    const Error old = errorOfListing(TILEWRIGHT_FAKE_OLD_CUDA);
    QCOMPARE(q(old.code), QStringLiteral("device/driver-too-old"));
    QCOMPARE(q(old.text), QStringLiteral("the NVIDIA driver is too old: it has no cuLaunchKernelEx"));
    QVERIFY2(old.hint.find("install an NVIDIA driver") != std::string::npos, old.hint.c_str());
}

void TestGpuTrouble::theDriversReportsAreHeard()
{
    const std::string library = TILEWRIGHT_FAKE_NVML;
    void* fake = dlopen(library.c_str(), RTLD_NOW);
    QVERIFY2(fake, dlerror());
    const auto report = reinterpret_cast<void (*)(unsigned)>(dlsym(fake, "fakeXid"));
    const auto lose = reinterpret_cast<void (*)(int)>(dlsym(fake, "fakeLoss"));
    QVERIFY(!Nvml::open("GPU-other", library.c_str()));
    const auto nvml = Nvml::open("GPU-fake", library.c_str());
    QVERIFY(nvml && nvml->hearsXids());
    QCOMPARE(nvml->minorNumber(), std::optional(1u));
    QVERIFY(nvml->reports().xids.empty() && !nvml->reports().isLost);
    report(31);
    report(48);
    QCOMPARE(nvml->reports().xids, (std::vector<unsigned>{31, 48}));
    QVERIFY(nvml->reports().xids.empty()); // once each
    lose(1);
    QVERIFY(nvml->reports().isLost);
    lose(0);
    const auto consume = reinterpret_cast<void (*)(unsigned long long)>(dlsym(fake, "fakeEnergy"));
    consume(1'234'567);
    QCOMPARE(nvml->consumedJoules(), std::optional(1234.567));
}

/// A worker sees the file of its own GPU, and all of them only where nobody knows which that is.
void TestGpuTrouble::aWorkerSeesItsOwnGpuAlone()
{
    const QTemporaryDir folder;
    const fs::path dev = folder.path().toStdString();
    for (const char* name : {"nvidia0", "nvidia1", "nvidia10", "nvidiactl", "nvidia-uvm", "nvidia-modeset", "null"})
        std::ofstream(dev / name) << "";
    const auto namesOf = [&](std::optional<unsigned> minorNumber) {
        QStringList names;
        for (const fs::path& file : gpuDeviceFiles(minorNumber, dev))
            names << QString::fromStdString(file.filename().string());
        names.sort();
        return names.join(QLatin1Char(' '));
    };
    QCOMPARE(namesOf(1), QStringLiteral("nvidia-uvm nvidia1 nvidiactl"));
    const QString all = QStringLiteral("nvidia-uvm nvidia0 nvidia1 nvidia10 nvidiactl");
    QCOMPARE(namesOf({}), all);
    QCOMPARE(namesOf(2), all); // a container may number them otherwise
}

/// A tile that only large products take is looked at, too, where it is smallest.
void TestGpuTrouble::memcheckLooksAtEachKernel()
{
    const auto pack = loadTaskPack(fs::path(TILEWRIGHT_SOURCE_DIR) / "kernels/gemm-fp32");
    QVERIFY(pack.has_value());
    const Task& task = pack->task;
    CudaArtifact program;
    const auto add = [&](const Shape& shape, const char* kernel, bool unannounced = false) {
        GpuPlan plan;
        plan.launches.push_back({kernel, {}, {}, {}, 0, false, false, {}});
        program.plans.push_back({shape, unannounced, plan});
    };
    for (const Shape& shape : task.verify)
        add(shape, "small");
    add({3, 5, 7}, "odd", true);
    Shape smallest = task.train.front();
    for (const Shape& shape : task.train) {
        add(shape, "large");
        if (shape[0] * shape[1] + shape[0] * shape[2] + shape[1] * shape[2]
            < smallest[0] * smallest[1] + smallest[0] * smallest[2] + smallest[1] * smallest[2])
            smallest = shape;
    }
    const auto looked = plansForMemcheck(task, program);
    QCOMPARE(looked.size(), std::size_t{4});
    QCOMPARE(looked[0]->shape, task.verify[0]);
    QVERIFY(looked[2]->unannounced);
    QCOMPARE(looked[3]->shape, smallest);
}

void TestGpuTrouble::memcheckIsReadAsItIsWritten_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("told");
    const QByteArray head = "========= COMPUTE-SANITIZER\n";
    QTest::newRow("nothing") << head + "========= ERROR SUMMARY: 0 errors\n" << QStringLiteral("clean");
    QTest::newRow("a read")
        << head
            + "========= Invalid __global__ read of size 4 bytes\n=========     at gemm+0x1b0\n"
              "=========     by thread (31,0,0) in block (3,0,0)\n"
              "=========     Address 0x7f1c2a000400 is out of bounds\n"
              "=========     and is 1 bytes after the nearest allocation at 0x7f1c2a000000 of size 1024 bytes\n"
              "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
              "=========     Host Frame: [0x331d50]\n=========\n"
              "=========     at other+0x10\n========= ERROR SUMMARY: 12 errors\n"
        << QStringLiteral(
               "12: Invalid __global__ read of size 4 bytes at gemm+0x1b0, thread (31,0,0) in block (3,0,0)");
    QTest::newRow("a fault") << head
            + "========= Program hit CUDA_ERROR_ILLEGAL_ADDRESS (error 700) due to \"an illegal memory access\" on "
              "CUDA "
              "API call to cuCtxSynchronize.\n========= ERROR SUMMARY: 1 error\n"
                             << QStringLiteral("1: Program hit CUDA_ERROR_ILLEGAL_ADDRESS (error 700) due to \"an "
                                               "illegal memory access\" on CUDA API call to cuCtxSynchronize. at ");
    QTest::newRow("an error of its own") << head
            + "========= Internal Sanitizer Error: The Sanitizer encountered an error\n========= ERROR SUMMARY: 1 "
              "error\n" << QStringLiteral("tool/output");
    QTest::newRow("cut off") << head + "========= Invalid __global__ read of size 4 bytes\n"
                             << QStringLiteral("tool/output");
    QTest::newRow("no word of it") << QByteArray("bwrap: execvp compute-sanitizer: No such file or directory\n")
                                   << QStringLiteral("tool/output");
}

void TestGpuTrouble::memcheckIsReadAsItIsWritten()
{
    QFETCH(QByteArray, output);
    const auto found = readMemcheck(output.toStdString());
    QString told = codeOf(found);
    if (found)
        told = *found ? q(std::to_string((*found)->errors) + ": " + (*found)->what + " at " + (*found)->where)
                      : QStringLiteral("clean");
    QTEST(told, "told");
}

/// Of tests/node/fixtures/kinds.cu, whose kernels are what their names say.
void TestGpuTrouble::whatBoundsARecordedLaunchFollowsFromItsCounters()
{
    const auto recorded = readFile(std::string(TILEWRIGHT_SOURCE_DIR) + "/tests/node/fixtures/kinds.ncu.csv");
    QVERIFY(recorded.has_value());
    const auto launches = readCounters(*recorded);
    QVERIFY2(launches, launches ? "" : launches.error().text.c_str());
    const auto wordsOf = [&](const char* kernel) {
        std::string words;
        for (const LaunchCounters& launch : *launches)
            if (launch.kernel == kernel)
                for (const std::string& sentence : boundSentences({{"launches", {launch.json()}}}))
                    words += sentence + "\n";
        return q(words);
    };
    const QString conflicts = QStringLiteral("repeats for bank conflicts");
    const QString straight = wordsOf("straight"), chase = wordsOf("chase"), adds = wordsOf("multiply_adds");
    QVERIFY2(straight.contains(QStringLiteral("it is memory-bound, by the L2 cache (89 % of the memory's bandwidth")),
        qPrintable(straight));
    QVERIFY2(adds.contains(QStringLiteral("it is compute-bound (0 % of the memory's bandwidth, 99 % of the")),
        qPrintable(adds));
    QVERIFY2(chase.contains(QStringLiteral("it is latency-bound")) && chase.contains(QStringLiteral("long_scoreboard")),
        qPrintable(chase));
    QVERIFY2(wordsOf("conflicts").contains(QStringLiteral("97 % of the passes through shared memory are ") + conflicts),
        qPrintable(wordsOf("conflicts")));
    // Repeats of accesses to global memory are not told as such of shared memory.
    for (const char* kernel : {"straight", "scalar", "tiled", "warps", "chase", "multiply_adds", "spilled"})
        QVERIFY2(!wordsOf(kernel).isEmpty() && !wordsOf(kernel).contains(conflicts), qPrintable(wordsOf(kernel)));
}

void TestGpuTrouble::countersAreReadFromTheProfilersTable()
{
    const std::string time = counterNames().front(), bytes = "dram__bytes.sum";
    const std::string table = "==PROF== Connected to process 12 (/tilewright-cuda-worker)\n"
                              "==PROF== Profiling \"gemm\": 0%....50%....100% - 9 passes\n"
                              "==PROF== Disconnected from process 12\n"
                              "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\""
        + time + "\",\"" + bytes
        + "\"\n\"\",\"\",\"\",\"\",\"\",\"\",\"ns\",\"Mbyte\"\n"
          "\"0\",\"12\",\"tilewright-cuda-worker\",\"127.0.0.1\",\"gemm<128, 64>(Args)\",\"1\",\"166,432\",\"25.5\"\n"
          "\"1\",\"12\",\"tilewright-cuda-worker\",\"127.0.0.1\",\"sum \"\"all\"\"\",\"1\",\"2,048\",\"n/a\"\n";
    const auto launches = readCounters(table);
    QVERIFY2(launches, launches ? "" : launches.error().text.c_str());
    QCOMPARE(launches->size(), std::size_t(2));
    const nlohmann::json wanted{{"kernel", "gemm<128, 64>(Args)"},
        {"counters",
            {{{"name", time}, {"value", 166432.0}, {"unit", "ns"}},
                {{"name", bytes}, {"value", 25.5}, {"unit", "Mbyte"}}}}};
    QVERIFY2((*launches)[0].json() == wanted, (*launches)[0].json().dump().c_str());
    QCOMPARE((*launches)[1].kernel, std::string("sum \"all\""));
    QCOMPARE((*launches)[1].values.size(), std::size_t(1)); // what has no value is left out
    const auto has = [](const std::vector<std::string>& names, const char* reason) {
        return std::ranges::any_of(
            names, [&](const std::string& name) { return name.find(reason) != std::string::npos; });
    };
    QVERIFY(has(counterNamesOf(9), "_stalled_gmma_") && has(counterNamesOf(9), "_stalled_imc_miss_"));
    QVERIFY(!has(counterNamesOf(8), "_stalled_gmma_") && has(counterNamesOf(8), "_stalled_imc_miss_"));
    QVERIFY(!has(counterNamesOf(10), "_stalled_gmma_") && !has(counterNamesOf(10), "_stalled_imc_miss_"));
    for (const std::string& common : commonCounterNames())
        QVERIFY(std::ranges::count(counterNames(), common) == 1);
    QCOMPARE(codeOf(readCounters("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission")),
        QStringLiteral("tool/permission"));
    QCOMPARE(codeOf(readCounters("==WARNING== No kernels were profiled.\n")), QStringLiteral("tool/output"));
    QCOMPARE(codeOf(readCounters(table.substr(0, table.size() - 20))), QStringLiteral("tool/output"));
}

void TestGpuTrouble::theProfilerRunsSeldomAndStopsWhereItMayNot()
{
    using namespace std::chrono_literals;
    CountingTurns turns;
    QVERIFY(turns.isDue(0s)); // the first costs what it costs
    turns.spent(5s);
    QVERIFY(!turns.isDue(49s));
    QVERIFY(turns.isDue(50s));
    QVERIFY(!turns.failed({"tool/timeout", "ncu did not end in time", "", nullptr})); // once may be chance
    turns.succeeded();
    QVERIFY(!turns.failed({"tool/output", "ncu's report cannot be read", "", nullptr}));
    QVERIFY(turns.isDue(50s));
    QVERIFY(turns.failed({"tool/output", "ncu's report cannot be read", "", nullptr}));
    QVERIFY(!turns.isDue(1h));
    QVERIFY(!turns.failed({"tool/output", "ncu's report cannot be read", "", nullptr})); // told once
    CountingTurns forbidden;
    QVERIFY(forbidden.failed({"tool/permission", "the driver allows only administrators", "", nullptr}));
    QVERIFY(!forbidden.isDue(1h));
}

void TestGpuTrouble::toolsAreFoundInThePath()
{
    const QTemporaryDir folder;
    const QByteArray before = qgetenv("PATH");
    const fs::path tool = fs::path(folder.path().toStdString()) / "a-tool-of-nobodys";
    std::ofstream(tool) << "#!/bin/sh\n";
    qputenv("PATH", "relative:" + folder.path().toUtf8() + ":" + before);
    QVERIFY(findTool("a-tool-of-nobodys").empty()); // not to be executed
    fs::permissions(tool, fs::perms::owner_all);
    QCOMPARE(findTool("a-tool-of-nobodys"), fs::canonical(tool));
    qputenv("PATH", before);
    QVERIFY(findTool("a-tool-of-nobodys").empty());
}

void TestGpuTrouble::aToolRunsTheWorkerInTheSandboxAndIsBelieved_data()
{
    QTest::addColumn<QByteArray>("says");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("told");
    const QByteArray clean = "========= ERROR SUMMARY: 0 errors\n";
    QTest::newRow("nothing found") << clean << 0 << QStringLiteral("fine");
    QTest::newRow("nothing found, reduced isolation") << clean << 0 << QStringLiteral("fine");
    QTest::newRow("something found") << QByteArray("========= Invalid __global__ write of size 4 bytes\n"
                                                   "=========     at gemm+0x10\n========= ERROR SUMMARY: 1 error\n")
                                     << 86 << QStringLiteral("verify/memcheck");
    QTest::newRow("the program did not run") << clean << 3 << QStringLiteral("tool/output");
    QTest::newRow("nonsense") << QByteArray("?\n") << 0 << QStringLiteral("tool/output");
}

void TestGpuTrouble::aToolRunsTheWorkerInTheSandboxAndIsBelieved()
{
    QFETCH(QByteArray, says);
    QFETCH(int, code);
    const QTemporaryDir folder;
    const fs::path tool = fs::path(folder.path().toStdString()) / "compute-sanitizer";
    // It ends otherwise unless it is asked as the real one is, finds the job, and has a place for what tools leave.
    std::ofstream(tool) << "#!/bin/sh\nset -e\n[ \"$1 $2\" = '--tool memcheck' ]\nfor last; do :; done\n"
                           "grep -q GPU-7 $last/job.json && [ -s $last/program.cubin ]\n"
                           "touch $TMPDIR/socket $HOME/lock\n"
                        << "cat <<END\n"
                        << says.toStdString() << "END\nexit " << code << "\n";
    fs::permissions(tool, fs::perms::owner_all);
    const QByteArray before = qgetenv("PATH");
    if (!findTool("compute-sanitizer").empty())
        QSKIP("this machine has the real one");
    qputenv("PATH", folder.path().toUtf8() + ":" + before);
    if (QByteArray(QTest::currentDataTag()).contains("reduced"))
        qputenv("TILEWRIGHT_ISOLATION", "reduced");
    const Sandbox sandbox(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
    qunsetenv("TILEWRIGHT_ISOLATION");
    StuckProcesses stuck;
    const GpuTools tools(sandbox, fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-cuda-worker", "GPU-7", stuck);
    CudaArtifact program;
    program.cubin = "cubin";
    const auto done = tools.memcheck(program, {}, {{{1, 1, 1}, {4, 4, 4, 0}, {}}}, never);
    qputenv("PATH", before);
    QTEST(codeOf(done), "told");
    if (!done && done.error().code == "verify/memcheck")
        QVERIFY2(done.error().text.find("write of size 4") != std::string::npos, done.error().text.c_str());
    QVERIFY(stuck.still().empty());
}

TILEWRIGHT_TEST(TestGpuTrouble)
#include "test_gpu_trouble.moc"
