// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/code_loops.h"

#include "core/base/text.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilewright {

bool isNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

namespace {

/// The lines' code in one text, so that brackets can be followed over lines.
struct JoinedCode {
    explicit JoinedCode(const CodeLines& lines)
    {
        for (const std::string& line : lines.code) {
            starts.push_back(text.size());
            text += line + '\n';
        }
    }
    std::size_t lineOf(std::size_t at) const
    {
        return static_cast<std::size_t>(std::ranges::upper_bound(starts, at) - starts.begin()) - 1;
    }
    /// Position of the bracket that closes the one at `open`; npos if none does.
    std::size_t closing(std::size_t open) const
    {
        const char opens = text[open], closes = opens == '(' ? ')' : opens == '{' ? '}' : ']';
        int depth = 0;
        for (std::size_t i = open; i < text.size(); ++i) {
            depth += text[i] == opens ? 1 : text[i] == closes ? -1 : 0;
            if (depth == 0)
                return i;
        }
        return std::string::npos;
    }
    std::size_t skipBlanks(std::size_t at) const
    {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
            ++at;
        return at;
    }
    bool hasWord(std::size_t at, std::string_view word) const
    {
        return text.compare(at, word.size(), word) == 0 && (at == 0 || !isNameChar(text[at - 1]))
            && (at + word.size() >= text.size() || !isNameChar(text[at + word.size()]));
    }
    bool hasWordIn(std::size_t from, std::size_t to, std::string_view word) const
    {
        for (std::size_t at = from; (at = text.find(word, at)) < to; ++at)
            if (hasWord(at, word))
                return true;
        return false;
    }

    std::string text;
    std::vector<std::size_t> starts;
};

/// First position behind the statement that begins at `at`; npos if it is not closed.
std::size_t endOfStatement(const JoinedCode& code, std::size_t at)
{
    at = code.skipBlanks(at);
    if (at >= code.text.size())
        return std::string::npos;
    if (code.text[at] == '{') {
        const std::size_t close = code.closing(at);
        return close == std::string::npos ? close : close + 1;
    }
    for (const std::string_view word : {"for", "while", "if"})
        if (code.hasWord(at, word)) {
            const std::size_t open = code.text.find('(', at);
            const std::size_t close = open == std::string::npos ? open : code.closing(open);
            if (close == std::string::npos)
                return close;
            std::size_t end = endOfStatement(code, close + 1);
            if (word == "if" && end != std::string::npos && code.hasWord(code.skipBlanks(end), "else"))
                end = endOfStatement(code, code.skipBlanks(end) + 4);
            return end;
        }
    for (std::size_t i = at; i < code.text.size(); ++i) {
        if (code.text[i] == ';')
            return i + 1;
        if (code.text[i] == '(' || code.text[i] == '{' || code.text[i] == '[') {
            i = code.closing(i);
            if (i == std::string::npos)
                return i;
        }
    }
    return std::string::npos;
}

std::string wordAt(std::string_view text)
{
    std::size_t end = 0;
    while (end < text.size() && isNameChar(text[end]))
        ++end;
    return std::string(text.substr(0, end));
}

bool mentions(std::string_view text, std::string_view word)
{
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at)
        if ((at == 0 || !isNameChar(text[at - 1]))
            && (at + word.size() >= text.size() || !isNameChar(text[at + word.size()])))
            return true;
    return false;
}

std::vector<std::string> splitBySemicolons(std::string_view header)
{
    std::vector<std::string> parts(1);
    for (const char c : header)
        if (c == ';')
            parts.emplace_back();
        else
            parts.back() += c;
    for (std::string& part : parts)
        part = std::string(trimmed(part));
    return parts;
}

/// The parts of `int k = 0; k < n; ++k`, and of `sum += term` below it.
std::optional<SumLoop> sumOf(const std::string& header, std::string_view statement)
{
    const std::vector<std::string> parts = splitBySemicolons(header);
    if (parts.size() != 3)
        return std::nullopt;
    SumLoop sum;
    static constexpr std::array types{"int", "long", "unsigned", "size_t", "std::size_t", "int64_t", "std::int64_t"};
    for (const std::string_view type : types)
        if (parts[0].starts_with(std::string(type) + " "))
            sum.type = type;
    if (sum.type.empty())
        return std::nullopt;
    const std::string_view declared = trimmed(std::string_view(parts[0]).substr(sum.type.size()));
    sum.variable = wordAt(declared);
    const std::string_view set = trimmed(declared.substr(sum.variable.size()));
    if (sum.variable.empty() || !set.starts_with('=') || set.contains(','))
        return std::nullopt;
    sum.from = trimmed(set.substr(1));
    if (!parts[1].starts_with(sum.variable))
        return std::nullopt;
    const std::string_view test = trimmed(std::string_view(parts[1]).substr(sum.variable.size()));
    if (!test.starts_with('<') || test.starts_with("<=") || test.contains('&') || test.contains('|'))
        return std::nullopt;
    sum.end = trimmed(test.substr(1));
    const std::string& v = sum.variable;
    if (parts[2] != "++" + v && parts[2] != v + "++" && parts[2] != v + " += 1")
        return std::nullopt;
    const std::size_t plus = statement.find("+=");
    if (plus == std::string_view::npos || !statement.ends_with(';'))
        return std::nullopt;
    sum.target = trimmed(statement.substr(0, plus));
    sum.term = trimmed(statement.substr(plus + 2, statement.size() - plus - 3));
    const bool isPlain = !sum.target.empty() && std::ranges::all_of(sum.target, isNameChar)
        && !mentions(sum.term, sum.target) && mentions(sum.term, v) && !mentions(sum.end, v);
    // An assignment inside the term is done once for each step in any order; a second statement is not.
    return isPlain && sum.term.find(';') == std::string::npos ? std::optional(sum) : std::nullopt;
}

} // namespace

CodeLines::CodeLines(std::string_view text)
{
    for (const std::string_view line : splitLines(text))
        lines.emplace_back(line);
    bool continues = false;
    for (const ScannedLine& line : scanLines(text)) {
        const std::string_view seen = trimmed(line.code);
        const bool isDirective = continues || seen.starts_with('#');
        continues = isDirective && seen.ends_with('\\');
        code.push_back(isDirective ? std::string() : line.code);
    }
    code.resize(lines.size());
}

std::vector<CodeLoop> innermostLoops(const CodeLines& text, std::size_t first, std::size_t last)
{
    const JoinedCode code(text);
    const std::vector<CodeFunction> functions = functionsIn(text, 0, text.lines.size());
    std::vector<CodeLoop> loops;
    for (std::size_t line = first; line <= last && line < text.lines.size(); ++line) {
        if (!trimmed(text.code[line]).starts_with("for"))
            continue;
        const std::size_t at = code.skipBlanks(code.starts[line]);
        const std::size_t open = code.skipBlanks(at + 3);
        if (!code.hasWord(at, "for") || open >= code.text.size() || code.text[open] != '(')
            continue;
        const std::size_t close = code.closing(open);
        if (close == std::string::npos || code.lineOf(close) != line)
            continue;
        const std::size_t end = endOfStatement(code, close + 1);
        if (end == std::string::npos || code.hasWordIn(close, end, "for") || code.hasWordIn(close, end, "while"))
            continue;
        if (line > 0 && trimmed(text.lines[line - 1]).starts_with("#pragma"))
            continue;
        CodeLoop loop;
        loop.line = line;
        const std::string header = code.text.substr(open + 1, close - open - 1);
        if (const std::size_t equals = header.find('='); equals != std::string::npos) {
            std::size_t to = equals;
            while (to > 0 && header[to - 1] == ' ')
                --to;
            std::size_t from = to;
            while (from > 0 && isNameChar(header[from - 1]))
                --from;
            loop.variable = header.substr(from, to - from);
        }
        for (const CodeFunction& function : functions)
            if (function.firstLine <= line)
                loop.function = function.name;
        // A statement of one line below the header, both alone on their lines.
        if (line + 1 <= last && trimmed(text.code[line]).ends_with(')') && code.lineOf(end - 1) == line + 1
            && trimmed(text.code[line + 1]) == trimmed(std::string_view(code.text).substr(close + 1, end - close - 1)))
            loop.sum = sumOf(header, trimmed(text.code[line + 1]));
        loops.push_back(std::move(loop));
    }
    return loops;
}

std::vector<CodeFunction> functionsIn(const CodeLines& text, std::size_t first, std::size_t last)
{
    const JoinedCode code(text);
    std::vector<CodeFunction> functions;
    std::vector<bool> isNamespace; // of each open brace
    const auto isInside = [&isNamespace] { return std::ranges::find(isNamespace, false) != isNamespace.end(); };
    for (std::size_t i = 0; i < code.text.size(); ++i) {
        const char c = code.text[i];
        if (c == '{') {
            std::size_t from = i;
            while (from > 0 && code.text[from - 1] != ';' && code.text[from - 1] != '}' && code.text[from - 1] != '{')
                --from;
            const bool isLinkage = code.hasWordIn(from, i, "extern") && code.text.find('(', from) > i;
            isNamespace.push_back(isLinkage || code.hasWordIn(from, i, "namespace"));
        } else if (c == '}' && !isNamespace.empty())
            isNamespace.pop_back();
        if (c != '(' || isInside() || i == 0)
            continue;
        std::size_t nameEnd = i;
        while (nameEnd > 0 && code.text[nameEnd - 1] == ' ')
            --nameEnd;
        std::size_t nameBegin = nameEnd;
        while (nameBegin > 0 && isNameChar(code.text[nameBegin - 1]))
            --nameBegin;
        const std::size_t close = code.closing(i);
        if (close == std::string::npos)
            break;
        const std::size_t next = code.skipBlanks(close + 1);
        const std::size_t lineBegin = code.lineOf(i), lineEnd = code.lineOf(close);
        if (nameBegin < nameEnd && next < code.text.size() && code.text[next] == '{' && lineBegin >= first
            && lineEnd <= last)
            functions.push_back({code.text.substr(nameBegin, nameEnd - nameBegin), lineBegin, lineEnd});
        i = close;
    }
    return functions;
}

} // namespace tilewright
