// SPDX-License-Identifier: Apache-2.0
#include "core/base/block_markers.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string>

namespace tilewright {
namespace {

constexpr auto nowhere = std::string_view::npos;
constexpr std::string_view blockWord = "evolve-block-";

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
        || static_cast<unsigned char>(c) >= 0x80;
}

/// "EVOLVE-BLOCK-START" and "evolve_block_end": where the word ends and which it is.
struct Word {
    std::size_t begin = 0;
    bool isStart = false;
};

std::optional<Word> wordIn(std::string_view line)
{
    const auto isAt = [&](std::size_t at, std::string_view wanted) {
        return line.size() - at >= wanted.size()
            && std::equal(wanted.begin(), wanted.end(), line.begin() + static_cast<std::ptrdiff_t>(at),
                [](char a, char b) { return a == lowered(b) || (a == '-' && b == '_'); });
    };
    for (std::size_t at = line.find_first_of("eE"); at != nowhere; at = line.find_first_of("eE", at + 1)) {
        if (!isAt(at, blockWord))
            continue;
        const std::size_t kind = at + blockWord.size();
        const bool starts = isAt(kind, "start"), ends = isAt(kind, "end");
        const std::size_t after = kind + (starts ? 5 : 3);
        if ((starts || ends) && (after >= line.size() || !isWordPart(line[after])))
            return Word{at, starts};
    }
    return std::nullopt;
}

/// What begins a comment in one language or another; the longer of two that begin alike stands first.
constexpr std::array<std::string_view, 12> leaders{"//", "/*", "<!--", "(*", "{-", "{#", "--", "#", ";", "%", "!", "*"};

/// May the text before a marker's word stand there: a leader, and then signs only ("// ---- ", "#pragma region ")?
bool isLead(std::string_view lead)
{
    lead = trimmed(lead);
    for (const std::string_view words : {"rem", "REM", "dnl", "C", "c"})
        if (lead == words)
            return true;
    const auto leader = std::ranges::find_if(leaders, [&](std::string_view one) { return lead.starts_with(one); });
    if (leader == leaders.end())
        return false;
    lead = trimmed(lead.substr(leader->size()));
    for (const std::string_view words : {"pragma", "region", "endregion"})
        if (lead.starts_with(words))
            lead = trimmed(lead.substr(words.size()));
    return std::ranges::none_of(lead, [](char c) { return isWordPart(c) || c == '"' || c == '\''; });
}

/// Follows strings and comments through a text, line by line.
class Follower
{
public:
    explicit Follower(bool isHash)
        : m_isHash(isHash)
    {
    }

    bool isInString() const { return !m_end.empty() && m_end != "*/"; }
    bool isInComment() const { return m_end == "*/"; }

    /// Reads a line; where a comment behind code begins in it, behind its sign, else nowhere.
    std::size_t read(std::string_view line)
    {
        std::size_t at = 0;
        bool hasCode = false;
        while (at < line.size()) {
            if (!m_end.empty()) {
                const std::size_t end = line.find(m_end, at);
                if (end == nowhere)
                    return nowhere;
                at = end + m_end.size();
                hasCode = hasCode || m_end != "*/";
                m_end.clear();
                continue;
            }
            const std::string_view rest = line.substr(at);
            if (rest.starts_with(m_isHash ? "#" : "//"))
                return hasCode ? at + (m_isHash ? 1 : 2) : nowhere;
            if (!m_isHash && rest.starts_with("/*")) {
                if (hasCode)
                    if (const auto word = wordIn(rest); word && trimmed(rest.substr(2, word->begin - 2)).empty())
                        return at + 2;
                m_end = "*/";
                at += 2;
                continue;
            }
            if (m_isHash && (rest.starts_with("\"\"\"") || rest.starts_with("'''"))) {
                m_end = std::string(rest.substr(0, 3));
                at += 3;
                continue;
            }
            const char c = rest.front();
            if (c == '"' && !m_isHash && at > 0 && line[at - 1] == 'R') {
                const std::size_t open = rest.find('(');
                if (open != nowhere && open <= 17) {
                    m_end = ")" + std::string(rest.substr(1, open - 1)) + "\"";
                    at += open + 1;
                    hasCode = true;
                    continue;
                }
            }
            const bool separates = c == '\'' && at > 0 && isWordPart(line[at - 1]); // 1'000
            if ((c == '"' || c == '\'') && !separates) {
                at = behindString(line, at);
                hasCode = true;
                continue;
            }
            hasCode = hasCode || (c != ' ' && c != '\t' && c != '\r');
            ++at;
        }
        return nowhere;
    }

private:
    /// Behind a string of one line; one that is not closed ends with it, or goes on behind a backslash.
    std::size_t behindString(std::string_view line, std::size_t at)
    {
        const char quote = line[at];
        for (++at; at < line.size(); ++at) {
            if (line[at] == '\\')
                ++at;
            else if (line[at] == quote)
                return at + 1;
        }
        if (trimmedRight(line).ends_with('\\'))
            m_end = std::string(1, quote);
        return line.size();
    }

    bool m_isHash;
    std::string m_end; ///< what ends the string or comment that is open; "" in code
};

std::string lineText(std::size_t line) { return "line " + std::to_string(line + 1); }

} // namespace

std::optional<BlockMarker> markerOfLine(std::string_view line)
{
    const auto word = wordIn(line);
    if (!word || !isLead(line.substr(0, word->begin)))
        return std::nullopt;
    return BlockMarker{0, word->isStart, trimmed(line).starts_with('#'), false};
}

std::vector<BlockMarker> blockMarkers(std::string_view text)
{
    const std::vector<std::string_view> lines = splitLines(text);
    bool hash = false, slashes = false;
    for (const std::string_view line : lines)
        if (const auto marker = markerOfLine(line)) {
            hash = hash || marker->isHash;
            slashes = slashes || trimmed(line).starts_with('/');
        }
    const bool isHash = hash && !slashes;
    std::vector<BlockMarker> markers;
    Follower follower(isHash);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool inString = follower.isInString(), inComment = follower.isInComment();
        const std::size_t comment = follower.read(lines[i]);
        if (inString)
            continue;
        auto marker = inComment ? std::nullopt : markerOfLine(lines[i]);
        const auto word = marker ? std::nullopt : wordIn(lines[i]);
        if (word && inComment) {
            // A line of its own within /* … */; a comment within that comment is commented out.
            const std::string_view lead = trimmed(lines[i].substr(0, word->begin));
            if (lead.empty() || lead == "*")
                marker = BlockMarker{0, word->isStart, false, false};
        }
        if (word && comment != nowhere && word->begin >= comment
            && trimmed(lines[i].substr(comment, word->begin - comment)).empty())
            marker = BlockMarker{0, word->isStart, isHash, true};
        if (!marker)
            continue;
        marker->line = i;
        markers.push_back(*marker);
    }
    return markers;
}

Result<std::vector<EvolveBlock>> evolveBlocks(std::string_view text)
{
    std::vector<EvolveBlock> blocks;
    std::optional<std::size_t> open;
    for (const BlockMarker& marker : blockMarkers(text)) {
        const std::string name = marker.isStart ? "EVOLVE-BLOCK-START" : "EVOLVE-BLOCK-END";
        const std::string place = lineText(marker.line) + ": " + name;
        if (marker.isBehindCode)
            return fail("source/marker", place + " follows code: put it on a line of its own");
        if (marker.isStart && open)
            return fail("source/marker",
                place + " is inside the block that starts in " + lineText(*open) + ": end that one first");
        if (!marker.isStart && !open)
            return fail("source/marker", place + " has no START before it: add one, or remove this line");
        if (marker.isStart) {
            open = marker.line;
        } else {
            blocks.push_back({*open + 1, marker.line - 1});
            open.reset();
        }
    }
    if (open)
        return fail("source/marker", lineText(*open) + ": EVOLVE-BLOCK-START has no END: add one after the block");
    return blocks;
}

} // namespace tilewright
