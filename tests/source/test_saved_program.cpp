// SPDX-License-Identifier: GPL-3.0-or-later
// A saved program compiles without Tilewright, says what it is, and is read back.
#include "core/base/text.h"
#include "core/source/saved_program.h"
#include "tests/test_program.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;

namespace {

/// A run with one candidate that was confirmed.
RunState measuredRun()
{
    RunState run;
    RunSettings settings;
    settings.taskName = "gemm-fp32-cpu";
    const auto put = [&run](EventBody body) {
        if (auto applied = apply(run, {{1}, run.lastSeq + 1, "2026-01-01T00:00:00.000Z", std::move(body)}); !applied)
            qFatal("%s", applied.error().text.c_str());
    };
    Candidate seed;
    seed.id = {1};
    seed.island = {1};
    seed.program = sha256("seed");
    Evaluation evaluation;
    evaluation.id = {1};
    evaluation.candidate = {1};
    evaluation.result.purpose = Purpose::Confirm;
    evaluation.result.outcome = Outcome::Ranked;
    evaluation.result.score = Interval{30.71, 28.84, 31.9};
    evaluation.result.vsVendor = Interval{0.874, 0.87, 0.879};
    evaluation.result.environment = {{"class", "cpu"}, {"device", "AMD EPYC\\"}, {"compiler", "g++ 12.2.0"},
        {"vendor_library", {{"name", "OpenBLAS"}, {"version", "0.3.21"}, {"core_type", "Cooperlake"}}}};
    put(events::RunCreated{settings});
    put(events::IslandCreated{{1}, "Tiling", "evolve", Focus::Explore});
    put(events::CandidateMade{seed});
    put(events::Evaluated{evaluation, 1});
    return run;
}

std::string savedSeed(const TaskPack& pack, const RunState& run)
{
    return savedProgram(run, *run.candidate({1}), pack.task, pack.seed(), {"run.tilewright", "2026-11-28"});
}

/// Standard error of the compiler; "" where it compiled.
QByteArray compiled(const QString& compiler, const QStringList& options, const QString& ending, const std::string& text)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("saved.") + ending));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(text)) < 0)
        return "the program cannot be written";
    file.close();
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(compiler, options + QStringList{QStringLiteral("-c"), file.fileName()});
    if (!process.waitForFinished(-1))
        return "the compiler does not run";
    const QByteArray said = process.readAllStandardError();
    return process.exitCode() == 0 ? QByteArray() : said + "\nexit code " + QByteArray::number(process.exitCode());
}

} // namespace

class TestSavedProgram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSavedProgramForTheCpuCompilesByItself()
    {
        const auto pack = findTaskPack("gemm-fp32-cpu");
        QVERIFY(pack.has_value());
        const std::string text = savedSeed(*pack, measuredRun());
        const QStringList options{QStringLiteral("-std=c++20"), QStringLiteral("-Wall"), QStringLiteral("-Werror")};
        const QByteArray problem = compiled(QStringLiteral("g++"), options, QStringLiteral("cpp"), text);
        QVERIFY2(problem.isEmpty(), problem.constData());
        QVERIFY(!compiled(QStringLiteral("g++"), options, QStringLiteral("cpp"), pack->seed()).isEmpty()); // without it
    }

    void aSavedProgramForAGpuCompilesByItself()
    {
        const QString nvcc
            = QStandardPaths::findExecutable(QStringLiteral("nvcc"), {QStringLiteral("/usr/local/cuda/bin")});
        if (nvcc.isEmpty())
            QSKIP("nvcc is not installed");
        const auto pack = findTaskPack("gemm-fp32");
        QVERIFY(pack.has_value());
        const QByteArray problem = compiled(nvcc, {QStringLiteral("-std=c++20"), QStringLiteral("-arch=sm_90a")},
            QStringLiteral("cu"), savedSeed(*pack, measuredRun()));
        QVERIFY2(problem.isEmpty(), problem.constData());
    }

    void theHeadingSaysWhatTheProgramIsAndNotWhatTheSeedWas()
    {
        const auto pack = findTaskPack("gemm-fp32-cpu");
        const std::string text = savedSeed(*pack, measuredRun());
        QVERIFY(
            text.starts_with("// SPDX-License-Identifier: Apache-2.0\n// c-0001 of the session run.tilewright, task "
                             "gemm-fp32-cpu, saved on 2026-11-28.\n// Score 30.71× [28.84, 31.90] of the task's "
                             "baseline, 95 % interval, confirmed.\n// 0.87× [0.87, 0.88] of the vendor library: "
                             "OpenBLAS 0.3.21, Cooperlake.\n// Measured on AMD EPYC/, compiler g++ 12.2.0.\n"));
        QVERIFY(text.find("GPL") == std::string::npos);
        QVERIFY(text.find("Every decision that a fast product has to take") == std::string::npos);
        QVERIFY(text.find("// EVOLVE-BLOCK-START\n") != std::string::npos);
        RunState unmeasured = measuredRun();
        Candidate young = *unmeasured.candidate({1});
        young.outcome = Outcome::None;
        young.latest = {};
        const std::string other
            = savedProgram(unmeasured, young, pack->task, pack->seed(), {"run.tilewright", "2026-11-28"});
        QVERIFY(other.find("// Not measured yet.\n") != std::string::npos);
    }

    void aMarkerInAnySpellingIsNoPartOfTheHeading()
    {
        const auto pack = findTaskPack("gemm-fp32-cpu");
        const RunState run = measuredRun();
        const std::string program
            = "// About the seed.\n/* evolve_block_start: all */\nint one() { return 1; }\n/* evolve_block_end */\n";
        const std::string text
            = savedProgram(run, *run.candidate({1}), pack->task, program, {"run.tilewright", "2026-11-28"});
        QVERIFY2(text.find("/* evolve_block_start: all */\n") != std::string::npos, text.c_str());
        QVERIFY2(text.find("About the seed.") == std::string::npos, text.c_str());
    }

    void aNoticeOfOthersStaysWithTheirProgram()
    {
        const auto pack = findTaskPack("gemm-fp32-cpu");
        const RunState run = measuredRun();
        const std::string source = "// Copyright 2020 Somebody, BSD licence\n// A fast kernel.\nint x;\n";
        const std::string text
            = savedProgram(run, *run.candidate({1}), pack->task, source, {"run.tilewright", "2026-11-28"});
        QVERIFY(!text.starts_with("// SPDX"));
        QVERIFY(text.ends_with(source));
    }

    void aSavedProgramIsReadBack()
    {
        const auto pack = findTaskPack("gemm-fp32-cpu");
        const std::string& seed = pack->seed();
        const std::string text = savedSeed(*pack, measuredRun());
        QCOMPARE(programInSaved(text, seed), seed); // with the frame of its parent, to the byte
        QVERIFY(seed.ends_with(programInSaved(text))); // without a frame what stands before the block is not known
        QCOMPARE(programInSaved(seed), seed); // one that was not saved stays as it is
        std::string changed = text;
        changed.replace(changed.find("constexpr int TILE_ROWS = 1;"), 28, "constexpr int TILE_ROWS = 4;");
        std::string wanted = seed;
        wanted.replace(wanted.find("constexpr int TILE_ROWS = 1;"), 28, "constexpr int TILE_ROWS = 4;");
        QCOMPARE(programInSaved(changed, seed), wanted);
    }
};

TILEWRIGHT_TEST(TestSavedProgram)
#include "test_saved_program.moc"
