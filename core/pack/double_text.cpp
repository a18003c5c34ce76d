// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/double_text.h"

#include "core/pack/cuda_source.h"
#include "core/pack/kernel_signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace tilewright {
namespace {

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// What the standard library has as NAMEf for float.
constexpr std::array<std::string_view, 40> continuous{"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh",
    "cbrt", "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "fma", "fmax", "fmin",
    "frexp", "hypot", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "logb", "modf", "nextafter", "pow", "scalbn",
    "sin", "sinh", "sqrt", "tan", "tanh", "tgamma"};

/// They jump: a value that differs in its last bit gives another result altogether.
constexpr std::array<std::string_view, 12> jumping{"ceil", "floor", "fmod", "llrint", "llround", "lrint", "lround",
    "nearbyint", "remainder", "rint", "round", "trunc"};

/// How a float is stored matters to them, or they round to a narrower type.
constexpr std::array<std::string_view, 12> stored{"union", "reinterpret_cast", "bit_cast", "asm", "__asm", "__asm__",
    "vector_size", "_Float16", "__bf16", "float_t", "float32_t", "__fp16"};

/// Constants of <cfloat> and <cmath> whose type is float: std::max() wants two of one type.
constexpr std::array<std::string_view, 8> constants{
    "FLT_MAX", "FLT_MIN", "FLT_EPSILON", "FLT_TRUE_MIN", "INFINITY", "HUGE_VALF", "NAN", "FLT_NORM_MAX"};

template <std::size_t N> bool isIn(const std::array<std::string_view, N>& words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

std::string_view withoutPrefix(std::string_view word)
{
    return word.starts_with("__builtin_") ? word.substr(10) : word;
}

bool jumps(std::string_view word)
{
    word = withoutPrefix(word);
    return isIn(jumping, word) || (word.ends_with('f') && isIn(jumping, word.substr(0, word.size() - 1)));
}

bool isOfVectors(std::string_view word)
{
    return word.starts_with("_mm") || word.starts_with("__m1") || word.starts_with("__m2") || word.starts_with("__m5")
        || word.starts_with("__builtin_ia32")
        || (word.starts_with("float") && word.size() > 5 && isDigit(word[5]) && word.find('x') != word.npos);
}

/// "memcpy(&bits, …" and "*(int*)&x" look at how a float is stored.
bool takesBits(const std::string& bare, std::size_t begin, std::size_t end)
{
    std::string after;
    for (std::size_t i = end; i < bare.size() && after.size() < 2; ++i)
        if (!std::isspace(static_cast<unsigned char>(bare[i])))
            after += bare[i];
    return bare.compare(begin, end - begin, "memcpy") == 0 && after == "(&";
}

std::size_t castOfAnAddress(const std::string& bare)
{
    for (std::size_t at = bare.find('*'); at != std::string::npos; at = bare.find('*', at + 1)) {
        const std::size_t close = bare.find_first_not_of(" \t\n", at + 1);
        if (close == std::string::npos || bare[close] != ')')
            continue;
        const std::size_t sign = bare.find_first_not_of(" \t\n", close + 1);
        if (sign != std::string::npos && bare[sign] == '&' && bare.compare(sign, 2, "&&") != 0)
            return at;
    }
    return std::string::npos;
}

std::string atLineOf(const std::string& bare, std::size_t at, const std::string& what)
{
    const auto line = std::count(bare.begin(), bare.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return "'" + what + "' in line " + std::to_string(line + 1);
}

std::size_t endOfNumber(const std::string& text, std::size_t at)
{
    const bool hex = text[at] == '0' && at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X');
    const auto isExponent = [hex](char c) { return hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E'; };
    std::size_t end = at;
    while (end < text.size()
        && (isNamePart(text[end]) || text[end] == '.'
            || ((text[end] == '+' || text[end] == '-') && end > at && isExponent(text[end - 1]))))
        ++end;
    return end;
}

/// A number as it is written for float; the whole of it is kept, so that it has the value it has as a float.
std::string numberInDouble(const std::string& number)
{
    const bool hex = number.starts_with("0x") || number.starts_with("0X");
    const bool isFloat = number.ends_with('f') || number.ends_with('F');
    const bool hasPoint = number.find_first_of(hex ? "pP" : ".eE") != std::string::npos;
    return isFloat && hasPoint ? "double(" + number + ")" : number;
}

std::string wordInDouble(const std::string& word, bool isCalled)
{
    if (word == "float")
        return "double";
    if (isIn(constants, word))
        return "double(" + word + ")";
    const std::string_view plain = withoutPrefix(word);
    if (isCalled && plain.ends_with('f') && isIn(continuous, plain.substr(0, plain.size() - 1)))
        return word.substr(0, word.size() - 1);
    return word;
}

/// The end of a line of the preprocessor that names a file; 0 elsewhere.
std::size_t endOfInclude(const std::string& bare, std::size_t at)
{
    if (bare[at] != '#' || bare.find_first_not_of(" \t", at + 1) != bare.find("include", at + 1))
        return 0;
    return std::min(bare.find('\n', at), bare.size());
}

bool hasTwins(const std::string& source, const Macros& macros)
{
    std::set<std::string> names;
    return !std::ranges::all_of(
        kernelFunctionsOf(source, macros), [&](const KernelFunction& one) { return names.insert(one.name).second; });
}

} // namespace

DoubleText inDouble(const std::string& source, const Macros& macros)
{
    const std::string bare = stripCommentsAndStrings(compiledTextOf(source, macros));
    if (const std::size_t cast = castOfAnAddress(bare); cast != std::string::npos)
        return {{}, atLineOf(bare, cast, "*)&")};
    if (hasTwins(source, macros) && holdsWord(bare, "double"))
        return {{}, "a function that it has for several types"};
    DoubleText wide;
    for (std::size_t at = 0; at < source.size();) {
        if (const std::size_t end = endOfInclude(bare, at)) {
            wide.text += source.substr(at, end - at);
            at = end;
            continue;
        }
        const char c = bare[at];
        const bool number = isDigit(c) || (c == '.' && at + 1 < bare.size() && isDigit(bare[at + 1]));
        if (!number && !isNamePart(c)) {
            wide.text += source[at++];
            continue;
        }
        std::size_t end = number ? endOfNumber(bare, at) : at;
        while (!number && end < bare.size() && isNamePart(bare[end]))
            ++end;
        const std::string word = bare.substr(at, end - at);
        const std::size_t next = bare.find_first_not_of(" \t\n", end);
        const bool isCalled = next != std::string::npos && bare[next] == '(';
        if (!number
            && (isIn(stored, word) || isOfVectors(word) || (isCalled && jumps(word)) || takesBits(bare, at, end)))
            return {{}, atLineOf(bare, at, word)};
        wide.text += number ? numberInDouble(word) : wordInDouble(word, isCalled);
        at = end;
    }
    return wide;
}

} // namespace tilewright
