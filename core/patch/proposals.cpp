// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/proposals.h"

#include "core/base/text.h"
#include "core/patch/reply_text.h"
#include "core/patch/thoughts.h"

#include <algorithm>
#include <array>
#include <set>

namespace tilewright {
namespace {

using patch::Tag;
using patch::Tags;
using patch::withoutThoughts;

/// A proposal: where its words begin, and its diff.
struct Group {
    std::size_t begin = 0;
    std::string_view diff;
    bool closed = false;
};

std::vector<Group> groupsIn(std::string_view text, const Tags& tags)
{
    std::vector<Group> found;
    auto words = tags.opening("reasoning", 0);
    while (words) {
        const auto diff = tags.opening("diff", words->end);
        if (!diff)
            break;
        const auto next = tags.opening("reasoning", words->end);
        if (next && next->begin < diff->begin) { // words without a patch: they belong to what follows
            words = Tag{words->begin, next->end};
            continue;
        }
        const auto close = tags.closing("diff", diff->end);
        const auto otherDiff = tags.opening("diff", diff->end);
        const bool closed = close && (!otherDiff || close->begin < otherDiff->begin);
        const auto after = tags.opening("reasoning", closed ? close->end : diff->end);
        const std::size_t end = closed ? close->begin : after ? after->begin : text.size();
        found.push_back({words->begin, trimmed(text.substr(diff->end, end - diff->end)), closed});
        words = after;
    }
    return found;
}

/// What stands between proposal tags, the last one perhaps cut off.
std::vector<std::string> taggedIn(std::string_view text, const Tags& tags)
{
    std::vector<std::string> found;
    std::set<std::string_view> known;
    for (auto tag = tags.opening("proposal", 0); tag;) {
        const auto close = tags.closing("proposal", tag->end);
        const auto next = tags.opening("proposal", tag->end);
        std::size_t end = next ? next->begin : text.size();
        if (close)
            end = std::min(end, close->begin);
        const std::string_view piece = trimmed(text.substr(tag->end, end - tag->end));
        if (known.insert(piece).second)
            found.push_back(std::string(piece) + '\n');
        tag = next;
    }
    return found;
}

} // namespace

std::vector<std::string> proposalsIn(std::string_view reply)
{
    std::vector<std::string> whole{std::string(reply)};
    const auto spoken = withoutThoughts(reply);
    if (!spoken)
        return whole;
    const Tags tags(*spoken);
    if (auto tagged = taggedIn(*spoken, tags); tagged.size() > 1)
        return tagged;
    const std::vector<Group> groups = groupsIn(*spoken, tags);
    if (std::none_of(groups.begin(), groups.end(), [](const Group& group) { return group.closed; }))
        return whole;
    std::vector<std::string> proposals;
    std::set<std::string_view> diffs;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : groups[i].begin;
        const std::size_t end = i + 1 < groups.size() ? groups[i + 1].begin : spoken->size();
        if (diffs.insert(groups[i].diff).second)
            proposals.emplace_back(spoken->substr(begin, end - begin));
    }
    return proposals.size() < 2 ? whole : proposals;
}

} // namespace tilewright
