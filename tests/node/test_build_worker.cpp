// SPDX-License-Identifier: GPL-3.0-or-later
// The build worker as a process: what it may use, how it ends, and what its end makes of the program that it compiled.
#include "core/base/files.h"
#include "core/device/cpu.h"
#include "core/node/cuda_builder.h"
#include "tests/node/node_files.h"
#include "tests/patience.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <csignal>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::test;
namespace fs = std::filesystem;

namespace {

/// Hundreds of unrolled loops, which keep a compiler busy for longer than it is given.
std::string slowSource(int kernels)
{
    std::string source;
    for (int i = 0; i < kernels; ++i)
        source += "extern \"C\" __global__ void slow" + std::to_string(i)
            + "(float* c) { float s = c[0];\n#pragma unroll\nfor (int i = 0; i < 512; ++i) s = s * c[i] + i; c[0] = s; "
              "}\n";
    return source;
}

Result<WorkerReply> compile(WorkerChannel& channel, const std::string& source, std::chrono::milliseconds limit)
{
    const CompileRequest request{sha256(source), "slow.cu", {"--gpu-architecture=sm_90a", "--std=c++20"}, {}};
    return channel.ask(toJson(request), {WorkerBlob{source}}, limit);
}

double processorSeconds(pid_t pid)
{
    clockid_t clock{};
    timespec used{};
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

rlimit limitOf(pid_t pid, __rlimit_resource resource)
{
    rlimit limit{};
    prlimit(pid, resource, nullptr, &limit);
    return limit;
}

/// The compiler itself, in whatever sandbox.
pid_t innermost(const WorkerChannel& channel)
{
    const auto beneath = processesBeneath(channel.pid());
    return beneath.empty() ? channel.pid() : beneath.back().pid();
}

} // namespace

class TestBuildWorker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aWorkerThatIsKilledIsSeenAndReplaced();
    void aWorkerThatIsSilentIsEnded();
    void whatItMayUseIsSetAnewForEachProgram();
    void aCompilerThatComputesWithoutEndIsStopped();
    void aCompilerThatGrowsWithoutEndIsStopped_data();
    void aCompilerThatGrowsWithoutEndIsStopped();
    void aProgramWhoseCompilerIsKilledIsInnocent_data();
    void aProgramWhoseCompilerIsKilledIsInnocent();
    void aWorkerThatWasKilledAsItWaitedIsReplaced();

private:
    Result<std::unique_ptr<WorkerChannel>> startCompiler();
    std::unique_ptr<CudaBuilder> builder(const char* cache);

    QTemporaryDir m_folder;
    TaskPack m_pack = *loadTaskPack(root / "kernels/gemm-fp32");
    Sandbox m_sandbox{fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker"};
};

void TestBuildWorker::init()
{
    if (!CudaToolkit::find())
        QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
}

std::unique_ptr<CudaBuilder> TestBuildWorker::builder(const char* cache)
{
    return std::make_unique<CudaBuilder>(
        m_sandbox, cudaWorker, fs::path(m_folder.path().toStdString()) / cache, std::vector<int>{}, "secret");
}

Result<std::unique_ptr<WorkerChannel>> TestBuildWorker::startCompiler()
{
    const auto toolkit = CudaToolkit::find();
    WorkerSetup setup;
    setup.worker = cudaWorker;
    setup.arguments = {"compile", toolkit->nvrtc.string()};
    setup.libraries = toolkit->libraries;
    setup.memoryBytes = std::size_t(2) << 30;
    setup.isFirstProcess = false;
    setup.keepsWords = true;
    return WorkerChannel::start(m_sandbox, setup, std::chrono::seconds(20));
}

void TestBuildWorker::aWorkerThatIsKilledIsSeenAndReplaced()
{
    const auto channel = startCompiler();
    QVERIFY2(channel, channel ? "" : channel.error().text.c_str());
    QVERIFY((*channel)->isAlive());
    ::kill(innermost(**channel), SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(!(*channel)->isAlive(), patience);
    const auto answer
        = (*channel)->ask({{"op", "headers"}, {"files", nlohmann::json::object()}}, {}, std::chrono::seconds(5));
    QCOMPARE(codeOf(answer), QStringLiteral("run/exit"));
}

void TestBuildWorker::aWorkerThatIsSilentIsEnded()
{
    const auto channel = startCompiler();
    QVERIFY2(channel, channel ? "" : channel.error().text.c_str());
    const auto answer = compile(**channel, slowSource(400), std::chrono::milliseconds(100));
    QCOMPARE(codeOf(answer), QStringLiteral("run/timeout"));
    QVERIFY(!(*channel)->isAlive());
}

void TestBuildWorker::whatItMayUseIsSetAnewForEachProgram()
{
    if (!limitsWorkerMemory)
        QSKIP("a worker that is built with sanitizers has no limit of memory");
    const auto channel = startCompiler();
    QVERIFY2(channel, channel ? "" : channel.error().text.c_str());
    const pid_t pid = innermost(**channel);
    QCOMPARE(limitOf(pid, RLIMIT_AS).rlim_max, rlim_t(2) << 30); // whatever it does, there is no more
    for (const std::size_t mebibytes : {512, 1024, 300}) {
        (*channel)->limit({mebibytes << 20, std::chrono::seconds(100)});
        QCOMPARE(limitOf(pid, RLIMIT_AS).rlim_cur, mebibytes << 20);
        const rlim_t seconds = limitOf(pid, RLIMIT_CPU).rlim_cur;
        QVERIFY2(seconds >= 100 && seconds < 130, std::to_string(seconds).c_str()); // beside what it has used
    }
    (*channel)->limit({std::size_t(4) << 30, std::chrono::seconds(1)});
    QCOMPARE(limitOf(pid, RLIMIT_AS).rlim_cur, rlim_t(2) << 30);
}

void TestBuildWorker::aCompilerThatComputesWithoutEndIsStopped()
{
    const auto channel = startCompiler();
    QVERIFY2(channel, channel ? "" : channel.error().text.c_str());
    (*channel)->limit({std::size_t(2) << 30, std::chrono::seconds(0)});
    QCOMPARE(codeOf(compile(**channel, slowSource(400), std::chrono::seconds(60))), QStringLiteral("run/exit"));
    QVERIFY((*channel)->end().has_value());
    QCOMPARE((*channel)->end()->signal, SIGXCPU);
}

void TestBuildWorker::aCompilerThatGrowsWithoutEndIsStopped_data()
{
    QTest::addColumn<QString>("file");
    // One tells it in its log, the other only as it dies.
    for (const char* file : {"instantiates_without_end.cu", "needs_a_huge_table.cu"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TestBuildWorker::aCompilerThatGrowsWithoutEndIsStopped()
{
    if (!limitsWorkerMemory)
        QSKIP("a worker that is built with sanitizers has no limit of memory");
    QFETCH(QString, file);
    const auto compiler = builder("grows");
    Task patient = m_pack.task;
    patient.limits.buildSeconds = 200; // its memory is what it runs out of
    const std::string source = *readFile(root / "tests/attacks/cuda" / file.toStdString());
    const BuildOutcome built = compiler->buildCandidate(patient, source, h200Facts());
    QCOMPARE(q(built.rule), QStringLiteral("build/limit"));
    QVERIFY2(built.text.find("MiB") != std::string::npos, built.text.c_str());
    // There may be more memory another time; and another program has lost nothing by it.
    const BuildOutcome honest = compiler->buildCandidate(m_pack.task, m_pack.seed(), h200Facts());
    QVERIFY2(honest.ok, honest.text.c_str());
}

void TestBuildWorker::aProgramWhoseCompilerIsKilledIsInnocent_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("times");
    QTest::addColumn<QString>("rule");
    QTest::newRow("once") << SIGKILL << 1 << QString();
    QTest::newRow("once, gently") << SIGTERM << 1 << QString();
    constexpr int always = 1000; // who was killed before it compiled is replaced, and does not count
    QTest::newRow("repeatedly") << SIGKILL << always << QStringLiteral("machine/killed");
    QTest::newRow("by its own crash") << SIGSEGV << always << QStringLiteral("build/crash");
}

void TestBuildWorker::aProgramWhoseCompilerIsKilledIsInnocent()
{
    QFETCH(int, signal);
    QFETCH(int, times);
    QFETCH(QString, rule);
    const auto compiler = builder(QTest::currentDataTag());
    const std::string source
        = slowSource(10) + std::string(m_pack.seed()) + "// " + QTest::currentDataTag(); // its plan is quick
    std::atomic<bool> isDone{false};
    std::thread killer([&] { // of who compiles: it has computed for longer than a start or a plan takes
        for (int left = times; left > 0 && !isDone; usleep(2000))
            for (const ProcessHandle& process : processesBeneath(getpid()))
                if (processorSeconds(process.pid()) > 0.4 && ::kill(process.pid(), signal) == 0) {
                    --left;
                    while (!isDone && !process.hasEnded(10)) { }
                    break;
                }
    });
    const BuildOutcome built = compiler->buildCandidate(m_pack.task, source, h200Facts());
    isDone = true;
    killer.join();
    QVERIFY2(built.ok == rule.isEmpty(), (built.rule + ": " + built.text + built.log).c_str());
    QCOMPARE(q(built.rule), rule);
    const BuildOutcome again = compiler->buildCandidate(m_pack.task, source, h200Facts());
    QCOMPARE(again.cached, signal == SIGSEGV || times == 1);
    QVERIFY2(again.ok == (signal != SIGSEGV), again.text.c_str());
}

void TestBuildWorker::aWorkerThatWasKilledAsItWaitedIsReplaced()
{
    const auto compiler = builder("waits");
    QVERIFY(compiler->buildCandidate(m_pack.task, m_pack.seed(), h200Facts()).ok);
    for (const ProcessHandle& process : processesBeneath(getpid())) {
        process.kill();
        QVERIFY(process.hasEnded(static_cast<int>(patience)));
    }
    const BuildOutcome built = compiler->buildCandidate(m_pack.task, m_pack.seed() + "\n// 2", h200Facts());
    QVERIFY2(built.ok, built.text.c_str());
}

TILEWRIGHT_TEST(TestBuildWorker)
#include "test_build_worker.moc"
