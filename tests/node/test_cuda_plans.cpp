// SPDX-License-Identifier: GPL-3.0-or-later
// What a user is told of a plan that the compiler has evaluated and that no GPU can launch: which launch or tensor
// map, which field, its value and its limit.
#include "core/device/cpu.h"
#include "core/node/cuda_plan.h"
#include "kernels/include/tilewright/plan.h"
#include "tests/test_program.h"

#include <QTest>
#include <cstring>
#include <functional>

using namespace tilewright;
namespace contract = tilewright_contract;

namespace {

using Change = std::function<void(contract::Plan&)>;

} // namespace

Q_DECLARE_METATYPE(Change)

class TestCudaPlans : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fieldsOutOfRangeAreToldInFigures_data();
    void fieldsOutOfRangeAreToldInFigures();
    void allBlocksOfACooperativeLaunchHaveToFitAtOnce();

private:
    TaskPack m_pack = *loadTaskPack(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels/gemm-fp32");
};

void TestCudaPlans::fieldsOutOfRangeAreToldInFigures_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const Change& change, const char* text) {
        QTest::newRow(name) << change << QString::fromUtf8(text);
    };
    row(
        "nothing wrong", [](contract::Plan&) {}, "fine");
    row(
        "a grid without blocks", [](contract::Plan& p) { p.launch[0].grid[0] = 0; },
        "'gemm' has a grid of 0×1×1 blocks: a grid has 1 to 2147483647 along x, and 1 to 65535 along y and z");
    row(
        "a grid that is too deep", [](contract::Plan& p) { p.launch[0].grid[2] = 65536; },
        "'gemm' has a grid of 12×1×65536 blocks: a grid has 1 to 2147483647 along x, and 1 to 65535 along y and z");
    row(
        "nine launches", [](contract::Plan& p) { p.launches = 9; }, "it has 9 launches: a plan has 1 to 8");
    row(
        "nine maps", [](contract::Plan& p) { p.maps = 9; }, "it has 9 tensor maps: a plan has 0 to 8");
    row(
        "an unknown flag", [](contract::Plan& p) { p.launch[0].flags = 4; },
        "'gemm' has the flags 4: use COOPERATIVE (1) and PROGRAMMATIC (2)");
    row(
        "code for a name", [](contract::Plan& p) { std::strcpy(p.launch[0].kernel, "f);g("); },
        "a launch names 'f);g(', which is not a kernel name");
    row(
        "a map of no buffer", [](contract::Plan& p) { p.map[1].buffer = 4; }, "map[1]: buffer is 4: it may be 0 to 3");
    row(
        "a box that is too large", [](contract::Plan& p) { p.map[0].box[1] = 300; },
        "map[0] (of A): box[1] is 300: it may be 1 to 256");
    row(
        "a map without columns", [](contract::Plan& p) { p.map[0].dim[0] = 0; },
        "map[0] (of A): dim[0] is 0: it may be 1 to 4294967296");
    row(
        "a step that is too large", [](contract::Plan& p) { p.map[0].element_stride[1] = 9; },
        "map[0] (of A): element_stride[1] is 9: it may be 1 to 8");
    row(
        "a rank that is too high", [](contract::Plan& p) { p.map[0].rank = 6; },
        "map[0] (of A): rank is 6: it may be 1 to 5");
    row(
        "rows that are not 16 bytes apart", [](contract::Plan& p) { p.map[0].stride[0] = 100; },
        "map[0] (of A): stride[0] is 100 bytes: it must be a multiple of 16");
    row(
        "a beginning that is not at 16 bytes", [](contract::Plan& p) { p.map[0].offset = 8; },
        "map[0] (of A): offset is 8 bytes: it must be a multiple of 16");
    row(
        "a beginning behind the buffer", [](contract::Plan& p) { p.map[0].offset = 40000; },
        "map[0] (of A): offset is 40000: it is beyond A, which has 32768 bytes for this shape");
    row(
        "a row too many", [](contract::Plan& p) { p.map[1].dim[1] = 129; },
        "map[1] (of B): 129 of dim[1], 256 bytes apart, reach beyond B, which has 32768 bytes for this shape");
    row(
        "a map over no workspace", [](contract::Plan& p) { p.map[1].buffer = 3; },
        "map[1] (of the workspace): 64 of dim[0], 4 bytes apart, reach beyond the workspace, which has 0 bytes for "
        "this shape");
}

void TestCudaPlans::fieldsOutOfRangeAreToldInFigures()
{
    QFETCH(Change, change);
    QFETCH(QString, text);
    contract::Plan plan{};
    plan.add("gemm", 12, 128);
    plan.map2d(0, contract::DType::F32, 128, 64, 512, 32, 32);
    plan.map2d(1, contract::DType::F32, 64, 128, 256, 32, 32);
    change(plan);
    const std::string record(reinterpret_cast<const char*>(&plan), sizeof plan);
    const auto read = readPlan(record, m_pack.task, {64, 64, 128}, h200Facts());
    QCOMPARE(read ? QStringLiteral("fine") : QString::fromStdString(read.error().text),
        text == QLatin1String("fine") ? text : QStringLiteral("the plan for 64×64×128: ") + text);
}

void TestCudaPlans::allBlocksOfACooperativeLaunchHaveToFitAtOnce()
{
    const auto verdict = [](std::uint32_t blocks, bool cooperative) {
        GpuLaunch launch;
        launch.entry = "_Z4gemm";
        launch.grid = {blocks, 2, 1};
        launch.cooperative = cooperative;
        const auto fits = checkCooperative(launch, "gemm", {64, 64, 128}, {8, 1.0, "threads"}, h200Facts());
        return fits ? QStringLiteral("fine") : QString::fromStdString(fits.error().line());
    };
    QCOMPARE(verdict(528, true), QStringLiteral("fine")); // 8 × 132 / 2
    QCOMPARE(verdict(32768, false), QStringLiteral("fine"));
    QCOMPARE(verdict(529, true),
        QStringLiteral(
            "the plan for 64×64×128: 'gemm' is COOPERATIVE and has a grid of 529×2×1 blocks: all of them have "
            "to be on the GPU at once, and NVIDIA H200 has room for 1056 (8 on each of 132 "
            "multiprocessors)"));
}

TILEWRIGHT_TEST(TestCudaPlans)
#include "test_cuda_plans.moc"
