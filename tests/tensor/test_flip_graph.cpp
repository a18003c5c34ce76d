// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/tensor/best_known.h"
#include "core/tensor/flip_polish.h"
#include "core/tensor/flip_search.h"
#include "core/tensor/known_schemes.h"
#include "core/tensor/lift.h"
#include "core/tensor/transforms.h"
#include "tests/test_program.h"

#include <QTest>
#include <algorithm>
#include <functional>

using namespace tilewright;
using namespace tilewright::tensor;

namespace {

FlipRequest requestFor(const Format& format, int target, std::uint64_t seed, int threads)
{
    FlipRequest request;
    request.format = format;
    request.target = target;
    request.seed = seed;
    request.threads = threads;
    return request;
}

/// Stops after so many rounds more.
FlipSearchEnd runRounds(FlipSearch& search, std::uint64_t rounds, int wanted = 1)
{
    std::stop_source stop;
    const std::uint64_t last = search.snapshot().statistics.rounds + rounds;
    return search
        .run(wanted, stop.get_token(), {},
            [&](const FlipSnapshot& shot) {
                if (shot.statistics.rounds >= last)
                    stop.request_stop();
            })
        .value();
}

/// The pairs of products that share a factor, counted directly; none may share two.
int pairsOf(const Mod2Scheme& scheme)
{
    int pairs = 0;
    for (std::size_t i = 0; i < scheme.products.size(); ++i)
        for (std::size_t j = i + 1; j < scheme.products.size(); ++j) {
            int shared = 0;
            for (std::size_t factor = 0; factor < 3; ++factor)
                shared += scheme.products[i][factor] == scheme.products[j][factor];
            if (shared > 1)
                return -1;
            pairs += shared;
        }
    return pairs;
}

bool hasZeroFactor(const Mod2Scheme& scheme)
{
    return std::ranges::any_of(
        scheme.products, [](const Mod2Product& product) { return std::ranges::find(product, 0u) != product.end(); });
}

} // namespace

class TestFlipGraph : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFlipAndPlusTransitionKeepsTheSchemeExact_data();
    void everyFlipAndPlusTransitionKeepsTheSchemeExact();
    void aFlipTwiceIsNoFlip();
    void productsThatShareTwoFactorsAreMerged();
    void oneWrongBitIsFound();
    void axesInAnotherOrderKeepTheSchemeExact();
    void extensionKeepsTheSchemeExact();
    void plansGrowByOneAndEndWithTheFormat();
    void theTableOfBestKnownRanksIsConsistent();
    void masksBecomeASchemeAndBack();
    void aSearchFindsStrassensRank();
    void aSearchFindsLadermansRank();
    void aSearchGoesThroughASmallerFormat();
    void theSameSeedAndThreadsGiveTheSameSchemes();
    void aSearchThatWasStoppedGoesOnAsUnbroken();
    void aSearchOverTheIntegersKeepsOnlyWhatLifts();
    void everyPathIsCountedOnce();
    void aGameThatWasBegunIsEnded_data();
    void aGameThatWasBegunIsEnded();
    void requestsThatCannotBeSearchedAreRefused();
    void aDamagedSearchFileIsRefused();
    void polishingKeepsTheSchemeExactAndMakesItSparser();
};

void TestFlipGraph::everyFlipAndPlusTransitionKeepsTheSchemeExact_data()
{
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("p");
    QTest::addColumn<int>("flips");
    QTest::newRow("up to 64 products") << 2 << 3 << 3 << 4000;
    QTest::newRow("up to 128 products") << 4 << 4 << 5 << 600;
    QTest::newRow("up to 256 products") << 5 << 5 << 6 << 100;
    QTest::newRow("more products") << 7 << 7 << 6 << 20;
}

void TestFlipGraph::everyFlipAndPlusTransitionKeepsTheSchemeExact()
{
    QFETCH(int, n);
    QFETCH(int, m);
    QFETCH(int, p);
    QFETCH(int, flips);
    CounterRandom random(1, 2, 3);
    FlipWalker walker(mod2Schoolbook({n, m, p}));
    for (int i = 0; i < flips; ++i) {
        const int before = walker.rank();
        if (i % 50 == 49)
            QVERIFY(walker.plus(random) && walker.rank() <= before + 1);
        else if (walker.walk(1, random) == WalkEnd::Limit)
            QCOMPARE(walker.rank(), before);
        const Mod2Scheme scheme = walker.scheme();
        QVERIFY(isExact(scheme));
        QVERIFY(!hasZeroFactor(scheme));
        QCOMPARE(walker.pairs(), pairsOf(scheme));
    }
}

void TestFlipGraph::aFlipTwiceIsNoFlip()
{
    CounterRandom random(4, 5, 6);
    FlipWalker walker(mod2Schoolbook({3, 3, 3}));
    for (int i = 0; i < 500; ++i) {
        const Mod2Scheme before = walker.scheme();
        const Flip flip = walker.proposed(random).value();
        const int added = walker.nonzerosAdded(flip);
        if (walker.make(flip))
            continue; // the rank fell: no way back
        QCOMPARE(walker.scheme().nonzeros(), before.nonzeros() + added);
        QVERIFY(walker.scheme() != before);
        QVERIFY(!walker.make(flip));
        QVERIFY(walker.scheme() == before);
        walker.make(flip);
    }
}

void TestFlipGraph::productsThatShareTwoFactorsAreMerged()
{
    Mod2Scheme scheme = mod2Schoolbook({2, 2, 2});
    const Mod2Product first = scheme.products.front();
    scheme.products.front()[2] ^= 0b1000;
    scheme.products.push_back({first[0], first[1], 0b1000}); // together they are the product as it was
    scheme.products.push_back({first[0], 0, 1});
    QVERIFY(isExact(scheme));
    const FlipWalker walker(scheme);
    QCOMPARE(walker.rank(), 8);
    QVERIFY(inOrder(walker.scheme()) == inOrder(mod2Schoolbook({2, 2, 2})));
}

void TestFlipGraph::oneWrongBitIsFound()
{
    const Mod2Scheme right = mod2Schoolbook({2, 3, 4});
    QVERIFY(isExact(right));
    for (std::size_t factor = 0; factor < 3; ++factor)
        for (std::size_t r = 0; r < right.products.size(); ++r) {
            Mod2Scheme wrong = right;
            wrong.products[r][factor] ^= 1 << (r % 6);
            QVERIFY(!isExact(wrong));
        }
}

void TestFlipGraph::axesInAnotherOrderKeepTheSchemeExact()
{
    CounterRandom random(7, 8, 9);
    FlipWalker walker(mod2Schoolbook({2, 3, 4}));
    walker.walk(2000, random);
    const Mod2Scheme scheme = walker.scheme();
    std::array<int, 3> order{0, 1, 2};
    do {
        const Mod2Scheme other = withAxes(scheme, order);
        QVERIFY(isExact(other));
        QCOMPARE(other.rank(), scheme.rank());
        QVERIFY(withAxes(other, inverseOrder(order)) == scheme);
    } while (std::ranges::next_permutation(order).found);
    QVERIFY(sorted({4, 2, 3}) == (Format{2, 3, 4}));
    QVERIFY(withAxes(mod2Schoolbook({4, 2, 3}), sortedAxes({4, 2, 3})).format == (Format{2, 3, 4}));
}

void TestFlipGraph::extensionKeepsTheSchemeExact()
{
    CounterRandom random(1, 1, 1);
    FlipWalker walker(mod2Schoolbook({2, 3, 3}));
    walker.walk(3000, random);
    for (int axis = 0; axis < 3; ++axis) {
        const Mod2Scheme larger = withOneMore(walker.scheme(), axis);
        QVERIFY(isExact(larger));
        QCOMPARE(axesOf(larger.format)[axis], axesOf({2, 3, 3})[axis] + 1);
        QVERIFY(isExact(sideBySide(larger, walker.scheme(), axis)));
    }
    const Mod2Scheme next = extendedTo({3, 3, 3}, walker.scheme());
    QVERIFY(next.format == (Format{3, 3, 3}));
    QVERIFY(isExact(next));
}

void TestFlipGraph::plansGrowByOneAndEndWithTheFormat()
{
    const std::vector<FlipStage> plan = flipPlan({4, 4, 4}, 47);
    QVERIFY(plan.back() == (FlipStage{{4, 4, 4}, 47}));
    QVERIFY(plan[plan.size() - 2] == (FlipStage{{3, 4, 4}, 38}));
    QVERIFY(plan.front().format.naiveRank() <= schoolbookVolume);
    for (const Format format : {Format{5, 5, 5}, Format{1, 7, 8}, Format{8, 8, 8}, Format{2, 2, 16}}) {
        const std::vector<FlipStage> stages = flipPlan(format, 1);
        QVERIFY(stages.back().format == sorted(format));
        for (std::size_t i = 1; i < stages.size(); ++i) {
            const auto [n, m, p] = stages[i].format;
            const auto [n0, m0, p0] = stages[i - 1].format;
            QCOMPARE(n + m + p, n0 + m0 + p0 + 1);
            QVERIFY(isExact(extendedTo(stages[i].format, mod2Schoolbook(stages[i - 1].format))));
        }
    }
    QCOMPARE(reachableRank({2, 2, 6}), 21); // 2x2x2 three times, or 2x2x4 and 2x2x2
}

void TestFlipGraph::theTableOfBestKnownRanksIsConsistent()
{
    for (int n = 2; n <= 5; ++n)
        for (int m = n; m <= 5; ++m)
            for (int p = m; p <= 5; ++p) {
                const auto z2 = bestKnown({p, n, m}, Ring::Mod2), z = bestKnown({n, m, p}, Ring::Integers),
                           q = bestKnown({n, p, m}, Ring::Rationals);
                QVERIFY(z2 && z && q);
                QVERIFY(z2->rank <= z->rank && q->rank <= z->rank && z->rank < n * m * p);
                QVERIFY(!z2->source.empty() && !z->source.empty() && !q->source.empty());
            }
    QVERIFY(!bestKnown({2, 2, 6}, Ring::Mod2));
    QCOMPARE(bestKnown({4, 4, 4}, Ring::Mod2)->rank, 47);
}

void TestFlipGraph::masksBecomeASchemeAndBack()
{
    CounterRandom random(2, 2, 2);
    FlipWalker walker(mod2Schoolbook({2, 3, 4}));
    walker.walk(2000, random);
    const Scheme scheme = schemeOf(walker.scheme());
    QVERIFY(checkScheme(scheme).has_value());
    QVERIFY(mod2Of(scheme).value() == walker.scheme());
    Scheme overIntegers = scheme;
    overIntegers.ring = Ring::Integers;
    QCOMPARE(mod2Of(overIntegers).error().code, std::string("tensor/ring"));
}

void TestFlipGraph::aSearchFindsStrassensRank()
{
    auto search = FlipSearch::of(requestFor({2, 2, 2}, 7, 1, 1)).value();
    QVERIFY(runRounds(search, 2000) == FlipSearchEnd::Found);
    const std::vector<Mod2Scheme> found = search.found();
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().rank(), 7);
    QVERIFY(isExact(found.front()));
}

void TestFlipGraph::aSearchFindsLadermansRank()
{
    auto search = FlipSearch::of(requestFor({3, 3, 3}, 23, 1, 1)).value();
    QVERIFY(runRounds(search, 2000) == FlipSearchEnd::Found);
    QCOMPARE(search.found().front().rank(), 23);
    QVERIFY(isExact(search.found().front()));
    QVERIFY(runRounds(search, 2000, 3) == FlipSearchEnd::Found); // two more of them
    QVERIFY(search.found().size() >= 3);
    QVERIFY(search.found()[0] != search.found()[1]);
}

void TestFlipGraph::aSearchGoesThroughASmallerFormat()
{
    auto search = FlipSearch::of(requestFor({5, 3, 2}, 26, 3, 1)).value();
    QVERIFY(runRounds(search, 5000) == FlipSearchEnd::Found);
    const Mod2Scheme found = search.found().front();
    QVERIFY(found.format == (Format{5, 3, 2}));
    QVERIFY(found.rank() <= 26);
    QVERIFY(isExact(found));
    QCOMPARE(search.snapshot().stages, 2);
}

void TestFlipGraph::theSameSeedAndThreadsGiveTheSameSchemes()
{
    for (const int threads : {1, 2}) {
        auto one = FlipSearch::of(requestFor({3, 3, 4}, 1, 5, threads)).value();
        auto other = FlipSearch::of(requestFor({3, 3, 4}, 1, 5, threads)).value();
        runRounds(one, 12);
        runRounds(other, 12);
        QVERIFY(one.snapshot().statistics == other.snapshot().statistics);
        nlohmann::json first = one.json(), second = other.json();
        for (nlohmann::json* json : {&first, &second}) {
            json->erase("seconds");
            for (auto& step : json->at("staircase"))
                step.erase("seconds");
        }
        QVERIFY(first == second);
    }
}

void TestFlipGraph::aSearchThatWasStoppedGoesOnAsUnbroken()
{
    auto unbroken = FlipSearch::of(requestFor({3, 3, 3}, 22, 11, 2)).value();
    runRounds(unbroken, 16);
    auto search = FlipSearch::of(requestFor({3, 3, 3}, 22, 11, 2)).value();
    runRounds(search, 7);
    const std::string text = dumped(search.json());
    auto resumed = FlipSearch::fromJson(parsedJson(text)).value();
    QVERIFY(resumed.json() == search.json());
    QVERIFY(runRounds(resumed, 9) == FlipSearchEnd::Stopped);
    QVERIFY(resumed.snapshot().statistics == unbroken.snapshot().statistics);
    QVERIFY(resumed.snapshot().poolSizes == unbroken.snapshot().poolSizes);
    QVERIFY(resumed.best() == unbroken.best());
}

void TestFlipGraph::aSearchOverTheIntegersKeepsOnlyWhatLifts()
{
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        FlipRequest request = requestFor({3, 3, 3}, 23, seed, 1);
        request.onlyLiftable = true;
        auto search = FlipSearch::of(request).value();
        QVERIFY(search.run(2, {}, std::chrono::seconds(100)).value() == FlipSearchEnd::Found);
        for (const Mod2Scheme& scheme : search.found())
            QVERIFY(liftsModulo4(schemeOf(scheme)).value());
        const auto resumed = FlipSearch::fromJson(parsedJson(dumped(search.json()))).value();
        QVERIFY(resumed.request() == request);
        QVERIFY(resumed.snapshot().statistics == search.snapshot().statistics);
    }
}

void TestFlipGraph::everyPathIsCountedOnce()
{
    FlipRequest request = requestFor({2, 2, 4}, 1, 1, 2);
    request.rules.longestPath = 20'000;
    request.rules.plusAfter = 1'000;
    auto search = FlipSearch::of(request).value();
    std::uint64_t before = 0;
    std::stop_source stop;
    const auto check = [&](const FlipSnapshot& shot) {
        const FlipStatistics& did = shot.statistics;
        QVERIFY(did.flips > before);
        before = did.flips;
        QCOMPARE(did.paths,
            did.endedAtLimit + did.endedReduced + did.endedWithoutFlips + did.leftBehind
                + static_cast<std::uint64_t>(shot.pathsUnderway));
        if (did.rounds == 20)
            stop.request_stop();
    };
    const auto end = search.run(1, stop.get_token(), std::chrono::seconds(100), check);
    QVERIFY(end.value() == FlipSearchEnd::Stopped);
    const FlipSnapshot shot = search.snapshot();
    QVERIFY(shot.statistics.endedAtLimit > 0);
    QVERIFY(shot.statistics.plusTransitions > 0);
    QCOMPARE(shot.statistics.rounds, std::uint64_t(20));
    QCOMPARE(shot.statistics.flips, before);
    QVERIFY(std::ranges::is_sorted(shot.staircase, {}, &RankStep::flips));
    QVERIFY(std::ranges::is_sorted(shot.staircase, std::greater(), &RankStep::rank));
    QCOMPARE(shot.staircase.back().rank, shot.lowest);
    QCOMPARE(shot.poolSizes.begin()->first, shot.lowest);
}

void TestFlipGraph::aGameThatWasBegunIsEnded_data()
{
    QTest::addColumn<int>("moves");
    QTest::newRow("one of Strassen's moves") << 1;
    QTest::newRow("four of them") << 4;
    QTest::newRow("all but one") << 6;
}

void TestFlipGraph::aGameThatWasBegunIsEnded()
{
    QFETCH(const int, moves);
    const Mod2Scheme strassens = mod2Of(reducedMod2(strassen()).value()).value();
    FlipRequest request = requestFor({2, 2, 2}, 7, 1, 1);
    request.played.assign(strassens.products.begin(), strassens.products.begin() + moves);
    auto search = FlipSearch::of(request).value();
    QVERIFY(FlipSearch::fromJson(search.json()).value().request() == request);
    QVERIFY(runRounds(search, 2000) == FlipSearchEnd::Found);
    const Mod2Scheme found = search.found().front();
    QVERIFY(isExact(found));
    QCOMPARE(found.rank(), 7);
    QCOMPARE(search.snapshot().lowest, 7);
    for (const Mod2Product& move : request.played)
        QVERIFY(std::ranges::find(found.products, move) != found.products.end());
    nlohmann::json other = search.json();
    other["request"]["played"][0][0] = 15; // another tensor than that of its schemes
    QCOMPARE(FlipSearch::fromJson(other).error().code, std::string("tensor/search-file"));
}

void TestFlipGraph::requestsThatCannotBeSearchedAreRefused()
{
    FlipRequest full = requestFor({2, 2, 2}, 2, 1, 1), outside = requestFor({2, 2, 2}, 7, 1, 1);
    full.played = {{1, 1, 1}, {2, 4, 1}};
    outside.played = {{16, 1, 1}};
    QCOMPARE(FlipSearch::of(full).error().code, std::string("tensor/rank"));
    QCOMPARE(FlipSearch::of(outside).error().code, std::string("tensor/shape"));
    QCOMPARE(FlipSearch::of(requestFor({0, 2, 2}, 7, 1, 1)).error().code, std::string("tensor/format"));
    QCOMPARE(FlipSearch::of(requestFor({9, 9, 9}, 7, 1, 1)).error().code, std::string("tensor/format"));
    QCOMPARE(FlipSearch::of(requestFor({2, 2, 2}, 0, 1, 1)).error().code, std::string("tensor/rank"));
    QCOMPARE(FlipSearch::of(requestFor({2, 2, 2}, 7, 1, 0)).error().code, std::string("tensor/threads"));
}

void TestFlipGraph::aDamagedSearchFileIsRefused()
{
    auto search = FlipSearch::of(requestFor({2, 2, 3}, 1, 1, 1)).value();
    runRounds(search, 3);
    const nlohmann::json good = search.json();
    QVERIFY(FlipSearch::fromJson(good).has_value());
    nlohmann::json wrongScheme = good, otherKind = good, noLanes = good;
    auto& mask = wrongScheme["best"]["products"][0][0];
    mask = mask.get<std::uint64_t>() ^ 1;
    otherKind["kind"] = "session";
    noLanes["lanes"] = nlohmann::json::array();
    for (const nlohmann::json& bad : {wrongScheme, otherKind, noLanes, nlohmann::json(3), nlohmann::json::object()})
        QCOMPARE(FlipSearch::fromJson(bad).error().code, std::string("tensor/search-file"));
}

void TestFlipGraph::polishingKeepsTheSchemeExactAndMakesItSparser()
{
    CounterRandom random(3, 3, 3);
    FlipWalker walker(mod2Schoolbook({3, 3, 3}));
    for (int i = 0; i < 20 && walker.rank() > 24; ++i)
        walker.walk(20'000, random);
    const Mod2Scheme scheme = walker.scheme();
    const Mod2Scheme sparse = polished(scheme, 100'000, 1);
    QVERIFY(isExact(sparse));
    QVERIFY(sparse.rank() <= scheme.rank());
    QVERIFY(sparse.nonzeros() < scheme.nonzeros());
    QVERIFY(sparse == polished(scheme, 100'000, 1));
}

TILEWRIGHT_TEST(TestFlipGraph)
#include "test_flip_graph.moc"
