// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms that are made from a kernel's text alone: which there are, that they can be combined, and that what they
// make compiles and computes the same.
#include "core/pack/generic_moves.h"
#include "core/patch/patch.h"
#include "core/source/program_text.h"
#include "tests/test_program.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <set>

using namespace tilewright;

namespace {

constexpr int patience = 60'000;

constexpr const char* dotSeed = R"(// EVOLVE-BLOCK-START
#include <cmath>
#define TILE 16
namespace {
// A comment with for (int i = 0; i < 3; ++i) in it.
float dot(const float* a, const float *b, int n)
{
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}
}
void rows(const float* x, const float* y,
    float* out, int m, int n)
{
    for (int r = 0; r < m; ++r) {
        float top = 0;
        for (int k = 0; k < n; ++k)
            top = x[r * n + k] > top ? x[r * n + k] : top;
        for (int k = 0; k < n; ++k)
            out[r * n + k] = x[r * n + k] - top;
        out[r * n] = dot(x + r * n, y, n) + TILE;
    }
}
// SPDX-SnippetBegin
void entry(const float* x, const float* y, float* out)
{
    for (int i = 0; i < 1; ++i)
        rows(x, y, out, 3, 37);
}
// SPDX-SnippetEnd
// EVOLVE-BLOCK-END
)";

constexpr const char* mainText = R"(
#include <cstdio>
int main()
{
    static float x[3 * 37], y[37], out[3 * 37];
    for (int i = 0; i < 3 * 37; ++i)
        x[i] = float(i * 7 % 11) - 5;
    for (int i = 0; i < 37; ++i)
        y[i] = float(i * 5 % 7) - 3;
    entry(x, y, out);
    for (const float each : out)
        std::printf("%g ", each);
}
)";

std::set<std::string> namesOf(const std::vector<Move>& moves)
{
    std::set<std::string> names;
    for (const Move& move : moves)
        names.insert(move.name);
    return names;
}

const Move& named(const std::vector<Move>& moves, const std::string& name)
{
    return *std::ranges::find(moves, name, &Move::name);
}

} // namespace

class TestGenericMoves : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKernelGetsWhatItsTextAllows()
    {
        const std::vector<Move> moves = genericMoves(dotSeed, "seed.cpp", Target::Cpp);
        QCOMPARE(namesOf(moves),
            (std::set<std::string>{"generic-constant-tile", "generic-restrict", "generic-unroll-1",
                "generic-accumulators-1", "generic-unroll-2", "generic-independent-2", "generic-unroll-3",
                "generic-independent-3"}));
        for (const Move& move : moves) {
            QVERIFY2(move.title.ends_with(" (generic)"), move.title.c_str());
            QVERIFY(!move.reasoning.empty() && !move.expects.empty());
        }
        const auto restricted = applyDiff(dotSeed, named(moves, "generic-restrict").diff);
        QVERIFY(restricted);
        QVERIFY(restricted->text.contains("dot(const float* __restrict a, const float * __restrict b, int n)"));
        QVERIFY(restricted->text.contains("    float* __restrict out, int m, int n)"));
        QVERIFY(restricted->text.contains("void entry(const float* x, const float* y, float* out)"));
    }

    void whatTheyMakeComputesTheSame()
    {
        const std::vector<Move> moves = genericMoves(dotSeed, "seed.cpp", Target::Cpp);
        std::string all = dotSeed;
        std::vector<std::string> programs{dotSeed};
        for (const Move& move : moves) {
            const auto alone = applyDiff(dotSeed, move.diff);
            QVERIFY2(alone, move.name.c_str());
            programs.push_back(alone->text);
            if (const auto together = applyDiff(all, move.diff))
                all = together->text;
        }
        // What is put in front of a loop keeps the transform away that replaces it.
        QVERIFY(all.contains("UNROLL_1") && !all.contains("PARTS_1") && all.contains("UNROLL_2")
            && all.contains("#pragma GCC ivdep") && all.contains("// tune: 4 8 16 32 64"));
        QVERIFY(tunablesOf(all).size() >= 4);
        programs.push_back(all);
        const QTemporaryDir folder;
        QByteArray first;
        for (const std::string& program : programs) {
            const QString source = folder.filePath(QStringLiteral("program.cpp"));
            const QString binary = folder.filePath(QStringLiteral("program"));
            std::ofstream(source.toStdString()) << program << mainText;
            QProcess run;
            run.start(QStringLiteral("g++"),
                {QStringLiteral("-std=c++20"), QStringLiteral("-O1"), source, QStringLiteral("-o"), binary});
            QVERIFY(run.waitForFinished(patience));
            QVERIFY2(run.exitCode() == 0, (run.readAllStandardError() + program.c_str()).constData());
            run.start(binary, QStringList());
            QVERIFY(run.waitForFinished(patience));
            const QByteArray result = run.readAllStandardOutput(); // of small integers: exact in any order
            first = first.isEmpty() ? result : first;
            QVERIFY(!result.isEmpty());
            QCOMPARE(result, first);
        }
    }

    void aKernelForAGpuGetsItsLaunchToo()
    {
        const std::string seed = R"(// EVOLVE-BLOCK-START
__device__ void scale(const float* x, float* y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += x[i * n + k];
    y[i] = sum;
}
// SPDX-SnippetBegin
extern "C" __global__ void __launch_bounds__(256) tilewright_scale(const __grid_constant__ Args args)
{
    scale(args.x, args.y, args.dims.n);
}
TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("tilewright_scale", ceil_div(d.n, 256), 256);
    return plan;
}
// SPDX-SnippetEnd
// EVOLVE-BLOCK-END
)";
        const std::vector<Move> moves = genericMoves(seed, "seed.cu", Target::Cuda);
        QCOMPARE(namesOf(moves),
            (std::set<std::string>{"generic-restrict", "generic-unroll-1", "generic-accumulators-1",
                "generic-launch-bounds", "generic-block-size"}));
        const auto sized = applyDiff(seed, named(moves, "generic-block-size").diff);
        QVERIFY(sized);
        QVERIFY(sized->text.contains("__launch_bounds__(THREADS)"));
        QVERIFY(sized->text.contains("ceil_div(d.n, THREADS), THREADS);"));
        QCOMPARE(tunablesOf(sized->text).size(), std::size_t(1));
        const auto unrolled = applyDiff(seed, named(moves, "generic-unroll-1").diff);
        QVERIFY(unrolled && unrolled->text.contains("#pragma unroll UNROLL_1\n    for (int k"));
    }

    void aTextWithoutBlockOrLoopGetsNone_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("no block") << QStringLiteral("void f(float* x) { for (int i = 0; i < 3; ++i)\n x[i] = 0; }\n");
        QTest::newRow("nothing to change")
            << QStringLiteral("// EVOLVE-BLOCK-START\nint f() { return 1; }\n// EVOLVE-BLOCK-END\n");
        QTest::newRow("open bracket") << QStringLiteral(
            "// EVOLVE-BLOCK-START\nint f( {\n    for (int i = 0; i\n// EVOLVE-BLOCK-END\n");
    }
    void aTextWithoutBlockOrLoopGetsNone()
    {
        QFETCH(QString, text);
        QVERIFY(genericMoves(text.toStdString(), "seed.cpp", Target::Cpp).empty());
    }
};

TILEWRIGHT_TEST(TestGenericMoves)
#include "test_generic_moves.moc"
