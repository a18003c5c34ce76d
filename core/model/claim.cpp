// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/claim.h"

#include "core/base/text.h"
#include "core/model/conversation.h"
#include "core/model/parent_change.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tilewright {
namespace {

/// The claim in lower case, with signs of one byte: × as x, − as -, a non-breaking blank as a blank.
std::string plainClaim(std::string_view claim)
{
    std::string plain(claim);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> signs{
        {{"×", "x"}, {"−", "-"}, {"–", "-"}, {"\u00a0", " "}, {"\u202f", " "}, {"≈", ""}}};
    for (const auto& [sign, same] : signs)
        for (std::size_t at = plain.find(sign); at != std::string::npos; at = plain.find(sign, at + same.size()))
            plain.replace(at, sign.size(), same);
    for (char& c : plain)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return plain;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool says(std::string_view clause, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [clause](std::string_view word) { return clause.contains(word); });
}

/// "720x750x40": sizes, not factors.
bool namesShape(std::string_view clause)
{
    for (std::size_t at = clause.find('x'); at != std::string_view::npos; at = clause.find('x', at + 1))
        if (at > 0 && at + 1 < clause.size() && isDigit(clause[at - 1]) && isDigit(clause[at + 1]))
            return true;
    return false;
}

/// A number and what stands right before and behind it.
struct Figure {
    double value = 0;
    char sign = ' ';
    std::size_t end = 0; ///< behind it and the blanks that follow
};

std::optional<Figure> figureIn(std::string_view text, std::size_t from)
{
    std::size_t at = from;
    while (at < text.size() && !isDigit(text[at]))
        ++at;
    if (at == text.size() || (at > from && (text[at - 1] == '.' || (text[at - 1] >= 'a' && text[at - 1] <= 'z'))))
        return std::nullopt; // part of a word
    Figure figure;
    const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), figure.value);
    if (problem != std::errc{})
        return std::nullopt;
    if (at > from && (text[at - 1] == '+' || text[at - 1] == '-'))
        figure.sign = text[at - 1];
    figure.end = static_cast<std::size_t>(end - text.data());
    while (figure.end < text.size() && text[figure.end] == ' ')
        ++figure.end;
    return figure;
}

std::optional<double> ratioIn(std::string_view clause)
{
    if (namesShape(clause)
        || says(clause,
            {"register", "memory", "byte", "time", "latency", "instruction", "occupancy", "stall", "shape", "traffic",
                "warp", "load", "bank"}))
        return std::nullopt;
    if (says(clause, {"no change", "neutral", "no gain", "same speed"}))
        return 1;
    auto figure = figureIn(clause, 0);
    if (!figure)
        return std::nullopt;
    // A range, "2-4 %" or "2 to 4 %": its middle.
    const std::string_view behind = clause.substr(figure->end);
    const bool isRange = behind.starts_with("to ") || (behind.starts_with('-') && behind.size() > 1);
    if (isRange) {
        const std::size_t from = figure->end + (behind.starts_with("to ") ? 3 : 1);
        const auto upper = figureIn(clause, from);
        if (!upper)
            return std::nullopt;
        figure->value = (figure->value + upper->value) / 2;
        figure->end = upper->end;
    }
    const std::string_view unit = clause.substr(figure->end);
    if (unit.starts_with('x') && (unit.size() == 1 || !(unit[1] >= 'a' && unit[1] <= 'z')))
        return figure->value > 0 && figure->sign != '-' ? std::optional(figure->value) : std::nullopt;
    if (!unit.starts_with('%') && !unit.starts_with("percent"))
        return std::nullopt;
    const bool isSlower = figure->sign == '-' || says(clause, {"slower", "loss"});
    if (figure->sign == ' ' && !isSlower && !says(clause, {"fast", "speed", "quick", "gain", "throughput", "better"})
        && trimmed(unit).size() > (unit.starts_with('%') ? 1 : 7))
        return std::nullopt; // per cent of something
    const double ratio = 1 + (isSlower ? -1 : 1) * figure->value / 100;
    return ratio > 0 ? std::optional(ratio) : std::nullopt;
}

} // namespace

std::optional<double> claimedRatio(std::string_view claim)
{
    const std::string plain = plainClaim(claim);
    for (std::size_t begin = 0; begin < plain.size();) {
        const std::size_t end = std::min(plain.find_first_of(",;\n", begin), plain.size());
        if (const auto ratio = ratioIn(trimmed(std::string_view(plain).substr(begin, end - begin))))
            return ratio;
        begin = end + 1;
    }
    return std::nullopt;
}

ClaimRecord claimRecordOf(const RunState& run, std::string_view author)
{
    std::vector<double> excess;
    for (const Candidate& candidate : run.candidates) {
        if (candidate.migrated || !candidate.isRanked())
            continue;
        const Proposal* proposal = run.proposal(candidate.proposal);
        if (!proposal || proposal->claim.empty() || authorOf(run, *proposal) != author)
            continue;
        const auto claimed = claimedRatio(proposal->claim);
        const auto change = claimed ? versusParent(run, candidate) : std::nullopt;
        if (change)
            excess.push_back(*claimed - change->ratio.value);
    }
    ClaimRecord record;
    record.measured = static_cast<std::int64_t>(excess.size());
    if (excess.empty())
        return record;
    std::ranges::sort(excess);
    const std::size_t middle = excess.size() / 2;
    record.medianExcess = excess.size() % 2 ? excess[middle] : (excess[middle - 1] + excess[middle]) / 2;
    return record;
}

} // namespace tilewright
