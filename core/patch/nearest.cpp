// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/nearest.h"

#include "core/base/text.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

/// Lines of hunk and program beyond these are not compared: a message is not worth more.
constexpr std::size_t mostOld = 60, mostRows = 20'000, longestLine = 400;
/// Less alike than this, two lines have nothing to do with each other.
constexpr double alike = 0.5;
/// Misquoted lines that are compared with every line of the program.
constexpr std::size_t mostCompared = 12;
/// What a line's word loses for each row that it stands off its place.
constexpr double offPlace = 0.05;
/// Rows by which an old line may stand off its place: one line skipped or too many.
constexpr std::size_t slack = 2;

using Pairs = std::vector<std::uint16_t>; ///< sorted

/// Neighbouring letters, blanks left aside.
Pairs pairsOf(std::string_view line)
{
    std::string letters;
    for (const char c : line.substr(0, longestLine))
        if (c != ' ' && c != '\t')
            letters += c;
    Pairs pairs;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const unsigned char next = i + 1 < letters.size() ? static_cast<unsigned char>(letters[i + 1]) : 0;
        pairs.push_back(static_cast<std::uint16_t>(static_cast<unsigned char>(letters[i]) * 256u + next));
    }
    std::ranges::sort(pairs);
    return pairs;
}

/// Share of equal pairs, 0 to 1 (Dice 1945).
double pairsShared(const Pairs& a, const Pairs& b)
{
    // Of too different lengths, they cannot be alike enough.
    if (a.empty() || b.empty() || 3 * std::min(a.size(), b.size()) < std::max(a.size(), b.size()))
        return 0;
    std::size_t same = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        same += a[i] == b[j];
        const bool first = a[i] <= b[j], second = b[j] <= a[i];
        i += first;
        j += second;
    }
    return 2.0 * static_cast<double>(same) / static_cast<double>(a.size() + b.size());
}

struct OldLine {
    std::string_view text;
    std::size_t index = 0; ///< among the hunk's old lines
    Pairs pairs;
};

std::vector<OldLine> oldLinesOf(const Hunk& hunk)
{
    std::vector<OldLine> lines;
    std::size_t index = 0;
    for (const HunkLine& line : hunk.lines) {
        if (line.sign == Sign::Added)
            continue;
        if (!isBlank(line.text) && lines.size() < mostOld)
            lines.push_back({line.text, index, pairsOf(line.text)});
        ++index;
    }
    return lines;
}

} // namespace

std::optional<NearestPlace> nearestPlace(Matcher& matcher, const Hunk& hunk)
{
    const std::vector<std::string_view>& source = matcher.source();
    const std::vector<OldLine> old = oldLinesOf(hunk);
    const std::size_t rows = std::min(source.size(), mostRows);
    if (old.empty() || rows == 0)
        return std::nullopt;

    // Each old line speaks for the places where the hunk would begin if it stood near where the program has its like.
    std::vector<double> votes(rows), own(rows);
    const auto speak = [&own, rows](std::size_t index, std::size_t row, double like) {
        const std::size_t last = row + slack >= index ? row + slack - index : 0;
        const std::size_t first = row > index + slack ? row - index - slack : 0;
        for (std::size_t start = first; start <= last && start < rows; ++start) {
            const std::size_t off = start + index > row ? start + index - row : row - start - index;
            own[start] = std::max(own[start], like * (1 - offPlace * static_cast<double>(off)));
        }
    };
    std::vector<Pairs> pairs; // of the program's lines, once a line needs them
    std::size_t compared = 0;
    for (const OldLine& line : old) {
        std::ranges::fill(own, 0);
        const auto same = matcher.rows(line.text, Level::Indented);
        for (const std::size_t row : same)
            if (row < rows)
                speak(line.index, row, 1);
        if (same.empty() && compared++ < mostCompared) {
            for (std::size_t row = pairs.size(); row < rows; ++row)
                pairs.push_back(pairsOf(source[row]));
            for (std::size_t row = 0; row < rows; ++row)
                if (const double like = pairsShared(line.pairs, pairs[row]); like >= alike)
                    speak(line.index, row, like);
        }
        for (std::size_t start = 0; start < rows; ++start)
            votes[start] += own[start];
    }
    const auto most = std::ranges::max_element(votes);
    if (*most <= 0)
        return std::nullopt;

    const auto start = static_cast<std::size_t>(most - votes.begin());
    NearestPlace place{rows, 0, 0, {}};
    for (const OldLine& line : old) {
        const std::size_t expected = start + line.index;
        double best = 0;
        std::size_t where = 0;
        for (std::size_t row = expected > slack ? expected - slack : 0; row <= expected + slack && row < rows; ++row)
            if (const double like = pairsShared(line.pairs, pairsOf(source[row]));
                like >= alike && (like > best || (like == best && row == expected))) {
                best = like;
                where = row;
            }
        place.likeness += best / static_cast<double>(old.size());
        if (best > 0) {
            place.from = std::min(place.from, where);
            place.to = std::max(place.to, where + 1);
        }
        if (!matcher.has(line.text, Level::Blanks))
            place.misquoted.push_back(
                {std::string(trimmed(line.text)), best > 0 ? std::optional(where) : std::nullopt});
    }
    return place.to > place.from ? std::optional(place) : std::nullopt;
}

} // namespace tilewright::patch
