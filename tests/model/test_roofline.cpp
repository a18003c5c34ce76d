// SPDX-License-Identifier: GPL-3.0-or-later
// What a program needs of its device, and how near it is to what the device allows.
#include "core/model/measurement/resource_figures.h"
#include "core/model/measurement/roofline.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;

namespace {

Task productTask(Target target, Dtype inputs)
{
    Task task;
    task.target = target;
    task.dims = {{"M"}, {"N"}, {"K"}};
    for (const char* name : {"A", "B", "C"}) {
        Tensor tensor;
        tensor.name = name;
        tensor.dtype = inputs;
        task.tensors.push_back(tensor);
    }
    return task;
}

const nlohmann::json gpu{{"fp32_flops_per_s", 60e12}, {"bf16_flops_per_s", 900e12}, {"bandwidth_bytes_per_s", 4e12}};

} // namespace

class TestRoofline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void figuresAreOfTheKernelThatLeavesTheLeastRoom()
    {
        const ResourceFigures figures = resourceFigures({{"code_bytes", 14011}, {"registers", 241}, {"spill_bytes", 0},
            {"kernels",
                {{{"kernel", "align"}, {"registers", 21}, {"threads", 256}, {"occupancy", 1.0}, {"code_bytes", 2688}},
                    {{"kernel", "gemm<8,16>"}, {"registers", 241}, {"threads", 128}, {"shared_bytes", 41472},
                        {"occupancy", 0.125}, {"blocks_per_sm", 2}, {"limited_by", "registers"}, {"code_bytes", 45184}},
                    {{"kernel", "gemm<8,4>"}, {"registers", 115}, {"threads", 128}, {"occupancy", 0.25}}}}});
        QCOMPARE(figures.kernel, std::string("gemm<8,16>"));
        QCOMPARE(figures.kernels, 3);
        QCOMPARE(figures.registers.value_or(0), 241);
        QCOMPARE(figures.sharedBytes.value_or(0), 41472);
        QCOMPARE(figures.spillBytes.value_or(-1), 0);
        QCOMPARE(figures.occupancy.value_or(0), 0.125);
        QCOMPARE(figures.machineCodeBytes.value_or(0), 2688 + 45184);
        QCOMPARE(figures.blocks, 2);
        QCOMPARE(figures.limitedBy, std::string("registers"));
    }

    void ofEquallyOccupiedKernelsTheOneWithMoreRegistersTells()
    {
        const ResourceFigures figures = resourceFigures({{"kernels",
            {{{"kernel", "a"}, {"registers", 40}, {"occupancy", 0.5}},
                {{"kernel", "b"}, {"registers", 64}, {"occupancy", 0.5}}}}});
        QCOMPARE(figures.kernel, std::string("b"));
    }

    void aProgramForTheCpuHasNoKernels()
    {
        const ResourceFigures figures
            = resourceFigures({{"code_bytes", 8000}, {"text_bytes", 10650}, {"rodata_bytes", 192}});
        QCOMPARE(figures.machineCodeBytes.value_or(0), 10650);
        QCOMPARE(figures.constantBytes.value_or(0), 192);
        QVERIFY(!figures.registers && !figures.occupancy && figures.kernel.empty());
    }

    void whatABuildDidNotTellIsNotMadeUp()
    {
        QVERIFY(resourceFigures(nlohmann::json()) == ResourceFigures{});
        QVERIFY(resourceFigures({{"kernels", nlohmann::json::array()}}) == ResourceFigures{});
        QVERIFY(resourceFigures({{"kernels", {"nonsense"}}, {"registers", "many"}}) == ResourceFigures{});
    }

    void aGpuHasTheLimitsOfTheFormatThatComesIn()
    {
        QCOMPARE(limitsOf(gpu, productTask(Target::Cuda, Dtype::Fp32)).gigaflopsPerSecond, 60e3);
        const DeviceLimits limits = limitsOf(gpu, productTask(Target::Cuda, Dtype::Bf16));
        QCOMPARE(limits.gigaflopsPerSecond, 900e3);
        QCOMPARE(limits.gigabytesPerSecond, 4e3);
        QVERIFY(!limits.measured);
        QCOMPARE(limitsOf(gpu, productTask(Target::Cuda, Dtype::Fp16)).gigaflopsPerSecond, limits.gigaflopsPerSecond);
        QCOMPARE(limitsOf(gpu, productTask(Target::Cuda, Dtype::Int8)).gigaflopsPerSecond, 0.0);
        QCOMPARE(limitsOf(nlohmann::json(), productTask(Target::Cuda, Dtype::Fp32)).gigaflopsPerSecond, 0.0);
    }

    void aCpuHasTheLimitsThatWereMeasuredOfIt()
    {
        Task task = productTask(Target::Cpp, Dtype::Fp32);
        task.numeric.accumulate = Dtype::Fp32;
        const nlohmann::json measured{{"measured_gflops", {{"fp32", 400.0}}}, {"measured_memory_gb_s", 50.0}};
        const DeviceLimits limits = limitsOf(measured, task);
        QCOMPARE(limits.gigaflopsPerSecond, 400.0);
        QCOMPARE(limits.gigabytesPerSecond, 50.0);
        QVERIFY(limits.measured);
        task.numeric.accumulate = Dtype::Fp64;
        QCOMPARE(limitsOf(measured, task).gigaflopsPerSecond, 0.0);
    }

    void eachTrainShapeStandsBelowTheLowerOfTwoRoofs()
    {
        Task task = productTask(Target::Cuda, Dtype::Fp32);
        task.flops = "2*M*N*K";
        task.bytes = "4*(M*K+K*N+M*N)";
        EvaluationResult result;
        const auto add = [&](Shape shape, ShapeSplit split, double ns) {
            ShapeResult one;
            one.shape = std::move(shape);
            one.split = split;
            one.candidateNs = ns;
            result.shapes.push_back(one);
        };
        add({1000, 1000, 1000}, ShapeSplit::Train, 1e9 * 2e9 / 60e12 * 2); // arithmetic, at half of the peak
        add({1000, 1000, 1}, ShapeSplit::Train, 1e9 * 4.0 * 1002000 / 4e12 * 4); // traffic, at a quarter
        add({1000, 1000, 1000}, ShapeSplit::Heldout, 1);
        add({10, 10, 10}, ShapeSplit::Train, 0);
        const std::vector<RooflinePoint> points = rooflineOf(result, task, limitsOf(gpu, task));
        QCOMPARE(points.size(), std::size_t(2));
        QVERIFY(std::abs(points[0].share - 0.5) < 1e-9 && !points[0].byTraffic);
        QVERIFY(std::abs(points[1].share - 0.25) < 1e-9 && points[1].byTraffic);
        QVERIFY(std::abs(meanShare(points) - std::sqrt(0.125)) < 1e-9);
        QVERIFY(rooflineOf(result, task, {}).empty());
        QCOMPARE(meanShare({}), 0.0);
    }
};

TILEWRIGHT_TEST(TestRoofline)
#include "test_roofline.moc"
