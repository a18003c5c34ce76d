// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot fit a GPU is refused with its figures; what only has to wait for other programs is not.
#include "core/device/cpu.h"
#include "core/node/gpu_checks.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

class TestGpuRoom : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePacksFitWhatTheyWereMadeFor_data()
    {
        QTest::addColumn<QString>("pack");
        QTest::newRow("gemm-fp32") << QStringLiteral("gemm-fp32");
        QTest::newRow("gemm-bf16") << QStringLiteral("gemm-bf16");
    }
    void thePacksFitWhatTheyWereMadeFor()
    {
        QFETCH(QString, pack);
        const Task task = taskOf(pack);
        CudaFacts gpu = h200Facts();
        gpu.memoryBytes = 141'000'000'000;
        QVERIFY(checkRoom(task, gpu));
        // All that is handed over at once has room, and what is computed beside it.
        QVERIFY(gpuRoomFor(task, h200Facts()) > 3ULL * 8192 * 8192 * bytesOf(task.tensors[0].dtype));
        CudaFacts small = h200Facts();
        small.memoryBytes = 1LL << 30;
        QVERIFY(!checkRoom(task, small));
        small.memoryBytes = 0; // nobody knows
        QVERIFY(checkRoom(task, small));
    }

    void theLargestShapeIsNamed()
    {
        Task task = taskOf(QStringLiteral("gemm-fp32"));
        task.heldout.push_back({400000, 400000, 8192});
        CudaFacts gpu = h200Facts();
        gpu.memoryBytes = 141'000'000'000;
        const auto refused = checkRoom(task, gpu);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("task/memory"));
        QVERIFY2(refused.error().hint.find("400000×400000×8192") != std::string::npos, refused.error().hint.c_str());
        QVERIFY(refused.error().evidence.at("bytes").get<double>() > refused.error().evidence.at("has").get<double>());
    }

    void allOfARingNeedsRoom()
    {
        Task task = taskOf(QStringLiteral("gemm-fp32"));
        const std::uint64_t cold = gpuRoomFor(task, h200Facts());
        task.timingMode = "hot-rotating";
        QVERIFY(gpuRoomFor(task, h200Facts()) >= cold);
    }

private:
    static Task taskOf(const QString& pack)
    {
        return loadTaskPack(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels" / pack.toStdString())->task;
    }
};

TILEWRIGHT_TEST(TestGpuRoom)
#include "test_gpu_room.moc"
