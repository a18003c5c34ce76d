// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/patch.h"

#include "core/base/text.h"
#include "core/patch/blocks.h"
#include "core/patch/diff.h"
#include "core/patch/edits.h"
#include "core/patch/elision.h"
#include "core/patch/folding.h"
#include "core/patch/guards.h"
#include "core/patch/payload.h"
#include "core/patch/repair_prompt.h"
#include "core/patch/strict.h"
#include "core/patch/unified.h"
#include "core/patch/variants.h"
#include "core/patch/whole_program.h"

#include <algorithm>

namespace tilewright {
namespace patch {

std::unexpected<Refusal> refuse(std::string code, std::string text, std::size_t hunk)
{
    Refusal refusal;
    refusal.code = std::move(code);
    refusal.text = std::move(text);
    refusal.hunk = hunk;
    return std::unexpected(std::move(refusal));
}

bool insertsAt(const Hunk& hunk, std::size_t line)
{
    std::size_t first = line, last = line;
    while (first > 0 && hunk.lines[first - 1].sign != Sign::Context)
        --first;
    while (last + 1 < hunk.lines.size() && hunk.lines[last + 1].sign != Sign::Context)
        ++last;
    return std::none_of(hunk.lines.begin() + static_cast<std::ptrdiff_t>(first),
        hunk.lines.begin() + static_cast<std::ptrdiff_t>(last + 1),
        [](const HunkLine& one) { return one.sign == Sign::Removed; });
}

bool isBlank(std::string_view line) { return trimmed(line).empty(); }

std::string_view indentOf(std::string_view line)
{
    return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

namespace {

constexpr std::size_t mostHunks = 1000;

/// One reply on its way through the steps.
class Application
{
public:
    Application(std::string_view source, std::string_view name, const PatchOptions& options)
        : m_source(source)
        , m_matcher(m_source.lines())
        , m_name(name)
        , m_options(options)
    {
    }

    std::expected<PatchResult, Refusal> apply(std::string_view reply)
    {
        Words words = wordsOfReply(reply);
        m_result.reasoning = std::move(words.reasoning);
        m_result.claim = std::move(words.claim);
        auto extraction = extractPayload(reply, m_options);
        return extraction ? apply(*extraction, reply) : ended(std::unexpected(std::move(extraction.error())));
    }

    std::expected<PatchResult, Refusal> apply(Extraction& extraction, std::string_view reply)
    {
        return ended(editsOf(extraction, reply));
    }

private:
    using Edits = std::expected<std::vector<Edit>, Refusal>;

    std::expected<PatchResult, Refusal> ended(Edits edits)
    {
        if (edits)
            if (auto done = finish(*edits); !done)
                edits = std::unexpected(done.error());
        if (edits)
            return std::move(m_result);
        Refusal refusal = std::move(edits.error());
        refusal.reasoning = m_result.reasoning;
        refusal.claim = m_result.claim;
        if (!m_fine.empty())
            refusal.evidence["fine"] = m_fine;
        refusal.repairPrompt = repairPrompt(refusal, m_source.lines(), m_hunks, m_fine);
        return std::unexpected(std::move(refusal));
    }

    void repaired(Repair repair)
    {
        if (std::ranges::find(m_result.repairs, repair) == m_result.repairs.end())
            m_result.repairs.push_back(std::move(repair));
    }

    Edits editsOf(Extraction& extraction, std::string_view reply)
    {
        for (Repair& repair : extraction.repairs)
            repaired(std::move(repair));
        const std::vector<Payload>& payloads = extraction.payloads;
        const Form form = payloads.front().form;
        const bool whole = form == Form::WholeProgram || form == Form::Body;
        const bool mixed = std::ranges::any_of(payloads, [&](const Payload& one) { return one.form != form; });
        if (mixed || (whole && payloads.size() > 1))
            return refuse("MALFORMED", "the reply holds several different patches");
        if (whole)
            return editsOfWhole(payloads.front());
        if (auto parsed = parse(payloads, reply); !parsed)
            return std::unexpected(parsed.error());
        if (auto good = rejectEarly(); !good)
            return std::unexpected(good.error());
        auto edits = editsOfHunks();
        if (edits && payloads.size() > 1)
            return refuse("MALFORMED", "the reply holds several different diffs");
        return edits;
    }

    Edits editsOfWhole(const Payload& payload)
    {
        if (payload.ending == Ending::Unclosed && (isCut(m_options.finishReason) || !endsAsSource(payload.text)))
            return refuse("TRUNCATED", "the reply ends inside the program");
        auto found = editsOfProgram(m_source, payload, m_options.prompt);
        if (!found)
            return std::unexpected(found.error());
        for (Repair& repair : found->repairs)
            repaired(std::move(repair));
        if (found->edits.empty())
            return refuse("NO_CHANGE", "the program stays as it is");
        return std::move(found->edits);
    }

    /// Does the text end with the program's last line? Then an unclosed fence has lost nothing.
    bool endsAsSource(std::string_view text) const
    {
        const auto lines = splitLines(text);
        const auto last = [](const auto& all) {
            const auto found = std::ranges::find_if(all.rbegin(), all.rend(), [](auto line) { return !isBlank(line); });
            return found == all.rend() ? std::string_view() : trimmed(*found);
        };
        return last(lines) == last(m_source.lines());
    }

    std::expected<void, Refusal> parse(const std::vector<Payload>& payloads, std::string_view reply)
    {
        bool otherFile = false;
        std::vector<std::string> files;
        for (std::size_t group = 0; group < payloads.size(); ++group) {
            const Payload& payload = payloads[group];
            const auto lines = splitLines(payload.text);
            const End end = payload.ending == Ending::Marked ? End::Closed : End::Open;
            const Outside outside
                = payload.marked && payload.form == Form::Unified ? Outside::MayBeHunk : Outside::Prose;
            auto parsed = payload.form == Form::Blocks
                ? parseBlocks(lines, end)
                : std::expected<ParsedPatch, Refusal>(parseUnified(lines, outside));
            if (!parsed)
                return std::unexpected(parsed.error());
            if (isTruncated(payload, *parsed, reply))
                return refuse("TRUNCATED", "the reply ends before its patch is complete", parsed->hunks.size());
            otherFile |= parsed->otherFile;
            for (const std::string& file : parsed->files)
                if (std::ranges::none_of(files, [&](const std::string& known) { return sameFile(known, file); }))
                    files.push_back(file);
            for (Repair& repair : parsed->repairs)
                repaired(std::move(repair));
            for (Hunk& hunk : parsed->hunks) {
                hunk.group = group;
                m_hunks.push_back(std::move(hunk));
            }
        }
        if (otherFile || files.size() > 1)
            return refuse("OTHER_FILE", "the reply changes another file than the program");
        if (files.size() == 1 && !m_name.empty() && !sameFile(files[0], m_name))
            repaired({"file-header", 0, "the diff names '" + printable(files[0]) + "'"});
        return {};
    }

    /// Without a mark of its end a patch is whole if its counts say so; a reply that ended by itself needs no proof.
    bool isTruncated(const Payload& payload, const ParsedPatch& parsed, std::string_view reply) const
    {
        const bool cut = isCut(m_options.finishReason);
        if (payload.ending == Ending::Marked || (payload.ending == Ending::ReplyEnd && !cut))
            return false;
        if (payload.form != Form::Unified || parsed.hunks.empty())
            return true;
        const HunkLine* last = parsed.hunks.back().lines.empty() ? nullptr : &parsed.hunks.back().lines.back();
        const bool wholeLine = reply.ends_with('\n') || (last && last->sign != Sign::Added);
        return !wholeLine || !std::ranges::all_of(parsed.hunks, [](const Hunk& hunk) {
            return hunk.oldCount == hunk.oldLines() && hunk.newCount == hunk.newLines();
        });
    }

    std::expected<void, Refusal> rejectEarly()
    {
        std::erase_if(m_hunks, [&](const Hunk& hunk) {
            const bool prose
                = hunk.mayBeProse && m_hunks.size() > 1 && std::ranges::none_of(hunk.lines, [&](const HunkLine& line) {
                      return !isBlank(line.text) && m_matcher.has(line.text, Level::Indented);
                  });
            if (prose)
                repaired({"prose", 0, "words stand around the diff"});
            return prose;
        });
        if (m_hunks.empty())
            return refuse("NO_DIFF", "the reply holds no hunk");
        for (std::size_t i = 0; i < m_hunks.size(); ++i) {
            const auto read = m_hunks[i].changes() ? std::nullopt : readBehindNumbers(m_hunks[i]);
            if (!read)
                continue;
            m_hunks[i] = *read;
            repaired({"line-numbers", i + 1, "line numbers were copied into it"});
        }
        if (m_hunks.size() > mostHunks)
            return refuse("MALFORMED", "the patch has more hunks than a program has places");
        for (std::size_t i = 0; i < m_hunks.size(); ++i)
            if (auto good = checkElision(m_hunks[i], i + 1); !good)
                return good;
        for (std::size_t i = 0; i < m_hunks.size(); ++i)
            if (isLoose(m_hunks[i]))
                return refuse("NO_CONTEXT", "an insertion needs at least one unchanged line beside it", i + 1);
        if (std::ranges::all_of(m_hunks, isIdle))
            return refuse("NO_CHANGE", "it changes nothing", m_hunks.size() == 1 ? 1 : 0);
        return {};
    }

    std::expected<void, Refusal> checkElision(const Hunk& hunk, std::size_t number)
    {
        std::string_view previous;
        for (const HunkLine& line : hunk.lines) {
            const bool elides = line.sign == Sign::Added ? elidesCode(line.text, previous)
                                                         : line.sign == Sign::Removed && isPlaceholder(line.text);
            if (elides && !m_matcher.has(line.text, Level::Indented))
                return refuse("ELIDED_CODE",
                    "'" + printable(trimmed(line.text)) + "' stands where code must be written out", number);
            if (line.sign == Sign::Added && line.text.find('\0') != std::string::npos)
                return refuse("MALFORMED", "an added line holds a zero byte", number);
            if (line.sign != Sign::Removed && !isBlank(line.text))
                previous = line.text;
        }
        return {};
    }

    /// Adds lines, but says nothing about where.
    static bool isLoose(const Hunk& hunk)
    {
        return hunk.count(Sign::Added) > 0 && std::ranges::none_of(hunk.lines, [](const HunkLine& line) {
            const bool anchors = line.sign == Sign::Removed
                || (line.sign == Sign::Context && !isBlank(line.text) && !isPlaceholder(line.text));
            return anchors;
        });
    }

    /// Reads the same before and after.
    static bool isIdle(const Hunk& hunk)
    {
        std::string before, after;
        for (const HunkLine& line : hunk.lines) {
            if (line.sign != Sign::Added)
                before.append(trimmedRight(line.text)) += '\n';
            if (line.sign != Sign::Removed)
                after.append(trimmedRight(line.text)) += '\n';
        }
        return before == after;
    }

    Edits editsOfHunks()
    {
        std::vector<std::expected<Placement, Refusal>> placements;
        for (std::size_t i = 0; i < m_hunks.size(); ++i)
            placements.push_back(isIdle(m_hunks[i]) ? Placement() : placed(m_hunks[i], i + 1));
        shareHabits(placements);
        std::optional<Refusal> first;
        std::vector<Edit> edits;
        for (std::size_t i = 0; i < placements.size(); ++i) {
            if (!placements[i]) {
                first = first ? first : placements[i].error();
                continue;
            }
            m_fine.push_back(i + 1);
            if (isIdle(m_hunks[i]))
                repaired({"no-change", i + 1, "it changes nothing"});
            for (Repair& repair : placements[i]->repairs)
                repaired(std::move(repair));
            noteNumber(*placements[i], i);
            edits.insert(edits.end(), placements[i]->edits.begin(), placements[i]->edits.end());
        }
        if (first)
            return std::unexpected(*first);
        auto all = merged(std::move(edits));
        if (!all)
            return std::unexpected(all.error());
        if (all->reordered)
            repaired({"reordered", 0, "the hunks are not in the program's order"});
        if (all->repeated)
            repaired({"repeated", 0, "a hunk is given twice"});
        return std::move(all->edits);
    }

    void noteNumber(const Placement& placement, std::size_t index)
    {
        const Hunk& hunk = m_hunks[index];
        if (hunk.oldStart && !placement.edits.empty() && *hunk.oldStart != placement.line)
            repaired({"hunk-header", index + 1,
                "it says line " + std::to_string(*hunk.oldStart + 1) + " but stands in line "
                    + std::to_string(placement.line + 1)});
    }

    std::expected<Placement, Refusal> placed(const Hunk& hunk, std::size_t number)
    {
        auto placement = locateHunk(m_matcher, hunk, number);
        if (placement && standsThere(hunk, *placement))
            return refuse("ALREADY_APPLIED", "the lines that it adds already stand there", number);
        return placement;
    }

    /// Lines added at the open side of a hunk that the program already has right there.
    bool standsThere(const Hunk& hunk, const Placement& placement) const
    {
        if (placement.edits.empty())
            return false;
        const auto same = [&](const Edit& edit, std::size_t at) {
            const auto& lines = m_source.lines();
            if (edit.begin != edit.end || at + edit.added.size() > lines.size()
                || std::ranges::all_of(edit.added, isBlank))
                return false;
            return std::equal(edit.added.begin(), edit.added.end(), lines.begin() + static_cast<std::ptrdiff_t>(at),
                [](std::string_view a, std::string_view b) { return trimmedRight(a) == trimmedRight(b); });
        };
        const Edit &front = placement.edits.front(), &back = placement.edits.back();
        return (hunk.lines.back().sign == Sign::Added && same(back, back.begin))
            || (hunk.lines.front().sign == Sign::Added && front.begin >= front.added.size()
                && same(front, front.begin - front.added.size()));
    }

    /// What one hunk shows about the whole reply: escapes, a blank behind every sign, tabs for blanks.
    void shareHabits(std::vector<std::expected<Placement, Refusal>>& placements)
    {
        bool escapes = escapesOutsideStrings(), signSpace = false;
        std::optional<IndentMap> tabs;
        for (const auto& one : placements) {
            escapes |= one && one->unescaped;
            signSpace |= one && one->signSpace;
            if (one && one->tabs && !tabs)
                tabs = one->tabs;
        }
        for (std::size_t i = 0; i < placements.size() && (escapes || signSpace || tabs); ++i) {
            if (!placements[i] || isIdle(m_hunks[i]))
                continue;
            const Placement& placement = *placements[i];
            Hunk read = m_hunks[i];
            const bool spaced = signSpace && !placement.signSpace && isSpacedInsertion(read);
            for (HunkLine& line : read.lines) {
                if (line.sign != Sign::Added)
                    continue;
                if (escapes && !placement.unescaped)
                    line.text = unescaped(line.text);
                if (spaced && line.text.starts_with(' '))
                    line.text.erase(0, 1);
                if (const auto indent = tabs && !placement.indentSeen && !isBlank(line.text)
                        ? tabs->applied(indentOf(line.text))
                        : std::nullopt)
                    line.text.replace(0, indentOf(line.text).size(), *indent);
            }
            if (read.lines == m_hunks[i].lines)
                continue;
            const bool plain = escapes && !placement.unescaped;
            placements[i] = placed(read, i + 1);
            if (placements[i])
                placements[i]->repairs.push_back(plain
                        ? Repair{"escapes", i + 1, "it is HTML-escaped"}
                        : Repair{"indentation", i + 1, "its blanks are those of the other hunks"});
        }
    }

    /// No removed line shows whether the blank behind its signs belongs to the text.
    static bool isSpacedInsertion(const Hunk& hunk)
    {
        return std::ranges::all_of(hunk.lines, [](const HunkLine& line) {
            return line.sign == Sign::Context || isBlank(line.text)
                || (line.sign == Sign::Added && line.text.starts_with(' '));
        });
    }

    /// Escapes in added code, not in its strings, where neither the program nor an old line has any.
    bool escapesOutsideStrings()
    {
        const auto escaped = [](std::string_view line) { return unescaped(line) != line; };
        bool found = false;
        for (const Hunk& hunk : m_hunks)
            for (const HunkLine& line : hunk.lines) {
                if (line.sign != Sign::Added && escaped(line.text))
                    return false;
                found |= line.sign == Sign::Added && escaped(withoutStrings(line.text));
            }
        return found && std::ranges::none_of(m_source.lines(), escaped);
    }

    static std::string withoutStrings(std::string_view line)
    {
        std::string code;
        char quote = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (quote == 0)
                code += line[i];
            if (quote != 0 && line[i] == '\\')
                ++i;
            else if (quote != 0)
                quote = line[i] == quote ? char(0) : quote;
            else if (line[i] == '"' || line[i] == '\'')
                quote = line[i];
        }
        return code;
    }

    std::expected<void, Refusal> finish(const std::vector<Edit>& edits)
    {
        const std::string before = m_source.text(), after = m_source.textWith(edits);
        if (auto kept = checkGuards(before, after, edits); !kept)
            return kept;
        if (sameButBlanks(before, after))
            return refuse("NO_CHANGE", "the program stays as it is", m_hunks.size() == 1 ? 1 : 0);
        m_result.text = m_source.bytesWith(edits);
        if (m_result.text.size() > m_options.largestText)
            return refuse("MALFORMED", "the new program is larger than any program may be");
        for (const Edit& edit : edits)
            for (const std::string& line : edit.added)
                if (line.find('\0') != std::string::npos)
                    return refuse("MALFORMED", "an added line holds a zero byte", edit.hunk);
        m_result.diff = normalisedDiff(edits);
        if (appliedStrictly(before, m_result.diff) != after)
            return refuse("MALFORMED", "the patch does not lead to the same text when it is applied again");
        return {};
    }

    static bool sameButBlanks(std::string_view before, std::string_view after)
    {
        return std::ranges::equal(splitLines(before), splitLines(after),
            [](std::string_view a, std::string_view b) { return trimmedRight(a) == trimmedRight(b); });
    }

    std::string normalisedDiff(const std::vector<Edit>& edits) const
    {
        std::vector<DiffLine> lines;
        std::size_t old = 0, fresh = 0;
        const auto keep = [&](std::size_t until) {
            for (; old < until; ++old, ++fresh)
                lines.push_back({LineChange::Same, old, fresh, m_source.lines()[old]});
        };
        for (const Edit& edit : edits) {
            keep(edit.begin);
            for (; old < edit.end; ++old)
                lines.push_back({LineChange::Removed, old, fresh, m_source.lines()[old]});
            for (const std::string& line : edit.added)
                lines.push_back({LineChange::Added, old, fresh++, line});
        }
        keep(m_source.lines().size());
        return unifiedDiff(lines, m_name.empty() ? "candidate.cpp" : m_name);
    }

    SourceText m_source;
    Matcher m_matcher;
    std::string_view m_name;
    const PatchOptions& m_options;
    std::vector<Hunk> m_hunks;
    std::vector<std::size_t> m_fine;
    PatchResult m_result;
};

} // namespace
} // namespace patch

std::string Repair::line() const { return hunk == 0 ? text : "hunk " + std::to_string(hunk) + ": " + text; }

Error Refusal::error() const
{
    nlohmann::json all = evidence.is_object() ? evidence : nlohmann::json::object();
    if (hunk > 0)
        all["hunk"] = hunk;
    return {code, (hunk > 0 ? "hunk " + std::to_string(hunk) + ": " : "") + text, "",
        all.empty() ? nlohmann::json(nullptr) : all};
}

Result<Reply> parseReply(std::string_view reply)
{
    const auto found = patch::extractPayload(reply, {});
    if (!found)
        return std::unexpected(found.error().error());
    if (found->payloads.front().ending == patch::Ending::Unclosed)
        return fail("TRUNCATED", "the reply ends inside its patch");
    return Reply{found->reasoning, found->payloads.front().text, found->claim};
}

Reply wordsOf(std::string_view reply)
{
    patch::Words words = patch::wordsOfReply(reply);
    return {std::move(words.reasoning), {}, std::move(words.claim)};
}

std::string replyText(const Reply& reply)
{
    return "<reasoning>\n" + reply.reasoning + "\n</reasoning>\n<diff>\n" + reply.diff
        + (reply.diff.ends_with('\n') ? "" : "\n") + "</diff>\n<expected_impact>\n" + reply.claim
        + "\n</expected_impact>\n";
}

std::expected<PatchResult, Refusal> applyReply(
    std::string_view source, std::string_view name, std::string_view reply, const PatchOptions& options)
{
    return patch::Application(source, name, options).apply(reply);
}

Result<PatchResult> applyDiff(std::string_view source, std::string_view diff)
{
    // Not through a reply: a line of the diff may look like a tag.
    patch::Extraction extraction;
    extraction.payloads.push_back({patch::Form::Unified, std::string(diff), patch::Ending::Marked, true});
    const PatchOptions options;
    auto result = patch::Application(source, "", options).apply(extraction, diff);
    if (!result)
        return std::unexpected(result.error().error());
    return std::move(*result);
}

std::string ruleOfCode(std::string_view code)
{
    std::string rule = "patch/";
    for (const char c : code)
        rule += c == '_' ? '-' : static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return rule;
}

} // namespace tilewright
