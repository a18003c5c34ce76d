// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/locate.h"

#include "core/base/text.h"
#include "core/patch/edits.h"
#include "core/patch/folding.h"
#include "core/patch/indentation.h"
#include "core/patch/unit.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

/// How a line's first characters are read.
enum class Reading {
    Plain,
    LostSpace, ///< context lines have lost the blank that is their sign
    SignSpace, ///< removed and added lines have a blank behind their sign
};

struct Key {
    Level level;
    bool unescape;
};

constexpr Key keyOrder[] = {{Level::Exact, false}, {Level::Trimmed, false}, {Level::Indented, false},
    {Level::Folded, false}, {Level::Exact, true}, {Level::Trimmed, true}, {Level::Indented, true},
    {Level::Folded, true}, {Level::Blanks, false}, {Level::Blanks, true}, {Level::Code, false}};

bool hasSignSpace(const Hunk& hunk)
{
    bool removed = false;
    for (const HunkLine& line : hunk.lines) {
        if (line.sign == Sign::Context)
            continue;
        if (!isBlank(line.text) && !line.text.starts_with(' '))
            return false;
        removed |= line.sign == Sign::Removed && !isBlank(line.text);
    }
    return removed;
}

bool hasSignedContext(const Hunk& hunk)
{
    return std::ranges::any_of(
        hunk.lines, [](const HunkLine& line) { return line.sign == Sign::Context && line.signWritten; });
}

std::vector<Wanted> wantedOf(Matcher& matcher, const Hunk& hunk, Level level, Reading reading)
{
    std::vector<Wanted> wanted;
    for (const HunkLine& line : hunk.lines) {
        if (line.sign == Sign::Added)
            continue;
        std::string_view text = line.text;
        if (reading == Reading::SignSpace && line.sign == Sign::Removed && text.starts_with(' '))
            text.remove_prefix(1);
        Wanted one{matcher.key(text, level), {}};
        const bool other = reading == Reading::LostSpace && line.sign == Sign::Context && line.signWritten;
        one.other = other ? matcher.key(" " + line.text, level) : one.key;
        wanted.push_back(std::move(one));
    }
    return wanted;
}

/// One way to lay a hunk onto the program: which line each old line is, and how added lines are to be read.
struct Fit {
    std::vector<std::size_t> rows;
    Level level = Level::Exact;
    Reading reading = Reading::Plain;
    IndentMap indents;
    Foldings foldings;
    bool padded = false; ///< old lines of the hunk have blanks at their ends that the program's have not
    bool indentSeen = false;
};

/// The maps that a fit needs; nothing if the lines contradict each other.
std::optional<Fit> completed(Fit fit, const std::vector<std::string_view>& source, const Hunk& hunk)
{
    std::vector<std::string> indents;
    indents.reserve(hunk.lines.size());
    std::vector<IndentPair> pairs;
    std::size_t row = 0;
    for (const HunkLine& line : hunk.lines) {
        if (line.sign == Sign::Added)
            continue;
        const std::string_view real = source[fit.rows[row++]];
        fit.padded |= trimmedRight(line.text).size() < line.text.size() && trimmedRight(real).size() == real.size();
        if (isBlank(line.text) || isBlank(real))
            continue;
        fit.indentSeen |= !indentOf(real).empty();
        const bool fold = fit.level >= Level::Folded;
        indents.emplace_back(indentOf(fold ? folded(line.text) : line.text));
        std::string& indent = indents.back();
        if (fit.reading == Reading::LostSpace && line.sign == Sign::Context && line.signWritten)
            indent.insert(0, 1, ' ');
        if (fit.reading == Reading::SignSpace && line.sign == Sign::Removed && !indent.empty())
            indent.erase(0, 1);
        pairs.push_back({indent, indentOf(real)});
        if (fit.level == Level::Folded && !fit.foldings.learn(trimmed(bodyOf(line.text)), trimmed(bodyOf(real))))
            return std::nullopt;
        if (fit.level == Level::Blanks
            && !fit.foldings.learn(withoutBlanks(trimmed(bodyOf(line.text))), withoutBlanks(trimmed(bodyOf(real)))))
            return std::nullopt;
    }
    if (fit.level < Level::Indented)
        return fit;
    const auto map = IndentMap::from(pairs);
    if (!map)
        return std::nullopt;
    fit.indents = *map;
    return fit;
}

/// An added line as it becomes program text; nothing if its indentation has no counterpart.
std::optional<std::string> addedText(const Fit& fit, std::string_view text)
{
    if (fit.reading == Reading::SignSpace && text.starts_with(' '))
        text.remove_prefix(1);
    if (fit.padded)
        text = trimmedRight(text);
    if (fit.level < Level::Indented || isBlank(text))
        return std::string(text);
    const bool fold = fit.level >= Level::Folded;
    const auto indent = fit.indents.applied(indentOf(fold ? folded(text) : std::string(text)));
    if (!indent)
        return std::nullopt;
    const std::string_view body = fold ? bodyOf(text) : text.substr(indentOf(text).size());
    return *indent + (fold ? fit.foldings.applied(body) : std::string(body));
}

std::vector<Repair> repairsOf(const Fit& fit, std::size_t number, const Key& key)
{
    std::vector<Repair> repairs;
    const auto note = [&](const char* code, const char* text) { repairs.push_back({code, number, text}); };
    if (fit.reading == Reading::LostSpace)
        note("context-space", "context lines have lost their leading blank");
    if (fit.reading == Reading::SignSpace)
        note("sign-space", "a blank after the signs");
    if (fit.level == Level::Trimmed)
        note("trailing-blanks", "blanks at line ends differ");
    if (fit.level >= Level::Indented && fit.indents.changes())
        note("indentation", "its indentation differs from the program's");
    if (!fit.foldings.empty() || (fit.level == Level::Folded && repairs.empty()))
        note("typography", "typographic characters in place of plain ones");
    if (fit.level == Level::Blanks)
        note("inner-blanks", "blanks inside lines differ");
    if (fit.level == Level::Code)
        note("comments", "comments of its context or removed lines differ");
    if (fit.level >= Level::Indented && repairs.empty())
        note("trailing-blanks", "blanks around lines differ");
    if (key.unescape)
        note("escapes", "it is HTML-escaped");
    return repairs;
}

/// Makes the placement of a complete fit; nothing if added lines cannot be placed or read.
std::optional<Placement> placementOf(
    const Fit& fit, Matcher& matcher, const Hunk& hunk, std::size_t number, const Key& key)
{
    std::vector<std::string> added;
    for (const HunkLine& line : hunk.lines) {
        if (line.sign != Sign::Added)
            continue;
        auto text = addedText(fit, line.text);
        if (!text)
            return std::nullopt;
        added.push_back(std::move(*text));
    }
    const IndentUnit& unit = matcher.unit();
    auto fresh = inUnit(added, unit);
    if (!fresh || (fit.indents.changes() && !fit.indents.movesByLevels(unit.blanks) && leavesUnit(*fresh, unit)))
        return std::nullopt;
    std::vector<PlacedLine> lines;
    std::size_t next = 0;
    std::size_t row = 0;
    for (const HunkLine& line : hunk.lines) {
        if (line.sign != Sign::Added) {
            lines.push_back({line.sign, fit.rows[row++], {}});
            continue;
        }
        lines.push_back({line.sign, 0, (*fresh)[next++]});
    }
    auto edits = editsOf(lines, matcher.source());
    if (!edits)
        return std::nullopt;
    Placement placement;
    for (Edit& edit : *edits) {
        edit.hunk = number;
        edit.group = hunk.group;
    }
    placement.edits = std::move(*edits);
    placement.repairs = repairsOf(fit, number, key);
    if (*fresh != added)
        placement.repairs.push_back({"indentation", number, "its new lines are indented with other characters"});
    placement.line = fit.rows.front();
    placement.unescaped = key.unescape;
    placement.signSpace = fit.reading == Reading::SignSpace;
    placement.indentSeen = fit.indentSeen;
    if (fit.indents.convertsTabs())
        placement.tabs = fit.indents;
    return placement;
}

Hunk unescapedHunk(Hunk hunk)
{
    for (HunkLine& line : hunk.lines)
        line.text = unescaped(line.text);
    return hunk;
}

bool headingFits(std::string_view line, std::string_view heading)
{
    const std::string have = withoutBlanks(folded(trimmed(line))), want = withoutBlanks(folded(trimmed(heading)));
    if (want.empty() || have.find(want) == std::string::npos)
        return false;
    return have.starts_with(want) || want.find('(') != std::string::npos || want.size() >= 4;
}

/// The one hit that hints choose; nothing if none or several are left.
std::optional<std::size_t> chosen(const std::vector<std::vector<std::size_t>>& rows, const Hunk& hunk,
    const std::vector<std::string_view>& source, const Search& search)
{
    if (search.hints == Hints::Ignore)
        return std::nullopt;
    std::optional<std::size_t> byNumber;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (hunk.oldStart && rows[i].front() == *hunk.oldStart + search.dropped)
            byNumber = i;
    std::vector<std::size_t> under;
    for (std::size_t i = 0; i < rows.size() && !hunk.headings.empty(); ++i) {
        const std::vector<std::size_t> enclosing = enclosingLines(source, rows[i].front());
        const bool fits = std::ranges::all_of(hunk.headings, [&](const std::string& heading) {
            return std::ranges::any_of(enclosing, [&](std::size_t line) { return headingFits(source[line], heading); });
        });
        if (fits)
            under.push_back(i);
    }
    const std::optional<std::size_t> byHeading = under.size() == 1 ? std::optional(under[0]) : std::nullopt;
    if (byNumber && byHeading && byNumber != byHeading)
        return std::nullopt;
    return byNumber ? byNumber : byHeading;
}

std::unexpected<Refusal> ambiguous(const std::vector<std::vector<std::size_t>>& rows, std::size_t number)
{
    auto refusal = refuse("AMBIGUOUS",
        "its lines occur in " + std::to_string(rows.size())
            + " places, and neither line number nor heading selects one",
        number);
    nlohmann::json lines = nlohmann::json::array();
    for (const auto& place : rows)
        lines.push_back(place.front() + 1);
    refusal.error().evidence = {{"lines", lines}};
    return refusal;
}

/// Comments alone say nowhere that a change belongs.
bool hasCode(Matcher& matcher, const Hunk& hunk)
{
    return std::ranges::any_of(hunk.lines, [&](const HunkLine& line) {
        const std::string key = line.sign == Sign::Added ? "" : matcher.key(line.text, Level::Code);
        return std::ranges::any_of(key, isWordCharacter);
    });
}

/// All complete fits of one key and reading.
std::vector<Fit> fitsOf(Matcher& matcher, const Hunk& hunk, Level level, Reading reading)
{
    std::vector<Fit> fits;
    const std::vector<Wanted> wanted = wantedOf(matcher, hunk, level, reading);
    for (const std::size_t at : matcher.places(wanted, level)) {
        Fit fit;
        fit.level = level;
        fit.reading = reading;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            fit.rows.push_back(at + i);
        if (auto whole = completed(std::move(fit), matcher.source(), hunk))
            fits.push_back(std::move(*whole));
    }
    return fits;
}

Located decide(const std::vector<Fit>& fits, Matcher& matcher, const Hunk& hunk, std::size_t number, const Key& key,
    const Search& search)
{
    if (fits.empty())
        return std::nullopt;
    std::vector<std::vector<std::size_t>> rows;
    for (const Fit& fit : fits)
        rows.push_back(fit.rows);
    const auto which = fits.size() == 1 ? std::optional<std::size_t>(0) : chosen(rows, hunk, matcher.source(), search);
    if (!which)
        return ambiguous(rows, number);
    auto placement = placementOf(fits[*which], matcher, hunk, number, key);
    if (!placement)
        return std::nullopt;
    placement->hinted = fits.size() > 1;
    return std::move(*placement);
}

/// Of the readings under one key the one whose added lines stand on the program's own columns, then the one that moves
/// nothing, then the plain one.
template <typename FitsUnder>
Located bestReading(Matcher& matcher, const Hunk& hunk, std::size_t number, const Key& key, const Search& search,
    const FitsUnder& fitsUnder)
{
    Located best;
    int worst = 4;
    for (const Reading reading : {Reading::Plain, Reading::LostSpace, Reading::SignSpace}) {
        if ((reading == Reading::LostSpace && !hasSignedContext(hunk))
            || (reading == Reading::SignSpace && !hasSignSpace(hunk)))
            continue;
        const std::vector<Fit> fits = fitsUnder(reading);
        auto found = decide(fits, matcher, hunk, number, key, search);
        if (!found)
            continue;
        if (key.level < Level::Indented)
            return found;
        const bool moves = std::ranges::any_of(fits, [](const Fit& fit) { return fit.indents.changes(); });
        const bool offColumn = *found && isOffColumn((*found)->edits, matcher.unit());
        const int trouble = (offColumn ? 2 : 0) + (moves ? 1 : 0);
        if (trouble < worst) {
            worst = trouble;
            best = std::move(found);
        }
    }
    return best;
}

} // namespace

std::vector<std::size_t> enclosingLines(const std::vector<std::string_view>& source, std::size_t line)
{
    const auto isHead = [](std::string_view text) {
        const char c = text.empty() ? ' ' : text[0];
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@';
    };
    while (isBlank(source[line]) && line + 1 < source.size())
        ++line;
    std::vector<std::size_t> lines;
    std::size_t level = indentOf(source[line]).size();
    if (isHead(source[line].substr(level)))
        lines.push_back(line);
    // Behind a line that only opens a block ("{"), its head is the next line above on the same level.
    bool headMissing = level == 0;
    for (std::size_t i = line; i-- > 0 && lines.size() < 64;) {
        const std::size_t indent = indentOf(source[i]).size();
        const std::string_view text = source[i].substr(indent);
        if (text.empty() || indent > level || (indent == level && !headMissing))
            continue;
        headMissing = !isHead(text);
        level = indent;
        if (headMissing)
            continue;
        lines.push_back(i);
        if (level == 0)
            break;
    }
    return lines;
}

Located locateByKeys(Matcher& matcher, const Hunk& hunk, std::size_t number, const Search& search)
{
    if (hunk.oldLines() == 0 || hunk.oldLines() > matcher.source().size())
        return std::nullopt;
    const Hunk plain = unescapedHunk(hunk);
    const bool escapes = plain.lines != hunk.lines;
    for (const Key& key : keyOrder) {
        if ((key.unescape && !escapes) || (search.keys == Keys::Trimmed && key.level > Level::Trimmed))
            continue;
        const Hunk& wanted = key.unescape ? plain : hunk;
        const auto fits = [&](Reading reading) {
            std::vector<Fit> all = fitsOf(matcher, wanted, key.level, reading);
            if (key.level == Level::Code && (all.size() != 1 || !hasCode(matcher, wanted)))
                all.clear(); // it takes one place, and no hint chooses
            return all;
        };
        if (auto found = bestReading(matcher, wanted, number, key, search, fits))
            return found;
    }
    return std::nullopt;
}

Located locateOverBlanks(Matcher& matcher, const Hunk& hunk, std::size_t number)
{
    // An insertion beside a blank line has its place on one side of it: which, is then unknown.
    for (std::size_t i = 0; i + 1 < hunk.lines.size(); ++i) {
        const HunkLine &one = hunk.lines[i], &next = hunk.lines[i + 1];
        const bool beside = (one.sign == Sign::Added && next.sign == Sign::Context && isBlank(next.text))
            || (next.sign == Sign::Added && one.sign == Sign::Context && isBlank(one.text));
        if ((one.sign != Sign::Context && isBlank(one.text)) || (next.sign != Sign::Context && isBlank(next.text)))
            return std::nullopt;
        if (beside && insertsAt(hunk, one.sign == Sign::Added ? i : i + 1))
            return std::nullopt;
    }
    Hunk dense = hunk;
    std::erase_if(dense.lines, [](const HunkLine& line) { return line.sign == Sign::Context && isBlank(line.text); });
    if (dense.oldLines() == 0)
        return std::nullopt;
    for (const Level level : {Level::Trimmed, Level::Indented, Level::Folded}) {
        const auto fitsUnder = [&](Reading reading) {
            std::vector<Fit> fits;
            for (auto& rows : matcher.placesOverBlanks(wantedOf(matcher, dense, level, reading), level)) {
                Fit fit;
                fit.rows = std::move(rows);
                fit.level = level;
                fit.reading = reading;
                if (auto whole = completed(std::move(fit), matcher.source(), dense))
                    fits.push_back(std::move(*whole));
            }
            return fits;
        };
        if (auto found = bestReading(matcher, dense, number, {level, false}, {}, fitsUnder)) {
            if (*found)
                (*found)->repairs.push_back({"skipped-blanks", number, "blank lines of its context differ"});
            return found;
        }
    }
    return std::nullopt;
}

bool standsToTheLetter(Matcher& matcher, const Hunk& hunk)
{
    return hunk.oldLines() > 0
        && matcher.places(wantedOf(matcher, hunk, Level::Exact, Reading::Plain), Level::Exact).size() == 1;
}

std::size_t longestRun(Matcher& matcher, const Hunk& hunk)
{
    const Hunk plain = unescapedHunk(hunk);
    std::size_t most = 0;
    for (const Hunk* one : {&hunk, &plain})
        for (const Reading reading : {Reading::Plain, Reading::LostSpace, Reading::SignSpace})
            most = std::max(most, matcher.longestRun(wantedOf(matcher, *one, Level::Trimmed, reading), Level::Trimmed));
    return most;
}

std::vector<std::size_t> placesOfNewSide(Matcher& matcher, const Hunk& hunk)
{
    Hunk after;
    for (const HunkLine& line : hunk.lines)
        if (line.sign != Sign::Removed)
            after.lines.push_back({Sign::Context, line.text, false});
    // One line of another depth may be any line that reads so.
    const auto says = std::ranges::count_if(after.lines, [](const HunkLine& line) { return !isBlank(line.text); });
    for (const Level level : {Level::Exact, Level::Trimmed, Level::Indented, Level::Folded}) {
        if (level > Level::Trimmed && says < 2)
            break;
        const auto places = matcher.places(wantedOf(matcher, after, level, Reading::Plain), level);
        if (!places.empty())
            return places;
    }
    return {};
}

} // namespace tilewright::patch
