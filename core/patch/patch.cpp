// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/patch.h"

#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tilewright {
namespace {

using Lines = std::vector<std::string_view>;

struct Hunk {
    std::optional<std::size_t> oldStart; ///< 0-based line of the header, if it had one
    Lines before, after; ///< context and removed; context and added
    struct Line {
        char sign;
        std::string_view text;
    };
    std::vector<Line> lines;

    bool changes() const
    {
        return std::ranges::any_of(lines, [](const Line& line) { return line.sign != ' '; });
    }
};

/// One replacement in the source: lines [at, at + length) become the hunk's new lines.
struct Place {
    std::size_t at = 0;
    const Hunk* hunk = nullptr;
};

std::unexpected<Error> refused(std::string code, std::string text, std::size_t hunk = 0)
{
    return fail(std::move(code), (hunk ? "hunk " + std::to_string(hunk) + ": " : "") + text, "",
        hunk ? nlohmann::json{{"hunk", hunk}} : nlohmann::json(nullptr));
}

std::string partBetween(std::string_view text, std::string_view open, std::string_view close)
{
    const std::size_t start = text.find(open);
    if (start == std::string_view::npos)
        return {};
    const std::size_t from = start + open.size(), end = text.find(close, from);
    return std::string(trimmed(text.substr(from, end == std::string_view::npos ? end : end - from)));
}

/// "@@ -12,5 +12,6 @@" → 11; nothing when the header has no usable number.
std::optional<std::size_t> oldStartOf(std::string_view header)
{
    const std::size_t minus = header.find('-');
    if (minus == std::string_view::npos)
        return std::nullopt;
    std::size_t line = 0;
    const auto [end, problem] = std::from_chars(header.data() + minus + 1, header.data() + header.size(), line);
    return problem == std::errc() && line > 0 ? std::optional(line - 1) : std::nullopt;
}

Result<std::vector<Hunk>> parseHunks(std::string_view diff)
{
    std::vector<Hunk> hunks;
    bool inHunk = false;
    for (const std::string_view line : splitLines(diff)) {
        if (line.starts_with("@@")) {
            hunks.push_back({});
            hunks.back().oldStart = oldStartOf(line);
            inHunk = true;
        } else if (!inHunk || line.starts_with("\\ No newline")) {
            continue; // file headers, prose before the first hunk
        } else if (line.starts_with("--- ") || line.starts_with("diff --git")) {
            inHunk = false; // the next file's header
        } else {
            const char sign = line.empty() ? ' ' : line[0];
            if (sign != ' ' && sign != '+' && sign != '-')
                return refused(
                    "MALFORMED", "the line '" + std::string(line.substr(0, 60)) + "' has no sign", hunks.size());
            hunks.back().lines.push_back({sign, line.empty() ? line : line.substr(1)});
        }
    }
    if (hunks.empty())
        return refused("NO_DIFF", "the reply holds no hunk (no line that begins with @@)");
    for (Hunk& hunk : hunks) {
        for (const Hunk::Line& line : hunk.lines) {
            if (line.sign != '+')
                hunk.before.push_back(line.text);
            if (line.sign != '-')
                hunk.after.push_back(line.text);
        }
    }
    return hunks;
}

bool sameLine(std::string_view a, std::string_view b) { return trimmedRight(a) == trimmedRight(b); }

bool matchesAt(const Lines& source, std::size_t at, const Lines& wanted)
{
    if (at + wanted.size() > source.size())
        return false;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (!sameLine(source[at + i], wanted[i]))
            return false;
    return true;
}

std::vector<std::size_t> placesOf(const Lines& source, const Lines& wanted)
{
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at + wanted.size() <= source.size(); ++at)
        if (matchesAt(source, at, wanted))
            places.push_back(at);
    return places;
}

Result<std::size_t> locate(const Lines& source, const Hunk& hunk, std::size_t number)
{
    if (!hunk.changes())
        return refused("NO_CHANGE", "it changes nothing", number);
    if (hunk.before.empty())
        return refused("NO_CONTEXT", "an insertion needs at least one unchanged line beside it", number);
    const std::vector<std::size_t> places = placesOf(source, hunk.before);
    if (places.size() == 1)
        return places.front();
    if (places.empty()) {
        if (!hunk.after.empty() && !placesOf(source, hunk.after).empty())
            return refused("ALREADY_APPLIED", "the program already reads as it would afterwards", number);
        return refused("NO_MATCH", "its context and removed lines do not stand in the program", number);
    }
    if (hunk.oldStart && std::ranges::find(places, *hunk.oldStart) != places.end())
        return *hunk.oldStart;
    return refused("AMBIGUOUS",
        "its lines stand in " + std::to_string(places.size()) + " places and no line number tells which", number);
}

/// The lines of the new text: context keeps the source's own bytes.
void appendReplacement(std::vector<std::string>& text, const Lines& source, const Place& place)
{
    std::size_t at = place.at;
    for (const Hunk::Line& line : place.hunk->lines) {
        if (line.sign == '+')
            text.emplace_back(line.text);
        else if (line.sign == ' ')
            text.emplace_back(source[at++]);
        else
            ++at;
    }
}

std::string textOf(const std::vector<std::string>& lines, bool finalNewline)
{
    std::string text = joined(lines, "\n");
    if (finalNewline && !lines.empty())
        text += '\n';
    return text;
}

/// Everything outside the blocks, markers included.
std::vector<std::string_view> protectedLines(const Lines& lines, const std::vector<EvolveBlock>& blocks)
{
    std::vector<std::string_view> kept;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (std::ranges::none_of(blocks, [&](const EvolveBlock& block) { return block.contains(i); }))
            kept.push_back(lines[i]);
    return kept;
}

Result<void> checkProtected(std::string_view before, std::string_view after)
{
    const auto oldBlocks = evolveBlocks(before);
    if (!oldBlocks || oldBlocks->empty())
        return refused("OUTSIDE_EVOLVE_BLOCK", "the program has no EVOLVE-BLOCK: nothing in it may change");
    const auto newBlocks = evolveBlocks(after);
    if (!newBlocks || newBlocks->size() != oldBlocks->size())
        return refused("MARKER_CHANGED", "it changes an EVOLVE-BLOCK marker");
    if (protectedLines(splitLines(before), *oldBlocks) != protectedLines(splitLines(after), *newBlocks))
        return refused("OUTSIDE_EVOLVE_BLOCK", "it changes lines outside the EVOLVE-BLOCK");
    return {};
}

} // namespace

Result<Reply> parseReply(std::string_view reply)
{
    Reply parts;
    parts.reasoning = partBetween(reply, "<reasoning>", "</reasoning>");
    parts.claim = partBetween(reply, "<expected_impact>", "</expected_impact>");
    const std::size_t open = reply.find("<diff>");
    if (open != std::string_view::npos) {
        const std::size_t from = open + 6, end = reply.find("</diff>", from);
        if (end == std::string_view::npos)
            return refused("TRUNCATED", "the reply ends inside <diff>");
        parts.diff = reply.substr(from, end - from);
        if (parts.diff.starts_with('\n'))
            parts.diff.erase(0, 1);
        return parts;
    }
    const std::size_t bare = reply.starts_with("--- ") ? 0 : reply.find("\n--- ");
    if (bare == std::string_view::npos)
        return refused("NO_DIFF", "the reply holds no <diff> and no unified diff");
    parts.diff = reply.substr(bare == 0 ? 0 : bare + 1);
    return parts;
}

std::string replyText(const Reply& reply)
{
    return "<reasoning>\n" + reply.reasoning + "\n</reasoning>\n<diff>\n" + reply.diff
        + (reply.diff.ends_with('\n') ? "" : "\n") + "</diff>\n<expected_impact>\n" + reply.claim
        + "\n</expected_impact>\n";
}

Result<PatchResult> applyDiff(std::string_view source, std::string_view diff)
{
    const auto hunks = parseHunks(diff);
    if (!hunks)
        return std::unexpected(hunks.error());
    const Lines lines = splitLines(source);
    std::vector<Place> places;
    for (std::size_t i = 0; i < hunks->size(); ++i) {
        const auto at = locate(lines, (*hunks)[i], i + 1);
        if (!at)
            return std::unexpected(at.error());
        places.push_back({*at, &(*hunks)[i]});
    }
    std::ranges::sort(places, {}, &Place::at);
    std::vector<std::string> text;
    std::size_t next = 0;
    for (const Place& place : places) {
        if (place.at < next)
            return refused("CONFLICT", "two hunks change the same lines");
        for (; next < place.at; ++next)
            text.emplace_back(lines[next]);
        appendReplacement(text, lines, place);
        next = place.at + place.hunk->before.size();
    }
    for (; next < lines.size(); ++next)
        text.emplace_back(lines[next]);
    PatchResult result;
    result.text = textOf(text, source.ends_with('\n'));
    if (result.text == source)
        return refused("NO_CHANGE", "the text stays as it is");
    if (auto kept = checkProtected(source, result.text); !kept)
        return std::unexpected(kept.error());
    result.diff = unifiedDiff(source, result.text, "candidate.cpp");
    return result;
}

std::string ruleOfCode(std::string_view code)
{
    std::string rule = "patch/";
    for (const char c : code)
        rule += c == '_' ? '-' : static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return rule;
}

} // namespace tilewright
