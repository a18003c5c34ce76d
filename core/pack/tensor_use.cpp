// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/tensor_use.h"

#include "core/base/text.h"
#include "core/pack/cuda_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace tilewright {
namespace {

bool inName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::size_t pastBlanks(const std::string& text, std::size_t at)
{
    return std::min(text.find_first_not_of(" \t\n", at), text.size());
}

/// Where the bracket that opens there closes; the text's end if it does not.
std::size_t closingBracket(const std::string& text, std::size_t open)
{
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return text.size();
}

/// "+=", "++" … at this place; "=" for an assignment; empty for anything else.
std::string changeAt(const std::string& text, std::size_t at)
{
    static constexpr std::array<std::string_view, 10> changes{
        "+=", "-=", "*=", "/=", "++", "--", "%=", "&=", "|=", "^="};
    for (const std::string_view change : changes)
        if (text.compare(at, 2, change) == 0)
            return std::string(change);
    return text.compare(at, 1, "=") == 0 && text.compare(at, 2, "==") != 0 ? "=" : "";
}

/// Calls back with the place of each whole word.
template <typename Found> void eachWord(const std::string& text, const std::string& word, Found&& found)
{
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool whole
            = (at == 0 || (!inName(text[at - 1]) && text[at - 1] != '.')) && (end >= text.size() || !inName(text[end]));
        if (whole)
            found(at, end);
    }
}

/// "y[i] = a * y[i];": what is given to an element, from behind the sign to the statement's end, is computed from the
/// tensor. To compare it with something computes nothing.
bool namesItself(const std::string& text, std::size_t sign, const std::string& name)
{
    const std::string given = text.substr(sign + 1, text.find(';', sign) - sign - 1);
    bool found = false;
    eachWord(given, name, [&](std::size_t, std::size_t end) {
        const std::size_t open = pastBlanks(given, end);
        const bool isElement = open < given.size() && given[open] == '[';
        const std::size_t next = isElement ? pastBlanks(given, closingBracket(given, open) + 1) : open;
        const bool isCompared
            = next < given.size() && std::string_view("=!<>").find(given[next]) != std::string_view::npos;
        found = found || !isCompared;
    });
    return found;
}

/// "atomicAdd(&y[i], …": the element is changed where it stands.
bool isAtomic(std::string_view before)
{
    if (!before.ends_with('&'))
        return false;
    const std::string_view call = trimmedRight(before.substr(0, before.size() - 1));
    const std::size_t word = call.rfind("atomic");
    return call.ends_with('(') && word != std::string_view::npos
        && std::ranges::all_of(call.substr(word, call.size() - word - 1), inName);
}

/// "swap(y[i], …": handed to a function that changes it.
bool isSwapped(std::string_view before)
{
    const std::size_t open = before.rfind('(');
    return open != std::string_view::npos && before.find(';', open) == std::string_view::npos
        && (trimmedRight(before.substr(0, open)).ends_with("swap")
            || trimmedRight(before.substr(0, open)).ends_with("exchange"));
}

/// What is done with an element between brackets: "FLOAT4(y[i]) = v", "atomicAdd(&(y[i]), 1)", "(y[i]) = 0".
struct Wrapping {
    bool isSet = false; ///< what it is wrapped in is given a value
    bool isPointedAt = false; ///< its address is taken
};

Wrapping wrappingOf(const std::string& text, std::string_view before, std::size_t next)
{
    Wrapping wrapping;
    bool isWrapped = false;
    while (before.ends_with('(') && next < text.size() && text[next] == ')') {
        before = trimmedRight(before.substr(0, before.size() - 1));
        while (!before.empty() && inName(before.back()))
            before.remove_suffix(1);
        before = trimmedRight(before);
        wrapping.isPointedAt = wrapping.isPointedAt || (before.ends_with('&') && !before.ends_with("&&"));
        isWrapped = true;
        next = pastBlanks(text, next + 1);
        while (next < text.size() && text[next] == '[')
            next = pastBlanks(text, std::min(closingBracket(text, next) + 1, text.size()));
    }
    wrapping.isSet = isWrapped && !changeAt(text, next).empty();
    return wrapping;
}

/// What a loop's counter stays below: "KH" of "j < KH", "8 + 1" of "j <= 8". Empty where nothing says it.
std::string limitOf(const std::string& body, const std::string& counter)
{
    std::string limit;
    eachWord(body, counter, [&](std::size_t, std::size_t end) {
        const std::size_t sign = pastBlanks(body, end);
        const bool isLess = sign < body.size() && body[sign] == '<' && body.compare(sign, 2, "<<") != 0;
        if (!isLess || !limit.empty())
            return;
        const bool isEqual = body.compare(sign, 2, "<=") == 0;
        const std::size_t begin = sign + (isEqual ? 2 : 1);
        const std::size_t stop = std::min(body.find_first_of(";&|,?", begin), body.size());
        limit = std::string(trimmed(std::string_view(body).substr(begin, stop - begin))) + (isEqual ? " + 1" : "");
    });
    return limit;
}

} // namespace

std::string bodyOf(const std::string& source, const std::string& function)
{
    const std::string plain = function.substr(0, function.find('<'));
    const std::size_t colons = plain.rfind("::");
    const std::string name = colons == std::string::npos ? plain : plain.substr(colons + 2);
    std::string bare = stripCommentsAndStrings(source);
    for (const SourcePiece& piece : piecesOf(source))
        if (piece.kind == SourcePiece::Kind::Function && piece.name == name) {
            std::replace_if(
                bare.begin(), bare.begin() + static_cast<std::ptrdiff_t>(piece.body), [](char c) { return c != '\n'; },
                ' ');
            return bare.substr(0, piece.end);
        }
    return {};
}

TensorUse useOf(const std::string& source, const std::string& function, const std::string& name)
{
    TensorUse use;
    const std::string body = bodyOf(source, function);
    eachWord(body, name, [&](std::size_t at, std::size_t end) {
        std::size_t next = pastBlanks(body, end);
        constexpr std::size_t farthest = 4096; // what a name's use hangs on stands near it
        const std::size_t from = at - std::min(at, farthest);
        const std::string_view before = trimmedRight(std::string_view(body).substr(from, at - from));
        if (next < body.size() && body[next] == '[') {
            std::size_t close = closingBracket(body, next);
            use.indices.emplace_back(trimmed(std::string_view(body).substr(next + 1, close - next - 1)));
            next = pastBlanks(body, std::min(close + 1, body.size()));
            while (next < body.size() && body[next] == '[') { // of an array of arrays
                close = closingBracket(body, next);
                use.indices.back()
                    += "][" + std::string(trimmed(std::string_view(body).substr(next + 1, close - next - 1)));
                next = pastBlanks(body, std::min(close + 1, body.size()));
            }
        } else if (before.ends_with('*') && changeAt(body, next).size() == 2) {
            use.indices.emplace_back("0");
        } else {
            use.otherwise = true;
            return;
        }
        const Wrapping wrapping = wrappingOf(body, before, next);
        use.isSet = use.isSet || wrapping.isSet;
        use.otherwise = use.otherwise || wrapping.isPointedAt;
        const bool atomic = isAtomic(before);
        const std::string change = atomic ? "" : changeAt(body, next);
        const bool isFromItself = change == "=" && namesItself(body, next, name);
        use.isSet = use.isSet || (change == "=" && !isFromItself);
        use.otherwise = use.otherwise || isSwapped(before);
        use.otherwise = use.otherwise || (before.ends_with('&') && !before.ends_with("&&") && !atomic);
        if (use.adding.empty() && (atomic || isFromItself || change.size() == 2)) {
            use.adding = atomic ? "an atomic addition"
                                : name + "[" + use.indices.back() + "] " + change + (isFromItself ? " … " + name : "");
            use.addingLine
                = 1 + static_cast<int>(std::count(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        }
    });
    return use;
}

std::string boundOf(const std::string& source, const std::string& function, const std::string& index,
    const std::vector<std::string>& names)
{
    if (index.empty() || !std::ranges::all_of(index, inName))
        return {};
    const std::string body = bodyOf(source, function);
    std::string bound;
    eachWord(body, index, [&](std::size_t, std::size_t end) {
        const std::size_t sign = pastBlanks(body, end);
        const bool less = sign < body.size() && body[sign] == '<' && body.compare(sign, 2, "<<") != 0
            && body.compare(sign, 2, "<=") != 0;
        if (!less && body.compare(sign, 2, ">=") != 0)
            return;
        const std::size_t begin = pastBlanks(body, sign + (less ? 1 : 2));
        std::size_t stop = begin;
        while (stop < body.size() && inName(body[stop]))
            ++stop;
        const std::string limit = body.substr(begin, stop - begin);
        const std::size_t after = pastBlanks(body, stop);
        const bool alone = after >= body.size() || std::string_view(";)&|").find(body[after]) != std::string_view::npos;
        if (alone && bound.empty() && std::ranges::find(names, limit) != names.end())
            bound = limit;
    });
    return bound;
}

std::optional<std::int64_t> fixedSizeOf(
    const std::string& source, const std::string& function, const std::string& name, const Symbols& constants)
{
    const TensorUse use = useOf(source, function, name);
    if (use.indices.empty() || use.otherwise)
        return std::nullopt;
    const std::string body = bodyOf(source, function);
    double largest = -1;
    for (const std::string& whole : std::set(use.indices.begin(), use.indices.end())) {
        const std::string index = whole.substr(0, whole.find("][")); // of an array of arrays its rows
        std::vector<std::pair<std::string, double>> counters; // each with the largest value that it takes
        std::set<std::string> seen;
        for (std::size_t at = 0; at < index.size();) {
            std::size_t end = at + 1;
            while (inName(index[at]) && end < index.size() && inName(index[end]))
                ++end;
            const std::string word = index.substr(at, end - at);
            const bool isCounter = inName(word.front()) && !std::isdigit(static_cast<unsigned char>(word.front()))
                && !constants.contains(word) && seen.insert(word).second;
            at = end;
            if (!isCounter)
                continue;
            const auto limit = evaluate(limitOf(body, word), constants);
            if (!limit || *limit < 1)
                return std::nullopt;
            counters.emplace_back(word, *limit - 1);
        }
        constexpr std::size_t mostCounters = 6;
        if (counters.size() > mostCounters)
            return std::nullopt;
        for (std::size_t corner = 0; corner < (std::size_t(1) << counters.size()); ++corner) {
            Symbols symbols = constants;
            for (std::size_t i = 0; i < counters.size(); ++i)
                symbols[counters[i].first] = corner >> i & 1 ? counters[i].second : 0;
            const auto value = evaluate(index, symbols);
            if (!value)
                return std::nullopt;
            largest = std::max(largest, *value);
        }
    }
    constexpr double most = 1 << 20;
    return largest >= 0 && largest < most ? std::optional(static_cast<std::int64_t>(largest) + 1) : std::nullopt;
}

} // namespace tilewright
