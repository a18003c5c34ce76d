// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs of gemm-bf16: the textbook's of a plain kernel, up to mma.sync, fit until Hopper's tensor cores have come,
// and do not keep the search from them.
#include "core/proposer/variation.h"
#include "tests/engine/dry_run.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

const std::vector<std::string> rungs{"register-tiles", "shared-tiles", "pad-tiles", "fetch-by-eights", "two-tiles",
    "fetch-asynchronously", "tensor-cores-by-warps", "fragments-by-ldmatrix", "split-depth", "tile-by-shape"};
constexpr double nearTheTop = 65; ///< of 66 on the landscape

Variation with(const TaskPack& pack, Variation from, const std::vector<std::string>& moves)
{
    for (const std::string& name : moves) {
        auto next = withMove(from, *moveNamed(pack, name));
        if (!next)
            throw std::runtime_error(name + " does not fit");
        from = std::move(*next);
    }
    return from;
}

/// Evaluations until the best is that fast, or `most`.
std::int64_t evaluationsTo(const TaskPack& pack, std::uint64_t seed, double speed, std::int64_t most)
{
    RunSettings settings;
    settings.seed = seed;
    DryRun run(pack, settings, syntheticSpeedOfBf16);
    for (std::int64_t evaluations = 5; evaluations < most; evaluations += 5) {
        run.runTo(evaluations);
        if (run.bestAt(evaluations) >= speed)
            return evaluations;
    }
    return most;
}

std::int64_t middle(std::vector<std::int64_t> all)
{
    std::ranges::sort(all);
    return all[all.size() / 2];
}

} // namespace

class TestBf16Ladder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// As a textbook has them, and on top of them what an H200 has.
    void theRungsGoTogetherUpToTheTensorCoresOfHopper()
    {
        const TaskPack pack = gemmPack("gemm-bf16");
        const Variation byWarps = with(pack, {pack.seed(), {}, {}, {}}, rungs);
        QVERIFY(fitted(byWarps).has_value());
        const Variation top = with(pack, byWarps,
            {"tensor-cores", "more-stages", "two-consumers", "persistent-blocks", "grouped-raster",
                "store-by-copy-engine", "take-turns", "share-depth"});
        QVERIFY(fitted(top).has_value());
        QVERIFY(syntheticSpeedOfBf16(byWarps.text) > 10 && syntheticSpeedOfBf16(top.text) > 40);
        QCOMPARE(ladderOf(pack).size(), pack.moves.size()); // the other moves of the tensor cores as well
    }

    /// What they change is only run where those tensor cores are not: a search that has them has nothing to find there.
    void noRungFitsOnceTheTensorCoresOfHopperAreThere()
    {
        const TaskPack pack = gemmPack("gemm-bf16");
        const Variation tiles = with(pack, {pack.seed(), {}, {}, {}}, {"tensor-cores"});
        for (const std::string& name : rungs)
            QVERIFY2(!withMove(tiles, *moveNamed(pack, name)), name.c_str());
    }

    /// On a landscape like an H200's the search is at its top as soon as it would be without the rungs, or nearly.
    void theRungsDoNotKeepTheSearchFromTheTop()
    {
        const TaskPack pack = gemmPack("gemm-bf16");
        TaskPack bare = pack;
        std::erase_if(bare.moves, [](const Move& move) { return std::ranges::find(rungs, move.name) != rungs.end(); });
        std::vector<std::int64_t> all, few; // medians of fewer runs differ by more than what is looked for
        for (std::uint64_t seed = 1; seed <= 19; ++seed) {
            all.push_back(evaluationsTo(pack, seed, nearTheTop, 200));
            few.push_back(evaluationsTo(bare, seed, nearTheTop, 200));
        }
        QVERIFY2(middle(few) < 100 && 4 * middle(all) <= 5 * middle(few),
            (std::to_string(middle(all)) + " evaluations, " + std::to_string(middle(few)) + " without").c_str());
    }
};

TILEWRIGHT_TEST(TestBf16Ladder)
#include "test_bf16_ladder.moc"
