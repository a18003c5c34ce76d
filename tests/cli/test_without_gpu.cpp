// SPDX-License-Identifier: GPL-3.0-or-later
// GPU tasks on the command line of a machine without a GPU, where the CUDA toolkit is: what can be judged is, and what
// was not is said.
#include "core/node/cuda_toolkit.h"
#include "tests/cli/cli_run.h"
#include "tests/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

using namespace Qt::StringLiterals;
namespace fs = std::filesystem;

namespace {

const QString pack = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32");
const QByteArray needed = "an NVIDIA GPU is needed, but none is usable on this machine; it has cpu (";

} // namespace

class TestWithoutGpu : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Run cli(const QStringList& arguments) const
    {
        QProcessEnvironment environment = environmentIn(m_folder);
        environment.remove(u"TILEWRIGHT_NODE"_s);
        return runToItsEnd(environment, arguments, -1);
    }

    Run evaluated(const QByteArray& source, const QStringList& more = {}) const
    {
        QFile file(m_folder.filePath(u"program.cu"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(source) != source.size())
            qFatal("a file of the test cannot be written");
        file.close();
        return cli(QStringList{u"evaluate"_s, u"--task"_s, pack, u"--source"_s, file.fileName()} + more);
    }

    static QByteArray seed()
    {
        QFile file(pack + u"/seed.cu"_s);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    /// The pack's copy with another plan.
    QString packWith(const QByteArray& from, const QByteArray& to)
    {
        const QString copy = m_folder.filePath(u"packs/gemm-fp32"_s);
        fs::remove_all(copy.toStdString());
        fs::create_directories(copy.toStdString());
        fs::copy(pack.toStdString(), copy.toStdString(), fs::copy_options::recursive);
        const QByteArray text = seed();
        QFile file(copy + u"/seed.cu"_s);
        if (!text.contains(from) || !file.open(QIODevice::WriteOnly)
            || file.write(QByteArray(text).replace(from, to)) <= 0)
            qFatal("the pack's seed cannot be changed");
        fs::remove_all((copy + u"/moves"_s).toStdString()); // they fit the seed as it was
        fs::create_directories((copy + u"/moves"_s).toStdString());
        return copy;
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (QFile::exists(u"/dev/nvidiactl"_s))
            QSKIP("this machine has an NVIDIA GPU");
        if (!tilewright::CudaToolkit::find())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    }

    void aProgramThatDoesNotBuildIsToldSo_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("empty") << QByteArray() << QByteArray("build_failed: build/");
        QTest::newRow("cut") << seed().left(seed().size() / 2) << QByteArray("build_failed: build/");
        QTest::newRow("no program") << QByteArray("\x7f"
                                                  "ELF\x02\x01\x01 \x7f\n")
                                    << QByteArray(": build/");
    }

    void aProgramThatDoesNotBuildIsToldSo()
    {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, says);
        const Run run = evaluated(source);
        QCOMPARE(run.exitCode, int(Run::buildFailed));
        QVERIFY2(run.out.contains(says), run.out.constData());
        QVERIFY2(run.err.contains("there is no NVIDIA GPU on this machine"), run.err.constData());
        QVERIFY2(run.err.contains("built for NVIDIA H200 (sm_90a) instead, which fails"), run.err.constData());
        const QJsonObject json = evaluated(source, {u"--json"_s}).json();
        QCOMPARE(json[u"environment"_s][u"built_for"_s].toString(), u"NVIDIA H200 (sm_90a)"_s);
        QVERIFY(json[u"rule"_s].toString().startsWith(u"build/"_s));
    }

    void ofOneThatBuildsItIsSaidWhatWasNotJudged()
    {
        const Run run = evaluated(seed());
        QCOMPARE(run.exitCode, int(Run::missing));
        QVERIFY2(run.err.contains("it builds (for NVIDIA H200 (sm_90a)): result and speed were not checked"),
            run.err.constData());
        QCOMPARE(evaluated(seed(), {u"--json"_s}).json()[u"built_for"_s].toString(), u"NVIDIA H200 (sm_90a)"_s);
    }

    void aPackIsNotCalledGoodBeyondWhatWasJudged()
    {
        const Run run = cli({u"tasks"_s, u"--check"_s, pack});
        QVERIFY2(run.exitCode == Run::good, run.err.constData());
        QVERIFY2(run.out.contains("the pack is valid as far as it was checked: ")
                && run.out.contains("seed and reference compile for NVIDIA H200\n"),
            run.out.constData());
        QVERIFY2(run.out.contains(
                     "Not checked, because no NVIDIA GPU is usable on this machine: whether the seed runs and matches "
                     "the reference on every shape, and whether the reference runs and returns finite numbers."),
            run.out.constData());
        const QJsonObject json = cli({u"tasks"_s, u"--check"_s, pack, u"--json"_s}).json();
        QCOMPARE(json[u"not_judged"_s].toArray().size(), 2);
        QCOMPARE(json[u"compiled_for"_s].toString(), u"NVIDIA H200"_s);
    }

    void aSeedThatNoGpuCanLaunchMakesNoGoodPack()
    {
        const QString copy = packWith("    finish(plan, product, d, device);\n",
            "    product.flags = COOPERATIVE;\n    product.grid[0] = 32768;\n    product.grid[1] = 1;\n");
        const Run run = cli({u"tasks"_s, u"--check"_s, copy});
        QVERIFY2(run.exitCode == Run::usage, run.out.constData());
        QVERIFY2(
            run.err.contains("is COOPERATIVE and has a grid of 32768×1×1 blocks: all of them have to be on the GPU at "
                             "once"),
            run.err.constData());
    }

    void whatNeedsAGpuSaysSoWithoutADevicesName_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("a pack that is to be run") << QStringList{u"tasks"_s, u"--check"_s, pack, u"--run"_s};
        QTest::newRow("a run") << QStringList{u"evolve"_s, u"--task"_s, pack, u"--evaluations"_s, u"1"_s};
        QTest::newRow("a run on all GPUs")
            << QStringList{u"evolve"_s, u"--task"_s, pack, u"--evaluations"_s, u"1"_s, u"--device"_s, u"cuda:all"_s};
    }

    void whatNeedsAGpuSaysSoWithoutADevicesName()
    {
        QFETCH(QStringList, arguments);
        const Run run = cli(arguments);
        QCOMPARE(run.exitCode, int(Run::missing));
        QVERIFY2(run.err.contains(needed) && !run.err.contains("cuda:"), run.err.constData());
    }

    void namesOfSeveralDevicesAreListedWhereTheyMayBeGiven()
    {
        for (const char* nonsense : {"cuda", "gpu0"}) {
            const Run run = cli({u"evolve"_s, u"--task"_s, pack, u"--device"_s, QString::fromLatin1(nonsense)});
            QCOMPARE(run.exitCode, int(Run::usage));
            QVERIFY2(run.err.contains("several GPUs are cuda:0,cuda:1 or cuda:all"), run.err.constData());
        }
    }
};

TILEWRIGHT_TEST(TestWithoutGpu)
#include "test_without_gpu.moc"
