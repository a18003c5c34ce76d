// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/stats/statistics.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;

namespace {

/// Blocks of log ratios around a truth, with some noise.
std::vector<BlockRatios> shapesAround(double logRatio, double noise, int shapes, int blocks, std::uint64_t seed)
{
    CounterRandom random(seed, 1, 0);
    std::vector<BlockRatios> list(static_cast<std::size_t>(shapes));
    for (BlockRatios& shape : list)
        for (int i = 0; i < blocks; ++i)
            shape.push_back(logRatio + noise * random.normal());
    return list;
}

} // namespace

class TestStats : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mediansAndQuantilesAreThoseOfTheTextbook();
    void theRatioIsTheGeometricMeanOfTheShapes();
    void aShapeWithoutBlocksHasNoRatio();
    void theIntervalCoversTheTruthAboutAsOftenAsItSays();
    void verdictsNeedTheWholeIntervalBeyondTheMargin();
    void relativeVariancesAdd();
    void aShareOfFewIsKnownToLittle();
    void theFloorIsTheNinetyFifthPercentileOfTheLastRatios();
};

void TestStats::mediansAndQuantilesAreThoseOfTheTextbook()
{
    QCOMPARE(median({3, 1, 2}), 2.0);
    QCOMPARE(median({4, 1, 2, 3}), 2.5);
    QCOMPARE(median({}), 0.0);
    QCOMPARE(quantile({0, 1, 2, 3, 4}, 0.25), 1.0);
    QCOMPARE(quantile({0, 10}, 0.95), 9.5);
}

void TestStats::theRatioIsTheGeometricMeanOfTheShapes()
{
    const double two = std::log(2.0), eight = std::log(8.0);
    const auto ratio = geometricMeanRatio({{two, two, two}, {eight, eight, eight}}, 1);
    QVERIFY(ratio.has_value());
    QVERIFY(std::abs(ratio->value - 4) < 1e-12);
    QVERIFY(std::abs(ratio->lo - 4) < 1e-12);
    QCOMPARE(
        geometricMeanRatio({{two, 0.5}, {0.1, eight}}, 7)->hi, geometricMeanRatio({{two, 0.5}, {0.1, eight}}, 7)->hi);
}

void TestStats::aShapeWithoutBlocksHasNoRatio()
{
    QVERIFY(!geometricMeanRatio({{0.1}, {}}, 1).has_value());
    QVERIFY(!geometricMeanRatio({}, 1).has_value());
}

void TestStats::theIntervalCoversTheTruthAboutAsOftenAsItSays()
{
    int covered = 0;
    constexpr int trials = 400;
    for (int i = 0; i < trials; ++i) {
        const auto ratio = geometricMeanRatio(shapesAround(0.1, 0.02, 8, 4, static_cast<std::uint64_t>(i)), 5, 300);
        covered += ratio->lo <= std::exp(0.1) && std::exp(0.1) <= ratio->hi;
    }
    QVERIFY2(covered > trials * 0.90, qPrintable(QString::number(covered)));
}

void TestStats::verdictsNeedTheWholeIntervalBeyondTheMargin()
{
    QCOMPARE(verdictMargin(0.001), 0.005);
    QCOMPARE(verdictMargin(0.01), 0.02);
    QCOMPARE(verdictOf({1.03, 1.021, 1.04}, 0.01), Verdict::Better);
    QCOMPARE(verdictOf({1.03, 1.019, 1.04}, 0.01), Verdict::Neutral);
    QCOMPARE(verdictOf({0.97, 0.96, 0.979}, 0.01), Verdict::Worse);
    QCOMPARE(verdictOf({0.97, 0.96, 0.985}, 0.01), Verdict::Neutral);
}

void TestStats::relativeVariancesAdd()
{
    const Interval product = timesInterval({2, 1.8, 2.2}, {3, 3, 3});
    QCOMPARE(product.value, 6.0);
    QVERIFY(std::abs(product.lo - 5.4) < 1e-9);
    const Interval wider = timesInterval({2, 1.8, 2.2}, {3, 2.7, 3.3});
    QVERIFY(wider.lo < product.lo && wider.hi > product.hi);
    QVERIFY(wider.lo > 6 * 0.9 * 0.9);
}

void TestStats::theFloorIsTheNinetyFifthPercentileOfTheLastRatios()
{
    NoiseRecord floor;
    for (int i = 0; i < 7; ++i)
        floor.add(1e-3);
    QCOMPARE(floor.measured(), 0.0); // seven runs tell nothing yet
    QCOMPARE(floor.margin(), 0.01); // so verdicts are cautious
    floor = {};
    for (int i = 1; i <= 300; ++i)
        floor.add(i % 2 ? i * 1e-5 : -i * 1e-5);
    QCOMPARE(floor.count(), 200);
    QVERIFY(std::abs(floor.measured() - 290e-5) < 2e-5);
    QCOMPARE(floor.margin(), floor.measured());
    floor.add(NAN);
    QCOMPARE(floor.count(), 200);
}

void TestStats::aShareOfFewIsKnownToLittle()
{
    QVERIFY(!wilsonInterval(0, 0));
    const auto some = wilsonInterval(15, 24), none = wilsonInterval(0, 10), all = wilsonInterval(10, 10);
    QVERIFY(std::abs(some->low - 0.4271) < 1e-4 && std::abs(some->high - 0.7884) < 1e-4);
    QVERIFY(none->low == 0 && std::abs(none->high - 0.2775) < 1e-4); // never beyond the ends
    QVERIFY(std::abs(all->low - 0.7225) < 1e-4 && all->high <= 1);
}

TILEWRIGHT_TEST(TestStats)
#include "test_stats.moc"
