// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/placing.h"

#include "core/base/text.h"
#include "core/patch/edits.h"
#include "core/patch/elision.h"
#include "core/patch/folding.h"
#include "core/patch/locate.h"
#include "core/patch/plain_code.h"
#include "core/patch/variants.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

class HunkPlacer
{
public:
    HunkPlacer(const SourceText& source, Matcher& matcher, const std::vector<Hunk>& hunks)
        : m_source(source)
        , m_matcher(matcher)
        , m_hunks(hunks)
    {
        writePlainly();
    }

    HunksPlaced place()
    {
        auto edits = editsOfHunks();
        return {std::move(edits), std::move(m_failing), std::move(m_repairs), std::move(m_fine), std::move(m_hinted)};
    }

private:
    using Edits = std::expected<std::vector<Edit>, Refusal>;

    Edits editsOfHunks()
    {
        std::vector<std::expected<Placement, Refusal>> placements;
        for (std::size_t i = 0; i < m_hunks.size(); ++i)
            placements.push_back(isIdle(m_hunks[i]) ? idle(m_hunks[i], i + 1) : placed(m_hunks[i], i + 1));
        const bool showEscapes = std::ranges::any_of(placements, [](const auto& one) { return one && one->unescaped; });
        if (!showEscapes && escapesInCode() == Escapes::Mixed)
            return refuse("MALFORMED", "its added code has HTML escapes, while other lines of it have none");
        shareHabits(placements);
        std::vector<Edit> edits;
        for (std::size_t i = 0; i < placements.size(); ++i) {
            if (!placements[i]) {
                m_failing.push_back(placements[i].error());
                continue;
            }
            m_fine.push_back(i + 1);
            if (isIdle(m_hunks[i]))
                m_repairs.push_back({"no-change", i + 1, "it changes nothing"});
            for (Repair& repair : placements[i]->repairs)
                m_repairs.push_back(std::move(repair));
            noteNumber(*placements[i], i);
            if (placements[i]->hinted)
                m_hinted.insert(i + 1);
            edits.insert(edits.end(), placements[i]->edits.begin(), placements[i]->edits.end());
        }
        if (!m_failing.empty())
            return std::unexpected(m_failing.front());
        auto all = merged(std::move(edits));
        if (!all)
            return std::unexpected(all.error());
        if (all->reordered)
            m_repairs.push_back({"reordered", 0, "the hunks are not in the program's order"});
        if (all->repeated)
            m_repairs.push_back({"repeated", 0, "a hunk occurs twice"});
        return std::move(all->edits);
    }

    /// Typographic quotes and dashes in added code, where the program has none in its code.
    void writePlainly()
    {
        const std::vector<std::string_view>& source = m_source.lines();
        const Comments comments = commentsOf(source);
        std::optional<bool> isPlain;
        const auto mayLookAlike = [](const HunkLine& line) {
            return line.sign == Sign::Added
                && std::ranges::any_of(line.text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
        };
        for (std::size_t i = 0; i < m_hunks.size(); ++i) {
            if (std::ranges::none_of(m_hunks[i].lines, mayLookAlike))
                continue;
            std::vector<HunkLine*> lines;
            std::vector<std::string_view> after;
            for (HunkLine& line : m_hunks[i].lines)
                if (line.sign != Sign::Removed) {
                    lines.push_back(&line);
                    after.emplace_back(line.text);
                }
            std::vector<std::string> plain = withPlainCode(after, comments, stateBefore(m_hunks[i]));
            bool changed = false;
            for (std::size_t k = 0; k < lines.size(); ++k) {
                if (lines[k]->sign != Sign::Added || lines[k]->text == plain[k])
                    continue;
                if (!isPlain)
                    isPlain = !hasLookAlikesInCode(source, comments);
                if (!*isPlain)
                    return;
                lines[k]->text = std::move(plain[k]);
                changed = true;
            }
            if (changed)
                m_repairs.push_back({"typography", i + 1, "its code has typographic quotes, dashes or blanks"});
        }
    }

    /// What is open in the program where a hunk begins, as far as its first lines tell.
    const LexicalState& stateBefore(const Hunk& hunk)
    {
        static const LexicalState nothing;
        const std::vector<std::string_view>& source = m_source.lines();
        if (m_states.empty())
            m_states = statesOf(source, commentsOf(source));
        for (const HunkLine& line : hunk.lines) {
            if (line.sign == Sign::Added || isBlank(line.text))
                continue;
            const LexicalState* found = nullptr;
            for (std::size_t i = 0; i < source.size(); ++i) {
                if (source[i] != line.text)
                    continue;
                if (found && *found != m_states[i])
                    return nothing;
                found = &m_states[i];
            }
            return found ? *found : nothing;
        }
        return nothing;
    }

    void noteNumber(const Placement& placement, std::size_t index)
    {
        const Hunk& hunk = m_hunks[index];
        if (hunk.oldStart && !placement.edits.empty() && *hunk.oldStart != placement.line)
            m_repairs.push_back({"hunk-header", index + 1,
                "it names line " + std::to_string(*hunk.oldStart + 1) + " but matches line "
                    + std::to_string(placement.line + 1),
                true});
    }

    /// Context alone changes nothing, unless a line of it is new: then its + was forgotten.
    std::expected<Placement, Refusal> idle(const Hunk& hunk, std::size_t number)
    {
        const auto isNew = [&](const HunkLine& line) {
            return !isBlank(line.text) && !isPlaceholder(line.text)
                && (line.signWritten || !looksLikeSentence(line.text)) && !m_matcher.has(line.text, Level::Blanks)
                && !m_matcher.has(unescaped(line.text), Level::Blanks);
        };
        if (hunk.isBlock || hunk.changes())
            return Placement();
        if (std::ranges::any_of(hunk.lines, isNew))
            return refuse("NO_MATCH", "it has no changed line, and a line of it is not in the program", number);
        if (!standTogether(m_matcher, hunk, number))
            return refuse("NO_MATCH", "it has no changed line, and its lines are not contiguous", number);
        return Placement();
    }

    std::expected<Placement, Refusal> placed(const Hunk& hunk, std::size_t number)
    {
        auto placement = locateHunk(m_matcher, hunk, number);
        if (placement && standsThere(hunk, *placement))
            return refuse("ALREADY_APPLIED", "the lines that it adds exist already", number);
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
        bool escapes = escapesInCode() == Escapes::Whole, signSpace = false;
        std::optional<IndentMap> tabs;
        for (const auto& one : placements) {
            escapes |= one && one->unescaped;
            signSpace |= one && one->signSpace;
            if (one && one->tabs && !tabs)
                tabs = one->tabs;
        }
        bool signsAlone = false; // a removed line shows that no blank stands behind the signs
        for (std::size_t i = 0; i < placements.size(); ++i)
            signsAlone |= placements[i] && !placements[i]->signSpace
                && std::ranges::any_of(m_hunks[i].lines,
                    [](const HunkLine& line) { return line.sign == Sign::Removed && !isBlank(line.text); });
        const auto isOneOff = [&](std::size_t i) {
            return !signsAlone && !m_hunks[i].isBlock && isOffColumn(placements[i]->edits, m_matcher.unit());
        };
        for (std::size_t i = 0; i < placements.size(); ++i) {
            if (!placements[i] || isIdle(m_hunks[i]))
                continue;
            const Placement& placement = *placements[i];
            Hunk read = m_hunks[i];
            const bool spaced = (signSpace || isOneOff(i)) && !placement.signSpace && isSpacedInsertion(read);
            for (HunkLine& line : read.lines) {
                if (line.sign != Sign::Added)
                    continue;
                if (escapes && !placement.unescaped)
                    line.text = unescaped(line.text);
                if (spaced && line.text.starts_with(' '))
                    line.text.erase(0, 1);
                const std::size_t sign = placement.signSpace && line.text.starts_with(' ') ? 1 : 0;
                const std::string_view written = indentOf(std::string_view(line.text).substr(sign));
                if (const auto indent
                    = tabs && !placement.indentSeen && !isBlank(line.text) ? tabs->applied(written) : std::nullopt)
                    line.text.replace(sign, written.size(), *indent);
            }
            if (read.lines == m_hunks[i].lines)
                continue;
            const bool plain = escapes && !placement.unescaped;
            placements[i] = placed(read, i + 1);
            if (!placements[i])
                continue;
            placements[i]->repairs.push_back(plain ? Repair{"escapes", i + 1, "it is HTML-escaped"}
                    : spaced                       ? Repair{"sign-space", i + 1, "a blank after the signs"}
                             : Repair{"indentation", i + 1, "its whitespace was taken from the other hunks"});
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

    enum class Escapes { None, Whole, Mixed };

    /// Escapes in added code, not in its strings and comments, where neither the program nor an old line has any. Mixed
    /// where a sign that is escaped there stands plainly elsewhere: then nothing says which of both is meant.
    Escapes escapesInCode()
    {
        const auto escaped = [](std::string_view line) { return unescaped(line) != line; };
        const Comments comments = commentsOf(m_source.lines());
        std::string signs; // that are escaped in added code
        for (const Hunk& hunk : m_hunks) {
            std::vector<std::string_view> after;
            bool suspected = false;
            for (const HunkLine& line : hunk.lines) {
                if (line.sign != Sign::Added && escaped(line.text) && m_matcher.has(line.text, Level::Blanks))
                    return Escapes::None;
                // What is not new counts for what it opens alone.
                after.emplace_back(line.sign == Sign::Removed ? std::string_view() : std::string_view(line.text));
                suspected |= line.sign == Sign::Added && escaped(line.text);
            }
            if (!suspected)
                continue;
            const std::vector<std::string> code = codeIn(after, comments, stateBefore(hunk));
            for (std::size_t i = 0; i < code.size(); ++i)
                if (hunk.lines[i].sign == Sign::Added)
                    signs += escapedSigns(code[i]);
        }
        if (signs.empty() || std::ranges::any_of(m_source.lines(), escaped))
            return Escapes::None;
        signs += '&'; // whoever escapes anything escapes it
        const auto hasPlain
            = [&](const HunkLine& line) { return withoutEscapes(line.text).find_first_of(signs) != std::string::npos; };
        const auto isMixed = [&](const Hunk& hunk) { return std::ranges::any_of(hunk.lines, hasPlain); };
        return std::ranges::any_of(m_hunks, isMixed) ? Escapes::Mixed : Escapes::Whole;
    }

    const SourceText& m_source;
    Matcher& m_matcher;
    std::vector<Hunk> m_hunks;
    std::vector<Refusal> m_failing;
    std::vector<Repair> m_repairs;
    std::vector<std::size_t> m_fine;
    std::set<std::size_t> m_hinted;
    std::vector<LexicalState> m_states; ///< of the program's lines, once they were asked for
};

} // namespace

HunksPlaced placeHunks(const SourceText& source, Matcher& matcher, const std::vector<Hunk>& hunks)
{
    return HunkPlacer(source, matcher, hunks).place();
}

} // namespace tilewright::patch
