// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/preprocessor.h"

#include "core/base/expression.h"
#include "core/base/text.h"
#include "core/source/text_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

namespace tilewright {
namespace {

constexpr std::size_t mostTokens = 400000; ///< of an expanded text; macros may double without end

bool isCodeWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isDecimal(char c) { return c >= '0' && c <= '9'; }
bool isCodeName(const std::string& text)
{
    return !text.empty() && isCodeWord(text.front()) && !isDecimal(text.front());
}

std::size_t endOfToken(std::string_view code, std::size_t at)
{
    std::size_t end = at + 1;
    const char c = code[at];
    if (isDecimal(c) || (c == '.' && end < code.size() && isDecimal(code[end]))) { // a number: 1e-5f, 0x1p+3, 1'000
        while (end < code.size()
            && (isCodeWord(code[end]) || code[end] == '.'
                || (code[end] == '\'' && end + 1 < code.size() && isCodeWord(code[end + 1]))
                || ((code[end] == '+' || code[end] == '-')
                    && std::string_view("eEpP").find(code[end - 1]) != std::string_view::npos
                    && (code.substr(at, 2) != "0x" || code[end - 1] == 'p' || code[end - 1] == 'P'))))
            ++end;
    } else if (isCodeWord(c)) {
        while (end < code.size() && isCodeWord(code[end]))
            ++end;
    } else if (c == '"' || c == '\'') {
        while (end < code.size() && code[end] != c)
            end += code[end] == '\\' ? 2 : 1;
        end = std::min(end + 1, code.size());
    } else if (const std::string_view two = code.substr(at, 2); two == "::" || two == "[[" || two == "##") {
        end = at + 2;
    }
    return end;
}

/// The end of the arguments of a macro's call, whose "(" stands at `open`, and what they are.
struct Call {
    std::size_t end = 0; ///< of its ")"
    std::vector<CodeTokens> arguments;
};

std::optional<Call> callAt(const CodeTokens& tokens, std::size_t open)
{
    Call call;
    call.arguments.emplace_back();
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const std::string& text = tokens[i].text;
        depth += text == "(" ? 1 : text == ")" ? -1 : 0;
        if (depth == 0) {
            call.end = i;
            return call;
        }
        if (depth == 1 && text == ",")
            call.arguments.emplace_back();
        else if (i != open)
            call.arguments.back().push_back(tokens[i]);
    }
    return std::nullopt;
}

CodeTokens pasted(const CodeTokens& tokens)
{
    CodeTokens out;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].text == "##" && !out.empty() && i + 1 < tokens.size())
            out.back().text += tokens[++i].text;
        else
            out.push_back(tokens[i]);
    }
    std::erase_if(out, [](const CodeToken& token) { return token.text.empty(); });
    return out;
}

std::string asOneText(const CodeTokens& tokens)
{
    std::string text;
    for (const CodeToken& token : tokens)
        text += (text.empty() ? "" : " ") + token.text;
    return text;
}

/// Replaces macros in tokens of code; what it makes of a text is bounded.
class Expansion
{
public:
    explicit Expansion(const Macros& macros)
        : m_macros(macros)
    {
    }

    CodeTokens of(const CodeTokens& tokens)
    {
        CodeTokens out;
        expand(tokens, out, 0);
        return out;
    }

private:
    void expand(const CodeTokens& tokens, CodeTokens& out, int depth)
    {
        constexpr int deepest = 60;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const CodeToken& token = tokens[i];
            const auto macro = isCodeName(token.text) ? m_macros.find(token.text) : m_macros.end();
            const bool isMacro
                = macro != m_macros.end() && !m_within.contains(token.text) && depth < deepest && m_made < mostTokens;
            const bool called = i + 1 < tokens.size() && tokens[i + 1].text == "(";
            const auto call = isMacro && macro->second.takesArguments && called ? callAt(tokens, i + 1) : std::nullopt;
            if (!isMacro || (macro->second.takesArguments && !call)) {
                ++m_made;
                out.push_back(token);
                continue;
            }
            const CodeTokens body = bodyOf(macro->second, call ? *call : Call{}, token.line);
            m_within.insert(token.text);
            expand(body, out, depth + 1);
            m_within.erase(token.text);
            if (call)
                i = call->end;
        }
    }

    static CodeTokens bodyOf(const Macro& macro, const Call& call, int line)
    {
        CodeTokens out;
        const CodeTokens body = tokensOfCode(macro.body, line);
        const auto parameterAt = [&](std::size_t i) -> std::optional<std::size_t> {
            const auto found = std::ranges::find(
                macro.parameters, body[i].text == "__VA_ARGS__" ? std::string("...") : body[i].text);
            if (!macro.takesArguments || found == macro.parameters.end())
                return std::nullopt;
            return static_cast<std::size_t>(found - macro.parameters.begin());
        };
        for (std::size_t i = 0; i < body.size(); ++i) {
            const bool isText = body[i].text == "#" && i + 1 < body.size();
            const auto which = parameterAt(isText ? i + 1 : i);
            if (!which) {
                out.push_back(body[i]);
                continue;
            }
            CodeTokens given;
            const bool isRest = macro.parameters[*which] == "...";
            for (std::size_t a = *which; a < call.arguments.size() && (a == *which || isRest); ++a) {
                if (a != *which)
                    given.push_back({",", line});
                given.insert(given.end(), call.arguments[a].begin(), call.arguments[a].end());
            }
            if (isText) {
                out.push_back({'"' + asOneText(given) + '"', line});
                ++i;
                continue;
            }
            const bool isPasted
                = (i > 0 && body[i - 1].text == "##") || (i + 1 < body.size() && body[i + 1].text == "##");
            if (given.empty() && isPasted)
                given.push_back({}); // holds the place until what is beside it is pasted
            for (CodeToken token : given) {
                token.line = line;
                out.push_back(std::move(token));
            }
        }
        return pasted(out);
    }

    const Macros& m_macros;
    std::set<std::string> m_within;
    std::size_t m_made = 0;
};

std::optional<std::pair<std::string, Macro>> definitionIn(std::string_view rest)
{
    rest = trimmed(rest);
    std::size_t end = 0;
    while (end < rest.size() && isCodeWord(rest[end]))
        ++end;
    const std::string name(rest.substr(0, end));
    if (!isCodeName(name))
        return std::nullopt;
    Macro macro;
    if (end < rest.size() && rest[end] == '(') {
        macro.takesArguments = true;
        const std::size_t close = rest.find(')', end);
        if (close == std::string_view::npos)
            return std::nullopt;
        std::string one;
        for (const char c : std::string(rest.substr(end + 1, close - end - 1)) + ",") {
            if (c == ',' && !one.empty())
                macro.parameters.push_back(std::exchange(one, {}));
            else if (c != ',' && !std::isspace(static_cast<unsigned char>(c)))
                one += c;
        }
        end = close + 1;
    }
    macro.body = trimmed(rest.substr(end));
    return std::pair{name, macro};
}

/// A number as evaluate() takes it: 201703L, 0x10u, 1'000, 'a'.
std::string plainInteger(std::string text)
{
    std::erase(text, '\'');
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    while (!text.empty() && std::string_view("uUlLzZ").find(text.back()) != std::string_view::npos)
        text.pop_back();
    if (!isHex)
        return text;
    unsigned long long value = 0;
    for (const char c : text.substr(2))
        value = value * 16 + static_cast<unsigned long long>(isDecimal(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    return std::to_string(value);
}

bool isHeaderOfTheCompiler(const std::string& name)
{
    static constexpr std::array<std::string_view, 6> others{"torch", "cuda", "cub/", "omp.h", "mkl", "Eigen"};
    return std::ranges::none_of(others, [&](std::string_view other) { return name.starts_with(other); });
}

/// Goes through the lines of a text and keeps which of its branches is compiled.
class Preprocessor
{
public:
    Preprocessor(std::string_view source, const Macros& predefined, bool wantsTokens)
        : m_source(source)
        , m_plain(withoutRawStrings(source))
        , m_wantsTokens(wantsTokens)
    {
        m_compiled.macros = predefined;
        m_compiled.text = source;
    }

    CompiledText whole()
    {
        const std::vector<ScannedLine> lines = scanLines(m_plain);
        std::size_t begin = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            std::string code = lines[i].code;
            std::size_t last = i;
            std::size_t end = endOfLine(begin);
            const bool isDirective = trimmed(code).starts_with('#');
            while (isDirective && trimmedRight(code).ends_with('\\') && last + 1 < lines.size()) {
                code = std::string(trimmedRight(code));
                code.pop_back();
                code += ' ' + lines[++last].code;
                end = endOfLine(end);
            }
            const bool wasActive = isActive();
            if (isDirective) {
                flush();
                take(std::string(trimmed(trimmed(code).substr(1))), static_cast<int>(i) + 1);
            }
            // A branch's own conditions stay, as they are compiled where the branch is.
            if (!wasActive && !isActive())
                blank(begin, end);
            else if (!isDirective && isActive() && m_wantsTokens)
                for (CodeToken& token : tokensOfCode(code, static_cast<int>(i) + 1))
                    m_pending.push_back(std::move(token));
            begin = end;
            i = last;
        }
        flush();
        return std::move(m_compiled);
    }

private:
    /// Of one "#if": whether its branch is compiled, one of its branches was, what stands around it is.
    struct Branch {
        bool active = false, taken = false, around = false;
    };

    std::size_t endOfLine(std::size_t begin) const
    {
        const std::size_t end = m_source.find('\n', begin);
        return end == std::string_view::npos ? m_source.size() : end + 1;
    }

    bool isActive() const { return m_branches.empty() || m_branches.back().active; }

    void blank(std::size_t begin, std::size_t end)
    {
        std::replace_if(
            m_compiled.text.begin() + static_cast<std::ptrdiff_t>(begin),
            m_compiled.text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
    }

    void flush()
    {
        if (m_pending.empty() || m_compiled.tokens.size() > mostTokens)
            return m_pending.clear();
        CodeTokens expanded = Expansion(m_compiled.macros).of(m_pending);
        m_pending.clear();
        m_compiled.tokens.insert(m_compiled.tokens.end(), std::make_move_iterator(expanded.begin()),
            std::make_move_iterator(expanded.end()));
    }

    void take(const std::string& directive, int line)
    {
        std::size_t end = 0;
        while (end < directive.size() && isCodeWord(directive[end]))
            ++end;
        const std::string word = directive.substr(0, end), rest(trimmed(std::string_view(directive).substr(end)));
        const std::string first
            = rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"));
        const bool isDefined = m_compiled.macros.contains(first);
        if (word == "if" || word == "ifdef" || word == "ifndef") {
            const bool around = isActive();
            const bool holds = around
                && (word == "if"          ? holdsIn(rest, line)
                        : word == "ifdef" ? isDefined
                                          : !isDefined);
            m_branches.push_back({holds, holds, around});
        } else if ((word == "elif" || word == "elifdef" || word == "elifndef" || word == "else")
            && !m_branches.empty()) {
            Branch& branch = m_branches.back();
            const bool mayHold = branch.around && !branch.taken;
            const bool holds = mayHold
                && (word == "else"          ? true
                        : word == "elif"    ? holdsIn(rest, line)
                        : word == "elifdef" ? isDefined
                                            : !isDefined);
            branch.active = holds;
            branch.taken = branch.taken || holds;
        } else if (word == "endif" && !m_branches.empty()) {
            m_branches.pop_back();
        } else if (isActive() && word == "define") {
            if (auto definition = definitionIn(rest))
                m_compiled.macros.insert_or_assign(std::move(definition->first), std::move(definition->second));
        } else if (isActive() && word == "undef") {
            if (const auto found = m_compiled.macros.find(first); found != m_compiled.macros.end())
                m_compiled.macros.erase(found);
        }
    }

    bool holdsIn(const std::string& condition, int line)
    {
        const std::string expression = plainCondition(condition);
        const auto value = evaluate(expression, {});
        if (!value && m_compiled.trouble.empty())
            m_compiled.trouble = "'#if " + condition.substr(0, 80) + "' in line " + std::to_string(line);
        return value && *value != 0;
    }

    /// The condition in numbers and operators alone.
    std::string plainCondition(const std::string& condition) const
    {
        const CodeTokens tokens = tokensOfCode(condition);
        CodeTokens known;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const std::string& text = tokens[i].text;
            const bool bracketed = i + 1 < tokens.size() && tokens[i + 1].text == "(";
            if (text == "defined") {
                const std::size_t name = i + (bracketed ? 2 : 1);
                known.push_back({name < tokens.size() && m_compiled.macros.contains(tokens[name].text) ? "1" : "0", 1});
                i = name + (bracketed ? 1 : 0);
            } else if (text.starts_with("__has_") && bracketed) {
                const auto call = callAt(tokens, i + 1);
                if (!call)
                    break;
                std::string asked;
                for (const CodeToken& token : call->arguments.front())
                    asked += token.text;
                known.push_back({answerTo(text, asked), 1});
                i = call->end;
            } else {
                known.push_back(tokens[i]);
            }
        }
        std::string plain;
        for (const CodeToken& token : Expansion(m_compiled.macros).of(known)) {
            const bool isNumber = isDecimal(token.text.front());
            plain += isNumber            ? plainInteger(token.text)
                : token.text == "true"   ? "1"
                : isCodeName(token.text) ? "0"
                                         : token.text;
        }
        return plain;
    }

    static std::string answerTo(const std::string& question, std::string asked)
    {
        std::erase_if(asked, [](char c) { return c == '<' || c == '>' || c == '"'; });
        if (question == "__has_include")
            return isHeaderOfTheCompiler(asked) ? "1" : "0";
        if (question == "__has_builtin") // clang's own are not g++'s
            return asked.starts_with("__builtin_") && !asked.starts_with("__builtin_nontemporal")
                    && asked != "__builtin_assume"
                ? "1"
                : "0";
        return question == "__has_feature" || question == "__has_extension" ? "0" : "1";
    }

    std::string_view m_source;
    std::string m_plain; ///< the source without what stands in raw strings
    bool m_wantsTokens = true;
    CompiledText m_compiled;
    CodeTokens m_pending; ///< of lines since the last directive
    std::vector<Branch> m_branches;
};

} // namespace

CodeTokens tokensOfCode(std::string_view code, int line)
{
    CodeTokens tokens;
    for (std::size_t i = 0; i < code.size();) {
        if (std::isspace(static_cast<unsigned char>(code[i])) || code[i] == '\\') {
            line += code[i++] == '\n';
            continue;
        }
        const std::size_t end = endOfToken(code, i);
        tokens.push_back({std::string(code.substr(i, end - i)), line});
        line += static_cast<int>(std::ranges::count(tokens.back().text, '\n'));
        i = end;
    }
    return tokens;
}

std::string expandedCode(std::string_view code, const Macros& macros)
{
    return asOneText(Expansion(macros).of(tokensOfCode(code)));
}

CompiledText asCompiled(std::string_view source, const Macros& predefined)
{
    return Preprocessor(source, predefined, true).whole();
}

std::string compiledTextOf(std::string_view source, const Macros& predefined)
{
    return Preprocessor(source, predefined, false).whole().text;
}

Macros macrosOf(std::string_view defines)
{
    Macros macros;
    for (const std::string_view line : splitLines(defines)) {
        std::string text(trimmed(line));
        if (text.starts_with("#define "))
            text = text.substr(8);
        else if (text.starts_with("-D")) {
            text = trimmed(text.substr(2));
            const std::size_t equal = text.find('=');
            text = equal == std::string::npos ? text + " 1" : text.replace(equal, 1, " ");
        } else
            continue;
        if (auto definition = definitionIn(text))
            macros.insert_or_assign(std::move(definition->first), std::move(definition->second));
    }
    return macros;
}

namespace {

Macros builtinMacrosOf(bool isCuda)
{
    constexpr std::string_view all = "#define __cplusplus 202002L\n#define __STDC__ 1\n#define __x86_64__ 1\n"
                                     "#define __linux__ 1\n#define __unix__ 1\n#define __CHAR_BIT__ 8\n"
                                     "#define __SIZEOF_POINTER__ 8\n#define __LP64__ 1\n";
    constexpr std::string_view host = "#define __GNUC__ 12\n#define __GNUC_MINOR__ 2\n#define __GNUG__ 12\n"
                                      "#define __OPTIMIZE__ 1\n#define __SSE__ 1\n#define __SSE2__ 1\n"
                                      "#define __STDC_HOSTED__ 1\n#define __OPTIMIZE__ 1\n#define linux 1\n";
    constexpr std::string_view device = "#define __CUDACC__ 1\n#define __CUDACC_RTC__ 1\n#define __CUDA_ARCH__ 900\n"
                                        "#define __NVCC__ 1\n#define __CUDACC_VER_MAJOR__ 12\n"
                                        "#define __CUDACC_VER_MINOR__ 0\n";
    Macros macros = macrosOf(all);
    macros.merge(macrosOf(isCuda ? device : host));
    return macros;
}

} // namespace

const Macros& builtinMacros(bool isCuda)
{
    static const Macros ofTheHost = builtinMacrosOf(false), ofTheDevice = builtinMacrosOf(true);
    return isCuda ? ofTheDevice : ofTheHost;
}

} // namespace tilewright
