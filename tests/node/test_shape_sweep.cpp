// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes that a program is tried on before it is confirmed: which they are, and that programs which are wrong on
// some of them only are found.
#include "core/base/folders.h"
#include "core/node/checker.h"
#include "core/node/sweep_runner.h"
#include "tests/node/building_stage.h"
#include "tests/node/node_files.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::test;
using namespace tilewright::testing;

namespace {

std::int64_t largestOf(const Task& task, std::size_t dim)
{
    std::int64_t largest = 0;
    for (const auto* list : {&task.train, &task.heldout, &task.sealed, &task.verify})
        for (const Shape& shape : *list)
            largest = std::max(largest, shape[dim]);
    return largest;
}

bool isPrime(std::int64_t value)
{
    for (std::int64_t divisor = 2; divisor * divisor <= value; ++divisor)
        if (value % divisor == 0)
            return false;
    return value > 1;
}

/// An honest product, and what is done to its result where the condition holds.
std::string productWith(const std::string& condition, const std::string& fault)
{
    return "// EVOLVE-BLOCK-START\nextern \"C\" void tilewright_run(const Args& a)\n{\n"
           "    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;\n"
           "    for (long i = 0; i < long(M) * N; ++i) a.C[i] = 0;\n"
           "    for (int i = 0; i < M; ++i) for (int k = 0; k < K; ++k) for (int j = 0; j < N; ++j)\n"
           "        a.C[long(i) * N + j] += a.A[long(i) * K + k] * a.B[long(k) * N + j];\n"
           "    if ("
        + condition + ") { " + fault + " }\n}\n// EVOLVE-BLOCK-END\n";
}

constexpr const char* dropsTheLastDepth
    = "for (int i = 0; i < M; ++i) for (int j = 0; j < N; ++j) a.C[long(i) * N + j] -= a.A[long(i) * K + K - 1] * "
      "a.B[long(K - 1) * N + j];";
constexpr const char* zeroesTheLastColumn = "for (int i = 0; i < M; ++i) a.C[long(i) * N + N - 1] = 0;";

} // namespace

class TestShapeSweep : public QObject, BuildingStage
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setUp(splitCores().builders); }

    void everyResidueOfEveryDimensionIsSeenBeyondTheLargestSize()
    {
        const Task& task = m_pack.task;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const std::vector<Shape> shapes = ShapeSweep(task, seed, {}).residues();
            QCOMPARE(shapes.size(), 3 * std::size_t(sweepResidues));
            for (std::size_t d = 0; d < 3; ++d) {
                const std::int64_t largest = largestOf(task, d);
                std::set<std::int64_t> beyond, within;
                for (const Shape& shape : shapes)
                    (shape[d] > largest ? beyond : within).insert(shape[d]);
                for (const std::int64_t modulus : {2, 32, 96, 100, 127, 128}) {
                    std::set<std::int64_t> residues;
                    for (const std::int64_t value : beyond)
                        residues.insert(value % modulus);
                    QCOMPARE(std::int64_t(residues.size()), modulus);
                }
                QVERIFY(std::ranges::any_of(beyond, isPrime));
                QVERIFY(within.size() > 40); // short ones differ as well
            }
        }
    }

    void aSweepIsDrawnAnewAndWithinItsCaps()
    {
        const Task& task = m_pack.task;
        QVERIFY(ShapeSweep(task, 1, {}).residues() != ShapeSweep(task, 2, {}).residues());
        QCOMPARE(ShapeSweep(task, 1, {}).residues(), ShapeSweep(task, 1, {}).residues());
        for (const Shape& shape : ShapeSweep(task, 3, {}).residues()) {
            QVERIFY(task.flopsOf(shape) <= SweepCaps().flops * 2);
            QVERIFY(std::ranges::all_of(shape, [](std::int64_t extent) { return extent >= 1; }));
        }
    }

    void everyPairOfResiduesComesOnceBeforeAnyComesAgain()
    {
        Task task = m_pack.task;
        task.dims[0].min = 5;
        ShapeSweep sweep(task, 7, {});
        std::set<std::pair<std::int64_t, std::int64_t>> pairs;
        std::size_t longColumns = 0;
        for (const Shape& shape : sweep.pairs(6'000)) {
            QVERIFY(shape[0] >= 5);
            if (shape[1] > largestOf(task, 1) && shape[2] == 1) {
                ++longColumns;
                pairs.insert({shape[1], shape[0]});
            }
        }
        QVERIFY(longColumns > 300);
        QVERIFY(pairs.size() > longColumns * 9 / 10); // N beside K as well: those have an M of a few only
    }

    /// A residue of each of two dimensions, of moduli that have nothing to do with each other: one pair of many
    /// thousand.
    void sizesThatTheProgramsOwnConstantsSuggestMeetPairsOfResidues()
    {
        const Task& task = m_pack.task;
        const SizeConstants constants
            = sizeConstants(productWith("M % 61 == 17 && N % 113 == 90 && M > 700", zeroesTheLastColumn));
        ShapeSweep sweep(task, 3, {}, constants);
        const std::vector<Shape> shapes = sweep.suggested(400);
        QVERIFY(std::ranges::any_of(
            shapes, [](const Shape& s) { return s[0] % 61 == 17 && s[1] % 113 == 90 && s[0] > 700; }));
        QCOMPARE(shapes.size(), std::size_t(400));
        ShapeSweep same(task, 3, {}, sizeConstants("if (N % 114 == K % 114 && N > 800) return;"));
        QVERIFY(std::ranges::any_of(
            same.suggested(60), [](const Shape& s) { return s[1] % 114 == s[2] % 114 && s[1] > 800 && s[1] != s[2]; }));
        ShapeSweep sum(task, 3, {}, sizeConstants("if ((N + K) % 93 == 27 && N > 800) return;"));
        QVERIFY(std::ranges::any_of(
            sum.suggested(60), [](const Shape& s) { return (s[1] + s[2]) % 93 == 27 && s[1] > 800; }));
        for (const Shape& shape : shapes)
            QVERIFY(std::ranges::all_of(shape, [](std::int64_t extent) { return extent >= 1; }));
        QVERIFY(ShapeSweep(task, 3, {}).suggested(400).empty()); // nothing is known of the program
    }

    void everyDimensionIsTriedAtTheValuesOfTheText()
    {
        const Task& task = m_pack.task;
        const SizeConstants constants = sizeConstants(
            "#define H 768\nif (n == 5120 || 300 != m) return; switch (k) { case 77: } if (n % 96 == 41 && n > 2000) "
            "return; int t = 0x40;");
        QCOMPARE(constants.values, (std::vector<std::int64_t>{5120, 300, 77, 2000, 2001, 1999, 768, 96, 41, 64}));
        const std::vector<Shape> shapes = ShapeSweep(task, 3, {}, constants).named();
        for (std::size_t d = 0; d < 3; ++d)
            for (const std::int64_t value : constants.values) {
                const auto isIt = [&](const Shape& shape) { return shape[d] == value; };
                QVERIFY(std::ranges::count_if(shapes, isIt) >= 2);
            }
        for (const Shape& shape : shapes)
            QVERIFY(task.flopsOf(shape) <= SweepCaps().flops * 4);
    }

    void dimensionsAreLargeTogetherAsFarAsTheCapsAllow()
    {
        Task task = m_pack.task;
        task.dims[1].multiple = 16;
        task.dims[1].min = 32;
        std::int64_t last = 0;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const ShapeSweep sweep(task, seed, {});
            for (const double flops : {1e6, 1e8, 1e10, 1e12}) {
                const std::vector<Shape> shapes = sweep.together({flops, std::int64_t(1) << 40});
                QCOMPARE(shapes.size(), std::size_t(5)); // all equal, all, and three pairs
                QVERIFY(shapes[0][0] == shapes[0][1] && shapes[0][1] == shapes[0][2]);
                QVERIFY(flops > 1e6 || shapes[0][0] >= 64);
                for (const Shape& shape : shapes) {
                    QVERIFY(task.flopsOf(shape) <= flops);
                    QVERIFY(shape[1] % 16 == 0 && shape[1] >= 32);
                }
                last = shapes[1][0];
            }
            const Shape all = sweep.together({1e13, std::int64_t(1) << 40}).at(1);
            for (std::size_t d = 0; d < 3; ++d)
                QVERIFY(all[d] > largestOf(task, d));
            QVERIFY(last <= all[0]);
        }
        QVERIFY(ShapeSweep(task, 1, {}).together({10, 10}).empty()); // not even the smallest fits
    }

    void suggestedSizesAreMultiplesOfWhatTheTaskFixes()
    {
        Task task = m_pack.task;
        task.dims[1].multiple = 16;
        task.dims[1].min = 32;
        ShapeSweep sweep(task, 3, {}, sizeConstants("if (n % 48 == 32 && m % 7 == 3 && m > 100) return;"));
        bool isMet = false;
        for (const Shape& shape : sweep.suggested(200)) {
            QVERIFY(shape[1] % 16 == 0 && shape[1] >= 32);
            isMet = isMet || (shape[1] % 48 == 32 && shape[0] % 7 == 3 && shape[0] > 100);
        }
        QVERIFY(isMet);
    }

    void noLaunchIsLargerThanTheRoomThatIsKeptForIt()
    {
        Task task = m_pack.task;
        task.train.push_back({500'000, 8, 8});
        const SweepCaps caps{1e5, 1 << 14};
        const std::vector<std::int64_t> most = mostSweepElements(task, caps);
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            ShapeSweep sweep(task, seed, caps, sizeConstants("if (n % 48 == 32 && m % 7 == 3 && m > 100) return;"));
            std::vector<Shape> shapes = sweep.residues();
            for (const auto& more : {sweep.pairs(300), sweep.suggested(300), sweep.named(),
                     sweep.together({caps.flops * 4, caps.elements * 4})})
                shapes.insert(shapes.end(), more.begin(), more.end());
            for (const Shape& shape : shapes)
                for (std::size_t i = 0; i < task.tensors.size(); ++i)
                    QVERIFY2(task.elementsOf(task.tensors[i], shape) <= most[i], shapeText(shape).c_str());
        }
    }

    void sizesAreMultiplesOfWhatTheTaskFixes()
    {
        Task task = m_pack.task;
        task.dims[1].multiple = 16;
        task.dims[1].min = 32;
        ShapeSweep sweep(task, 11, {});
        std::vector<Shape> shapes = sweep.residues();
        const std::vector<Shape> pairs = sweep.pairs(500);
        shapes.insert(shapes.end(), pairs.begin(), pairs.end());
        std::set<std::int64_t> beyond;
        for (const Shape& shape : shapes) {
            QCOMPARE(shape[1] % 16, 0);
            QVERIFY(shape[1] >= 32);
            if (shape[1] > largestOf(task, 1))
                beyond.insert(shape[1]);
        }
        QVERIFY(beyond.size() >= 128);
    }

    void aDimensionThatIsAllOfATaskIsSeenAsHighAsTheCapsAllow()
    {
        Task task = m_pack.task;
        task.dims = {{"n", 1, 1}};
        task.tensors = {{"x", TensorRole::Input, Dtype::Fp32, {"n"}}, {"y", TensorRole::Output, Dtype::Fp32, {"n"}}};
        task.flops = "n";
        task.bytes = "8*n";
        task.train = {{16'000'000}};
        task.heldout = task.sealed = task.verify = {};
        const std::vector<Shape> shapes = ShapeSweep(task, 1, {}).residues();
        std::int64_t beyond = 0;
        std::set<std::int64_t> residues;
        for (const Shape& shape : shapes) {
            if (shape[0] > 16'000'000)
                ++beyond;
            else
                residues.insert(shape[0] % 128);
        }
        QCOMPARE(std::int64_t(residues.size()), 128);
        QCOMPARE(beyond, 3); // an even, an odd and a prime one
    }

    void programsThatAreWrongOnSomeSizesAreRefused_data()
    {
        QTest::addColumn<QString>("condition");
        QTest::addColumn<QString>("fault");
        const auto row = [](const char* name, const char* condition, const char* fault) {
            QTest::newRow(name) << QString::fromLatin1(condition) << QString::fromLatin1(fault);
        };
        row("odd K above 2000", "K % 2 == 1 && K > 2000", dropsTheLastDepth);
        row("N is 32 n + 17 above 300", "N % 32 == 17 && N > 300", zeroesTheLastColumn);
        row("modulus 96", "M % 96 == 41", "a.C[long(M) * N - 1] += 0.5f;");
        row("modulus 100", "K % 100 == 77", dropsTheLastDepth);
        row("two residues coincide", "M % 96 == N % 96 && M > 200", zeroesTheLastColumn);
        row("beyond the largest", "N > 1024", zeroesTheLastColumn);
        row("a residue of each of two dimensions", "M % 61 == 17 && N % 113 == 90 && M > 700", zeroesTheLastColumn);
        row("one value of the reduction", "K == 5120", dropsTheLastDepth);
        row("one value behind a name", "const int hidden = 768; K == hidden", dropsTheLastDepth);
        row("all equal", "M == N && N == K && M > 48", zeroesTheLastColumn);
        row("large squares", "M == N && N == K && M >= 400", zeroesTheLastColumn);
        row("two large", "long(M) * N > 800000", zeroesTheLastColumn);
        row("all large", "M > 400 && N > 400 && K > 300", zeroesTheLastColumn);
        row("volume", "long(M) * N * K > 80000000", zeroesTheLastColumn);
        row("writes behind its output", "N % 128 == 99", "a.C[long(M) * N] = 1;");
        row("reads what it did not write", "M % 77 == 3", "a.C[0] = static_cast<float*>(a.workspace)[0];");
    }

    void programsThatAreWrongOnSomeSizesAreRefused()
    {
        QFETCH(QString, condition);
        QFETCH(QString, fault);
        const auto outcome = sweep(productWith(condition.toStdString(), fault.toStdString()));
        QVERIFY(!outcome.has_value());
        QCOMPARE(q(outcome.error().code), u"verify/sweep"_qs);
        QVERIFY2(outcome.error().evidence.contains("shape"), outcome.error().text.c_str());
        QVERIFY(outcome.error().text.find("a size that the task does not list") != std::string::npos);
    }

    void anHonestProgramThatBranchesOnItsSizesPasses()
    {
        const auto outcome = sweep(productWith("M % 7 == 3 && N > 500", "a.C[0] = a.C[0] + 0.0f;"));
        QVERIFY2(outcome.has_value(), outcome ? "" : outcome.error().text.c_str());
    }

    void aCrashOnASizeNamesIt()
    {
        const auto outcome = sweep(productWith("K % 128 == 65", "*(volatile int*)8 = 1;"));
        QVERIFY(!outcome.has_value());
        QCOMPARE(q(outcome.error().code), u"run/crash"_qs);
        const Shape shape = outcome.error().evidence.at("shape").get<Shape>();
        QCOMPARE(shape[2] % 128, 65);
    }

    void aWorkspaceThatIsTooLargeOnASizeIsRefusedBeforeTheCall()
    {
        const std::string asks = "extern \"C\" unsigned long tilewright_workspace(const Dims& d)\n"
                                 "{ return d.M % 128 == 5 ? 1ul << 40 : 64; }\n";
        std::string program = productWith("false", "");
        program.insert(program.find("extern"), asks);
        const auto outcome = sweep(program);
        QVERIFY(!outcome.has_value());
        QCOMPARE(q(outcome.error().code), u"run/workspace-limit"_qs);
    }

private:
    Result<void> sweep(const std::string& source)
    {
        const BuildOutcome built = m_builder->buildCandidate(m_pack.task, source);
        if (!built.ok)
            return fail(built.rule, built.text);
        const auto reference = Reference::load(*m_builder, m_pack);
        if (!reference)
            return std::unexpected(reference.error());
        ShapeSweep shapes(m_pack.task, ++m_seed, {}, sizeConstants(m_builder->sourceOf(built.artifact)));
        std::vector<Shape> residues = shapes.residues();
        for (const auto& more : {shapes.named(), shapes.together({2e8, 1 << 20})})
            residues.insert(residues.end(), more.begin(), more.end());
        auto runner = SweepRunner::start({*m_sandbox, worker, *m_builder->artifactPath(built.artifact), m_pack.task,
                                             **reference, splitCores(), nullptr, "test " + std::to_string(m_seed)},
            residues, {});
        if (!runner)
            return std::unexpected(runner.error());
        if (auto right = (*runner)->run(residues); !right)
            return right;
        if (auto right = (*runner)->run(shapes.suggested(400)); !right)
            return right;
        return (*runner)->run(shapes.pairs(200));
    }

    std::uint64_t m_seed = 0;
};

TILEWRIGHT_TEST(TestShapeSweep)
#include "test_shape_sweep.moc"
