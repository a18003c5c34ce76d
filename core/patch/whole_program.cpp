// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/whole_program.h"

#include "core/base/block_markers.h"
#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/elision.h"
#include "core/patch/folding.h"
#include "core/patch/guards.h"
#include "core/patch/plain_code.h"
#include "core/patch/successor.h"
#include "core/patch/unit.h"

#include <algorithm>
#include <array>
#include <charconv>
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
                return refuse("ELIDED_CODE", "'" + printable(trimmed(line)) + "' is used in place of code");
            beside.previous = isBlank(line) ? beside.previous : std::string_view(line);
        }
    }
    return {};
}

/// Each line behind its own line number, counting up.
std::optional<ProgramLines> withoutNumbers(const ProgramLines& lines)
{
    ProgramLines stripped;
    std::size_t first = 0;
    bool blankBehind = true; // the separator's
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view text = lines[i];
        const std::size_t digits = std::min(text.find_first_not_of(' '), text.size());
        if (i == 0 && std::from_chars(text.data() + digits, text.data() + text.size(), first).ec != std::errc())
            return std::nullopt;
        const std::string number = std::to_string(first + i);
        if (!text.substr(digits).starts_with(number))
            return std::nullopt;
        std::size_t at = digits + number.size();
        while (at < text.size() && text[at] == ' ')
            ++at;
        if (at >= text.size() || (text[at] != '|' && text[at] != ':' && text[at] != '\t'))
            return std::nullopt;
        ++at;
        blankBehind &= at >= text.size() || (text[at] == ' ' && text[at - 1] != '\t');
        stripped.emplace_back(text.substr(at));
    }
    if (blankBehind)
        for (std::string& line : stripped)
            line.erase(0, 1);
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

/// Escapes in its code, though the source has none anywhere.
bool isEscaped(const ProgramLines& program, const std::vector<std::string_view>& source)
{
    const auto escaped = [](std::string_view line) { return unescaped(line) != line; };
    return std::ranges::any_of(codeIn({program.begin(), program.end()}, commentsOf(source)), escaped)
        && std::ranges::none_of(source, escaped);
}

/// A body as deep as the source's block, where it is moved to the right as a whole, or where more of its lines are then
/// those of the block.
ProgramLines asDeepAs(const std::vector<std::string_view>& block, const ProgramLines& body)
{
    const auto shared = [](const auto& lines) {
        std::optional<std::string_view> least;
        for (const std::string_view line : lines)
            if (!isBlank(line) && (!least || indentOf(line).size() < least->size()))
                least = indentOf(line);
        return least.value_or(std::string_view());
    };
    const std::string_view own = shared(body), wanted = shared(block);
    if (own == wanted)
        return body;
    ProgramLines moved;
    for (const std::string& line : body) {
        if (!isBlank(line) && !line.starts_with(own))
            return body;
        moved.push_back(isBlank(line) ? line : std::string(wanted).append(line.substr(own.size())));
    }
    const std::unordered_multiset<std::string_view> known(block.begin(), block.end());
    const auto alike = [&](const ProgramLines& lines) {
        return std::ranges::count_if(
            lines, [&](const std::string& line) { return !isBlank(line) && known.contains(line); });
    };
    return wanted.empty() || alike(moved) > alike(body) ? moved : body;
}

bool isStart(std::string_view line)
{
    const auto marker = markerOfLine(line);
    return marker && marker->isStart;
}
bool isEnd(std::string_view line)
{
    const auto marker = markerOfLine(line);
    return marker && !marker->isStart;
}

std::expected<WholeEdits, Refusal> bodyEdits(const SourceText& source, ProgramLines body)
{
    const std::string text = source.text();
    const std::vector<EvolveBlock> blocks = blocksIn(text);
    if (blocks.size() != 1)
        return refuse("MALFORMED", "only a program with one EVOLVE-BLOCK can be given by its block alone");
    WholeEdits result;
    const std::vector<std::string_view> block(source.lines().begin() + static_cast<std::ptrdiff_t>(blocks[0].firstLine),
        source.lines().begin() + static_cast<std::ptrdiff_t>(blocks[0].lastLine + 1));
    if (ProgramLines moved = asDeepAs(block, body); moved != body) {
        body = std::move(moved);
        result.repairs.push_back({"indentation", 0, "the whole block is indented"});
    }
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
    if (const auto plain = withoutNumbers(program); plain && program.size() > 1) {
        program = *plain;
        dropOuterBlanks(program);
        repairs.push_back({"line-numbers", 0, "line numbers were copied into the program"});
    }
    if (isEscaped(program, source.lines())) {
        program = unescapedLines(program);
        repairs.push_back({"escapes", 0, "the program is HTML-escaped"});
    }
    if (ProgramLines plain = inPlainCode(program, source.lines()); plain != program) {
        program = std::move(plain);
        repairs.push_back({"typography", 0, "the program's code has typographic quotes, dashes or blanks"});
    }
    if (ProgramLines indented = programInUnit(program, source.lines()); indented != program) {
        program = std::move(indented);
        repairs.push_back({"indentation", 0, "the program has tabs instead of blanks, or blanks instead of tabs"});
    }
    auto found = editsOfLines(source, payload, prompt, std::move(program));
    if (found)
        found->repairs.insert(found->repairs.end(), repairs.begin(), repairs.end());
    return found;
}

namespace {

/// Does a fence of this language hold a program with such comments?
bool isOurs(std::string_view language, Comments comments)
{
    constexpr std::array<std::string_view, 15> slashes{"cpp", "c++", "cxx", "cc", "c", "h", "hpp", "hxx", "cuda", "cu",
        "cuh", "cuda-cpp", "cuda-c++", "cudacpp", "hip"};
    constexpr std::array<std::string_view, 5> hash{"python", "py", "python3", "triton", "py3"};
    const std::string name = lowered(language);
    return comments == Comments::Slashes ? std::ranges::find(slashes, name) != slashes.end()
                                         : std::ranges::find(hash, name) != hash.end();
}

/// May it hold anything?
bool namesNone(std::string_view language)
{
    const std::string name = lowered(language);
    return name.empty() || name == "text" || name == "txt" || name == "plaintext" || name == "code";
}

bool beginsAsCpp(std::string_view line)
{
    constexpr std::array<std::string_view, 6> starts{"#", "//", "/*", "*", "}", "template"};
    return std::ranges::any_of(starts, [&](std::string_view start) { return line.starts_with(start); });
}

bool beginsAsPython(std::string_view line)
{
    constexpr std::array<std::string_view, 15> words{"def", "class", "import", "from", "return", "if", "elif", "for",
        "while", "with", "assert", "raise", "pass", "global", "else"};
    const std::string_view word = line.substr(0, std::min(line.find_first_of(" :("), line.size()));
    return line.starts_with('#') || line.starts_with('@') || std::ranges::find(words, word) != words.end();
}

/// "name = …", "name[…] += …".
bool assigns(std::string_view line)
{
    const std::size_t sign = line.find(" = ");
    const std::size_t at = sign == std::string_view::npos ? line.find("= ") : sign;
    return at != std::string_view::npos && at > 0 && line.substr(0, at).find_first_of("\"'?!") == std::string_view::npos
        && line.find(": ") == std::string_view::npos;
}

bool readsAsCode(std::string_view line, Comments comments)
{
    constexpr std::string_view cppEnds = ";{},(\\)>&|+?:", pythonEnds = ",([{\\)]}";
    if (comments == Comments::Slashes) {
        const std::size_t comment = line.find("//");
        const std::string_view code = trimmed(line.substr(0, comment));
        return beginsAsCpp(line) || (!code.empty() && cppEnds.find(code.back()) != std::string_view::npos);
    }
    return beginsAsPython(line) || assigns(line) || pythonEnds.find(line.back()) != std::string_view::npos;
}

} // namespace

bool readsAsProgram(std::string_view text, const ProgramKind& kind)
{
    const Comments comments = kind.comments;
    std::size_t lines = 0, code = 0;
    bool docstring = false;
    int open = 0;
    for (const std::string_view whole : splitLines(text)) {
        const std::string_view line = trimmed(whole);
        if (line.empty())
            continue;
        ++lines;
        const std::size_t quotes = line.find("\"\"\"");
        const bool opens
            = quotes != std::string_view::npos && line.find("\"\"\"", quotes + 3) == std::string_view::npos;
        const bool isDocumented = comments == Comments::Hash && (docstring || quotes != std::string_view::npos);
        docstring = docstring != opens;
        code += isDocumented || readsAsCode(line, comments);
        open += isDocumented ? 0 : openBrackets(line, comments);
    }
    const bool isEnough = !kind.hasBodies || hasBodies(splitLines(text), comments);
    return isEnough && open == 0 && code * 10 >= lines * 9;
}

BodyFence bodyFenceOf(const std::vector<Fence>& fences, const ProgramKind& kind)
{
    std::vector<const Fence*> named, unnamed;
    BodyFence found;
    for (const Fence& fence : fences) {
        if (trimmed(fence.text).empty())
            found.trouble = "the fence is empty: it must hold every line of the block";
        else if (isOurs(fence.language, kind.comments))
            named.push_back(&fence);
        else if (!namesNone(fence.language))
            found.trouble = "the fence contains '" + printable(fence.language) + "', not the program's language";
        else if (!readsAsProgram(fence.text, kind))
            found.trouble = "the fence has no language and is not recognised as a program";
        else
            unnamed.push_back(&fence);
    }
    const std::vector<const Fence*>& bodies = named.empty() ? unnamed : named;
    if (bodies.empty())
        return found;
    if (std::ranges::all_of(bodies, [&](const Fence* one) { return one->text == bodies[0]->text; }))
        return {bodies.back(), ""};
    return {nullptr, "several fences could be the block: use only one"};
}

} // namespace tilewright::patch
