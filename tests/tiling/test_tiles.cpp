// SPDX-License-Identifier: GPL-3.0-or-later
// The tiling explorer's figures against ones that are known, and what makes a tile too small or too large.
#include "core/tiling/cpu_tile.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

double valueOf(const TileReport& report, TileFigure figure)
{
    const TileLine* line = report.line(figure);
    return line ? line->value : -1;
}

TileReport onH200(const GpuTile& tile) { return gpuTileReport(tile, {}, h200Facts()); }

/// A core of Zen 4, as its data sheet has it.
CpuLimits zen4()
{
    CpuFacts facts;
    facts.features = {"avx2", "fma", "avx512f"};
    facts.l1dBytes = 32 << 10;
    facts.l2Bytes = 1 << 20;
    facts.l3Bytes = 32 << 20;
    return cpuLimitsOf(facts);
}

} // namespace

class TestTiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLargeTileOfAnH200();
    void intensityOfSquareTiles();
    void theMicroTileIsNearestToASquare();
    void whatMakesAGpuTileWrong_data();
    void whatMakesAGpuTileWrong();
    void registersOfACpuTile();
    void whatMakesACpuTileWrong_data();
    void whatMakesACpuTileWrong();
    void vectorsFollowTheProcessor();
};

void TestTiles::aLargeTileOfAnH200()
{
    const TileReport report = onH200({128, 256, 16, 3, 256, 4});
    QCOMPARE(valueOf(report, TileFigure::SharedMemory), 72.0 * 1024);
    QCOMPARE(valueOf(report, TileFigure::Accumulators), 128.0);
    QCOMPARE(valueOf(report, TileFigure::Registers), 128.0 + 24 + 24);
    QCOMPARE(valueOf(report, TileFigure::BlocksPerSm), 1.0);
    QCOMPARE(report.line(TileFigure::BlocksPerSm)->limitedBy, std::string("registers"));
    QCOMPARE(valueOf(report, TileFigure::Occupancy), 0.125);
    QVERIFY(std::abs(valueOf(report, TileFigure::BlockIntensity) - 42.667) < 0.001);
    QCOMPARE(valueOf(report, TileFigure::Tiles), 512.0);
    QVERIFY(std::abs(valueOf(report, TileFigure::Waves) - 3.879) < 0.001);
    QVERIFY(std::abs(valueOf(report, TileFigure::TailEfficiency) - 0.9697) < 0.001);
    QVERIFY(report.verdict == TileVerdict::JustRight);
    QCOMPARE(report.line(TileFigure::SharedMemory)->formula, std::string("(128 + 256) · 16 · 4 B · 3"));
}

void TestTiles::intensityOfSquareTiles()
{
    const TileReport report = onH200({128, 128, 8, 2, 256, 4});
    QCOMPARE(valueOf(report, TileFigure::BlockIntensity), 32.0);
    QCOMPARE(valueOf(report, TileFigure::ThreadIntensity), 2.0); // 8 × 8 a thread
    QCOMPARE(valueOf(onH200({16, 16, 16, 1, 64, 4}), TileFigure::BlockIntensity), 4.0);
}

void TestTiles::theMicroTileIsNearestToASquare()
{
    const MicroTile wide = microTileOf({128, 256, 16, 3, 256, 4});
    QCOMPARE(wide.rows, 8);
    QCOMPARE(wide.columns, 16);
    const MicroTile square = microTileOf({64, 64, 16, 2, 64, 4});
    QCOMPARE(square.rows, 8);
    QCOMPARE(square.columns, 8);
    QCOMPARE(microTileOf({16, 16, 16, 1, 100, 4}).rows, 0);
}

void TestTiles::whatMakesAGpuTileWrong_data()
{
    QTest::addColumn<GpuTile>("tile");
    QTest::addColumn<TileVerdict>("verdict");
    QTest::addColumn<TileReason>("reason");
    QTest::newRow("uneven") << GpuTile{100, 100, 8, 1, 96, 4} << TileVerdict::TooLarge << TileReason::UnevenThreads;
    QTest::newRow("shared") << GpuTile{256, 256, 64, 4, 1024, 4} << TileVerdict::TooLarge
                            << TileReason::SharedMemoryExceeded;
    QTest::newRow("spills") << GpuTile{256, 256, 16, 2, 256, 4} << TileVerdict::TooLarge
                            << TileReason::RegistersExceeded;
    QTest::newRow("threads") << GpuTile{256, 256, 16, 2, 2048, 4} << TileVerdict::TooLarge
                             << TileReason::TooManyThreads;
    QTest::newRow("below the ridge") << GpuTile{32, 32, 16, 2, 64, 4} << TileVerdict::TooSmall
                                     << TileReason::BelowRidge;
}

void TestTiles::whatMakesAGpuTileWrong()
{
    QFETCH(GpuTile, tile);
    QFETCH(TileVerdict, verdict);
    QFETCH(TileReason, reason);
    const TileReport report = onH200(tile);
    QVERIFY(report.verdict == verdict);
    QVERIFY(report.reason == reason);
}

void TestTiles::registersOfACpuTile()
{
    const CpuLimits limits = zen4();
    QCOMPARE(limits.vectorBytes, 64);
    QCOMPARE(limits.vectorRegisters, 32);
    const TileReport report = cpuTileReport({8, 48, 256, 96, 4096, 4}, {1000, 1000, 1000}, limits);
    QCOMPARE(valueOf(report, TileFigure::Accumulators), 24.0);
    QCOMPARE(valueOf(report, TileFigure::Registers), 25.0);
    QCOMPARE(valueOf(report, TileFigure::PanelB), 256.0 * 48 * 4);
    QCOMPARE(valueOf(report, TileFigure::BlockA), 96.0 * 256 * 4);
    QCOMPARE(valueOf(report, TileFigure::UpdatesOfC), 4.0);
    // No more than the matrices have.
    QCOMPARE(valueOf(report, TileFigure::BlockB), 256.0 * 1000 * 4);
}

void TestTiles::whatMakesACpuTileWrong_data()
{
    QTest::addColumn<CpuTile>("tile");
    QTest::addColumn<TileVerdict>("verdict");
    QTest::addColumn<TileReason>("reason");
    QTest::newRow("just right") << CpuTile{8, 32, 192, 96, 4096, 4} << TileVerdict::JustRight << TileReason::None;
    QTest::newRow("spills") << CpuTile{14, 48, 128, 96, 4096, 4} << TileVerdict::TooLarge
                            << TileReason::RegistersExceeded;
    QTest::newRow("L1") << CpuTile{5, 48, 256, 96, 4096, 4} << TileVerdict::TooLarge << TileReason::L1Exceeded;
    QTest::newRow("L2") << CpuTile{8, 16, 256, 2048, 4096, 4} << TileVerdict::TooLarge << TileReason::L2Exceeded;
    QTest::newRow("chains") << CpuTile{2, 16, 256, 96, 4096, 4} << TileVerdict::TooSmall << TileReason::ShortChains;
    QTest::newRow("updates") << CpuTile{8, 16, 16, 96, 4096, 4} << TileVerdict::TooSmall << TileReason::ManyUpdatesOfC;
}

void TestTiles::whatMakesACpuTileWrong()
{
    QFETCH(CpuTile, tile);
    QFETCH(TileVerdict, verdict);
    QFETCH(TileReason, reason);
    const TileReport report = cpuTileReport(tile, {}, zen4());
    QVERIFY(report.verdict == verdict);
    QVERIFY(report.reason == reason);
}

void TestTiles::vectorsFollowTheProcessor()
{
    CpuFacts old;
    old.features = {"sse2"};
    QCOMPARE(cpuLimitsOf(old).vectorBytes, 16);
    old.features = {"avx2", "fma"};
    QCOMPARE(cpuLimitsOf(old).vectorBytes, 32);
    QCOMPARE(cpuLimitsOf(old).vectorRegisters, 16);
}

TILEWRIGHT_TEST(TestTiles)
#include "test_tiles.moc"
