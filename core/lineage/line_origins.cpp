// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/line_origins.h"

#include "core/base/text.h"
#include "core/model/measurement/pair_ladder.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace tilewright {
namespace {

/// "@@ -12,7 +12,9 @@": the first line, from 0, and how many of the old text; none for anything else.
struct OldRange {
    std::size_t first = 0, count = 1;
};
std::optional<OldRange> oldRangeOf(std::string_view header)
{
    constexpr std::string_view begin = "@@ -";
    if (!header.starts_with(begin))
        return std::nullopt;
    const char *at = header.data() + begin.size(), *const end = header.data() + header.size();
    OldRange range;
    const auto first = std::from_chars(at, end, range.first);
    if (first.ec != std::errc())
        return std::nullopt;
    at = first.ptr;
    if (at != end && *at == ',')
        if (std::from_chars(at + 1, end, range.count).ec != std::errc())
            return std::nullopt;
    if (range.count > 0) // an empty range names the line before it
        range.first = range.first > 0 ? range.first - 1 : 0;
    return range;
}

/// Takes the lines of both texts as the diff says; false as soon as it does not fit them.
class Alignment
{
public:
    Alignment(std::string_view before, std::string_view after)
        : m_before(splitLines(before))
        , m_after(splitLines(after))
    {
    }

    bool follow(std::string_view diff)
    {
        const std::vector<std::string_view> lines = splitLines(diff);
        bool isInHunk = false;
        for (const std::string_view line : lines) {
            if (const auto range = oldRangeOf(line)) {
                isInHunk = true;
                if (range->first < m_old || !same(range->first - m_old))
                    return false;
            } else if (isInHunk && !take(line)) {
                return false;
            }
        }
        return same(m_before.size() - m_old) && m_new == m_after.size();
    }

    std::vector<DiffLine> lines() && { return std::move(m_lines); }

private:
    bool take(std::string_view line)
    {
        const char sign = line.empty() ? ' ' : line.front();
        const std::string_view text = line.empty() ? line : line.substr(1);
        if (sign == ' ')
            return m_old < m_before.size() && m_before[m_old] == text && same(1);
        if (sign == '-' && m_old < m_before.size() && m_before[m_old] == text)
            m_lines.push_back({LineChange::Removed, m_old++, m_new, text});
        else if (sign == '+' && m_new < m_after.size() && m_after[m_new] == text)
            m_lines.push_back({LineChange::Added, m_old, m_new++, text});
        else
            return sign == '\\'; // "\ No newline at end of file"
        return true;
    }

    bool same(std::size_t count)
    {
        for (; count > 0; --count, ++m_old, ++m_new) {
            if (m_old >= m_before.size() || m_new >= m_after.size() || m_before[m_old] != m_after[m_new])
                return false;
            m_lines.push_back({LineChange::Same, m_old, m_new, m_before[m_old]});
        }
        return true;
    }

    const std::vector<std::string_view> m_before, m_after;
    std::vector<DiffLine> m_lines;
    std::size_t m_old = 0, m_new = 0;
};

/// A blank line or a brace says nothing of where it comes from.
bool isTelling(std::string_view line)
{
    return std::ranges::any_of(
        line, [](char c) { return (c >= '0' && c <= '9') || (lowered(c) >= 'a' && lowered(c) <= 'z'); });
}

/// Lines that a crossover took from this parent to another place, where the alignment, which keeps the order, finds
/// them not: those whose text has one origin there.
void takeMoved(const LineOrigins& parent, LineOrigins& origins, std::vector<bool>& isNew)
{
    std::map<std::string_view, std::optional<LineOrigin>> there; // none: of several candidates
    const std::vector<std::string_view> lines = splitLines(parent.text), taken = splitLines(origins.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto [known, isFirst] = there.emplace(lines[i], parent.lines[i]);
        if (!isFirst && known->second && known->second->candidate != parent.lines[i].candidate)
            known->second.reset();
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
        if (!isNew[i] || !isTelling(taken[i]))
            continue;
        if (const auto known = there.find(taken[i]); known != there.end() && known->second) {
            origins.lines[i] = *known->second;
            isNew[i] = false;
        }
    }
}

class Blaming
{
public:
    Blaming(const RunState& state, const TextOf& textOf)
        : m_state(state)
        , m_textOf(textOf)
    {
    }

    Result<void> add(const Candidate& candidate)
    {
        auto text = m_textOf(candidate.source);
        if (!text)
            return std::unexpected(text.error());
        LineOrigins origins{std::move(*text), {}};
        const std::size_t count = splitLines(origins.text).size();
        origins.lines.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            origins.lines[i] = {candidate.id, i};
        std::vector<bool> isNew(count, true);
        std::vector<const LineOrigins*> parents;
        for (std::size_t i = 0; i < candidate.parents.size(); ++i) {
            const auto parent = m_known.find(originOf(m_state, candidate.parents[i]));
            if (parent == m_known.end())
                continue;
            parents.push_back(&parent->second);
            const std::string patch = i == 0 && !candidate.patch.isNull()
                ? m_textOf(candidate.patch).value_or(std::string())
                : std::string();
            for (const DiffLine& line : alignmentBy(parent->second.text, origins.text, patch)) {
                if (line.change != LineChange::Same || !isNew[line.newLine])
                    continue;
                isNew[line.newLine] = false;
                origins.lines[line.newLine] = parent->second.lines[line.oldLine];
            }
        }
        for (std::size_t i = 1; i < parents.size(); ++i)
            takeMoved(*parents[i], origins, isNew);
        m_known[candidate.id] = std::move(origins);
        return {};
    }

    LineOrigins take(CandidateId candidate) { return std::move(m_known[candidate]); }

private:
    const RunState& m_state;
    const TextOf& m_textOf;
    std::map<CandidateId, LineOrigins> m_known;
};

} // namespace

std::set<CandidateId> ancestryOf(const RunState& state, CandidateId candidate)
{
    std::set<CandidateId> ancestry;
    std::vector<CandidateId> open{originOf(state, candidate)};
    while (!open.empty()) {
        const CandidateId id = open.back();
        open.pop_back();
        const Candidate* found = state.candidate(id);
        if (!found || !ancestry.insert(id).second)
            continue;
        for (const CandidateId parent : found->parents)
            if (parent < id)
                open.push_back(originOf(state, parent));
    }
    return ancestry;
}

std::vector<DiffLine> alignmentBy(std::string_view before, std::string_view after, std::string_view diff)
{
    Alignment alignment(before, after);
    return !diff.empty() && alignment.follow(diff) ? std::move(alignment).lines() : diffLines(before, after);
}

Result<LineOrigins> lineOriginsOf(const RunState& state, CandidateId candidate, const TextOf& textOf)
{
    if (!state.candidate(candidate))
        return fail("candidate/unknown", "the session has no candidate " + candidateName(candidate),
            "'show FILE --all' lists them");
    Blaming blaming(state, textOf);
    for (const CandidateId id : ancestryOf(state, candidate))
        if (auto added = blaming.add(*state.candidate(id)); !added)
            return std::unexpected(added.error());
    return blaming.take(originOf(state, candidate));
}

} // namespace tilewright
