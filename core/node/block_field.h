// SPDX-License-Identifier: Apache-2.0
// Who runs in one block on a GPU, in which order, and what their times say of each other. Contestants run in
// palindromes, so that whatever drifts evenly favours nobody.
#pragma once

#include "core/node/gpu_process.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright {

struct BlockField {
    std::vector<std::string> contestants; ///< half of a palindrome; who stands in it twice runs twice as often
    int repeats = 1; ///< palindromes
    std::string middle = ""; ///< runs once, in the middle of the first palindrome; empty: nobody

    /// Each once.
    std::vector<std::string> everyone() const;
    /// One slot a launch.
    std::vector<std::string> order() const;
    /// ln(time of `slot` / time of the candidate), one for each palindrome; of who runs in the middle, one over them
    /// all. timesNs: of everyone, in the order in which they were taken.
    std::vector<double> logRatios(
        const std::map<std::string, std::vector<double>>& timesNs, const std::string& slot) const;
};

/// How a candidate is screened in its n-th round over the shapes; sampleNs: of the slower contestant, when it last ran.
/// First, and as long as launches are long, four launches around one of the incumbent; else as many of each, in turn
/// from the inside and from the outside. So two rounds are eight launches of the candidate and five of the incumbent on
/// every shape: the thirteen samples that EVALUATION §4 wants in one block, in two visits, as between them what is
/// clearly too slow stops, and what drifts from shape to shape shows.
BlockField screeningField(int round, double sampleNs);

/// Palindromes of four launches that make one block.
int repeatsFor(double sampleNs);

// Whether a worker's memory is lent to the verifier: until that was refused twice in a row, the second time by a
// verifier that was started for it.

class Lending
{
public:
    bool isOn() const { return m_refusals < most; }
    /// Whether it is worth another try, with a fresh verifier.
    bool refused() { return ++m_refusals < most; }
    void worked() { m_refusals = 0; }

private:
    static constexpr int most = 2;
    int m_refusals = 0;
};

// How many sets of buffers a sample's launches go round in the modes hot-rotating and graph, EVALUATION §4: so many
// that three times the L2 cache is touched between two uses of one. As each launch touches its own set, all of them
// together take far longer than two events are apart. Beside these sets as many again by half are filled and left
// alone: which ones the worker draws for each sample, so that nobody can do the work of a launch ahead of it. Pure.

struct HotRing {
    int launches = 1; ///< of one sample, on a set each
    int held = 0; ///< sets that no launch of it is on
};
/// One launch and no more where a sample is a cold one. Bytes that no ring can be made of (checkRings) give mostRing
/// sets.
HotRing ringOf(const Task& task, const Shape& shape, std::uint64_t l2Bytes);
/// Errors: task/ring, with a shape that is timed and whose data are too small to go round with.
Result<void> checkRings(const Task& task, std::uint64_t l2Bytes);
/// Room for the largest ring, in buffers that hold one set already; one workspace is for all of a ring.
void growForRings(GpuProcessSetup& setup, const Task& task);

/// How far apart the launches of one sample are: the shortest and the mean, each over the median.
struct LaunchSpread {
    double shortest = 1, mean = 1;
    /// Whether they can all have done the same work, which they had to. A launch that is disturbed looks the same.
    bool isUneven() const;
};
LaunchSpread launchSpread(const std::vector<double>& ns);
/// Of such launches, by their times in ns, of which there are some.
std::string unevenWords(const std::vector<double>& ns);

} // namespace tilewright
