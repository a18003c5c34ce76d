// SPDX-License-Identifier: GPL-3.0-or-later
// Who runs in one block on a GPU, in which order, and what their times say of each other. Contestants run in
// palindromes, so that whatever drifts evenly favours nobody.
#pragma once

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

} // namespace tilewright
