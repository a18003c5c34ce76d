// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/proposals.h"

#include "core/base/text.h"
#include "core/patch/reply_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace tilewright {
namespace {

using patch::closingTag;
using patch::openingTag;
using patch::Tag;

struct Span {
    std::size_t begin = 0, end = 0;
};

/// Where the model thinks aloud; none if a thought does not end.
std::optional<std::vector<Span>> thoughtsIn(std::string_view text)
{
    std::vector<Span> spans;
    for (const std::string_view name : {"think", "thinking"}) {
        std::size_t from = 0;
        const auto open = openingTag(text, name, 0);
        // Some servers leave the opening tag to the prompt.
        if (const auto close = closingTag(text, name, 0); close && (!open || close->begin < open->begin)) {
            spans.push_back({0, close->end});
            from = close->end;
        }
        while (const auto begin = openingTag(text, name, from)) {
            const auto end = closingTag(text, name, begin->end);
            if (!end)
                return std::nullopt;
            spans.push_back({begin->begin, end->end});
            from = end->end;
        }
    }
    return spans;
}

/// A proposal: where its words begin, and its diff.
struct Group {
    std::size_t begin = 0;
    std::string_view diff;
    bool closed = false;
};

class Scan
{
public:
    Scan(std::string_view text, std::vector<Span> thoughts)
        : m_text(text)
        , m_thoughts(std::move(thoughts))
    {
    }

    std::vector<Group> groups() const
    {
        std::vector<Group> found;
        auto words = opening("reasoning", 0);
        while (words) {
            const auto diff = opening("diff", words->end);
            if (!diff)
                break;
            const auto next = opening("reasoning", words->end);
            if (next && next->begin < diff->begin) { // words without a patch: they belong to what follows
                words = Tag{words->begin, next->end};
                continue;
            }
            const auto close = closingTag(m_text, "diff", diff->end);
            const auto otherDiff = opening("diff", diff->end);
            const bool closed = close && (!otherDiff || close->begin < otherDiff->begin);
            const auto after = opening("reasoning", closed ? close->end : diff->end);
            const std::size_t end = closed ? close->begin : after ? after->begin : m_text.size();
            found.push_back({words->begin, trimmed(m_text.substr(diff->end, end - diff->end)), closed});
            words = after;
        }
        return found;
    }

    /// What stands between proposal tags, the last one perhaps cut off.
    std::vector<std::string> tagged() const
    {
        std::vector<std::string> found;
        for (auto tag = opening("proposal", 0); tag;) {
            const auto close = closingTag(m_text, "proposal", tag->end);
            const auto next = opening("proposal", tag->end);
            std::size_t end = next ? next->begin : m_text.size();
            if (close)
                end = std::min(end, close->begin);
            std::string piece = std::string(trimmed(m_text.substr(tag->end, end - tag->end))) + '\n';
            if (std::find(found.begin(), found.end(), piece) == found.end())
                found.push_back(std::move(piece));
            tag = next;
        }
        return found;
    }

private:
    std::optional<Tag> opening(std::string_view name, std::size_t from) const
    {
        for (auto tag = openingTag(m_text, name, from); tag; tag = openingTag(m_text, name, tag->end))
            if (std::none_of(m_thoughts.begin(), m_thoughts.end(),
                    [&](const Span& span) { return tag->begin >= span.begin && tag->begin < span.end; }))
                return tag;
        return std::nullopt;
    }

    std::string_view m_text;
    std::vector<Span> m_thoughts;
};

} // namespace

std::vector<std::string> proposalsIn(std::string_view reply)
{
    std::vector<std::string> whole{std::string(reply)};
    auto thoughts = thoughtsIn(reply);
    if (!thoughts)
        return whole;
    const Scan scan(reply, std::move(*thoughts));
    if (auto tagged = scan.tagged(); tagged.size() > 1)
        return tagged;
    const std::vector<Group> groups = scan.groups();
    if (std::none_of(groups.begin(), groups.end(), [](const Group& group) { return group.closed; }))
        return whole;
    std::vector<std::string> proposals;
    std::set<std::string_view> diffs;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : groups[i].begin;
        const std::size_t end = i + 1 < groups.size() ? groups[i + 1].begin : reply.size();
        if (diffs.insert(groups[i].diff).second)
            proposals.emplace_back(reply.substr(begin, end - begin));
    }
    return proposals.size() < 2 ? whole : proposals;
}

} // namespace tilewright
