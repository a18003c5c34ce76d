// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/kernel_signature.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace tilewright {
namespace {

using Token = CodeToken;
using Tokens = CodeTokens;
/// What a file calls a type by: "real" → "float". By the last part of the name.
using Aliases = std::map<std::string, Tokens>;

bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isWord(const std::string& text)
{
    return !text.empty() && isWordPart(text.front()) && !std::isdigit(static_cast<unsigned char>(text.front()));
}

std::size_t closing(const Tokens& tokens, std::size_t open)
{
    static constexpr std::string_view opening = "({[<", ending = ")}]>";
    const std::string sign = tokens[open].text == "[[" ? "[" : tokens[open].text;
    const char close = ending[opening.find(sign.front())];
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const std::string& text = tokens[i].text;
        if (text == sign)
            ++depth;
        else if (text == "[[" && sign == "[")
            depth += 2;
        else if (text.size() == 1 && text.front() == close && --depth == 0)
            return i;
    }
    return tokens.size();
}

std::string written(const Tokens& tokens)
{
    std::string text;
    for (const Token& token : tokens) {
        const bool space = !text.empty() && isWordPart(token.text.front()) && text.back() != ':' && text.back() != '<'
            && text.back() != '[' && text.back() != '(';
        text += (space ? " " : "") + token.text;
    }
    return text;
}

/// Attributes and what compilers put in the same place: [[…]], __attribute__((…)), alignas(…), __launch_bounds__(…).
Tokens withoutAttributes(const Tokens& tokens)
{
    static constexpr std::array words{"__attribute__", "alignas", "__launch_bounds__", "__declspec", "noexcept"};
    Tokens rest;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].text == "[[") {
            i = closing(tokens, i);
            continue;
        }
        if (std::ranges::find(words, tokens[i].text) != words.end()) {
            if (i + 1 < tokens.size() && tokens[i + 1].text == "(")
                i = closing(tokens, i + 1);
            continue;
        }
        rest.push_back(tokens[i]);
    }
    return rest;
}

bool isOneOf(const std::string& word, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

std::optional<Dtype> dtypeOf(const std::string& element)
{
    if (element == "float")
        return Dtype::Fp32;
    if (element == "double")
        return Dtype::Fp64;
    if (isOneOf(element, {"int", "int32_t", "std::int32_t", "signed", "signed int"}))
        return Dtype::Int32;
    if (isOneOf(element, {"signed char", "int8_t", "std::int8_t"}))
        return Dtype::Int8;
    if (isOneOf(element, {"__nv_bfloat16", "__bf16", "bf16", "nv_bfloat16"}))
        return Dtype::Bf16;
    if (isOneOf(element, {"__half", "half", "_Float16", "fp16"}))
        return Dtype::Fp16;
    return std::nullopt;
}

bool isWhole(const std::string& element)
{
    static constexpr std::array<std::string_view, 18> types{"size_t", "uint", "ulong", "index_t", "std::intptr_t",
        "std::size_t", "ptrdiff_t", "std::ptrdiff_t", "int32_t", "int64_t", "uint32_t", "uint64_t", "std::int32_t",
        "std::int64_t", "std::uint32_t", "std::uint64_t", "ssize_t", "intptr_t"};
    if (std::ranges::find(types, element) != types.end())
        return true;
    bool whole = !element.empty();
    for (std::string_view rest = element; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        whole = whole && isOneOf(std::string(rest.substr(0, end)), {"int", "long", "unsigned", "signed", "short"});
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return whole;
}

/// The tokens with the file's own names of types replaced. A const in front of an alias for a pointer makes the pointer
/// const, not what it points to.
Tokens withoutAliases(const Tokens& tokens, const Aliases& aliases)
{
    Tokens plain;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool isQualifier = i + 1 < tokens.size() && tokens[i + 1].text == "::";
        const bool isName = i > 0 && i + 1 == tokens.size();
        const auto alias = isQualifier || isName ? aliases.end() : aliases.find(tokens[i].text);
        const bool isOfStd = plain.size() >= 2 && plain.back().text == "::" && plain[plain.size() - 2].text == "std";
        if (alias == aliases.end() || isOfStd) {
            plain.push_back(tokens[i]);
            continue;
        }
        while (plain.size() >= 2 && plain.back().text == "::")
            plain.resize(plain.size() - 2);
        Tokens meant = alias->second;
        for (Token& token : meant)
            token.line = tokens[i].line;
        if (std::ranges::find(meant, "*", &Token::text) != meant.end()) {
            const auto before = std::ranges::find(plain, "const", &Token::text);
            const bool isConst = before != plain.end();
            if (isConst)
                plain.erase(before);
            if (isConst)
                meant.push_back({"const", tokens[i].line});
        }
        plain.insert(plain.end(), meant.begin(), meant.end());
    }
    return plain;
}

/// Takes the brackets of an array off, and those around the name of a pointer or reference to one:
/// "float (*a)[N]" → "float a", with the extents "" and "N".
std::vector<std::string> takeExtents(Tokens& tokens, bool& isReference)
{
    std::vector<std::string> extents;
    const auto bracket = std::ranges::find(tokens, "[", &Token::text);
    if (bracket == tokens.end())
        return extents;
    const Tokens arrays(bracket, tokens.end());
    tokens.erase(bracket, tokens.end());
    if (!tokens.empty() && tokens.back().text == ")") {
        const auto open = std::ranges::find(tokens, "(", &Token::text);
        if (open == tokens.end())
            return extents;
        const Tokens within(open + 1, tokens.end() - 1);
        const bool isPointer = !within.empty() && within.front().text == "*";
        isReference = !within.empty() && within.front().text == "&";
        if (!isPointer && !isReference)
            return extents;
        tokens.erase(open, tokens.end());
        if (isPointer)
            extents.emplace_back();
        if (within.size() > 1)
            tokens.push_back(within.back());
    }
    for (std::size_t i = 0; i < arrays.size() && arrays[i].text == "[";) {
        const std::size_t end = closing(arrays, i);
        extents.push_back(written(Tokens(arrays.begin() + static_cast<std::ptrdiff_t>(i) + 1,
            arrays.begin() + static_cast<std::ptrdiff_t>(std::min(end, arrays.size())))));
        i = end + 1;
    }
    return extents;
}

/// What the file calls the element of a pointer that it writes with a star, or of an array: "real".
std::optional<std::string> ownElement(const Tokens& tokens, bool isPointer)
{
    Tokens element;
    const auto star = std::ranges::find(tokens, "*", &Token::text);
    if (isPointer && star == tokens.end())
        return std::nullopt;
    const auto end = isPointer ? star : tokens.end() - (tokens.size() > 1 ? 1 : 0); // an array's last word is its name
    for (auto token = tokens.begin(); token != end; ++token)
        if (!isOneOf(token->text, {"const", "volatile", "struct", "__restrict__", "__restrict", "restrict"}))
            element.push_back(*token);
    return element.empty() ? std::nullopt : std::optional(written(element));
}

KernelParameter parameterOf(Tokens tokens, const Aliases& aliases)
{
    if (const auto value = std::ranges::find(tokens, "=", &Token::text); value != tokens.end())
        tokens.erase(value, tokens.end());
    KernelParameter parameter;
    parameter.declaration = written(tokens);
    parameter.extents = takeExtents(tokens, parameter.isReference);
    const Tokens asWritten = tokens;
    tokens = withoutAliases(tokens, aliases);
    int pointers = parameter.extents.empty() ? 0 : 1, stars = 0;
    static constexpr auto isType = [](const std::string& word) {
        return isOneOf(word,
            {"const", "int", "long", "unsigned", "signed", "short", "char", "float", "double", "bool", "auto",
                "__restrict__", "__restrict", "restrict", "volatile"});
    };
    // The last word is the name, unless it belongs to the type: "float*", "unsigned long", "const Args".
    const bool named = tokens.size() >= 2 && isWord(tokens.back().text) && !isType(tokens.back().text)
        && tokens[tokens.size() - 2].text != "::"
        && !(tokens.size() == 2 && isOneOf(tokens.front().text, {"const", "struct"}));
    if (named) {
        parameter.name = tokens.back().text;
        tokens.pop_back();
    }
    parameter.type = written(tokens) + (pointers > 0 ? "*" : "");
    bool reference = false;
    Tokens element;
    for (const Token& token : tokens) {
        if (token.text == "*")
            ++pointers, ++stars;
        else if (token.text == "&")
            reference = true;
        else if (stars > 0)
            continue; // behind the star stand const, and what a compiler calls restrict
        else if (token.text == "const")
            parameter.isConst = true;
        else if (!isOneOf(
                     token.text, {"__restrict__", "__restrict", "restrict", "volatile", "struct", "__grid_constant__"}))
            element.push_back(token);
    }
    parameter.element = written(element);
    const bool isNumber = pointers == 0 && (!reference || parameter.isConst);
    if ((reference && !isNumber) || pointers > 1)
        return parameter;
    if (pointers == 1) {
        parameter.dtype = dtypeOf(parameter.element);
        parameter.element = ownElement(asWritten, parameter.extents.empty()).value_or(parameter.element);
        parameter.kind = parameter.isConst ? ParameterKind::Input : ParameterKind::Output;
    } else if (isWhole(parameter.element)) {
        parameter.kind = ParameterKind::Dimension;
    } else if (isOneOf(parameter.element,
                   {"float", "double", "bool", "char", "signed char", "unsigned char", "int8_t", "uint8_t",
                       "std::int8_t", "std::uint8_t"})) {
        parameter.kind = ParameterKind::Constant;
    }
    return parameter;
}

std::vector<KernelParameter> parametersOf(const Tokens& tokens, const Aliases& aliases)
{
    std::vector<KernelParameter> parameters;
    Tokens one;
    int depth = 0;
    for (const Token& token : tokens) {
        if (isOneOf(token.text, {"(", "[", "{", "<"}))
            ++depth;
        else if (isOneOf(token.text, {")", "]", "}", ">"}))
            --depth;
        if (depth == 0 && token.text == ",") {
            parameters.push_back(parameterOf(withoutAttributes(one), aliases));
            one.clear();
        } else {
            one.push_back(token);
        }
    }
    if (!one.empty() && !(one.size() == 1 && one.front().text == "void"))
        parameters.push_back(parameterOf(withoutAttributes(one), aliases));
    return parameters;
}

/// The names in "template <typename T, int N = 4>"; end: one past its ">".
std::vector<std::string> templateNames(const Tokens& statement, std::size_t end)
{
    std::vector<std::string> names;
    std::string last;
    bool given = false;
    for (std::size_t i = 2; i < std::min(end, statement.size()); ++i) {
        const std::string& text = statement[i].text;
        if (text == "," || i + 1 == end) {
            names.push_back(last);
            given = false;
        } else if (text == "=") {
            given = true;
        } else if (!given && isWord(text)) {
            last = text;
        }
    }
    return names;
}

/// What stands before a body, as a function; nothing where it is none.
std::optional<KernelFunction> functionOf(
    const Tokens& all, const std::vector<std::string>& spaces, const Aliases& aliases)
{
    const Tokens statement = withoutAttributes(all);
    KernelFunction function;
    std::size_t at = 0;
    if (!statement.empty() && statement.front().text == "template") {
        function.isTemplate = true;
        at = statement.size() > 1 && statement[1].text == "<" ? closing(statement, 1) + 1 : 1;
        function.templateParameters = templateNames(statement, at);
    }
    Tokens head;
    for (; at < statement.size() && statement[at].text != "("; ++at)
        head.push_back(statement[at]);
    if (at >= statement.size() || head.size() < 2 || !isWord(head.back().text))
        return std::nullopt;
    for (const Token& token : head)
        if (isOneOf(token.text, {"=", "class", "struct", "union", "enum", "operator", "using", "concept", "requires"}))
            return std::nullopt;
    const std::size_t end = closing(statement, at);
    if (end >= statement.size())
        return std::nullopt;
    function.line = head.back().line;
    for (const std::string& space : spaces)
        if (!space.empty())
            function.name += space + "::";
    Tokens name{head.back()};
    head.pop_back();
    while (head.size() >= 2 && head.back().text == "::") { // defined as "mine::softmax"
        name.insert(name.begin(), {head[head.size() - 2], head.back()});
        head.resize(head.size() - 2);
    }
    function.name += written(name);
    Tokens result;
    for (const Token& token : head) {
        if (token.text == "__global__")
            function.isGlobal = true;
        else if (!isOneOf(token.text,
                     {"static", "inline", "extern", "constexpr", "__device__", "__host__", "__inline__",
                         "__forceinline__", "__restrict__"})
            && token.text.front() != '"')
            result.push_back(token);
    }
    // "auto f(…) -> void"
    if (result.size() == 1 && result.front().text == "auto" && end + 3 < statement.size()
        && statement[end + 1].text == "-" && statement[end + 2].text == ">")
        result.assign(statement.begin() + static_cast<std::ptrdiff_t>(end) + 3, statement.end());
    function.result = written(result);
    function.parameters = parametersOf(Tokens(statement.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                           statement.begin() + static_cast<std::ptrdiff_t>(end)),
        aliases);
    return function;
}

/// "typedef float real;" and "using real = float;" of a type that is words and stars alone.
void takeAlias(const Tokens& statement, Aliases& aliases)
{
    Tokens meant;
    std::string name;
    if (statement.size() >= 3 && statement.front().text == "typedef") {
        name = statement.back().text;
        meant.assign(statement.begin() + 1, statement.end() - 1);
    } else if (statement.size() >= 4 && statement.front().text == "using" && statement[2].text == "=") {
        name = statement[1].text;
        meant.assign(statement.begin() + 3, statement.end());
    }
    const bool isPlain = std::ranges::all_of(meant, [](const Token& token) {
        return token.text == "*" || token.text == "::" || (isWord(token.text) && token.text != "__attribute__");
    });
    if (isWord(name) && !meant.empty() && isPlain) {
        meant.push_back({name, 0}); // in the place of a parameter's name
        meant = withoutAliases(meant, aliases);
        meant.pop_back();
        aliases[name] = std::move(meant);
    }
}

struct Reading {
    std::vector<KernelFunction> functions;
    Aliases aliases;
};

Reading readingOf(std::string_view text, const Macros& predefined)
{
    const Tokens tokens = asCompiled(text, predefined).tokens;
    Reading reading;
    std::vector<std::string> spaces; // of the namespaces and extern "C" blocks that are open
    Tokens statement;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string& token = tokens[i].text;
        if (token == ";") {
            takeAlias(statement, reading.aliases);
            statement.clear();
        } else if (token == "}") {
            if (!spaces.empty())
                spaces.pop_back();
            statement.clear();
        } else if (token != "{") {
            statement.push_back(tokens[i]);
        } else {
            const auto space = std::ranges::find(statement, "namespace", &Token::text);
            const bool linkage
                = statement.size() == 2 && statement[0].text == "extern" && statement[1].text.starts_with('"');
            if (space != statement.end() || linkage) {
                Tokens name;
                if (space != statement.end())
                    name.assign(space + 1, statement.end());
                spaces.push_back(written(name));
            } else {
                auto function = functionOf(statement, spaces, reading.aliases);
                i = closing(tokens, i);
                if (function) {
                    function->isOpen = i >= tokens.size();
                    reading.functions.push_back(std::move(*function));
                }
            }
            statement.clear();
        }
    }
    return reading;
}

std::string atLine(const KernelFunction& function)
{
    return function.name + "() in line " + std::to_string(function.line);
}

} // namespace

std::vector<KernelFunction> kernelFunctionsOf(std::string_view text, const Macros& predefined)
{
    return readingOf(text, predefined).functions;
}

Error objectionTo(const KernelFunction& function)
{
    const nlohmann::json where{{"function", function.name}, {"line", function.line}};
    if (function.isTemplate)
        return {"own/template", atLine(function) + " is a template: the instance is not given",
            function.isGlobal
                ? "name the instance: --function '" + function.name + "<" + joined(function.templateParameters, ", ")
                    + ">', with values for the names; a launch of it in the file also determines it"
                : "add a plain function that calls the instance, and name that",
            where};
    if (function.result != "void")
        return {"own/result", atLine(function) + " returns '" + function.result + "', but a kernel writes its outputs",
            "add a function that returns void and writes the result through a pointer", where};
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const KernelParameter& parameter = function.parameters[i];
        const std::string which = "parameter " + std::to_string(i + 1)
            + (parameter.name.empty() ? "" : " '" + parameter.name + "'") + " of " + atLine(function) + ", '"
            + parameter.type + "', ";
        if (parameter.kind == ParameterKind::Unknown)
            return {"own/parameter", which + "cannot be passed",
                "tensors must be pointers to numbers, sizes integers; add a function with such parameters", where};
        const bool tensor = parameter.kind == ParameterKind::Input || parameter.kind == ParameterKind::Output;
        if (tensor && !parameter.dtype)
            return {"own/parameter", which + "points to an unknown type",
                "use float, double, int, signed char, or the 16-bit types", where};
    }
    const auto is = [](ParameterKind kind) {
        return [kind](const KernelParameter& parameter) { return parameter.kind == kind; };
    };
    if (std::ranges::none_of(function.parameters, is(ParameterKind::Output)))
        return {"own/parameter", atLine(function) + " has no output: it has no pointer parameter that it may write to",
            "results must be written through a pointer to a non-const type", where};
    return {};
}

namespace {

/// The template with these arguments in place of its parameters: "softmax<256, float>". Errors: own/template.
Result<KernelFunction> instanceOf(const KernelFunction& function, std::string_view written, const Aliases& aliases)
{
    const std::size_t open = written.find('<');
    std::vector<std::string> arguments;
    std::string one;
    int depth = 0;
    for (const char c : written.substr(open + 1)) {
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (depth < 0 || (depth == 0 && c == ',')) {
            arguments.emplace_back(trimmed(one));
            one.clear();
        } else {
            one += c;
        }
    }
    const std::vector<std::string>& names = function.templateParameters;
    const bool empty = std::ranges::any_of(arguments, [](const std::string& text) { return text.empty(); });
    if (arguments.empty() || arguments.size() > names.size() || empty || !trimmed(one).empty())
        return fail("own/template",
            "'" + std::string(written) + "' is not an instance of " + atLine(function) + ", which has "
                + counted(static_cast<std::int64_t>(names.size()), "template parameter", "template parameters") + ": "
                + joined(names, ", "),
            "write a value for each of them between < and >", {{"function", function.name}, {"line", function.line}});
    KernelFunction instance = function;
    instance.isTemplate = false;
    instance.name = function.name + "<" + joined(arguments, ", ") + ">";
    for (KernelParameter& parameter : instance.parameters) {
        Tokens tokens;
        for (const Token& token : tokensOfCode(parameter.declaration, function.line)) {
            const auto which = std::ranges::find(names, token.text) - names.begin();
            const Tokens meant = static_cast<std::size_t>(which) < arguments.size()
                ? tokensOfCode(arguments[static_cast<std::size_t>(which)], function.line)
                : Tokens{token};
            tokens.insert(tokens.end(), meant.begin(), meant.end());
        }
        parameter = parameterOf(std::move(tokens), aliases);
    }
    return instance;
}

} // namespace

Result<KernelFunction> kernelFunctionNamed(std::string_view text, std::string_view written, const Macros& predefined)
{
    const std::string_view name = trimmedRight(written.substr(0, written.find('<')));
    const Reading reading = readingOf(text, predefined);
    const std::vector<KernelFunction>& functions = reading.functions;
    std::vector<const KernelFunction*> found;
    std::string all;
    for (const KernelFunction& function : functions) {
        all += (all.empty() ? "" : ", ") + function.name;
        if (function.name == name)
            found.push_back(&function);
    }
    if (found.empty()) // "softmax" for mine::softmax
        for (const KernelFunction& function : functions)
            if (function.name.ends_with("::" + std::string(name)))
                found.push_back(&function);
    if (found.empty())
        return fail("own/no-function", "the file defines no function '" + std::string(name) + "'",
            all.empty() ? "no function in the file could be read" : "it defines " + all, {{"functions", all}});
    if (found.size() > 1) {
        std::string lines;
        for (const KernelFunction* function : found)
            lines += (lines.empty() ? "" : ", ") + std::to_string(function->line);
        return fail("own/overloaded",
            "'" + std::string(name) + "' is defined " + std::to_string(found.size()) + " times, in lines " + lines,
            "rename the function to use", {{"lines", lines}});
    }
    KernelFunction function = *found.front();
    if (name.size() != written.size() && function.isTemplate && function.isGlobal) {
        auto instance = instanceOf(function, written, reading.aliases);
        if (!instance)
            return instance;
        function = std::move(*instance);
    }
    if (const Error objection = objectionTo(function); !objection.code.empty())
        return std::unexpected(objection);
    return function;
}

} // namespace tilewright
