// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep's file, and tiles as constants of programs.
#include "core/model/measurement/conditions.h"
#include "core/tiling/tile_sweep.h"
#include "core/tiling/tile_tunables.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

TileSweep someSweep()
{
    TileSweep sweep{"gemm-fp32-cpu", "ab12", {512, 512, 512}, 2.0 * 512 * 512 * 512, {{"MR", 6}, {"NR", 16}},
        {"MR", {2, 6}}, {"NR", {16, 32}}, "AMD EPYC", "cpu0", "2026-12-01T02:00:00Z", measurementProtocol,
        {{"mode", "cold"}}, {}};
    sweep.cells
        = {{0, 0, 1e7, 24, Interval{0.5, 0.49, 0.51}, {}, {}}, {1, 1, 0, 0, {}, "build/error", "does not compile"}};
    return sweep;
}

} // namespace

class TestTileSweep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSweepReadsAsItWasWritten()
    {
        const TileSweep sweep = someSweep();
        const auto read = sweepFrom(sweepJson(sweep));
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(*read, sweep);
        QVERIFY(read->at(0, 0)->isMeasured());
        QCOMPARE(read->gigaflops(*read->at(0, 0)), sweep.flops / 1e7);
        QVERIFY(!read->at(1, 1)->isMeasured());
        QVERIFY(!read->at(0, 1));
        QVERIFY(!read->isComplete());
        QCOMPARE(read->tunablesAt(1, 0), (Tunables{{"MR", 6}, {"NR", 16}}));
    }

    void whatIsNoSweepIsRefused()
    {
        const auto codeOf = [](const std::string& text) {
            const auto read = sweepFrom(text);
            return read ? std::string() : read.error().code;
        };
        QCOMPARE(codeOf("not JSON"), std::string("sweep/file"));
        QCOMPARE(codeOf("{}"), std::string("sweep/file"));
        QCOMPARE(codeOf(R"({"sweep": 1})"), std::string("sweep/file"));
        TileSweep sweep = someSweep();
        sweep.cells[1] = sweep.cells[0]; // twice
        QCOMPARE(codeOf(sweepJson(sweep)), std::string("sweep/file"));
        sweep = someSweep();
        sweep.cells[0].column = 2; // outside
        QCOMPARE(codeOf(sweepJson(sweep)), std::string("sweep/file"));
        sweep = someSweep();
        sweep.cells[1].rule.clear(); // neither a figure nor a reason
        QCOMPARE(codeOf(sweepJson(sweep)), std::string("sweep/file"));
        sweep = someSweep();
        sweep.cells[0].ratio = Interval{0.5, 0.6, 0.7}; // outside of its own interval
        QCOMPARE(codeOf(sweepJson(sweep)), std::string("sweep/file"));
        sweep = someSweep();
        sweep.protocol = measurementProtocol + 1;
        QCOMPARE(codeOf(sweepJson(sweep)), std::string("sweep/protocol"));
    }

    void anotherDeviceAsksTheSame()
    {
        TileSweep other = someSweep();
        other.device = "another one";
        other.cells.clear();
        QVERIFY(other.asksTheSame(someSweep()));
        other.reference["NR"] = 32;
        QVERIFY(!other.asksTheSame(someSweep()));
    }

    void aTileIsFoundInConstants()
    {
        const CpuTile cpu{10, 48, 256, 192, 1024, 4};
        QCOMPARE(cpuTileIn(tunablesOf(cpu), {}), std::optional(cpu));
        const GpuTile gpu{64, 256, 8, 4, 128, 4};
        QCOMPARE(gpuTileIn(tunablesOf(gpu), {}), std::optional(gpu));
        // As the shipped mutations name them: threads and elements of a thread.
        const auto byThreads = gpuTileIn({{"TX", 32}, {"TY", 4}, {"TM", 8}, {"TN", 8}, {"BK", 16}}, {});
        QVERIFY(byThreads);
        QCOMPARE(byThreads->bm, 32);
        QCOMPARE(byThreads->bn, 256);
        QCOMPARE(byThreads->threads, 128);
        QCOMPARE(cpuTileIn({{"MR", 8}}, cpu)->nr, 48);
        QVERIFY(!cpuTileIn({{"UNROLL", 4}}, {}));
        QVERIFY(!gpuTileIn({{"TX", 1 << 19}, {"TY", 1 << 19}}, {}));
        QVERIFY(!gpuTileIn({{"TX", 0}, {"TY", 8}}, {}));
    }
};

TILEWRIGHT_TEST(TestTileSweep)
#include "test_tile_sweep.moc"
