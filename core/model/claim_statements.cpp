// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/claim_statements.h"

#include "core/base/text.h"
#include "core/model/claim_parts.h"

#include <algorithm>
#include <array>
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

} // namespace tilewright
