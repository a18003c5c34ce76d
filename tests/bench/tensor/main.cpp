// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of the flip-graph search, beside another program where one is given, and the ranks that it reaches in which
// time. One line a figure; the exit code is 1 where a limit was missed.
//   bench-tensor speed [PEER]   flips a CPU second of one thread, and a second of two; PEER: the program of
//   jakobmoosbauer/flips
//                               (updated_code), run as PEER FILE N M P FLIPS 0 1 0 0 SEED
//   bench-tensor small          3x3 with 23 for 100 seeds, 4x4 with 47 for 5
//   bench-tensor formats        the ten formats up to 4x4x4 at their best known ranks
//   bench-tensor 4x4x5          62 products in 30 minutes, and what comes below
//   bench-tensor lifts          100 schemes of 3x3 with 23, each lifted or shown to have no lift
//   bench-tensor polish [SEEDS] the fewest additions of a scheme of 3x3 with 23 over -1, 0 and 1
//   bench-tensor z FORMAT RANK  the search for a scheme over the integers
#include "core/base/files.h"
#include "core/stats/statistics.h"
#include "core/tensor/additions.h"
#include "core/tensor/best_known.h"
#include "core/tensor/flip_lift.h"
#include "core/tensor/flip_polish.h"
#include "core/tensor/flip_search.h"
#include "core/tensor/scheme_file.h"
#include "core/tensor/verification.h"
#include "tests/bench/limits.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>

using namespace tilewright;
using namespace tilewright::tensor;

namespace {

/// CPU seconds of this process, or of the programs that it has run: the same on a machine that is shared.
double cpuSeconds(int whose)
{
    rusage used{};
    getrusage(whose, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// A scheme that many flips lead to: both programs begin with it, so that reductions are rare for both.
Mod2Scheme walkedScheme(int n)
{
    CounterRandom random(1, 1, 1);
    FlipWalker walker(mod2Schoolbook({n, n, n}));
    while (walker.flips() < 20'000'000 && walker.walk(20'000'000 - walker.flips(), random) != WalkEnd::NoFlips)
        ;
    return walker.scheme();
}

double ownFlipsPerSecond(const Mod2Scheme& start, std::uint64_t flips, std::uint64_t seed)
{
    CounterRandom random(seed, 2, 2);
    FlipWalker walker(start);
    const double begin = cpuSeconds(RUSAGE_SELF);
    while (walker.flips() < flips)
        if (walker.walk(flips - walker.flips(), random) == WalkEnd::NoFlips)
            walker.plus(random);
    return static_cast<double>(walker.flips()) / (cpuSeconds(RUSAGE_SELF) - begin);
}

/// What it makes after its last reduction is what it counts; it writes its schemes into the folder.
double peerFlipsPerSecond(
    const std::string& peer, const std::filesystem::path& start, int n, std::uint64_t flips, std::uint64_t seed)
{
    const std::string size = std::to_string(n);
    const std::string command = "cd '" + start.parent_path().string() + "' && '" + peer + "' '" + start.string() + "' "
        + size + " " + size + " " + size + " " + std::to_string(flips) + " 0 1 0 0 " + std::to_string(seed)
        + " > peer.log 2>&1";
    const double begin = cpuSeconds(RUSAGE_CHILDREN);
    if (std::system(command.c_str()) != 0)
        return 0;
    return static_cast<double>(flips) / (cpuSeconds(RUSAGE_CHILDREN) - begin);
}

void compareSpeed(int n, const std::string& peer, double wanted)
{
    const std::uint64_t flips = n < 5 ? 20'000'000 : 10'000'000;
    const Mod2Scheme start = walkedScheme(n);
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "tilewright-bench-tensor";
    const std::filesystem::path file = folder / (std::to_string(n) + ".exp");
    std::filesystem::create_directories(folder);
    const auto bytes = bytesOf(schemeOf(start), SchemeForm::Expressions);
    if (!bytes || !saveFile(file, *bytes)) {
        std::printf("%dx%d: the start could not be written to %s\n", n, n, file.c_str());
        return;
    }
    std::vector<double> own, peers;
    for (std::uint64_t run = 1; run <= 5; ++run) {
        own.push_back(ownFlipsPerSecond(start, flips, run));
        if (!peer.empty())
            peers.push_back(peerFlipsPerSecond(peer, file, n, flips, run));
    }
    std::printf(
        "%dx%d from rank %d, one thread: %.1f million flips a CPU second", n, n, start.rank(), median(own) / 1e6);
    if (peers.empty())
        std::printf("\n");
    else if (median(peers) == 0)
        std::printf("; the other program failed, see %s/peer.log\n", folder.c_str());
    else
        std::printf(", the other program %.1f: %.2f times as many (at least %.1f: %s)\n", median(peers) / 1e6,
            median(own) / median(peers), wanted, bench::limits.hold(wanted, median(own) / median(peers)));
    std::fflush(stdout);
}

FlipSearch searchFor(const Format& format, int rank, std::uint64_t seed, int threads)
{
    FlipRequest request;
    request.format = format;
    request.target = rank;
    request.seed = seed;
    request.threads = threads;
    return FlipSearch::of(request).value();
}

/// A search that ends with its time: 3x3 with 1 product does not exist.
double searchedFlipsPerSecond(int threads)
{
    FlipSearch search = searchFor({3, 3, 3}, 1, 1, threads);
    (void)search.run(1, {}, std::chrono::seconds(3)).value();
    const FlipSnapshot shot = search.snapshot();
    return static_cast<double>(shot.statistics.flips) / shot.seconds;
}

void compareThreads()
{
    std::vector<double> ones, twos;
    for (int run = 0; run < 5; ++run) {
        ones.push_back(searchedFlipsPerSecond(1));
        twos.push_back(searchedFlipsPerSecond(2));
    }
    std::printf("3x3, whole search: one thread %.1f million flips/s, two threads %.1f: %.2f times (at least 1.8: %s)\n",
        median(ones) / 1e6, median(twos) / 1e6, median(twos) / median(ones),
        bench::limits.hold(1.8, median(twos) / median(ones)));
}

/// Prints the last stage's staircase; seconds, or none where the rank was not reached.
std::optional<double> timeToRank(const Format& format, int rank, std::uint64_t seed, int threads, double limit)
{
    FlipSearch search = searchFor(format, rank, seed, threads);
    const auto end = search.run(1, {}, std::chrono::duration<double>(limit)).value();
    const FlipSnapshot shot = search.snapshot();
    std::printf("%s, seed %llu, %d threads:", textOf(format).c_str(), static_cast<unsigned long long>(seed), threads);
    for (const RankStep& step : shot.staircase)
        if (step.format == sorted(format))
            std::printf(" %d (%.2f s)", step.rank, step.seconds);
    std::printf("; %.3g flips\n", static_cast<double>(shot.statistics.flips));
    std::fflush(stdout);
    return end == FlipSearchEnd::Found ? std::optional(shot.seconds) : std::nullopt;
}

void laderman()
{
    std::vector<double> flips;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        FlipSearch search = searchFor({3, 3, 3}, 23, seed, 1);
        if (search.run(1, {}, std::chrono::seconds(60)).value() == FlipSearchEnd::Found
            && isExact(search.found().front()))
            flips.push_back(static_cast<double>(search.snapshot().statistics.flips));
    }
    std::printf(
        "3x3 with 23 from schoolbook: %zu of 100 seeds (100: %s), flips median %.3g (at most 1.5e5: %s), most %.3g\n",
        flips.size(), bench::limits.hold(100, static_cast<double>(flips.size())), median(flips),
        bench::limits.hold(median(flips), 1.5e5), quantile(flips, 1));
    std::fflush(stdout);
}

void fortySeven()
{
    std::vector<double> seconds;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        if (const auto took = timeToRank({4, 4, 4}, 47, seed, 2, 120))
            seconds.push_back(*took);
    std::printf("4x4 with 47 mod 2: %zu of 5 seeds in 120 s each (5: %s), median %.1f s, longest %.1f s\n",
        seconds.size(), bench::limits.hold(5, static_cast<double>(seconds.size())), median(seconds),
        quantile(seconds, 1));
}

void tenFormats()
{
    double all = 0;
    int reached = 0;
    for (int n = 2; n <= 4; ++n)
        for (int m = n; m <= 4; ++m)
            for (int p = m; p <= 4; ++p)
                if (const auto took = timeToRank({n, m, p}, bestKnown({n, m, p}, Ring::Mod2)->rank, 1, 2, 900)) {
                    all += *took;
                    ++reached;
                }
    std::printf("formats up to 4x4x4 at their best known rank mod 2: %d of 10 (10: %s) in %.1f s (at most 900: %s)\n",
        reached, bench::limits.hold(10, reached), all, bench::limits.hold(all, 900));
}

void fourFourFive()
{
    constexpr double limit = 1800;
    FlipSearch search = searchFor({4, 4, 5}, 60, 1, 2);
    (void)search.run(1, {}, std::chrono::duration<double>(limit)).value();
    double to62 = limit + 1;
    for (const RankStep& step : search.snapshot().staircase)
        if (step.format == Format{4, 4, 5}) {
            std::printf(
                "4x4x5 rank %d after %.2f s, %.3g flips\n", step.rank, step.seconds, static_cast<double>(step.flips));
            if (step.rank <= 62)
                to62 = std::min(to62, step.seconds);
        }
    std::printf("4x4x5 with 62 mod 2 after %.1f s (at most 1800: %s)\n", to62, bench::limits.hold(to62, limit));
}

/// One scheme of each of 100 seeds; a lift is checked exactly, a proof by adding it up again.
void hundredLifts()
{
    int lifts = 0, proofs = 0, undecided = 0, wrong = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        FlipSearch search = searchFor({3, 3, 3}, 23, seed, 1);
        if (search.run(1, {}, std::chrono::seconds(60)).value() != FlipSearchEnd::Found)
            continue;
        const Scheme mod2 = schemeOf(search.found().front());
        const Lift lift = lifted(mod2).value();
        const bool isLifted = lift.outcome == LiftOutcome::Lifted, isProved = lift.outcome == LiftOutcome::Impossible;
        wrong += (isLifted && !verified(*lift.scheme).isExact()) || (isProved && !holds(lift.proof, mod2));
        lifts += isLifted;
        proofs += isProved;
        undecided += !isLifted && !isProved;
    }
    const int decided = lifts + proofs - wrong;
    std::printf("3x3 with 23 mod 2, 100 seeds: %d lifted, %d without a lift (proved mod 4), %d undecided, %d wrong; %d "
                "decided (at least 97: %s)\n",
        lifts, proofs, undecided, wrong, decided, bench::limits.hold(97, decided));
}

/// Schemes of many seeds, made sparser, lifted to −1, 0 and 1, verified, and their common sums computed once.
void fewAdditions(int seeds)
{
    constexpr int limit = 75, reported = 62, published = 58;
    constexpr std::uint64_t flips = 4'000'000;
    int fewest = 1 << 20, plain = 0, ternary = 0;
    std::uint64_t ofSeed = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto number = static_cast<std::uint64_t>(seed);
        FlipSearch search = searchFor({3, 3, 3}, 23, number, 1);
        if (search.run(1, {}, std::chrono::seconds(60)).value() != FlipSearchEnd::Found)
            continue;
        const Mod2Scheme sparse = polished(search.found().front(), flips, number);
        const FlipLift lift = liftedToIntegers(sparse, usualNeighbours, number).value();
        if (!lift.scheme || !lift.isTernary || lift.scheme->rank() != 23 || !verified(*lift.scheme).isExact())
            continue;
        ++ternary;
        if (const int additions = reducedPrograms(*lift.scheme).additions(); additions < fewest) {
            fewest = additions;
            plain = plainPrograms(*lift.scheme).additions();
            ofSeed = number;
        }
    }
    std::printf(
        "3x3 with 23, %d seeds, %llu flips of polish each: %d ternary schemes verified; fewest additions %d (%d "
        "with every sum by itself), seed %llu; at most %d: %s; %d or fewer: %s (%d is published)\n",
        seeds, static_cast<unsigned long long>(flips), ternary, fewest, plain, static_cast<unsigned long long>(ofSeed),
        limit, bench::limits.hold(fewest, limit), reported, fewest <= reported ? "yes" : "no", published);
}

void overIntegers(const Format& format, int rank)
{
    constexpr double limit = 600;
    FlipRequest request;
    request.format = format;
    request.target = rank;
    request.threads = 2;
    request.onlyLiftable = true;
    FlipSearch search = FlipSearch::of(request).value();
    const auto end = search.run(1, {}, std::chrono::duration<double>(limit)).value();
    const FlipSnapshot shot = search.snapshot();
    for (const RankStep& step : shot.staircase)
        std::printf("%s rank %d after %.1f s\n", textOf(step.format).c_str(), step.rank, step.seconds);
    std::printf("%s with %d over Z2, schemes that lift only: %s after %.1f s, %llu schemes without a lift\n",
        textOf(format).c_str(), rank, end == FlipSearchEnd::Found ? "found" : "not found", shot.seconds,
        static_cast<unsigned long long>(shot.statistics.withoutLift));
    if (end != FlipSearchEnd::Found)
        return;
    const FlipLift lift = liftedToIntegers(search.found().front(), usualNeighbours, 1).value();
    std::printf("  %s\n",
        lift.scheme ? (lift.isTernary ? "lifted to -1, 0 and 1" : "lifted to the integers") : "its lift is undecided");
}

} // namespace

int main(int argc, char** argv)
{
    const std::string what = argc > 1 ? argv[1] : "", peer = argc > 2 ? argv[2] : "";
    if (what == "speed") {
        compareSpeed(3, peer, 1);
        compareSpeed(4, peer, 2.3);
        compareSpeed(5, peer, 3);
        compareThreads();
    } else if (what == "small") {
        laderman();
        fortySeven();
    } else if (what == "formats")
        tenFormats();
    else if (what == "4x4x5")
        fourFourFive();
    else if (what == "lifts")
        hundredLifts();
    else if (what == "polish")
        fewAdditions(argc > 2 ? std::atoi(argv[2]) : 100);
    else if (what == "z" && argc == 4 && formatIn(argv[2]) && std::atoi(argv[3]) > 0)
        overIntegers(*formatIn(argv[2]), std::atoi(argv[3]));
    else {
        std::fprintf(stderr,
            "usage: bench-tensor speed [PEER] | small | formats | 4x4x5 | lifts | polish [SEEDS] | z FORMAT RANK\n");
        return 2;
    }
    return bench::limits.exitCode();
}
