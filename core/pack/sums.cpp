// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/sums.h"

#include "core/base/text.h"
#include "core/pack/cuda_source.h"
#include "core/pack/tensor_use.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace tilewright {
namespace {

bool partOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// A loop of a body: "for (…)" or "while (…)" and what it repeats, as places in the text.
struct Loop {
    std::size_t begin = 0, body = 0, end = 0; ///< body: one past the head
    std::string head;
};

std::size_t closingOf(const std::string& text, std::size_t open)
{
    const char sign = text[open], close = sign == '(' ? ')' : sign == '{' ? '}' : ']';
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i)
        if (text[i] == sign)
            ++depth;
        else if (text[i] == close && --depth == 0)
            return i;
    return text.size();
}

std::size_t nextSign(const std::string& text, std::size_t at)
{
    return std::min(text.find_first_not_of(" \t\n", at), text.size());
}

/// One past the statement that begins there: a block, a loop with its own statement, or up to the semicolon.
std::size_t endOfStatement(const std::string& text, std::size_t at)
{
    at = nextSign(text, at);
    if (at < text.size() && text[at] == '{')
        return std::min(closingOf(text, at) + 1, text.size());
    for (std::size_t i = at; i < text.size(); ++i) {
        if (text[i] == '(')
            i = closingOf(text, i);
        else if (text[i] == '{')
            return std::min(closingOf(text, i) + 1, text.size());
        else if (text[i] == ';')
            return i + 1;
    }
    return text.size();
}

std::vector<Loop> loopsOf(const std::string& body)
{
    constexpr std::size_t most = 4096; // in a longer text the first ones tell
    std::vector<Loop> loops;
    for (const std::string_view word : {"for", "while"})
        for (std::size_t at = body.find(word); at != std::string::npos && loops.size() < most;
             at = body.find(word, at + 1)) {
            const std::size_t end = at + word.size(), open = nextSign(body, end);
            if ((at > 0 && partOfName(body[at - 1])) || open >= body.size() || body[open] != '(')
                continue;
            const std::size_t close = closingOf(body, open);
            if (close >= body.size())
                continue;
            loops.push_back({at, close + 1, endOfStatement(body, close + 1), body.substr(open, close - open + 1)});
        }
    std::ranges::sort(loops, {}, [](const Loop& loop) { return loop.end - loop.begin; }); // the innermost first
    return loops;
}

/// "s" and "p[k]": what stands in front of a place.
struct Target {
    std::string name, index;
    std::size_t begin = 0;
};

Target targetBefore(const std::string& body, std::size_t at)
{
    std::size_t end = at;
    const auto back = [&] {
        while (end > 0 && std::isspace(static_cast<unsigned char>(body[end - 1])))
            --end;
    };
    Target target;
    back();
    while (end > 0 && body[end - 1] == ']') {
        std::size_t open = end - 1;
        for (int depth = 0; open > 0; --open) {
            depth += body[open] == ']' ? 1 : body[open] == '[' ? -1 : 0;
            if (depth == 0)
                break;
        }
        target.index = body.substr(open + 1, end - open - 2) + " " + target.index;
        end = open;
        back();
    }
    std::size_t begin = end;
    while (begin > 0 && partOfName(body[begin - 1]))
        --begin;
    target.name = body.substr(begin, end - begin);
    target.begin = begin;
    return target;
}

/// Words of a text with where each begins, in their order.
template <typename Found> void eachWordOf(const std::string& text, Found&& found)
{
    for (std::size_t at = 0; at < text.size();) {
        if (!partOfName(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && partOfName(text[end]))
            ++end;
        found(std::string_view(text).substr(at, end - at), at);
        at = end;
    }
}

using Names = std::set<std::string, std::less<>>;

/// What a file calls numbers with a fraction: float, double and auto, names and macros for them, parameters of
/// templates.
Names fractionTypes(const std::string& source)
{
    Names types{"float", "double", "auto"};
    std::string_view before, beforeThat; // "using real = float", "typedef float real", "#define real float"
    eachWordOf(source, [&](std::string_view word, std::size_t) {
        if (beforeThat == "typedef" && types.contains(before))
            types.emplace(word);
        else if ((beforeThat == "using" || beforeThat == "define") && types.contains(word))
            types.emplace(before);
        else if (before == "typename" || before == "class")
            types.emplace(word);
        beforeThat = before;
        before = word;
    });
    return types;
}

/// A function's body, where each of its variables with a fraction is made, and which dimension a loop's head means.
struct Body {
    std::string text;
    std::map<std::string, std::vector<std::size_t>, std::less<>> made; ///< in the order of the text
    std::map<std::string, std::string> dimOfHead; ///< of heads that were asked for

    Body(std::string whole, const Names& types)
        : text(std::move(whole))
    {
        std::size_t statement = 0, from = 0;
        bool typed = false;
        eachWordOf(text, [&](std::string_view word, std::size_t at) {
            for (; from < at; ++from)
                if (std::string_view(";{}(").find(text[from]) != std::string_view::npos) {
                    statement = from + 1;
                    typed = false;
                }
            const bool isMoved = trimmedRight(std::string_view(text).substr(statement, at - statement)).ends_with('*');
            if (typed && !isMoved) // a pointer that moves on adds up nothing
                made[std::string(word)].push_back(at);
            typed = typed || types.contains(word);
        });
    }

    /// The last place in front of `before` that makes a variable of this name; npos where there is none.
    std::size_t madeAt(const std::string& name, std::size_t before) const
    {
        const auto found = made.find(name);
        if (found == made.end())
            return std::string::npos;
        const auto after = std::ranges::lower_bound(found->second, before);
        return after == found->second.begin() ? std::string::npos : *(after - 1);
    }
};

/// The variable that a loop counts with: "c" of "(int c = 0; c < columns; ++c)".
std::string counterOf(const Loop& loop)
{
    const std::size_t equal = loop.head.find('=');
    return equal == std::string::npos ? std::string() : targetBefore(loop.head, equal).name;
}

/// The dimension in a loop's head, or in what a name of it was set to.
std::string dimIn(const std::string& text, const std::string& body, const std::vector<std::string>& dims, int depth)
{
    for (const std::string& dim : dims)
        if (holdsWord(text, dim))
            return dim;
    if (depth > 1)
        return {};
    std::string found;
    eachWordOf(text, [&](std::string_view word, std::size_t) {
        if (!found.empty() || !std::isalpha(static_cast<unsigned char>(word.front())))
            return;
        for (std::size_t set = body.find(word); found.empty() && set != std::string::npos;
             set = body.find(word, set + 1)) {
            const std::size_t equal = nextSign(body, set + word.size());
            const bool whole = set == 0 || !partOfName(body[set - 1]);
            if (!whole || equal >= body.size() || body[equal] != '=' || body.compare(equal, 2, "==") == 0)
                continue;
            found = dimIn(body.substr(equal, std::min(body.find_first_of(",;)", equal), body.size()) - equal), {}, dims,
                depth + 1);
        }
    });
    return found;
}

int lineAt(const std::string& text, std::size_t at)
{
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// What is added to here stays beyond a turn of one of the loops around it: a sum over that loop.
std::optional<FoundSum> sumAt(
    Body& whole, const std::vector<Loop>& loops, std::size_t at, const std::vector<std::string>& dims)
{
    const std::string& body = whole.text;
    const Target target = targetBefore(body, at);
    if (target.name.empty())
        return std::nullopt;
    const std::size_t made = whole.madeAt(target.name, target.begin);
    if (made == std::string::npos && target.index.empty())
        return std::nullopt; // a whole number, a pointer, or something of another function
    std::optional<FoundSum> sum;
    for (const Loop& loop : loops) {
        if (target.begin < loop.body || target.begin >= loop.end || (made != std::string::npos && made > loop.begin))
            continue;
        const std::string counter = counterOf(loop);
        if (!counter.empty() && holdsWord(target.index, counter))
            continue; // each turn has an element of its own
        if (!sum)
            sum = FoundSum{target.name + (target.index.empty() ? "" : "[" + std::string(trimmed(target.index)) + "]")
                    + " " + body.substr(at, body[at] == '=' ? 1 : 2),
                lineAt(body, target.begin), {}};
        const auto [known, isNew] = whole.dimOfHead.try_emplace(loop.head);
        if (isNew)
            known->second = dimIn(loop.head, body, dims, 0);
        if (sum->dim = known->second; !sum->dim.empty())
            break;
    }
    return sum;
}

std::optional<FoundSum> sumInBody(const std::string& text, const std::vector<std::string>& dims, const Names& types)
{
    constexpr int mostTried = 4096; // changes of a value; in a longer text the first ones tell
    Body whole(text, types);
    const std::string& body = whole.text;
    const std::vector<Loop> loops = loopsOf(body);
    std::optional<FoundSum> found;
    int tried = 0;
    const auto take = [&](std::optional<FoundSum> sum) {
        ++tried;
        if (sum && (!found || (found->dim.empty() && !sum->dim.empty())))
            found = std::move(sum);
    };
    const auto isOver = [&] { return tried > mostTried || (found && !found->dim.empty()); };
    for (std::size_t at = body.find('='); at != std::string::npos && !isOver(); at = body.find('=', at + 1)) {
        if (at > 0 && (body[at - 1] == '+' || body[at - 1] == '-')) {
            take(sumAt(whole, loops, at - 1, dims));
            continue;
        }
        // "s = s + x", "s = fma(a, b, s)"
        const std::string name = targetBefore(body, at).name;
        const std::string value = body.substr(at + 1, std::min(body.find(';', at), body.size()) - at - 1);
        if (body.compare(at, 2, "==") != 0 && !name.empty() && holdsWord(value, name)
            && (value.find('+') != std::string::npos || holdsWord(value, "fma") || holdsWord(value, "fmaf")
                || holdsWord(value, "fmaf_rn") || holdsWord(value, "__fmaf_rn")))
            take(sumAt(whole, loops, at, dims));
    }
    static constexpr std::array<std::string_view, 12> words{"accumulate", "inner_product", "reduce", "transform_reduce",
        "cblas_sdot", "__shfl_down_sync", "__shfl_xor_sync", "atomicAdd", "reduce_add_ps", "_mm512_reduce_add_ps",
        "_mm256_hadd_ps", "warp_reduce"};
    for (const std::string_view word : words)
        if (!found && holdsWord(body, word))
            found = FoundSum{std::string(word) + "(", lineAt(body, body.find(word)), {}};
    return found;
}

} // namespace

std::optional<FoundSum> sumIn(
    const std::string& source, const std::string& function, const std::vector<std::string>& dims)
{
    const std::string bare = stripCommentsAndStrings(source), body = bodyOf(source, function);
    const Names types = fractionTypes(bare);
    auto found = sumInBody(body, dims, types);
    if (found)
        return found;
    Names called;
    eachWordOf(body, [&](std::string_view word, std::size_t) { called.emplace(word); });
    for (const SourcePiece& piece : piecesOf(source))
        if (!found && piece.kind == SourcePiece::Kind::Function && called.contains(piece.name)) {
            found
                = sumInBody(bare.substr(piece.body, piece.end - piece.body), {}, types); // dims have other names in it
            if (found)
                found->line += lineAt(bare, piece.body) - 1;
        }
    return found;
}

} // namespace tilewright
