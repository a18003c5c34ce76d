// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/patch.h"

#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/guards.h"
#include "core/patch/hunk_reading.h"
#include "core/patch/nearest.h"
#include "core/patch/payload.h"
#include "core/patch/placing.h"
#include "core/patch/repair_prompt.h"
#include "core/patch/strict.h"
#include "core/patch/whole_program.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace tilewright {
namespace patch {

namespace {

/// One reply on its way through the steps.
class Application
{
public:
    Application(std::string_view source, std::string_view name, const PatchOptions& options)
        : m_bytes(source)
        , m_source(source)
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
        auto extraction = extractPayload(reply, m_options, kindOf(m_source.lines()));
        if (!extraction)
            return ended(std::unexpected(std::move(extraction.error())));
        auto result = apply(*extraction, reply);
        if (!result || !saysSomethingElse(extraction->others, result->text))
            return result;
        m_result = std::move(*result);
        return ended(refuse("MALFORMED", "the reply contains several different patches"));
    }

    std::expected<PatchResult, Refusal> apply(Extraction& extraction, std::string_view reply)
    {
        return ended(editsOf(extraction, reply));
    }

private:
    using Edits = std::expected<std::vector<Edit>, Refusal>;

    /// Whether one of them is a patch by itself that leads to another program.
    bool saysSomethingElse(const std::vector<Payload>& others, const std::string& text) const
    {
        return std::ranges::any_of(others, [&](const Payload& other) {
            Extraction alone{{other}, {}, {}, {}, {}};
            const auto result = Application(m_bytes, m_name, m_options).apply(alone, other.text);
            return result && !sameButBlanks(result->text, text);
        });
    }

    std::expected<PatchResult, Refusal> ended(Edits edits)
    {
        if (edits)
            if (auto done = finish(*edits); !done)
                edits = std::unexpected(done.error());
        if (edits) {
            partNotes();
            return std::move(m_result);
        }
        Refusal refusal = std::move(edits.error());
        refusal.reasoning = m_result.reasoning;
        refusal.claim = m_result.claim;
        if (!m_fine.empty())
            refusal.evidence["fine"] = m_fine;
        if (const auto lines = linesNear(refusal))
            refusal.evidence["lines"] = *lines;
        if (m_failing.empty() || m_failing.front().hunk != refusal.hunk)
            m_failing = {refusal};
        else
            tellFurther(refusal);
        refusal.finding = findingText(m_failing, m_matcher, m_hunks, m_fine);
        refusal.repairPrompt = refusal.finding + orderText(refusal.code, m_options.prompt);
        return std::unexpected(std::move(refusal));
    }

    /// The program's lines, first and last, that a hunk was most likely meant for; none where nothing is like it.
    std::optional<std::pair<std::size_t, std::size_t>> linesNear(const Refusal& refusal)
    {
        if (refusal.code != "NO_MATCH" || refusal.hunk == 0 || refusal.hunk > m_hunks.size())
            return std::nullopt;
        const auto place = nearestPlace(m_matcher, m_hunks[refusal.hunk - 1]);
        return place ? std::optional(std::pair(place->from + 1, place->to)) : std::nullopt;
    }

    /// The other hunks that failed, in the text and the evidence of the first.
    void tellFurther(Refusal& first)
    {
        for (std::size_t i = 1; i < m_failing.size(); ++i) {
            const Refusal& other = m_failing[i];
            nlohmann::json one{{"code", other.code}, {"hunk", other.hunk}, {"text", other.text}};
            if (const auto lines = linesNear(other))
                one["lines"] = *lines;
            first.evidence["further"].push_back(std::move(one));
            first.text += "; hunk " + std::to_string(other.hunk) + ": " + other.text;
        }
    }

    /// The same mend is told once.
    void repaired(std::vector<Repair> repairs)
    {
        for (Repair& repair : repairs)
            if (m_told.emplace(repair.hunk, repair.code, repair.text).second)
                m_result.repairs.push_back(std::move(repair));
    }

    /// Notes by themselves; but those of a hunk that hints placed are repairs.
    void partNotes()
    {
        std::vector<Repair> repairs;
        for (Repair& repair : m_result.repairs) {
            repair.isNote = repair.isNote && !m_hinted.contains(repair.hunk);
            (repair.isNote ? m_result.notes : repairs).push_back(std::move(repair));
        }
        m_result.repairs = std::move(repairs);
    }

    Edits editsOf(Extraction& extraction, std::string_view reply)
    {
        repaired(std::move(extraction.repairs));
        const std::vector<Payload>& payloads = extraction.payloads;
        const Form form = payloads.front().form;
        const bool whole = form == Form::WholeProgram || form == Form::Body;
        const bool mixed = std::ranges::any_of(payloads, [&](const Payload& one) { return one.form != form; });
        if (mixed || (whole && payloads.size() > 1))
            return refuse("MALFORMED", "the reply contains several different patches");
        if (whole)
            return editsOfWhole(payloads.front());
        HunksRead read = readHunks(payloads, reply, m_name, m_options, m_matcher);
        m_hunks = std::move(read.hunks);
        repaired(std::move(read.repairs));
        if (read.refusal)
            return std::unexpected(std::move(*read.refusal));
        HunksPlaced placed = placeHunks(m_source, m_matcher, m_hunks);
        m_fine = std::move(placed.fine);
        m_failing = std::move(placed.failing);
        m_hinted = std::move(placed.hinted);
        repaired(std::move(placed.repairs));
        if (placed.edits && payloads.size() > 1)
            return refuse("MALFORMED", "the reply contains several different diffs");
        return std::move(placed.edits);
    }

    Edits editsOfWhole(const Payload& payload)
    {
        // Nothing tells the end of a body that is not closed; a program ends with its last line.
        if (payload.ending == Ending::Unclosed
            && (payload.form == Form::Body || isCut(m_options.finishReason) || !endsAsSource(payload.text)))
            return refuse("TRUNCATED", "the reply ends inside the program");
        auto found = editsOfProgram(m_source, payload, m_options.prompt);
        if (!found)
            return std::unexpected(found.error());
        repaired(std::move(found->repairs));
        if (found->edits.empty())
            return refuse("NO_CHANGE", "the program is unchanged");
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

    std::expected<void, Refusal> finish(const std::vector<Edit>& edits)
    {
        const std::string before = m_source.text(), after = m_source.textWith(edits);
        if (auto kept = checkGuards(before, after, edits); !kept)
            return kept;
        if (sameButBlanks(before, after)) {
            m_fine.clear();
            return refuse("NO_CHANGE", "the program is unchanged", m_hunks.size() == 1 ? 1 : 0);
        }
        m_result.text = m_source.bytesWith(edits);
        if (m_result.text.size() > m_options.largestText)
            return refuse("MALFORMED", "the new program is above the size limit");
        for (const Edit& edit : edits)
            for (const std::string& line : edit.added)
                if (line.find('\0') != std::string::npos)
                    return refuse("MALFORMED", "an added line contains a zero byte", edit.hunk);
        m_result.diff = normalisedDiff(edits);
        if (appliedStrictly(before, m_result.diff) != after)
            return refuse("MALFORMED", "applying the patch again gives a different text");
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

    std::string_view m_bytes;
    SourceText m_source;
    Matcher m_matcher;
    std::string_view m_name;
    const PatchOptions& m_options;
    std::vector<Hunk> m_hunks;
    std::vector<std::size_t> m_fine;
    std::vector<Refusal> m_failing; ///< hunks without a place
    std::set<std::size_t> m_hinted;
    PatchResult m_result;
    std::set<std::tuple<std::size_t, std::string, std::string>> m_told; ///< the repairs in m_result
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

Result<ReplyWords> parseReply(std::string_view reply)
{
    const auto found = patch::extractPayload(reply, {});
    if (!found)
        return std::unexpected(found.error().error());
    if (found->payloads.front().ending == patch::Ending::Unclosed)
        return fail("TRUNCATED", "the reply ends inside its patch");
    return ReplyWords{found->reasoning, found->payloads.front().text, found->claim};
}

ReplyWords wordsOf(std::string_view reply)
{
    patch::Words words = patch::wordsOfReply(reply);
    constexpr std::size_t longestTitle = 120;
    std::string title(trimmed(words.title));
    title.resize(std::min({title.size(), title.find('\n'), longestTitle}));
    return {std::move(words.reasoning), {}, std::move(words.claim), std::move(title)};
}

std::string replyText(const ReplyWords& reply)
{
    const std::string title = reply.title.empty() ? "" : "<title>" + reply.title + "</title>\n";
    return title + "<reasoning>\n" + reply.reasoning + "\n</reasoning>\n<diff>\n" + reply.diff
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
