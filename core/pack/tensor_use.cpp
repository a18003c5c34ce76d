// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/tensor_use.h"

#include "core/base/text.h"
#include "core/pack/cuda_source.h"

#include <algorithm>
#include <array>
#include <cctype>

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
    static constexpr std::array<std::string_view, 6> changes{"+=", "-=", "*=", "/=", "++", "--"};
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
bool isAtomic(const std::string& text, std::size_t at)
{
    const std::string_view before = trimmedRight(std::string_view(text).substr(0, at));
    if (!before.ends_with('&'))
        return false;
    const std::string_view call = trimmedRight(before.substr(0, before.size() - 1));
    const std::size_t word = call.rfind("atomic");
    return call.ends_with('(') && word != std::string_view::npos
        && std::ranges::all_of(call.substr(word, call.size() - word - 1), inName);
}

} // namespace

std::string bodyOf(const std::string& source, const std::string& function)
{
    const std::string plain = function.substr(0, function.find('<'));
    const std::size_t colons = plain.rfind("::");
    const std::string name = colons == std::string::npos ? plain : plain.substr(colons + 2);
    std::string bare = withoutWords(source);
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
        const std::string_view before = trimmedRight(std::string_view(body).substr(0, at));
        if (next < body.size() && body[next] == '[') {
            const std::size_t close = closingBracket(body, next);
            use.indices.emplace_back(trimmed(std::string_view(body).substr(next + 1, close - next - 1)));
            next = pastBlanks(body, std::min(close + 1, body.size()));
        } else if (before.ends_with('*') && changeAt(body, next).size() == 2) {
            use.indices.emplace_back("0");
        } else {
            use.otherwise = true;
            return;
        }
        const bool atomic = isAtomic(body, at);
        const std::string change = atomic ? "" : changeAt(body, next);
        const bool isFromItself = change == "=" && namesItself(body, next, name);
        use.isSet = use.isSet || (change == "=" && !isFromItself);
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

} // namespace tilewright
