// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/whole_program.h"

#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/elision.h"
#include "core/patch/folding.h"
#include "core/patch/guards.h"
#include "core/patch/plain_code.h"
#include "core/patch/unit.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace tilewright::patch {
namespace {

using ProgramLines = std::vector<std::string>;

ProgramLines linesOf(std::string_view text)
{
    ProgramLines lines;
    for (const std::string_view line : splitLines(text))
        lines.emplace_back(line);
    return lines;
}

void dropOuterBlanks(ProgramLines& lines)
{
    while (!lines.empty() && isBlank(lines.back()))
        lines.pop_back();
    lines.erase(lines.begin(), std::ranges::find_if(lines, [](const std::string& line) { return !isBlank(line); }));
}

template <typename Line> std::string trimmedText(const std::vector<Line>& lines)
{
    std::string text;
    for (const std::string_view line : lines)
        text.append(trimmedRight(line)) += '\n';
    return text;
}

/// Edits that turn the source's lines [from, to) into these.
std::vector<Edit> editsBetween(
    const std::vector<std::string_view>& source, std::size_t from, std::size_t to, const ProgramLines& fresh)
{
    const std::vector<std::string_view> old(
        source.begin() + static_cast<std::ptrdiff_t>(from), source.begin() + static_cast<std::ptrdiff_t>(to));
    const std::string before = trimmedText(old), after = trimmedText(fresh);
    std::vector<Edit> edits;
    bool open = false;
    for (const DiffLine& line : diffLines(before, after)) {
        if (line.change == LineChange::Same) {
            open = false;
            continue;
        }
        if (!open)
            edits.push_back({from + line.oldLine, from + line.oldLine, {}, 0, 0});
        open = true;
        if (line.change == LineChange::Removed)
            ++edits.back().end;
        else
            edits.back().added.push_back(fresh[line.newLine]);
    }
    return edits;
}

std::expected<void, Refusal> checkElision(const std::vector<Edit>& edits, const std::vector<std::string_view>& source)
{
    std::unordered_set<std::string_view> known;
    for (const std::string_view line : source)
        known.insert(trimmed(line));
    for (const Edit& edit : edits) {
        Beside beside;
        beside.previous = edit.begin > 0 ? source[edit.begin - 1] : std::string_view();
        beside.removesCode = std::any_of(source.begin() + static_cast<std::ptrdiff_t>(edit.begin),
            source.begin() + static_cast<std::ptrdiff_t>(edit.end), saysCode);
        for (std::size_t i = 0; i < edit.added.size(); ++i) {
            const std::string& line = edit.added[i];
            beside.next = i + 1 < edit.added.size() ? std::string_view(edit.added[i + 1]) : std::string_view();
            if (elidesCode(line, beside) && !known.contains(trimmed(line)))
                return refuse(
                    "ELIDED_CODE", "'" + printable(trimmed(line)) + "' stands where code must be written out");
            beside.previous = isBlank(line) ? beside.previous : std::string_view(line);
        }
    }
    return {};
}

/// Each line behind its own line number, counting up from 1.
std::optional<ProgramLines> withoutNumbers(const ProgramLines& lines)
{
    ProgramLines stripped;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view text = lines[i];
        const std::size_t digits = std::min(text.find_first_not_of(' '), text.size());
        const std::string number = std::to_string(i + 1);
        if (!text.substr(digits).starts_with(number))
            return std::nullopt;
        std::size_t at = digits + number.size();
        while (at < text.size() && text[at] == ' ')
            ++at;
        if (at >= text.size() || (text[at] != '|' && text[at] != ':' && text[at] != '\t'))
            return std::nullopt;
        at += at + 1 < text.size() && text[at + 1] == ' ' && text[at] != '\t' ? 2 : 1;
        stripped.emplace_back(text.substr(at));
    }
    return stripped;
}

ProgramLines unescapedLines(const ProgramLines& lines)
{
    ProgramLines plain;
    for (const std::string& line : lines)
        plain.push_back(unescaped(line));
    return plain;
}

/// Without an indentation that all lines share.
ProgramLines outdented(const ProgramLines& lines)
{
    std::optional<std::string_view> shared;
    for (const std::string& line : lines) {
        if (isBlank(line))
            continue;
        const std::string_view indent = indentOf(line);
        if (!shared)
            shared = indent;
        while (!indent.starts_with(*shared))
            shared->remove_suffix(1);
    }
    ProgramLines result;
    for (const std::string& line : lines)
        result.push_back(isBlank(line) || !shared ? line : line.substr(shared->size()));
    return result;
}

bool isStart(std::string_view line) { return line.find("EVOLVE-BLOCK-START") != std::string_view::npos; }
bool isEnd(std::string_view line) { return line.find("EVOLVE-BLOCK-END") != std::string_view::npos; }

std::expected<WholeEdits, Refusal> bodyEdits(const SourceText& source, ProgramLines body)
{
    const std::string text = source.text();
    const std::vector<EvolveBlock> blocks = blocksIn(text);
    if (blocks.size() != 1)
        return refuse("MALFORMED", "only a program with one EVOLVE-BLOCK can be given as its body");
    WholeEdits result;
    result.edits = editsBetween(source.lines(), blocks[0].firstLine, blocks[0].lastLine + 1, body);
    if (auto whole = checkElision(result.edits, source.lines()); !whole)
        return std::unexpected(whole.error());
    return result;
}

/// With look-alikes in its code as ASCII, unless the source has some there too.
ProgramLines inPlainCode(const ProgramLines& program, const std::vector<std::string_view>& source)
{
    const Comments comments = commentsOf(source);
    ProgramLines plain = withPlainCode({program.begin(), program.end()}, comments);
    return plain == program || hasLookAlikesInCode(source, comments) ? program : plain;
}

std::expected<WholeEdits, Refusal> editsOfLines(
    const SourceText& source, const Payload& payload, Prompt prompt, ProgramLines program)
{
    if (payload.form == Form::Body)
        return bodyEdits(source, std::move(program));
    if (prompt == Prompt::Rewrite && !program.empty() && isStart(program.front()) && isEnd(program.back())
        && !isStart(source.lines().empty() ? "" : source.lines().front()))
        return bodyEdits(source, ProgramLines(program.begin() + 1, program.end() - 1));

    // The source's own blank lines at both ends stay.
    const std::vector<std::string_view>& lines = source.lines();
    const auto begin = std::ranges::find_if(lines, [](std::string_view line) { return !isBlank(line); });
    std::size_t from = static_cast<std::size_t>(begin - lines.begin()), to = lines.size();
    while (to > from && isBlank(lines[to - 1]))
        --to;
    struct ProgramReading {
        const char *code, *text;
        std::optional<ProgramLines> program;
    };
    std::vector<ProgramReading> readings;
    readings.push_back({"", "", program});
    readings.push_back({"line-numbers", "line numbers were copied into the program", withoutNumbers(program)});
    readings.push_back({"escapes", "the program is HTML-escaped", unescapedLines(program)});
    readings.push_back({"indentation", "the whole program is indented", outdented(program)});
    std::optional<Refusal> first;
    const std::string before = source.text();
    for (const ProgramReading& reading : readings) {
        if (!reading.program || (first && *reading.program == program))
            continue;
        ProgramLines fresh = *reading.program;
        dropOuterBlanks(fresh);
        WholeEdits result{editsBetween(lines, from, to, fresh), {}};
        auto good = checkElision(result.edits, lines);
        if (good)
            good = checkGuards(before, source.textWith(result.edits), result.edits);
        if (good) {
            if (*reading.code != '\0')
                result.repairs.push_back({reading.code, 0, reading.text});
            return result;
        }
        if (!first)
            first = good.error();
    }
    return std::unexpected(*first);
}

} // namespace

std::expected<WholeEdits, Refusal> editsOfProgram(const SourceText& source, const Payload& payload, Prompt prompt)
{
    ProgramLines program = linesOf(payload.text);
    dropOuterBlanks(program);
    std::vector<Repair> repairs;
    if (ProgramLines plain = inPlainCode(program, source.lines()); plain != program) {
        program = std::move(plain);
        repairs.push_back({"typography", 0, "the program's code has typographic quotes, dashes or blanks"});
    }
    if (ProgramLines indented = programInUnit(program, source.lines()); indented != program) {
        program = std::move(indented);
        repairs.push_back({"indentation", 0, "the program has tabs for blanks, or blanks for tabs"});
    }
    auto found = editsOfLines(source, payload, prompt, std::move(program));
    if (found)
        found->repairs.insert(found->repairs.end(), repairs.begin(), repairs.end());
    return found;
}

} // namespace tilewright::patch
