// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/kernel_launch.h"

#include "core/base/text.h"
#include "core/pack/cuda_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace tilewright {
namespace {

bool ofName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Words, numbers and signs of an expression, and the blanks between them.
std::vector<std::string> signsOf(std::string_view text)
{
    std::vector<std::string> signs;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        if (ofName(text[at]))
            while (end < text.size() && ofName(text[end]))
                ++end;
        signs.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return signs;
}

bool isName(const std::string& sign)
{
    return !sign.empty() && ofName(sign.front()) && !std::isdigit(static_cast<unsigned char>(sign.front()));
}

/// The usual names of "how many parts of b cover a".
bool isCeilDiv(std::string name)
{
    std::erase(name, '_');
    name = lowered(name);
    static constexpr std::array<std::string_view, 8> names{
        "ceildiv", "cdiv", "divup", "idivup", "divceil", "divroundup", "ceildivide", "roundupdiv"};
    return std::ranges::find(names, name) != names.end();
}

bool isType(const std::string& name)
{
    static constexpr std::array<std::string_view, 9> types{
        "int", "unsigned", "long", "size_t", "float", "double", "half", "__half", "__nv_bfloat16"};
    return std::ranges::find(types, name) != types.end();
}

/// Where the bracket that opens at `open` closes, in a text without words.
std::size_t closeOf(std::string_view text, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' || text[i] == '{' ? 1 : text[i] == ')' || text[i] == '}' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return text.size();
}

/// Follows names through the host's code in front of a launch until only what a plan knows is left.
class LaunchReader
{
public:
    LaunchReader(std::string scope, std::map<std::string, std::string> dims, Symbols constants)
        : m_scope(std::move(scope))
        , m_dims(std::move(dims))
        , m_constants(std::move(constants))
    {
    }

    /// Why what was asked since the last call could not be read; "" if it could.
    std::string trouble() { return std::exchange(m_trouble, {}); }

    /// Up to three parts of what a grid or block may be: "dim3(a, b)", a name of a dim3, or one number.
    std::vector<std::string> extents(const std::string& text)
    {
        std::vector<std::string> parts = partsOf(std::string(trimmed(text)));
        for (std::string& part : parts)
            part = resolved(part, 0);
        while (parts.size() > 1 && parts.back() == "1")
            parts.pop_back();
        if (parts.empty() || parts.size() > 3)
            say(text);
        return parts;
    }

    std::string resolved(const std::string& text, int depth)
    {
        constexpr int deepest = 12, mostSteps = 2000; // names may stand for names without end
        if (depth > deepest || ++m_steps > mostSteps)
            return say(text);
        std::string out;
        const std::vector<std::string> signs = signsOf(trimmed(text));
        for (std::size_t i = 0; i < signs.size(); ++i) {
            const std::string& sign = signs[i];
            if (!isName(sign)) {
                out += sign;
                continue;
            }
            if (i + 3 < signs.size() && signs[i + 1] == ":" && signs[i + 2] == ":") { // of a namespace
                if (sign != "std" && m_constants.contains(signs[i + 3]))
                    out += sign + "::";
                i += 2;
                continue;
            }
            if ((sign == "min" || sign == "max") && !m_dims.contains(sign)) {
                i = smallerOrLarger(signs, i, depth, out);
                continue;
            }
            const bool called = i + 1 < signs.size() && signs[i + 1] == "(";
            if (i + 2 < signs.size() && signs[i + 1] == "."
                && (signs[i + 2] == "x" || signs[i + 2] == "y" || signs[i + 2] == "z")) {
                const std::vector<std::string> parts = partsOf(sign);
                const std::size_t which = static_cast<std::size_t>(signs[i + 2].front() - 'x');
                out += inBrackets(which < parts.size() ? resolved(parts[which], depth + 1) : "1");
                i += 2;
            } else if (called && isCeilDiv(sign)) {
                out += m_constants.contains(sign) ? sign : "ceil_div";
            } else if (const auto dim = m_dims.find(sign); dim != m_dims.end() && !called) {
                out += dim->second;
            } else if (sign == "sizeof" || isType(sign) || (m_constants.contains(sign) && !definition(sign))) {
                out += sign;
            } else if (const auto value = definition(sign); value && !called) {
                out += inBrackets(resolved(*value, depth + 1));
            } else {
                return say(sign);
            }
        }
        return out;
    }

private:
    /// "min(a, b)", "min<int>(a, b)" as a plan can have it; returns the last sign of it.
    std::size_t smallerOrLarger(const std::vector<std::string>& signs, std::size_t at, int depth, std::string& out)
    {
        std::string rest;
        for (std::size_t i = at + 1; i < signs.size(); ++i)
            rest += signs[i];
        const std::size_t open = rest.find('(');
        const std::size_t close = open == std::string::npos ? open : closeOf(rest, open);
        const auto parts = close >= rest.size()
            ? std::vector<std::string>()
            : expressionParts(std::string_view(rest).substr(open + 1, close - open - 1));
        if (parts.size() != 2) {
            say(signs[at]);
            return signs.size();
        }
        const std::string one = inBrackets(resolved(parts[0], depth + 1)),
                          other = inBrackets(resolved(parts[1], depth + 1));
        out += "(" + one + (signs[at] == "min" ? " < " : " > ") + other + " ? " + one + " : " + other + ")";
        for (std::size_t passed = 0; at < signs.size() && passed <= close;)
            passed += signs[++at].size();
        return at;
    }

    std::string say(const std::string& what)
    {
        if (m_trouble.empty())
            m_trouble = "'" + std::string(trimmed(what)) + "' is unknown there";
        return {};
    }

    static std::string inBrackets(const std::string& text)
    {
        return std::ranges::all_of(text, ofName) ? text : "(" + text + ")";
    }

    std::vector<std::string> partsOf(const std::string& text)
    {
        std::string value = text;
        for (int follow = 0; follow < 4 && isName(value) && std::ranges::all_of(value, ofName); ++follow) {
            if (m_dims.contains(value) || m_constants.contains(value))
                break;
            const auto found = definition(value);
            if (!found)
                break;
            value = std::string(trimmed(*found));
        }
        if (value.starts_with("dim3"))
            value = std::string(trimmed(std::string_view(value).substr(4)));
        const bool whole
            = !value.empty() && (value.front() == '(' || value.front() == '{') && closeOf(value, 0) == value.size() - 1;
        return expressionParts(whole ? std::string_view(value).substr(1, value.size() - 2) : std::string_view(value));
    }

    /// What a name was last given in front of the launch: behind "=", or in the brackets behind it.
    std::optional<std::string> definition(const std::string& name) const
    {
        std::optional<std::string> found;
        for (std::size_t at = m_scope.find(name); at != std::string::npos; at = m_scope.find(name, at + 1)) {
            std::size_t next = at + name.size();
            if ((at > 0 && (ofName(m_scope[at - 1]) || m_scope[at - 1] == '.'))
                || (next < m_scope.size() && ofName(m_scope[next])))
                continue;
            next = std::min(m_scope.find_first_not_of(" \n\t", next), m_scope.size());
            if (next + 1 >= m_scope.size())
                break;
            if (m_scope[next] == '=' && m_scope[next + 1] != '=') {
                std::size_t end = next + 1;
                while (end < m_scope.size() && m_scope[end] != ';' && m_scope[end] != ',')
                    end = m_scope[end] == '(' || m_scope[end] == '{' ? closeOf(m_scope, end) + 1 : end + 1;
                found = m_scope.substr(next + 1, std::min(end, m_scope.size()) - next - 1);
                continue;
            }
            // "dim3 grid(a, b)", "int blocks{n}": a type stands in front of the name.
            const std::string_view before = trimmedRight(std::string_view(m_scope).substr(0, at));
            const bool declared
                = !before.empty() && (ofName(before.back()) || before.back() == ',') && !before.ends_with("return");
            if (declared && (m_scope[next] == '(' || m_scope[next] == '{')) {
                const std::size_t close = closeOf(m_scope, next);
                found = m_scope.substr(next, std::min(close + 1, m_scope.size()) - next);
            }
        }
        return found;
    }

    std::string m_scope;
    std::map<std::string, std::string> m_dims; ///< by the host's names
    Symbols m_constants;
    std::string m_trouble;
    int m_steps = 0;
};

std::string squeezed(std::string text)
{
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
    return text;
}

/// "<<<" in a text: what is launched there, and what the host's code in front of it says.
struct LaunchPlace {
    std::size_t at = 0; ///< of the "<<<"
    std::string kernel; ///< without a namespace
    std::vector<std::string> arguments; ///< of the instance, as written
    std::string scope;
};

std::vector<LaunchPlace> launchPlaces(const std::string& source, const std::string& bare)
{
    const std::vector<SourcePiece> pieces = piecesOf(source);
    std::vector<LaunchPlace> places;
    for (std::size_t at = bare.find("<<<"); at != std::string::npos; at = bare.find("<<<", at + 3)) {
        LaunchPlace place;
        place.at = at;
        std::string_view before = trimmedRight(std::string_view(bare).substr(0, at));
        if (before.ends_with('>')) {
            int depth = 0;
            std::size_t open = before.size();
            do
                depth += before[--open] == '>' ? 1 : before[open] == '<' ? -1 : 0;
            while (open > 0 && depth != 0);
            place.arguments = expressionParts(before.substr(open + 1, before.size() - open - 2));
            before = trimmedRight(before.substr(0, open));
        }
        std::size_t begin = before.size();
        while (begin > 0 && ofName(before[begin - 1]))
            --begin;
        place.kernel = before.substr(begin);
        for (const SourcePiece& piece : pieces)
            if (piece.kind == SourcePiece::Kind::Function && piece.begin <= at && at < piece.end)
                place.scope = bare.substr(piece.body, at - piece.body);
        places.push_back(std::move(place));
    }
    return places;
}

/// The instance's arguments with the host's names followed to what they are: "64, float".
std::vector<std::string> argumentsOf(const LaunchPlace& place, const Symbols& constants)
{
    std::vector<std::string> arguments;
    LaunchReader reader(place.scope, {}, constants);
    for (const std::string& written : place.arguments) {
        const std::string resolved = reader.resolved(written, 0);
        const auto value = launchValue(resolved, constants);
        if (reader.trouble().empty() && value)
            arguments.push_back(std::to_string(static_cast<long long>(*value)));
        else
            arguments.push_back(written);
    }
    return arguments;
}

/// "softmax" of "mine::softmax<64>".
std::string withoutNamespace(const std::string& name)
{
    const std::string plain = name.substr(0, name.find('<'));
    const std::size_t colons = plain.rfind("::");
    return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

} // namespace

std::vector<std::string> expressionParts(std::string_view text)
{
    std::vector<std::string> parts;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const char c = at < text.size() ? text[at] : ',';
        depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
        if (at < text.size() && (c != ',' || depth > 0))
            continue;
        parts.emplace_back(trimmed(text.substr(from, at - from)));
        from = at + 1;
    }
    if (parts.size() == 1 && parts.front().empty())
        parts.clear();
    return parts;
}

FoundLaunch launchOf(const std::string& source, const KernelFunction& kernel)
{
    const std::string bare = stripCommentsAndStrings(source), plain = withoutNamespace(kernel.name);
    const Symbols constants = constantsOf(source);
    FoundLaunch found;
    std::vector<LaunchPlace> same, any; // launches of just this instance; of one that is named otherwise
    for (LaunchPlace& place : launchPlaces(source, bare)) {
        if (place.kernel != plain)
            continue;
        const std::size_t open = kernel.name.find('<');
        const std::string instance = "<" + joined(argumentsOf(place, constants), ",") + ">";
        const bool wanted = open == std::string::npos ? place.arguments.empty()
                                                      : squeezed(instance) == squeezed(kernel.name.substr(open));
        (wanted ? same : any).push_back(std::move(place));
    }
    if (same.empty())
        same = std::move(any);
    const std::size_t first = same.empty() ? std::string::npos : same.front().at;
    found.others = std::max(0, static_cast<int>(same.size()) - 1);
    if (first == std::string::npos)
        return found;
    found.line
        = 1 + static_cast<int>(std::count(bare.begin(), bare.begin() + static_cast<std::ptrdiff_t>(first), '\n'));
    const std::size_t close = bare.find(">>>", first), open = bare.find('(', close);
    if (close == std::string::npos || open == std::string::npos) {
        found.trouble = "it does not end";
        return found;
    }
    std::map<std::string, std::string> dims;
    for (const KernelParameter& parameter : kernel.parameters)
        if (parameter.kind == ParameterKind::Dimension)
            dims[parameter.name] = parameter.name;
    const auto handed = expressionParts(std::string_view(bare).substr(open + 1, closeOf(bare, open) - open - 1));
    for (std::size_t i = 0; i < handed.size() && i < kernel.parameters.size(); ++i)
        if (kernel.parameters[i].kind == ParameterKind::Dimension && isName(handed[i])
            && std::ranges::all_of(handed[i], ofName)) {
            std::erase_if(dims, [&](const auto& one) { return one.second == kernel.parameters[i].name; });
            dims[handed[i]] = kernel.parameters[i].name;
        }
    const auto parts = expressionParts(std::string_view(bare).substr(first + 3, close - first - 3));
    LaunchReader reader(same.front().scope, std::move(dims), constants);
    if (parts.size() < 2) {
        found.trouble = "it has no grid and block";
        return found;
    }
    const auto told = [&](const auto& value) {
        const std::string trouble = reader.trouble();
        if (found.trouble.empty())
            found.trouble = trouble;
        return trouble.empty() ? value : std::decay_t<decltype(value)>();
    };
    found.launch.grid = told(reader.extents(parts[0]));
    found.launch.block = told(reader.extents(parts[1]));
    if (parts.size() > 2 && parts[2] != "0")
        found.launch.shared = told(reader.resolved(parts[2], 0));
    if (found.launch.shared == "0" || found.launch.shared == "(0)")
        found.launch.shared.clear();
    return found;
}

std::vector<KernelFunction> launchedInstancesOf(const std::string& written, const Macros& predefined)
{
    std::vector<KernelFunction> found;
    const std::string source = compiledTextOf(written, predefined);
    const std::string bare = stripCommentsAndStrings(source);
    const Symbols constants = constantsOf(source);
    const std::vector<LaunchPlace> places = launchPlaces(source, bare);
    for (const KernelFunction& function : kernelFunctionsOf(source, predefined))
        for (const LaunchPlace& place : places) {
            if (!function.isTemplate || !function.isGlobal || place.arguments.empty()
                || place.kernel != withoutNamespace(function.name))
                continue;
            const auto instance = kernelFunctionNamed(
                source, function.name + "<" + joined(argumentsOf(place, constants), ", ") + ">", predefined);
            if (instance && std::ranges::find(found, instance->name, &KernelFunction::name) == found.end())
                found.push_back(*instance);
        }
    return found;
}

Symbols constantsOf(const std::string& source)
{
    const std::string bare = stripCommentsAndStrings(source);
    Symbols symbols;
    constexpr std::size_t longest = 200; ///< of an expression that is looked at
    const auto give = [&](const std::string& name, const std::string& text) {
        if (text.size() > longest)
            return;
        if (const auto value = launchValue(text, symbols); value && isName(name))
            symbols[name] = *value;
    };
    for (const SourcePiece& piece : piecesOf(source)) {
        const std::string text = bare.substr(piece.begin, piece.end - piece.begin);
        if (piece.kind == SourcePiece::Kind::Directive) {
            const std::vector<std::string> signs = signsOf(text);
            const std::size_t at = text.find("define");
            if (at == std::string::npos || trimmed(std::string_view(text).substr(1, at - 1)) != "")
                continue;
            const std::string_view rest = trimmed(std::string_view(text).substr(at + 6));
            const std::size_t end = rest.find_first_of(" \t");
            if (end != std::string_view::npos)
                give(std::string(rest.substr(0, end)), std::string(trimmed(rest.substr(end))));
        } else if (piece.kind == SourcePiece::Kind::Other
            && (holdsWord(text, "constexpr") || holdsWord(text, "const"))) {
            // "constexpr int KH = 3, KW = 3;": what stands in front of the first name is the type.
            for (const std::string& part : expressionParts(text.substr(0, text.rfind(';')))) {
                const std::size_t equal = part.find('=');
                if (equal == std::string::npos || part.find('*') < equal)
                    continue;
                std::size_t begin = trimmedRight(std::string_view(part).substr(0, equal)).size();
                const std::size_t end = begin;
                while (begin > 0 && ofName(part[begin - 1]))
                    --begin;
                std::string value(trimmed(std::string_view(part).substr(equal + 1)));
                give(part.substr(begin, end - begin), value);
            }
        } else if (piece.kind == SourcePiece::Kind::Other && holdsWord(text, "enum")
            && text.find('{') != std::string::npos) {
            const std::size_t open = text.find('{'), close = closeOf(text, open);
            std::string next = "0";
            for (const std::string& part : expressionParts(text.substr(open + 1, close - open - 1))) {
                const std::size_t equal = part.find('=');
                const std::string name(trimmed(part.substr(0, equal)));
                give(name, equal == std::string::npos ? next : std::string(trimmed(part.substr(equal + 1))));
                next = name + " + 1";
            }
        }
    }
    return symbols;
}

Result<double> launchValue(const std::string& expression, const Symbols& symbols)
{
    // "mine::TILE" becomes TILE, ceil_div(a, b) becomes ((a)+(b)-1)/(b), sizeof(T) its number, casts go.
    std::string text = expression;
    for (std::size_t at = text.find("::"); at != std::string::npos; at = text.find("::")) {
        std::size_t begin = at;
        while (begin > 0 && ofName(text[begin - 1]))
            --begin;
        text.erase(begin, at + 2 - begin);
    }
    for (std::size_t at = text.find("ceil_div("); at != std::string::npos; at = text.find("ceil_div(", at)) {
        const std::size_t open = at + 8, close = closeOf(text, open);
        const auto parts
            = expressionParts(std::string_view(text).substr(open + 1, std::min(close, text.size()) - open - 1));
        if (close >= text.size() || parts.size() != 2)
            return fail("expression/syntax", "'" + expression + "': ceil_div takes two numbers");
        text.replace(at, close + 1 - at, "(((" + parts[0] + ")+(" + parts[1] + ")-1)/(" + parts[1] + "))");
    }
    for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"float", "4"}, {"int", "4"}, {"double", "8"},
             {"half", "2"}, {"__half", "2"}, {"__nv_bfloat16", "2"}, {"float4", "16"}}) {
        const std::string written = "sizeof(" + name + ")";
        for (std::size_t at = text.find(written); at != std::string::npos; at = text.find(written))
            text.replace(at, written.size(), bytes);
    }
    for (const std::string cast : {"(int)", "(unsigned)", "(unsigned int)", "(size_t)"})
        for (std::size_t at = text.find(cast); at != std::string::npos; at = text.find(cast))
            text.erase(at, cast.size());
    return evaluate(text, symbols);
}

std::string withNames(const std::string& expression, const std::function<std::string(const std::string&)>& change)
{
    std::string out;
    for (const std::string& sign : signsOf(expression))
        out += isName(sign) ? change(sign) : sign;
    return out;
}

} // namespace tilewright
