// SPDX-License-Identifier: GPL-3.0-or-later
// Which launches of a check go together, and that there is room for them; without a GPU.
#include "core/node/block_field.h"
#include "core/node/gpu_checks.h"
#include "core/node/gpu_tools.h"
#include "core/node/inputs.h"
#include "core/protocol/gpu_kernels.h"
#include "core/worker/cuda/conveyor.h"
#include "core/worker/cuda/gaps.h"
#include "tests/test_program.h"

#include <QTest>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace tilewright;

namespace {

const std::filesystem::path kernels = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "kernels";

/// A program with a plan for every shape, each with a workspace of so many bytes.
CudaArtifact programFor(const Task& task, std::uint64_t workspace)
{
    CudaArtifact artifact;
    GpuPlan plan;
    plan.workspaceBytes = workspace;
    for (const auto* list : {&task.train, &task.heldout, &task.verify})
        for (const Shape& shape : *list)
            artifact.plans.push_back({shape, false, plan});
    artifact.plans.push_back({{65, 33, 17}, true, plan});
    return artifact;
}

std::uint64_t sizeOf(const VerifyRequest& request, std::size_t buffer, const GpuFormats& formats)
{
    const auto& [rows, columns, depth] = request.extents;
    const std::int64_t elements[] = {rows * depth, depth * columns, rows * columns};
    return buffer == 3 ? request.plan.workspaceBytes
                       : static_cast<std::uint64_t>(elements[buffer]) * bytesOf(buffer < 2 ? formats.in : formats.out);
}

/// To the nearest number of so many binary digits: 8 of bf16, 11 of half precision (which overflows nowhere here).
float roundedTo(int digits, float value)
{
    const int exponent = value == 0 ? 0 : std::ilogb(value) + 1 - digits;
    return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

/// Sums of products of whole numbers up to `largest`, rounded to bf16: how many of them are wrong where `digits` are
/// kept of the sum of each part.
int wrongSums(int largest, int depth, int parts, int digits)
{
    constexpr int sums = 500;
    std::mt19937 chance(1);
    std::uniform_int_distribution<int> whole(-largest, largest);
    int wrong = 0;
    for (int i = 0; i < sums; ++i) {
        std::int64_t right = 0;
        float sum = 0;
        for (int part = 0; part < parts; ++part) {
            float ofPart = 0;
            for (int k = depth * part / parts; k < depth * (part + 1) / parts; ++k) {
                const int term = whole(chance) * whole(chance);
                right += term;
                ofPart += static_cast<float>(term);
            }
            sum += roundedTo(digits, ofPart);
        }
        wrong += roundedTo(8, sum) != roundedTo(8, static_cast<float>(right));
    }
    return wrong;
}

} // namespace

class TestGpuChecks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void launchesGoTogetherAsFarAsThereIsRoom_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("all");
        QTest::addColumn<quint64>("workspace");
        QTest::addColumn<int>("mostGroups");
        QTest::newRow("fp32, screened") << "gemm-fp32" << false << quint64(0) << 2;
        QTest::newRow("fp32, on all shapes") << "gemm-fp32" << true << quint64(0) << 20;
        QTest::newRow("bf16, screened") << "gemm-bf16" << false << quint64(0) << 4;
        QTest::newRow("a large workspace") << "gemm-fp32" << false << quint64(100) << 60;
    }

    void launchesGoTogetherAsFarAsThereIsRoom()
    {
        QFETCH(QString, name);
        QFETCH(bool, all);
        QFETCH(quint64, workspace);
        QFETCH(int, mostGroups);
        const auto pack = loadTaskPack(kernels / name.toStdString());
        QVERIFY(pack);
        const Task& task = pack->task;
        const auto checks = checksOf(task, programFor(task, workspace << 20), "text", all);
        QVERIFY(checks);
        GpuProcessSetup memory;
        memory.formats = gpuFormatsOf(task);
        setBuffers(memory, task);
        std::size_t launches = 0;
        std::string sizes;
        for (std::size_t i = 0; i < checks->verifications.size(); ++i) {
            const auto& group = checks->verifications[i].requests;
            QCOMPARE(checks->firsts[i], launches);
            launches += group.size();
            sizes += std::to_string(group.size()) + " ";
            std::uint64_t used[4] = {}, kept = 0, largest = 0;
            for (const VerifyRequest& request : group) {
                for (std::size_t b = 0; b < 4; ++b)
                    used[b] += roomOf(sizeOf(request, b, memory.formats));
                const std::uint64_t output = sizeOf(request, 2, memory.formats);
                kept += request.twice ? output : 0;
                largest = std::max(largest, output / bytesOf(memory.formats.out));
            }
            for (std::size_t b = 0; b < 4; ++b)
                QVERIFY(used[b] <= allocationOf(memory.bufferBytes[b]));
            QVERIFY(16 * largest + kept <= (all ? memory.hiddenBytes : memory.oftenHidden));
        }
        QCOMPARE(launches, checks->launches.size());
        QVERIFY2(checks->verifications.size() <= static_cast<std::size_t>(mostGroups), sizes.c_str());
    }

    /// The bound of an element is too wide there to show what was kept in half precision.
    void deepShapesOfBf16AreAlwaysCheckedOnWholeNumbers()
    {
        const auto pack = loadTaskPack(kernels / "gemm-bf16");
        QVERIFY(pack);
        for (int text = 0; text < 16; ++text) {
            const auto checks = checksOf(pack->task, programFor(pack->task, 0), std::to_string(text), false);
            QVERIFY(checks);
            QVERIFY(std::ranges::any_of(checks->launches, [](const CheckedLaunch& launch) {
                return launch.shape == Shape{256, 256, 4096} && launch.kind == InputKind::Integer;
            }));
        }
    }

    /// What sums in single precision is right in any order; what keeps parts in bf16 or in half precision is not. Whole
    /// numbers up to 2 show nothing.
    void wholeNumbersShowHowSumsWereKept()
    {
        const int largest = largestWholeNumber({GpuElement::Bf16, GpuElement::Bf16});
        QVERIFY(largest * largest * 17458 < 1 << 24); // each sum is a whole number that single precision holds
        QVERIFY(largest * largest * 17459 >= 1 << 24);
        QCOMPARE(largestWholeNumber({}), 2);
        QCOMPARE(
            largestWholeNumber({GpuElement::Bf16, GpuElement::Bf16, 2, 1, false}), 2); // it may take an exponential
        for (const int depth : {512, 1536, 4096})
            for (const int parts : {1, 2, 8}) {
                QCOMPARE(wrongSums(largest, depth, parts, 24), 0);
                QVERIFY(wrongSums(largest, depth, parts, 8) > 50 || parts == 1);
                QVERIFY(wrongSums(largest, depth, parts, 11) > 10 || parts == 1);
            }
        QCOMPARE(wrongSums(2, 4096, 8, 11), 0);
        QVERIFY(gpuKernels({GpuElement::Bf16, GpuElement::Bf16}).contains("#define TW_WHOLE 31\n"));
        QVERIFY(gpuKernels({}).contains("#define TW_WHOLE 2\n"));
    }

    /// A wrong program fails there, in microseconds.
    void smallShapesAreAGroupOfTheirOwn()
    {
        const auto pack = loadTaskPack(kernels / "gemm-fp32");
        QVERIFY(pack);
        const auto checks = checksOf(pack->task, programFor(pack->task, 0), "text", false);
        QVERIFY(checks);
        const auto& first = checks->verifications.front().requests;
        QCOMPARE(first.size(), pack->task.verify.size() * pack->task.inputs.size() + 2);
        QVERIFY(checks->verifications.front().limit < std::chrono::seconds(10));
    }

    /// Who does not answer in the check of the largest shape is not waited for as long as eight launches may take.
    void aSilentWorkerIsGivenUpByWhatItWasAskedFor()
    {
        const auto pack = loadTaskPack(kernels / "gemm-fp32");
        QVERIFY(pack);
        const auto checks = checksOf(pack->task, programFor(pack->task, 0), "text", true);
        QVERIFY(checks);
        for (const GpuProcess::Verification& group : checks->verifications) {
            QCOMPARE(group.launchLimits.size(), group.requests.size());
            for (const auto limit : group.launchLimits)
                QVERIFY2(limit < std::chrono::seconds(14), qPrintable(QString::number(limit.count())));
            if (group.requests.size() == 1)
                QVERIFY2(group.limit <= std::chrono::seconds(50), qPrintable(QString::number(group.limit.count())));
        }
    }

    /// A program that looks whether its inputs are in the cache may not compute in another way then: of each shape that
    /// is timed, nobody can foresee which launch of a check begins as a timed one does, or whether one does.
    void someLaunchesOfACheckBeginAsTimedOnesDo()
    {
        const auto pack = loadTaskPack(kernels / "gemm-fp32");
        QVERIFY(pack);
        std::map<Shape, std::set<int>> seen;
        for (int draw = 0; draw < 60; ++draw) {
            const auto checks = checksOf(pack->task, programFor(pack->task, 0), "text " + std::to_string(draw), false);
            QVERIFY(checks);
            bool any = false;
            for (const GpuProcess::Verification& group : checks->verifications)
                for (const VerifyRequest& request : group.requests) {
                    const bool isTimed = std::ranges::find(pack->task.train, request.dims) != pack->task.train.end();
                    QCOMPARE(request.coldLaunch > 0, request.twice && isTimed);
                    if (request.twice && isTimed)
                        seen[request.dims].insert(request.coldLaunch);
                    any = any || request.coldLaunch > 0;
                    const auto told = verifyRequestFrom(toJson(request));
                    QCOMPARE(told.coldLaunch, request.coldLaunch);
                }
            QVERIFY(any);
        }
        QCOMPARE(seen.size(), pack->task.train.size());
        for (const auto& [shape, draws] : seen)
            QCOMPARE(draws, (std::set<int>{1, 2}));
    }

    /// What came of inputs may lie about in a worker's memory, as long as nobody is given them again.
    void noTwoLaunchesRunOnTheSameInputs()
    {
        const auto pack = loadTaskPack(kernels / "gemm-fp32");
        QVERIFY(pack);
        SeedTexts texts("secret");
        std::set<std::uint64_t> seeds;
        std::size_t launches = 0;
        for (const char* evaluation :
            {"c-0001/check", "c-0001/check", "c-0002/check"}) { // the first is asked for again
            const auto checks = checksOf(pack->task, programFor(pack->task, 0), texts.next(evaluation), true);
            QVERIFY(checks);
            for (const GpuProcess::Verification& group : checks->verifications)
                for (const VerifyRequest& request : group.requests) {
                    seeds.insert(request.seed);
                    ++launches;
                }
        }
        QCOMPARE(seeds.size(), launches);
        QVERIFY(texts.next("c-0001/screen") != texts.next("c-0001/screen"));
        QVERIFY(SeedTexts("secret").next("x") != SeedTexts("another").next("x"));
    }

    void whatIsNobodysIsAllThatIsLeftBetweenLaunches()
    {
        using Ranges = std::vector<MemoryRange>;
        QCOMPARE(gapsBetween({100, 50}, {}), (Ranges{{100, 50}}));
        QCOMPARE(gapsBetween({100, 50}, {{100, 50}}), Ranges());
        QCOMPARE(gapsBetween({100, 50}, {{130, 10}, {100, 10}, {110, 5}}), (Ranges{{115, 15}, {140, 10}}));
        QCOMPARE(gapsBetween({100, 50}, {{120, 30}, {105, 15}}), (Ranges{{100, 5}}));
    }

    void lendingIsGivenUpAfterTwoRefusalsInARow()
    {
        Lending lending;
        QVERIFY(lending.refused()); // once more, with a fresh verifier
        QVERIFY(lending.isOn());
        lending.worked();
        QVERIFY(lending.refused());
        QVERIFY(!lending.refused());
        QVERIFY(!lending.isOn());
    }

    void whatComesNextCanBeLookedAt()
    {
        Conveyor<int> conveyor;
        const auto twice = [](int item) { return 2 * item; };
        QVERIFY(!conveyor.first(twice));
        conveyor.push(3);
        conveyor.push(4);
        QCOMPARE(conveyor.first(twice), std::optional(6));
        QCOMPARE(conveyor.pop(), std::optional(3));
        QCOMPARE(conveyor.first(twice), std::optional(8));
    }
};

TILEWRIGHT_TEST(TestGpuChecks)
#include "test_gpu_checks.moc"
