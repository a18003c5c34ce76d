// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/payload.h"

#include "core/base/block_markers.h"
#include "core/base/text.h"
#include "core/patch/blocks.h"
#include "core/patch/folding.h"
#include "core/patch/hunk.h"
#include "core/patch/reply_text.h"
#include "core/patch/thoughts.h"
#include "core/patch/unified.h"
#include "core/patch/whole_program.h"

#include <algorithm>
#include <array>
#include <set>

namespace tilewright::patch {
namespace {

constexpr auto npos = std::string_view::npos;

/// Different patches in one reply that are still looked at, to say which one is wrong.
constexpr std::size_t mostPayloads = 64;

/// LF line ends. A lone CR ends lines only in a reply that has no LF at all.
std::string withLf(std::string_view reply)
{
    if (reply.starts_with("\xef\xbb\xbf"))
        reply.remove_prefix(3);
    if (reply.find('\n') == npos)
        return withUnixLineEnds(reply);
    std::string text;
    text.reserve(reply.size());
    for (std::size_t i = 0; i < reply.size(); ++i)
        if (reply[i] != '\r' || i + 1 >= reply.size() || (reply[i + 1] != '\n' && reply[i + 1] != '\r'))
            text += reply[i];
    return text;
}

/// Where a diff is indented as a whole, as prose indents code: the text with the lines of it moved to the left.
std::optional<std::string> movedLeft(std::string_view text)
{
    const std::vector<std::string_view> lines = splitLines(text);
    std::size_t first = 0;
    std::string_view indent;
    for (; first < lines.size() && indent.empty(); ++first) {
        const std::string_view line = trimmed(lines[first]);
        if (isHunkHeader(line) || line.starts_with("--- ") || line.starts_with("diff --git ")
            || line.starts_with("*** Begin Patch") || isSearchMarker(line))
            indent = indentOf(lines[first]);
    }
    if (indent.empty())
        return std::nullopt;
    std::string moved;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool isInside = i + 1 >= first && lines[i].starts_with(indent);
        moved.append(lines[i].substr(isInside ? indent.size() : 0)) += '\n';
    }
    return moved;
}

bool holdsBothMarkers(std::string_view text)
{
    const std::vector<BlockMarker> markers = blockMarkers(text);
    return std::ranges::any_of(markers, &BlockMarker::isStart) && !std::ranges::all_of(markers, &BlockMarker::isStart);
}

/// "---", "--- 10,11 ----": lines of diffs that are not unified.
bool isOfOtherDiff(std::string_view line)
{
    return line.starts_with("---") && (line.ends_with("----") || trimmed(line) == "---");
}

bool looksUnified(std::string_view text, std::string_view language)
{
    const std::vector<std::string_view> lines = splitLines(text);
    const bool saysSo = language == "diff" || language == "patch" || language == "udiff";
    std::size_t removed = 0, added = 0, others = 0;
    if (std::ranges::any_of(lines, [](std::string_view line) { return line.starts_with("***************"); }))
        return false; // a context diff
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (isOfOtherDiff(lines[i]))
            continue;
        if (isHunkHeader(lines[i]) || isFileHeader(lines, i) || lines[i].starts_with("diff --git "))
            return true;
        if (isBlank(lines[i]))
            continue;
        removed += lines[i].starts_with('-');
        added += lines[i].starts_with('+');
        others += lines[i].find_first_of("+- ") != 0;
    }
    return (saysSo && removed + added > 0) || (removed > 0 && added > 0 && others == 0);
}

std::string strippedOfCdata(std::string_view text, std::vector<Repair>& repairs)
{
    std::string result(text);
    constexpr std::string_view open = "<![CDATA[";
    const std::size_t at = result.find(open);
    if (at == std::string::npos || result.find("\n", 0) == std::string::npos)
        return result;
    const std::size_t line = at == 0 ? 0 : result.find_last_of('\n', at) + 1;
    if (!isBlank(std::string_view(result).substr(line, at - line)))
        return result;
    result.erase(at, open.size());
    if (at < result.size() && result[at] == '\n')
        result.erase(at, 1);
    if (const std::size_t close = result.rfind("]]>"); close != std::string::npos)
        result.erase(close, 3);
    repairs.push_back({"cdata", 0, "the diff is wrapped in CDATA"});
    return result;
}

/// Does the text break off in the line that would open another block?
bool endsInMarker(std::string_view text)
{
    text = trimmed(text);
    const std::string_view last = text.substr(text.find_last_of('\n') + 1); // npos + 1 is 0
    const std::size_t signs = std::min(last.find_first_not_of('<'), last.size());
    const std::string_view word = trimmed(last.substr(signs));
    return signs > 0 && signs <= 9 && !isSearchMarker(last)
        && (std::string_view("SEARCH").starts_with(word) || std::string_view("ORIGINAL").starts_with(word));
}

/// A part of the reply that may hold the patch.
struct Region {
    std::string text;
    Ending ending = Ending::ReplyEnd;
    bool tagged = false;
};

class Extractor
{
public:
    Extractor(std::string text, const PatchOptions& options, const ProgramKind& kind)
        : m_text(std::move(text))
        , m_options(options)
        , m_kind(kind)
    {
    }

    std::expected<Extraction, Refusal> extract()
    {
        auto spoken = withoutThoughts(m_text);
        if (!spoken)
            return spoken.error() == ThoughtTrouble::Unended
                ? refuse("TRUNCATED", "the reply ends inside its reasoning: nothing marks the start of its answer")
                : spoken.error() == ThoughtTrouble::Several
                ? refuse("MALFORMED", "the reply contains several different answers, but only one can be applied")
                : refuse(
                    "MALFORMED", "edits are inside and outside of possible reasoning: the answer cannot be identified");
        if (trimmed(*spoken).empty() && !trimmed(m_text).empty())
            return refuse("NO_DIFF", "the reply contains only reasoning: no answer follows");
        if (*spoken != m_text)
            m_result.repairs.push_back({"thinking", 0, "reasoning precedes the answer"});
        m_text = *spoken;
        std::string rest = std::move(*spoken);
        takeSpans(rest, "title");
        m_result.reasoning = takeSpans(rest, "reasoning");
        const bool isReasoningOpen = Tags(rest).opening("reasoning", 0).has_value();
        std::vector<Region> regions = sections(rest);
        m_result.claim = takeSpans(rest, "expected_impact");
        const bool tagged = !regions.empty();
        if (!tagged)
            regions.push_back({rest, Ending::ReplyEnd, false});
        bool unclosed = false;
        for (const Region& region : regions) {
            unclosed |= region.ending == Ending::Unclosed;
            read(region);
        }
        dropRepeated();
        if (isReasoningOpen && patches() > 1)
            return refuse("MALFORMED",
                "<reasoning> has no end and several patches follow it: drafts and answer cannot be distinguished");
        if (m_result.payloads.size() > mostPayloads)
            return refuse("MALFORMED", "the reply contains several different patches");
        if (!m_result.payloads.empty())
            return std::move(m_result);
        if (isCut(m_options.finishReason) || unclosed || m_unclosedFence)
            return refuse("TRUNCATED", "the reply ends before its patch is complete");
        if (!m_bodyTrouble.empty())
            return refuse("MALFORMED", m_bodyTrouble);
        if (m_fences > 0)
            return refuse("MALFORMED", "no fence contains a diff, or a whole program with both EVOLVE-BLOCK markers");
        return refuse("NO_DIFF", "the reply contains no diff, no SEARCH block, no patch envelope and no program");
    }

private:
    /// What stands in <diff> tags.
    std::vector<Region> sections(std::string_view text)
    {
        std::vector<Region> found;
        const Tags tags(text);
        std::size_t from = 0;
        while (const auto open = tags.opening("diff", from)) {
            const auto close = tags.closing("diff", open->end);
            std::size_t end = close ? close->begin : text.size();
            Ending ending = close ? Ending::Marked : Ending::Unclosed;
            from = close ? close->end : text.size();
            for (const std::string_view next : {"expected_impact", "reasoning", "diff"}) {
                const auto tag = tags.opening(next, open->end);
                if (!tag || tag->begin >= end)
                    continue;
                end = from = tag->begin;
                ending = Ending::Marked;
                m_result.repairs.push_back({"closing-tag", 0, "</diff> is missing"});
            }
            std::string_view inside = text.substr(open->end, end - open->end);
            inside.remove_prefix(inside.starts_with('\n') ? 1 : 0);
            found.push_back({std::string(inside), ending, true});
        }
        return found;
    }

    void read(const Region& raw)
    {
        Region region = raw;
        region.text = strippedOfCdata(region.text, m_result.repairs);
        const std::vector<Fence> fences = fencesIn(region.text);
        if (readAsIs(region, fences))
            return;
        if (auto moved = movedLeft(region.text)) {
            const Region left{std::move(*moved), region.ending, region.tagged};
            if (readAsIs(left, fencesIn(left.text))) {
                m_result.repairs.push_back({"indentation", 0, "the whole diff is indented"});
                return;
            }
        }
        m_fences += fences.size();
        for (const Fence& fence : fences)
            m_unclosedFence |= !fence.closed && !fence.text.empty();
    }

    bool readAsIs(const Region& region, const std::vector<Fence>& fences)
    {
        const std::size_t before = m_result.payloads.size();
        const bool found = readEnvelope(region) || readBlocks(region) || readDiffFences(region, fences)
            || readBare(region) || readProgram(region, fences);
        if (found && !region.tagged && m_result.payloads.size() > before)
            keepOthers(m_result.payloads[before].form, fences);
        return found;
    }

    /// Whole fences with a diff or a program where the patch is of another form.
    void keepOthers(Form form, const std::vector<Fence>& fences)
    {
        for (const Fence& fence : fences) {
            const std::vector<std::string_view> lines = splitLines(fence.text);
            const bool isPatch = std::ranges::any_of(lines,
                [](std::string_view line) { return isSearchMarker(line) || line.starts_with("*** Begin Patch"); });
            if (!fence.closed || isPatch)
                continue;
            if (form != Form::Unified && looksUnified(fence.text, fence.language))
                m_result.others.push_back({Form::Unified, fence.text, Ending::Marked, true});
            else if (form != Form::WholeProgram && holdsBothMarkers(fence.text))
                m_result.others.push_back({Form::WholeProgram, fence.text, Ending::Marked, true});
        }
    }

    /// How many patches were read; blocks are counted one by one.
    std::size_t patches() const
    {
        std::size_t count = m_result.payloads.size();
        for (const Payload& payload : m_result.payloads)
            if (payload.form == Form::Blocks)
                count += static_cast<std::size_t>(std::ranges::count_if(splitLines(payload.text), isSearchMarker)) - 1;
        return count;
    }

    void add(Form form, std::string text, Ending ending, bool marked)
    {
        m_result.payloads.push_back({form, std::move(text), ending, marked});
    }

    bool readEnvelope(const Region& region)
    {
        const std::vector<std::string_view> lines = splitLines(region.text);
        const auto opens = [](std::string_view line) {
            return line.starts_with("*** Begin Patch") || line.starts_with("*** Update File:")
                || line.starts_with("*** Add File:") || line.starts_with("*** Delete File:");
        };
        std::string text;
        bool inside = false, ended = false;
        for (const std::string_view line : lines) {
            if (!inside && opens(line))
                inside = true, ended = false;
            if (!inside)
                continue;
            if (line.starts_with("*** End Patch") || trimmedRight(line) == "```") {
                inside = false;
                ended = true;
                continue;
            }
            text.append(line) += '\n';
        }
        if (text.empty())
            return false;
        const Ending open = region.ending == Ending::Marked ? Ending::Marked : Ending::Unclosed;
        add(Form::Envelope, text, ended ? Ending::Marked : open, true);
        return true;
    }

    bool readBlocks(const Region& region)
    {
        const std::vector<std::string_view> lines = splitLines(region.text);
        if (std::ranges::none_of(lines, [](std::string_view line) { return isSearchMarker(line); }))
            return false;
        // Something behind the last block shows that the reply went on after it; where it was cut, that may have been
        // on its way to the next one.
        bool goesOn = false, ended = false;
        for (const std::string_view line : lines) {
            if (isSearchMarker(line) || isReplaceMarker(line)) {
                ended = !isSearchMarker(line);
                goesOn = false;
            } else {
                goesOn |= ended && !isBlank(line);
            }
        }
        const bool isOver = region.ending == Ending::ReplyEnd && goesOn && !isCut(m_options.finishReason);
        const Ending left = isOver ? Ending::Marked : region.ending;
        const Ending ending = region.ending != Ending::Marked && endsInMarker(region.text) ? Ending::Unclosed : left;
        add(Form::Blocks, region.text, ending, true);
        if (region.ending != Ending::Marked)
            m_result.payloads.back().marked = false;
        return true;
    }

    bool readDiffFences(const Region& region, const std::vector<Fence>& fences)
    {
        std::vector<const Fence*> diffs;
        for (const Fence& fence : fences)
            if (looksUnified(fence.text, fence.language))
                diffs.push_back(&fence);
        if (diffs.empty())
            return false;
        m_result.repairs.push_back({"fence", 0, "the diff is in a fence"});
        if (region.tagged) {
            std::string text;
            bool closed = true;
            for (const Fence* fence : diffs) {
                text += fence->text;
                closed &= fence->closed;
            }
            add(Form::Unified, text, closed ? Ending::Marked : region.ending, true);
            return true;
        }
        for (const Fence* fence : diffs)
            add(Form::Unified, fence->text, fence->closed ? Ending::Marked : Ending::Unclosed, true);
        return true;
    }

    bool readBare(const Region& region)
    {
        const std::vector<std::string_view> lines = splitLines(region.text);
        std::size_t first = lines.size();
        bool signs = false;
        for (std::size_t i = lines.size(); i-- > 0;) {
            if (isHunkHeader(lines[i]) || isFileHeader(lines, i) || lines[i].starts_with("diff --git "))
                first = i;
            signs |= lines[i].starts_with('+') || lines[i].starts_with('-');
        }
        if (first == lines.size() && !(region.tagged && signs && !holdsBothMarkers(region.text)))
            return false;
        if (region.tagged) {
            add(Form::Unified, region.text, region.ending, true);
            return true;
        }
        std::string text;
        for (std::size_t i = first; i < lines.size(); ++i)
            text.append(lines[i]) += '\n';
        add(Form::Unified, text, region.ending, false);
        return true;
    }

    bool readProgram(const Region& region, const std::vector<Fence>& fences)
    {
        std::vector<const Fence*> programs;
        for (const Fence& fence : fences)
            if (holdsBothMarkers(fence.text))
                programs.push_back(&fence);
        if (programs.empty() && m_options.prompt == Prompt::Rewrite) {
            const BodyFence body = bodyFenceOf(fences, m_kind);
            m_bodyTrouble = body.trouble;
            if (body.fence)
                programs.push_back(body.fence);
        }
        for (const Fence* fence : programs)
            add(holdsBothMarkers(fence->text) ? Form::WholeProgram : Form::Body, fence->text,
                fence->closed       ? Ending::Marked
                    : region.tagged ? region.ending
                                    : Ending::Unclosed,
                true);
        if (programs.empty() && region.tagged && holdsBothMarkers(region.text)) {
            add(Form::WholeProgram, region.text, region.ending, true);
            return true;
        }
        return !programs.empty();
    }

    void dropRepeated()
    {
        std::vector<Payload> kept;
        std::set<std::pair<Form, std::string>> known;
        for (Payload& payload : m_result.payloads) {
            if (known.emplace(payload.form, payload.text).second)
                kept.push_back(std::move(payload));
            else
                m_result.repairs.push_back({"repeated", 0, "the reply contains the same patch twice"});
        }
        m_result.payloads = std::move(kept);
    }

    std::string m_text;
    const PatchOptions& m_options;
    ProgramKind m_kind;
    Extraction m_result;
    std::size_t m_fences = 0;
    bool m_unclosedFence = false;
    std::string m_bodyTrouble; ///< why no fence is the body that a rewrite asks for
};

} // namespace

bool isEndedByItself(std::string_view finishReason)
{
    constexpr std::array<std::string_view, 6> ended{
        "stop", "end_turn", "stop_sequence", "completed", "complete", "eos_token"};
    return std::ranges::find(ended, lowered(finishReason)) != ended.end();
}

bool isCut(std::string_view finishReason)
{
    const std::string reason = lowered(finishReason);
    constexpr std::array<std::string_view, 9> cut{"length", "max_tokens", "max_output_tokens", "max_completion_tokens",
        "model_context_window_exceeded", "incomplete", "content_filter", "token_limit", "model_length"};
    return std::ranges::find(cut, reason) != cut.end();
}

Words wordsOfReply(std::string_view reply)
{
    auto text = withoutThoughts(withLf(reply));
    if (!text)
        return {};
    Words words;
    words.title = takeSpans(*text, "title");
    words.reasoning = takeSpans(*text, "reasoning");
    words.claim = takeSpans(*text, "expected_impact");
    return words;
}

std::expected<Extraction, Refusal> extractPayload(
    std::string_view reply, const PatchOptions& options, const ProgramKind& kind)
{
    if (reply.size() > options.largestText)
        return refuse("MALFORMED", "the reply is above the size limit of programs");
    const std::string text = withLf(reply);
    auto found = Extractor(text, options, kind).extract();
    const bool tagsEscaped = text.find("&lt;diff&gt;") != std::string::npos && !Tags(text).opening("diff", 0);
    if ((!found || tagsEscaped) && text.find("&lt;") != std::string::npos) {
        // Everything escaped, the tags and markers too.
        if (auto plain = Extractor(unescaped(text), options, kind).extract()) {
            plain->repairs.push_back({"escapes", 0, "the whole reply is HTML-escaped"});
            found = std::move(plain);
        }
    }
    if (found && reply.find("\r\n") != npos)
        found->repairs.push_back({"line-ends", 0, "the reply has CRLF line ends"});
    return found;
}

} // namespace tilewright::patch
