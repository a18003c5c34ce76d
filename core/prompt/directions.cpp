// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/directions.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>

namespace tilewright {
namespace {

/// "<proposal" followed by '>' or a blank, at the begin of a line.
bool opens(std::string_view line, std::string_view tag)
{
    line = trimmed(line);
    if (line.size() <= tag.size() || (line[tag.size()] != '>' && line[tag.size()] != ' '))
        return false;
    return std::equal(tag.begin(), tag.end(), line.begin(),
        [](char a, char b) { return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b))); });
}

/// Offsets of the lines that open the tag.
std::vector<std::size_t> linesThatOpen(std::string_view text, std::string_view tag)
{
    std::vector<std::size_t> offsets;
    for (const std::string_view line : splitLines(text))
        if (opens(line, tag))
            offsets.push_back(static_cast<std::size_t>(line.data() - text.data()));
    return offsets;
}

bool hasDiff(std::string_view piece) { return !linesThatOpen(piece, "<diff").empty(); }

std::string withoutProposalTags(std::string_view piece)
{
    std::string text;
    for (const std::string_view line : splitLines(piece)) {
        if (opens(line, "</proposal"))
            break;
        if (!opens(line, "<proposal"))
            text.append(line) += '\n';
        else if (const std::size_t end = line.find('>'); !trimmed(line.substr(end + 1)).empty())
            text.append(line.substr(end + 1)) += '\n';
    }
    return text;
}

} // namespace

std::vector<std::string> proposalsIn(std::string_view reply)
{
    std::string_view answer = reply;
    if (const std::size_t thought = reply.rfind("</think>"); thought != std::string_view::npos)
        answer = reply.substr(thought + 8);
    std::vector<std::string> proposals;
    const auto split = [&](std::vector<std::size_t> starts, auto&& textOf) {
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : answer.size();
            proposals.push_back(textOf(answer.substr(starts[i], end - starts[i])));
        }
    };
    split(linesThatOpen(answer, "<proposal"), withoutProposalTags);
    if (!proposals.empty())
        return proposals;
    const std::vector<std::size_t> ideas = linesThatOpen(answer, "<reasoning");
    split(ideas, [](std::string_view piece) { return std::string(piece); });
    const bool each = proposals.size() > 1 && std::ranges::all_of(proposals, hasDiff);
    return each ? proposals : std::vector<std::string>{std::string(reply)};
}

} // namespace tilewright
