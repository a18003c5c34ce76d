// SPDX-License-Identifier: GPL-3.0-or-later
// What the gates allow a program of a scheme: an honest one passes, a downcast and skipped work do not, and a task
// whose scheme allows more rounding than a downcast makes is refused.
#include "core/node/gates.h"
#include "core/node/inputs.h"
#include "core/pack/scheme_task.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/measures.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;

namespace {

using FloatMatrix = std::vector<float>; // row-major

FloatMatrix plainProduct(const FloatMatrix& a, const FloatMatrix& b, ProductShape shape, std::int64_t summed)
{
    FloatMatrix c(static_cast<std::size_t>(shape.sizeC()));
    for (std::int64_t i = 0; i < shape.rows; ++i)
        for (std::int64_t k = 0; k < summed; ++k)
            for (std::int64_t j = 0; j < shape.columns; ++j)
                c[static_cast<std::size_t>(i * shape.columns + j)] += a[static_cast<std::size_t>(i * shape.depth + k)]
                    * b[static_cast<std::size_t>(k * shape.columns + j)];
    return c;
}

/// Σ coefficient · block, of a matrix cut into rows × columns blocks.
FloatMatrix sumOfBlocks(const FloatMatrix& whole, const std::vector<double>& coefficients, int rows, int columns,
    std::int64_t height, std::int64_t width)
{
    const std::int64_t blockHeight = height / rows, blockWidth = width / columns;
    FloatMatrix sum(static_cast<std::size_t>(blockHeight * blockWidth));
    for (std::size_t e = 0; e < coefficients.size(); ++e)
        for (std::int64_t i = 0; coefficients[e] != 0 && i < blockHeight; ++i)
            for (std::int64_t j = 0; j < blockWidth; ++j) {
                const std::int64_t row = static_cast<std::int64_t>(e) / columns * blockHeight + i;
                const std::int64_t column = static_cast<std::int64_t>(e) % columns * blockWidth + j;
                sum[static_cast<std::size_t>(i * blockWidth + j)]
                    += static_cast<float>(coefficients[e]) * whole[static_cast<std::size_t>(row * width + column)];
            }
    return sum;
}

/// The product in floats by the scheme, on so many levels; its sizes are divisible. `share`: of the depth that is
/// summed.
FloatMatrix byScheme(
    const TaskScheme& scheme, int levels, const FloatMatrix& a, const FloatMatrix& b, ProductShape shape, double share)
{
    if (levels == 0)
        return plainProduct(a, b, shape, static_cast<std::int64_t>(share * static_cast<double>(shape.depth)));
    const ProductShape inner{shape.rows / scheme.n, shape.columns / scheme.p, shape.depth / scheme.m};
    FloatMatrix c(static_cast<std::size_t>(shape.sizeC()));
    for (std::size_t r = 0; r < scheme.u.size(); ++r) {
        const FloatMatrix product
            = byScheme(scheme, levels - 1, sumOfBlocks(a, scheme.u[r], scheme.n, scheme.m, shape.rows, shape.depth),
                sumOfBlocks(b, scheme.v[r], scheme.m, scheme.p, shape.depth, shape.columns), inner, share);
        for (std::size_t e = 0; e < scheme.w[r].size(); ++e)
            for (std::int64_t i = 0; scheme.w[r][e] != 0 && i < inner.rows; ++i)
                for (std::int64_t j = 0; j < inner.columns; ++j) {
                    const std::int64_t row = static_cast<std::int64_t>(e) / scheme.p * inner.rows + i;
                    const std::int64_t column = static_cast<std::int64_t>(e) % scheme.p * inner.columns + j;
                    c[static_cast<std::size_t>(row * shape.columns + column)] += static_cast<float>(scheme.w[r][e])
                        * product[static_cast<std::size_t>(i * inner.columns + j)];
                }
    }
    return c;
}

QString verdictCode(const auto& result) { return result ? QStringLiteral("fine") : q(result.error().code); }

} // namespace

class TestSchemeGates : public QObject
{
    Q_OBJECT

    TaskPack m_from;

    /// The task of a known scheme; its shapes are for one level with a small cut-off.
    Task taskOf(const tensor::Scheme& scheme, int levels, std::vector<Shape> train = {}) const
    {
        SchemeTaskOptions options{"derived", {}, std::move(train)};
        options.code.levels = levels;
        options.code.cutoff = 64;
        auto pack = schemeTask(scheme, m_from, options);
        if (!pack)
            qFatal("%s", pack.error().text.c_str());
        return pack->task;
    }

    static FloatMatrix drawn(std::int64_t size, int tensor, std::uint64_t seed)
    {
        FloatMatrix values(static_cast<std::size_t>(size));
        fillInput(values, InputKind::Normal, tensor, seed);
        return values;
    }

private Q_SLOTS:
    void initTestCase() { m_from = *loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu"); }

    void theFactorIsThatOfTheErrorAnalysis()
    {
        const Task strassen = taskOf(tensor::strassen(), 1), winograd = taskOf(tensor::winogradVariant(), 2);
        constexpr std::int64_t deep = 1 << 20;
        QVERIFY(std::abs(strassen.numeric.growthOf(deep) - 12.0 / 4) < 1e-3);
        QVERIFY(std::abs(winograd.numeric.growthOf(deep) - 18.0 * 18 / 16) < 1e-2);
        // One level at K = 128: 12 (64² + 8 · 64) / 128², as a product has two terms of A and two of B, and C11 four.
        QCOMPARE(strassen.numeric.growthOf(128), 12 * (64.0 * 64 + 8 * 64) / (128 * 128));
        QCOMPARE(strassen.numeric.growthOf(leastLeafDepth), 1.0); // no level fits
        QCOMPARE(taskOf(tensor::schoolbook({2, 2, 2}), 1).numeric.growthOf(deep), 1.0);
        QCOMPARE(m_from.task.numeric.growthOf(deep), 1.0);
        QCOMPARE(winograd.leastFlopsOf({512, 512, 512}), winograd.flopsOf({512, 512, 512}) * 49 / 64);
        QCOMPARE(m_from.task.leastFlopsOf({512, 512, 512}), m_from.task.flopsOf({512, 512, 512}));
    }

    void anHonestProgramPassesAndCheatsDoNot_data()
    {
        QTest::addColumn<bool>("isWinograd");
        QTest::addColumn<int>("levels");
        for (const bool isWinograd : {false, true})
            for (const int levels : {1, 2})
                QTest::addRow("%s, %d", isWinograd ? "Winograd" : "Strassen", levels) << isWinograd << levels;
    }

    void anHonestProgramPassesAndCheatsDoNot()
    {
        QFETCH(bool, isWinograd);
        QFETCH(int, levels);
        const Task task = taskOf(isWinograd ? tensor::winogradVariant() : tensor::strassen(), levels);
        QCOMPARE(verdictCode(calibrateGates(task)), QStringLiteral("fine"));
        const TaskScheme& scheme = *task.numeric.scheme;
        const auto downcast = [](FloatMatrix values) {
            for (float& value : values)
                value = rounded(value, Dtype::Tf32);
            return values;
        };
        bool wasRefusedWithout = false;
        for (const ProductShape shape :
            {ProductShape{64, 64, 128}, ProductShape{128, 96, 512}, ProductShape{32, 32, 4096}})
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                const FloatMatrix a = drawn(shape.sizeA(), 0, seed), b = drawn(shape.sizeB(), 1, seed);
                const auto checked = [&](const FloatMatrix& c, double growth) {
                    return verdictCode(checkFreivalds({shape, a, b, c}, seed + 100, growth));
                };
                const double growth = task.numeric.growthOf(shape.depth);
                const FloatMatrix honest = byScheme(scheme, levels, a, b, shape, 1);
                QCOMPARE(checked(honest, growth), QStringLiteral("fine"));
                wasRefusedWithout = wasRefusedWithout || checked(honest, 1) != QStringLiteral("fine");
                for (const int cheating : {0, levels}) { // by the definition, or by the scheme
                    const auto wrong = QStringLiteral("verify/timed");
                    QCOMPARE(checked(byScheme(scheme, cheating, downcast(a), downcast(b), shape, 1), growth), wrong);
                    QCOMPARE(checked(byScheme(scheme, cheating, a, b, shape, 63.0 / 64), growth), wrong);
                }
            }
        QVERIFY(wasRefusedWithout || !isWinograd); // what the factor is for
    }

    void aSchemeThatWouldLetADowncastPassIsRefused()
    {
        const Task deep = taskOf(tensor::winogradVariant(), 3, {{64, 64, 65536}});
        const auto refused = calibrateGates(deep);
        QCOMPARE(verdictCode(refused), QStringLiteral("task/loose"));
        QVERIFY2(refused.error().text.find("numeric.scheme: with 3 levels") == 0, refused.error().text.c_str());
        QVERIFY(refused.error().text.find('\n') == std::string::npos);
        QCOMPARE(verdictCode(calibrateGates(taskOf(tensor::winogradVariant(), 1, {{64, 64, 65536}}))),
            QStringLiteral("fine"));
    }
};

TILEWRIGHT_TEST(TestSchemeGates)
#include "test_scheme_gates.moc"
