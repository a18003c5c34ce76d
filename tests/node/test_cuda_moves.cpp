// SPDX-License-Identifier: GPL-3.0-or-later
// Every move of the packs in CUDA leaves a program that compiles and has a plan: made to the seed alone where it fits
// it, and made on top of the moves before it, with the nearest constants that its constraints allow.
#include "core/base/files.h"
#include "core/device/cpu.h"
#include "core/node/cuda_builder.h"
#include "core/patch/patch.h"
#include "core/proposer/variation.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
namespace fs = std::filesystem;

class TestCudaMoves : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_sandbox = std::make_unique<Sandbox>(fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-worker");
        m_builder = std::make_unique<CudaBuilder>(*m_sandbox, fs::path(TILEWRIGHT_BIN_DIR) / "tilewright-cuda-worker",
            fs::path(m_folder.path().toStdString()) / "cache", std::vector<int>{}, "secret");
        if (!m_builder->isAvailable())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
    }

    void everyMoveCompiles_data()
    {
        QTest::addColumn<QString>("pack");
        QTest::newRow("gemm-fp32") << QStringLiteral("gemm-fp32");
        QTest::newRow("gemm-bf16") << QStringLiteral("gemm-bf16");
    }
    void everyMoveCompiles()
    {
        QFETCH(QString, pack);
        const TaskPack task = *loadTaskPack(fs::path(TILEWRIGHT_SOURCE_DIR) / "kernels" / pack.toStdString());
        for (const Move& move : task.moves)
            if (const auto alone = applyDiff(task.seed(), move.diff))
                QVERIFY2(builds(task, alone->text), (move.name + " alone: " + m_why).c_str());
        std::string text = task.seed();
        const std::vector<const Move*> ladder = ladderOf(task);
        for (const Move* move : ladder) {
            const auto made = applyDiff(text, move->diff);
            QVERIFY2(made, move->name.c_str());
            const auto fits = fitted({made->text, {}, {}, {}}); // not all constants leave room in shared memory
            QVERIFY2(fits, move->name.c_str());
            text = fits->text;
            QVERIFY2(builds(task, text), (move->name + " on the ladder: " + m_why).c_str());
        }
        QVERIFY(2 * ladder.size() > task.moves.size()); // most of the moves go together
    }

    /// One for each feature of the contract, in kernels/examples.
    void everyExampleCompiles_data() { everyMoveCompiles_data(); }
    void everyExampleCompiles()
    {
        QFETCH(QString, pack);
        const TaskPack task = *loadTaskPack(fs::path(TILEWRIGHT_SOURCE_DIR) / "kernels" / pack.toStdString());
        int examples = 0;
        for (const auto& entry :
            fs::directory_iterator(fs::path(TILEWRIGHT_SOURCE_DIR) / "kernels/examples" / pack.toStdString()))
            if (entry.path().extension() == ".cu") {
                QVERIFY2(builds(task, *readFile(entry.path())), (entry.path().string() + ": " + m_why).c_str());
                ++examples;
            }
        QVERIFY(examples > 0);
    }

private:
    bool builds(const TaskPack& pack, const std::string& source)
    {
        const BuildOutcome built = m_builder->buildCandidate(pack.task, source, h200Facts());
        m_why = built.rule + ": " + built.text + "\n" + built.log;
        return built.ok;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Sandbox> m_sandbox;
    std::unique_ptr<CudaBuilder> m_builder;
    std::string m_why;
};

TILEWRIGHT_TEST(TestCudaMoves)
#include "test_cuda_moves.moc"
