// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hunk_reading.h"

#include "core/base/text.h"
#include "core/patch/blocks.h"
#include "core/patch/elision.h"
#include "core/patch/hunk_header.h"
#include "core/patch/line_numbers.h"
#include "core/patch/unified.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

constexpr std::size_t mostHunks = 1000;

class HunkReader
{
public:
    HunkReader(std::string_view name, const PatchOptions& options, Matcher& matcher)
        : m_name(name)
        , m_options(options)
        , m_matcher(matcher)
    {
    }

    HunksRead read(const std::vector<Payload>& payloads, std::string_view reply)
    {
        auto good = parse(payloads, reply);
        if (good)
            good = rejectEarly();
        if (!good)
            m_read.refusal = std::move(good.error());
        return std::move(m_read);
    }

private:
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
            otherFile |= parsed->otherFile || std::ranges::any_of(parsed->made, [&](const std::string& made) {
                return !m_name.empty() && !sameFile(made, m_name);
            });
            for (const std::string& file : parsed->files)
                if (std::ranges::none_of(files, [&](const std::string& known) { return sameFile(known, file); }))
                    files.push_back(file);
            for (Repair& repair : parsed->repairs)
                m_read.repairs.push_back(std::move(repair));
            for (Hunk& hunk : parsed->hunks) {
                hunk.group = group;
                m_read.hunks.push_back(std::move(hunk));
            }
        }
        if (otherFile || files.size() > 1)
            return refuse("OTHER_FILE", "the reply changes a file other than the program");
        if (files.size() == 1 && !m_name.empty() && !sameFile(files[0], m_name))
            m_read.repairs.push_back({"file-header", 0, "the diff names '" + printable(files[0]) + "'"});
        return {};
    }

    /// A reply that ended by itself needs no proof. One that leaves its patch open is whole only if the provider says
    /// that it ended by itself, and the counts of each hunk agree: they cannot tell of a hunk that did not come.
    bool isTruncated(const Payload& payload, const ParsedPatch& parsed, std::string_view reply) const
    {
        if (payload.ending == Ending::Marked)
            return false;
        if (payload.ending == Ending::ReplyEnd && !isCut(m_options.finishReason))
            return !isEndedByItself(m_options.finishReason) && payload.form == Form::Unified
                && endsInside(payload, parsed, reply);
        if (!isEndedByItself(m_options.finishReason) || payload.form != Form::Unified || parsed.hunks.empty())
            return true;
        const HunkLine* last = parsed.hunks.back().lines.empty() ? nullptr : &parsed.hunks.back().lines.back();
        const bool wholeLine = reply.ends_with('\n') || (last && last->sign != Sign::Added);
        return !wholeLine || !std::ranges::all_of(parsed.hunks, [](const Hunk& hunk) {
            return hunk.oldCount == hunk.oldLines() && hunk.newCount == hunk.newLines();
        });
    }

    /// Does the text break off inside its last hunk, as far as it tells? Wrong counts alone do not say so.
    static bool endsInside(const Payload& payload, const ParsedPatch& parsed, std::string_view reply)
    {
        const auto lines = splitLines(payload.text);
        const auto saysSomething
            = [](std::string_view line) { return line.find_first_not_of("+- \t") != std::string_view::npos; };
        const auto end = std::ranges::find_if(lines.rbegin(), lines.rend(), saysSomething);
        if (parsed.hunks.empty() || end == lines.rend())
            return false;
        const std::string_view last = *end;
        const Hunk& hunk = parsed.hunks.back();
        const bool midLine = !reply.ends_with('\n');
        if (isHunkHeader(last) || (midLine && last == "@"))
            return true;
        const auto text = std::ranges::find_if(hunk.lines.rbegin(), hunk.lines.rend(), saysSomething, &HunkLine::text);
        const bool isLast = text == hunk.lines.rend() || last.ends_with(text->text);
        if (hunk.lines.empty() || !isLast || !hunk.oldCount)
            return false;
        const bool newMissing = *hunk.newCount > hunk.newLines();
        return newMissing && (*hunk.oldCount > hunk.oldLines() || (midLine && hunk.lines.back().sign == Sign::Added));
    }

    std::expected<void, Refusal> rejectEarly()
    {
        std::erase_if(m_read.hunks, [&](const Hunk& hunk) {
            const bool prose = hunk.mayBeProse && m_read.hunks.size() > 1
                && std::ranges::none_of(hunk.lines, [&](const HunkLine& line) {
                       return !isBlank(line.text) && m_matcher.has(line.text, Level::Indented);
                   });
            if (prose)
                m_read.repairs.push_back({"prose", 0, "text around the diff"});
            return prose;
        });
        if (m_read.hunks.empty())
            return refuse("NO_DIFF", "the reply contains no hunk");
        for (std::size_t i = 0; i < m_read.hunks.size(); ++i) {
            const auto read = m_read.hunks[i].changes() ? std::nullopt : readBehindNumbers(m_read.hunks[i]);
            if (!read)
                continue;
            m_read.hunks[i] = *read;
            m_read.repairs.push_back({"line-numbers", i + 1, "line numbers were copied into it"});
        }
        if (m_read.hunks.size() > mostHunks)
            return refuse("MALFORMED", "the patch has more hunks than the program has lines");
        for (std::size_t i = 0; i < m_read.hunks.size(); ++i)
            if (auto good = checkElision(m_read.hunks[i], i + 1); !good)
                return good;
        for (std::size_t i = 0; i < m_read.hunks.size(); ++i)
            if (isLoose(m_read.hunks[i]))
                return refuse("NO_CONTEXT", "an insertion needs at least one unchanged line beside it", i + 1);
        for (std::size_t i = 0; i < m_read.hunks.size(); ++i)
            if (standsInHeader(m_read.hunks[i]))
                return refuse("MALFORMED",
                    "its lines are in the @@ line: the @@ line and each line of the hunk need a line of their own",
                    i + 1);
        // Context alone is looked for first: a sign may be missing in it.
        const auto saysNothingNew = [](const Hunk& hunk) { return isIdle(hunk) && (hunk.isBlock || hunk.changes()); };
        if (std::ranges::all_of(m_read.hunks, saysNothingNew))
            return refuse("NO_CHANGE", "it changes nothing", m_read.hunks.size() == 1 ? 1 : 0);
        return {};
    }

    /// Does the change that begins with this line take code away?
    static bool removesCode(const Hunk& hunk, std::size_t first)
    {
        for (std::size_t i = first; i < hunk.lines.size() && hunk.lines[i].sign != Sign::Context; ++i)
            if (hunk.lines[i].sign == Sign::Removed && saysCode(hunk.lines[i].text))
                return true;
        return false;
    }

    std::expected<void, Refusal> checkElision(const Hunk& hunk, std::size_t number)
    {
        Beside beside;
        for (std::size_t i = 0; i < hunk.lines.size(); ++i) {
            const HunkLine& line = hunk.lines[i];
            if (line.sign != Sign::Context && (i == 0 || hunk.lines[i - 1].sign == Sign::Context))
                beside.removesCode = removesCode(hunk, i);
            const bool goesOn = i + 1 < hunk.lines.size() && hunk.lines[i + 1].sign == Sign::Added;
            beside.next = goesOn ? std::string_view(hunk.lines[i + 1].text) : std::string_view();
            const bool elides = line.sign == Sign::Added ? elidesCode(line.text, beside)
                                                         : line.sign == Sign::Removed && isPlaceholder(line.text);
            if (elides && !m_matcher.has(line.text, Level::Indented))
                return refuse(
                    "ELIDED_CODE", "'" + printable(trimmed(line.text)) + "' is used in place of code", number);
            if (line.sign == Sign::Added && line.text.find('\0') != std::string::npos)
                return refuse("MALFORMED", "an added line contains a zero byte", number);
            if (line.sign != Sign::Removed && !isBlank(line.text))
                beside.previous = line.text;
        }
        return {};
    }

    /// "@@ -1 +1 @@-old+new": all of it on one line.
    static bool standsInHeader(const Hunk& hunk)
    {
        return hunk.lines.empty() && std::ranges::any_of(hunk.headings, [](const std::string& heading) {
            return heading.starts_with('-') || heading.starts_with('+');
        });
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

    std::string_view m_name;
    const PatchOptions& m_options;
    Matcher& m_matcher;
    HunksRead m_read;
};

} // namespace

HunksRead readHunks(const std::vector<Payload>& payloads, std::string_view reply, std::string_view name,
    const PatchOptions& options, Matcher& matcher)
{
    return HunkReader(name, options, matcher).read(payloads, reply);
}

} // namespace tilewright::patch
