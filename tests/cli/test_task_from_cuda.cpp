// SPDX-License-Identifier: GPL-3.0-or-later
// A user's own CUDA kernel on the command line: its launch read or asked for, the pack written and built; checked
// where there is a GPU, and where there is none that is said in one line.
#include "core/pack/pack_writer.h"
#include "tests/cli/cli_run.h"
#include "tests/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace Qt::StringLiterals;

namespace {

const QString ownKernels = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/examples/own-kernel/");

} // namespace

class TestTaskFromCuda : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Run made(const QString& source, const QStringList& more) const
    {
        return runToItsEnd(environmentIn(m_folder), QStringList{u"task-from"_s, source, u"--json"_s} + more, -1);
    }

    QString file(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("a file of the test cannot be written");
        return file.fileName();
    }

private Q_SLOTS:
    void aKernelBecomesATaskThatBuilds_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("more");
        QTest::newRow("softmax") << u"softmax.cu"_s << QStringList{};
        QTest::newRow("softmax by its plain twin")
            << u"softmax.cu"_s << QStringList{u"--reference"_s, ownKernels + u"softmax.cu:softmax_plain"_s};
        QTest::newRow("scale") << u"scale.cu"_s << QStringList{u"--constant"_s, u"a=3.0f"_s};
        QTest::newRow("a template of bf16") << u"gelu_bf16.cu"_s << QStringList{u"--shape"_s, u"bias=columns"_s};
    }

    void aKernelBecomesATaskThatBuilds()
    {
        QFETCH(QString, source);
        QFETCH(QStringList, more);
        const Run run = made(ownKernels + source, more + QStringList{u"--name"_s, u"mine"_s, u"--replace"_s});
        const std::string folder = m_folder.filePath(u"data/tilewright/kernels/mine"_s).toStdString();
        QVERIFY2(run.exitCode == Run::good || run.exitCode == Run::missing, run.err.constData());
        const auto pack = loadTaskPack(folder);
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().line().c_str());
        QCOMPARE(pack->task.target, Target::Cuda);
        QCOMPARE(isPackUnchecked(folder), run.exitCode == Run::missing);
        if (run.exitCode == Run::good) {
            QVERIFY(run.json()[u"passed"_s].toArray().contains(u"elementwise"_s));
            return;
        }
        // Nothing is pretended: one line says what was not looked at, and how to do it.
        const QByteArrayList lines = run.err.split('\n');
        const auto line
            = std::ranges::find_if(lines, [](const QByteArray& text) { return text.contains("not checked here"); });
        QVERIFY2(line != lines.end() && line->contains("tasks --check ") && line->contains("/mine --run"),
            run.err.constData());
        QVERIFY(!run.json()[u"ok"_s].toBool(true));
    }

    void theDescriptionIsToldWithoutAnythingWritten()
    {
        const Run run = made(ownKernels + u"scale.cu"_s, {u"--dry-run"_s, u"--constant"_s, u"a=2.0f"_s});
        QVERIFY2(run.exitCode == Run::good, run.err.constData());
        const QJsonObject json = run.json();
        QCOMPARE(json[u"target"_s].toString(), u"cuda"_s);
        QCOMPARE(json[u"launch"_s][u"grid"_s][0].toString(), u"(n + 256 - 1) / 256"_s);
        QCOMPARE(json[u"launch"_s][u"block"_s][0].toString(), u"256"_s);
        QVERIFY2(run.err.contains("launched as in line") && run.err.contains("scale_on_device() in line"),
            run.err.constData());
        const Run list = made(ownKernels + u"gelu_bf16.cu"_s, {u"--list"_s});
        QCOMPARE(list.json()[u"functions"_s][0][u"name"_s].toString(), u"bias_gelu<128>"_s);
    }

    void aLaunchIsSaid()
    {
        const QString source = file(u"f.cu"_s, "__global__ void f(const float* x, float* y, int n) { y[0] = x[0]; }\n");
        const Run without = made(source, {u"--dry-run"_s});
        QVERIFY2(without.exitCode == Run::usage && without.err.contains("grid: is not given"), without.err.constData());
        const Run with = made(source,
            {u"--dry-run"_s, u"--grid"_s, u"ceil_div(n, 64), 2"_s, u"--block"_s, u"64"_s, u"--shared"_s,
                u"64 * sizeof(float)"_s});
        QVERIFY2(with.exitCode == Run::good, with.err.constData());
        QCOMPARE(with.json()[u"launch"_s][u"grid"_s][1].toString(), u"2"_s);
        QCOMPARE(with.json()[u"launch"_s][u"shared"_s].toString(), u"64 * sizeof(float)"_s);
    }

    void badCallsAreUsage_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QByteArray>("says");
        const QByteArray plain = "__global__ void f(const float* x, float* y, int n) { y[0] = x[0]; }\n"
                                 "void run(float* y, int n) { f<<<n, 32>>>(x, y, n); }\n";
        QTest::newRow("no kernel") << QByteArray("void f(float* y, int n) {}\n") << QStringList{}
                                   << QByteArray("no kernel (__global__)");
        QTest::newRow("two kernels") << plain + "__global__ void g(float* y, int n) {}\n"
                                     << QStringList{} << QByteArray("--function NAME");
        QTest::newRow("a template") << QByteArray("template <int B> __global__ void f(float* y, int n) {}\n")
                                    << QStringList{} << QByteArray("--function 'f<B>'");
        QTest::newRow("a host function") << plain << QStringList{u"--function"_s, u"run"_s}
                                         << QByteArray("lacks __global__");
        QTest::newRow("an unknown name") << plain << QStringList{u"--grid"_s, u"rows"_s} << QByteArray("rows");
        QTest::newRow("too many threads")
            << plain << QStringList{u"--block"_s, u"64,64"_s} << QByteArray("4096 threads");
        QTest::newRow("double") << QByteArray("__global__ void f(const double* x, double* y, int n) {}\n")
                                << QStringList{u"--grid"_s, u"1"_s, u"--block"_s, u"1"_s} << QByteArray("fp64 tensors");
        QTest::newRow("a launch that cannot be read")
            << QByteArray("__global__ void f(float* y, int n) {}\nvoid run() { f<<<blocks(), 32>>>(y, n); }\n")
            << QStringList{} << QByteArray("'blocks' is unknown there");
    }

    void badCallsAreUsage()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, more);
        QFETCH(QByteArray, says);
        const Run run = made(file(u"bad.cu"_s, text), more);
        QVERIFY2(run.exitCode == Run::usage, run.err.constData());
        QVERIFY2(run.err.contains(says), run.err.constData());
    }

    void aKernelForTheCpuIsNotLaunched()
    {
        const Run run = made(file(u"f.cpp"_s, "void f(const float* x, float* y, int n) { y[0] = x[0]; }\n"),
            {u"--dry-run"_s, u"--grid"_s, u"1"_s});
        QVERIFY2(run.exitCode == Run::usage && run.err.contains("have no launch"), run.err.constData());
    }

    void aKernelThatDoesNotBuildIsToldInPlainWords()
    {
        const Run run = made(file(u"broken.cu"_s,
                                 "__global__ void f(const float* x, float* y, int n) { y[0] = nothing; }\n"
                                 "void run() { f<<<1, 32>>>(x, y, n); }\n"),
            {u"--name"_s, u"broken"_s});
        if (run.exitCode == Run::missing)
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        QVERIFY2(run.exitCode == Run::usage && run.err.contains("nothing"), run.err.constData());
        QVERIFY2(run.err.contains("for the GPU"), run.err.constData());
    }
};

TILEWRIGHT_TEST(TestTaskFromCuda)
#include "test_task_from_cuda.moc"
