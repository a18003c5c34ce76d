// SPDX-License-Identifier: GPL-3.0-or-later
// An exported GPU program in another process: compiled by NVRTC as the node does, and launched on the caller's stream.
// A driver that writes launches down takes the GPU's place.
#include "app/kernel/cuda_kernel.h"
#include "core/base/files.h"
#include "tests/test_program.h"

#include <QTest>
#include <dlfcn.h>

using namespace tilewright;

namespace {

const std::string kernels = TILEWRIGHT_SOURCE_DIR "/kernels/";

std::string taskText() { return readFile(kernels + "gemm-fp32/task.json").value(); }
std::string example(const std::string& name) { return readFile(kernels + "examples/gemm-fp32/" + name).value(); }

const std::vector<cu::Pointer> tensors{0x10000, 0x20000, 0x30000};
constexpr cu::Pointer workspace = 0x40000;
const cu::Stream stream = reinterpret_cast<cu::Stream>(std::uintptr_t(77));

} // namespace

class TestCudaKernel : public QObject
{
    Q_OBJECT

    const char* (*m_recorded)() = nullptr;

    QStringList launches() const { return QString::fromUtf8(m_recorded()).split(u'\n', Qt::SkipEmptyParts); }

private Q_SLOTS:
    void initTestCase()
    {
        if (!CudaToolkit::find())
            QSKIP("no NVRTC on this machine: set CUDA_HOME to a toolkit to run this");
        // By its name the loader finds this one from here on.
        void* driver = dlopen(TILEWRIGHT_RECORDING_CUDA, RTLD_NOW | RTLD_GLOBAL);
        QVERIFY2(driver, driver ? "" : dlerror());
        m_recorded = reinterpret_cast<const char* (*)()>(dlsym(driver, "tilewright_recorded_launches"));
        QVERIFY(m_recorded);
    }
    void init()
    {
        if (m_recorded)
            (void)launches();
    }

    void allLaunchesOfThePlanGoToTheCallersStream()
    {
        CudaKernel kernel(taskText(), example("several_launches.cu"));
        const Shape shape{256, 192, 4096};
        const auto bytes = kernel.workspaceBytes(shape);
        QVERIFY2(bytes, bytes ? "" : bytes.error().line().c_str());
        QVERIFY(*bytes > 0);
        QVERIFY(launches().isEmpty());
        const auto run = kernel.run(shape, tensors, workspace, *bytes, stream);
        QVERIFY2(run, run ? "" : run.error().line().c_str());
        const QStringList first = launches();
        QVERIFY(first.size() > 1);
        for (const QString& launch : first)
            QVERIFY2(launch.endsWith(QStringLiteral(" stream 77 dims 256,192,4096 at 65536,131072,196608,262144")),
                qPrintable(launch));
        QVERIFY(kernel.run(shape, tensors, workspace, *bytes, nullptr));
        QStringList again = launches();
        QCOMPARE(again.size(), first.size());
        QCOMPARE(again.replaceInStrings(QStringLiteral(" stream 0 "), QStringLiteral(" stream 77 ")), first);
    }

    void aWorkspaceThatIsTooSmallIsRefused()
    {
        CudaKernel kernel(taskText(), example("several_launches.cu"));
        const Shape shape{256, 192, 4096};
        const std::uint64_t bytes = kernel.workspaceBytes(shape).value();
        QCOMPARE(
            kernel.run(shape, tensors, workspace, bytes - 1, stream).error().code, std::string("kernel/workspace"));
        QCOMPARE(kernel.run(shape, tensors, 0, bytes, stream).error().code, std::string("kernel/workspace"));
        QVERIFY(launches().isEmpty());
    }

    void thePlanIsThatOfTheDimensions()
    {
        CudaKernel kernel(taskText(), example("tile_by_shape.cu"));
        QVERIFY(kernel.run({4096, 4096, 64}, tensors, workspace, 0, stream));
        const QString large = launches().value(0).section(u' ', 0, 4);
        QVERIFY(kernel.run({17, 31, 13}, tensors, workspace, 0, stream));
        const QString small = launches().value(0).section(u' ', 0, 4);
        QVERIFY2(!large.isEmpty() && !small.isEmpty() && large != small, qPrintable(large + u' ' + small));
    }

    void tensorMapsAreEncodedForTheBuffersOfTheCall()
    {
        CudaKernel kernel(taskText(), example("tensor_maps.cu"));
        const auto run = kernel.run({256, 256, 256}, tensors, workspace, 1 << 20, stream);
        QVERIFY2(run, run ? "" : run.error().line().c_str());
        QVERIFY(!launches().isEmpty());
    }

    void whatCannotBeBuiltIsSaid()
    {
        CudaKernel broken(taskText(), example("tiles.cu") + "\nnonsense\n");
        QCOMPARE(broken.workspaceBytes({64, 64, 64}).error().code, std::string("build/error"));
        CudaKernel nameless(taskText(),
            "__global__ void gemm(const __grid_constant__ Args a) {}\n"
            "TW_FN Plan tilewright_plan(Dims d, Device device) { Plan p{}; p.add(\"other\", 1, 32); return p; }\n");
        const auto missing = nameless.run({64, 64, 64}, tensors, workspace, 0, stream);
        QVERIFY(!missing);
        QVERIFY2(missing.error().code.starts_with("build/"), missing.error().line().c_str());
        CudaKernel noTask("{}", example("tiles.cu"));
        QVERIFY(!noTask.workspaceBytes({64, 64, 64}));
        QVERIFY(launches().isEmpty());
    }
};

TILEWRIGHT_TEST(TestCudaKernel)
#include "test_cuda_kernel.moc"
