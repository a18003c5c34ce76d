// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/claim_statements.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace tilewright {
namespace {

using Of = ClaimStatement::Of;

struct ResourceName {
    std::string_view name;
    ClaimedResource resource;
};
/// The longer ones first: their end is no word of its own.
constexpr std::array<ResourceName, 14> resourceNames{{
    {"registers per thread", ClaimedResource::Registers},
    {"registers a thread", ClaimedResource::Registers},
    {"register spills", ClaimedResource::Spills},
    {"registers", ClaimedResource::Registers},
    {"register", ClaimedResource::Registers},
    {"regs", ClaimedResource::Registers},
    {"shared memory", ClaimedResource::SharedMemory},
    {"smem", ClaimedResource::SharedMemory},
    {"spill stores", ClaimedResource::Spills},
    {"spills", ClaimedResource::Spills},
    {"spilling", ClaimedResource::Spills},
    {"occupancy", ClaimedResource::Occupancy},
    {"machine code", ClaimedResource::MachineCode},
    {"code size", ClaimedResource::MachineCode},
}};
constexpr std::ptrdiff_t mostWords = 3; ///< of what is said of a resource without a figure

void cutStart(std::string& words, std::string_view start)
{
    if (lowered(words).starts_with(start))
        words = std::string(trimmed(std::string_view(words).substr(start.size())));
}

/// "from 40.5 to 61 KiB", "160 -> 170", "96 KiB of".
std::string tidied(std::string words)
{
    words = std::string(trimmed(words));
    for (const std::string_view start : {":", "=", "is ", "are "})
        cutStart(words, start);
    if (words.ends_with(" of"))
        words.resize(words.size() - 3);
    const std::size_t to = words.find(" to ");
    if (words.starts_with("from ") && to != std::string::npos)
        words = words.substr(5, to - 5) + " → " + words.substr(to + 4);
    if (const std::size_t arrow = words.find("->"); arrow != std::string::npos)
        words.replace(arrow, 2, "→");
    return words;
}

/// The words begin or end with a resource's name, and what is left is a figure or a few words.
std::optional<ClaimStatement> resourceIn(std::string_view words)
{
    const std::string lower = lowered(words);
    for (const auto& [name, resource] : resourceNames) {
        std::string_view around;
        if (lower.starts_with(name) && lower.size() > name.size()
            && (lower[name.size()] == ' ' || lower[name.size()] == ':'))
            around = words.substr(name.size());
        else if (lower.ends_with(' ' + std::string(name)))
            around = words.substr(0, words.size() - name.size());
        const std::string rest = tidied(std::string(around));
        const bool hasFigure = rest.find_first_of("0123456789") != std::string::npos;
        if (!rest.empty() && (hasFigure || std::ranges::count(rest, ' ') < mostWords))
            return ClaimStatement{Of::Resource, {}, resource, rest};
        if (!rest.empty())
            return std::nullopt;
    }
    return std::nullopt;
}

ClaimStatement other(std::string_view words) { return {Of::Other, {}, {}, std::string(words)}; }

/// Of words that make one statement. Shapes alone have no words: they belong to a neighbour's.
ClaimStatement statementOf(std::string_view words)
{
    const std::string plain = plainClaim(words);
    const ClaimPart part = claimPartOf(plain);
    if (!part.shapes.empty() && (part.rest.empty() || speedRatioIn(part.rest)))
        return {Of::Shapes, part.shapes, {}, part.rest};
    if (!part.shapes.empty())
        return other(words);
    if (auto resource = resourceIn(words))
        return *resource;
    return speedRatioIn(plain) ? ClaimStatement{Of::Speed, {}, {}, std::string(words)} : other(words);
}

/// Parted by this; what is empty is left out.
std::vector<std::string_view> splitAt(std::string_view text, std::string_view sign)
{
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(sign, begin), text.size());
        if (end > begin)
            parts.push_back(text.substr(begin, end - begin));
        begin = end + sign.size();
    }
    return parts;
}

/// At commas, semicolons and line ends; a comma within a number is none.
std::vector<std::string_view> clausesOf(std::string_view claim)
{
    const auto isDigit = [&](std::size_t at) { return at < claim.size() && claim[at] >= '0' && claim[at] <= '9'; };
    std::vector<std::string_view> clauses;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= claim.size(); ++at) {
        const bool ends = at == claim.size() || claim[at] == ';' || claim[at] == '\n'
            || (claim[at] == ',' && !(at > 0 && isDigit(at - 1) && isDigit(at + 1)));
        if (!ends)
            continue;
        if (const std::size_t from = claim.find_first_not_of(" \t\r", begin); from < at) {
            const std::size_t last = claim.find_last_not_of(" \t\r", at - 1);
            clauses.push_back(claim.substr(from, last + 1 - from));
        }
        begin = at + 1;
    }
    return clauses;
}

/// One for each side of an "and" where each says something by itself, else one for all.
std::vector<ClaimStatement> statementsIn(std::string_view clause)
{
    constexpr std::string_view conjunction = "and ";
    if (clause.starts_with(conjunction))
        clause.remove_prefix(conjunction.size());
    std::vector<ClaimStatement> sides;
    for (const std::string_view side : splitAt(clause, " and "))
        sides.push_back(statementOf(side));
    if (std::ranges::find(sides, Of::Other, &ClaimStatement::of) == sides.end())
        return sides;
    // A shape on one side is not what the other side's figure is of.
    const ClaimStatement whole = statementOf(clause);
    return {whole.of == Of::Shapes ? other(clause) : whole};
}

} // namespace

std::vector<ClaimStatement> claimStatements(std::string_view claim)
{
    std::vector<ClaimStatement> all;
    std::vector<Shape> waiting; // "512³ and 1024³ gain 5 %": their figure comes later
    const char* otherBegan = nullptr; // what was written since stands together
    const auto add = [&](ClaimStatement statement, std::string_view clause) {
        if (statement.of == Of::Shapes && statement.words.empty()) {
            const bool follows = waiting.empty() && !all.empty() && all.back().of == Of::Shapes;
            std::vector<Shape>& place = follows ? all.back().shapes : waiting;
            place.insert(place.end(), statement.shapes.begin(), statement.shapes.end());
            return;
        }
        if (statement.of == Of::Shapes)
            statement.shapes.insert(statement.shapes.begin(), waiting.begin(), waiting.end());
        else
            for (const Shape& shape : waiting)
                all.push_back(other(shapeText(shape)));
        waiting.clear();
        if (statement.of != Of::Other)
            otherBegan = nullptr;
        else if (otherBegan && !all.empty() && all.back().of == Of::Other) {
            all.back().words = std::string(otherBegan, clause.data() + clause.size());
            return;
        } else
            otherBegan = clause.data();
        all.push_back(std::move(statement));
    };
    for (const std::string_view clause : clausesOf(claim))
        for (ClaimStatement& statement : statementsIn(clause))
            add(std::move(statement), clause);
    for (const Shape& shape : waiting)
        all.push_back(other(shapeText(shape)));
    return all;
}

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool says(std::string_view clause, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [clause](std::string_view word) { return clause.contains(word); });
}

/// Sizes in a text, not factors: "720x750x40", "720 x 750 x 40", "512^3".
struct Sizes {
    Shape shape;
    std::size_t begin = 0, end = 0;
};

/// Behind the x of "720x750" or "720 x 750" that follows at this place; none where no further size follows.
std::optional<std::size_t> nextSizeAt(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at);
    const std::size_t sign = rest.starts_with("x") ? 1 : rest.starts_with(" x ") ? 3 : 0;
    return sign > 0 && sign < rest.size() && isDigit(rest[sign]) ? std::optional(at + sign) : std::nullopt;
}

/// The sizes that begin at this digit; none where it begins another number.
std::optional<Sizes> sizesAt(std::string_view text, std::size_t begin)
{
    Sizes sizes{{}, begin, begin};
    for (std::optional<std::size_t> at = begin; at; at = nextSizeAt(text, sizes.end)) {
        std::int64_t extent = 0;
        const auto [end, problem] = std::from_chars(text.data() + *at, text.data() + text.size(), extent);
        if (problem != std::errc{} || extent <= 0)
            return std::nullopt;
        sizes.shape.push_back(extent);
        sizes.end = static_cast<std::size_t>(end - text.data());
    }
    const std::string_view rest = text.substr(sizes.end);
    const bool isPower = rest.starts_with("^2") || rest.starts_with("^3");
    if (sizes.shape.size() == 1 && isPower && (rest.size() == 2 || !isDigit(rest[2]))) {
        sizes.shape.resize(rest[1] == '2' ? 2 : 3, sizes.shape.front());
        sizes.end += 2;
    }
    return sizes.shape.size() > 1 ? std::optional(sizes) : std::nullopt;
}

std::optional<Sizes> sizesIn(std::string_view text, std::size_t from = 0)
{
    for (std::size_t at = from; at < text.size(); ++at) {
        const char before = at > 0 ? text[at - 1] : ' ';
        const bool isInside = isDigit(before) || before == '.' || (before >= 'a' && before <= 'z');
        if (isDigit(text[at]) && !isInside)
            if (auto sizes = sizesAt(text, at))
                return sizes;
    }
    return std::nullopt;
}

bool namesShape(std::string_view clause) { return sizesIn(clause).has_value(); }

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

} // namespace

std::string plainClaim(std::string_view claim)
{
    std::string plain(claim);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> signs{
        {{"×", "x"}, {"²", "^2"}, {"³", "^3"}, {"−", "-"}, {"–", "-"}, {"\u00a0", " "}, {"\u202f", " "}, {"≈", ""}}};
    for (const auto& [sign, same] : signs)
        for (std::size_t at = plain.find(sign); at != std::string::npos; at = plain.find(sign, at + same.size()))
            plain.replace(at, sign.size(), same);
    for (char& c : plain)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return plain;
}

std::optional<double> speedRatioIn(std::string_view clause)
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

ClaimPart claimPartOf(std::string_view words)
{
    ClaimPart part;
    std::string left;
    std::size_t from = 0;
    for (auto sizes = sizesIn(words); sizes; sizes = sizesIn(words, from)) {
        part.shapes.push_back(sizes->shape);
        left.append(words.substr(from, sizes->begin - from)).append(" ");
        from = sizes->end;
    }
    left.append(words.substr(from));
    for (const char bracket : {'(', ')'})
        std::ranges::replace(left, bracket, ' ');
    for (std::size_t begin = 0; begin < left.size();) { // without the words that join a shape to a figure
        const std::size_t end = std::min(left.find(' ', begin), left.size());
        const std::string word = left.substr(begin, end - begin);
        constexpr std::array<std::string_view, 12> joining{
            "", "on", "at", "for", "in", "of", "the", "shape", "shapes", "with", ":", "only"};
        if (std::ranges::find(joining, word) == joining.end())
            part.rest += (part.rest.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    return part;
}

std::vector<ClaimPart> claimPartsOf(const std::string& plain)
{
    std::vector<ClaimPart> parts;
    for (std::size_t begin = 0; begin < plain.size();) {
        const std::size_t sign = plain.find_first_of(",;\n", begin), word = plain.find(" and ", begin);
        const std::size_t end = std::min({sign, word, plain.size()});
        parts.push_back(claimPartOf(trimmed(std::string_view(plain).substr(begin, end - begin))));
        begin = end + (end == word ? 5 : 1);
    }
    return parts;
}

} // namespace tilewright
