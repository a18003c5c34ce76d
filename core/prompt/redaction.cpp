// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/redaction.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace tilewright {
namespace {

constexpr const char* hiddenShape = "a shape that is not shown";
/// Bytes that may stand between two sizes of one shape: " × ", ", N = "; " rows, " only where no size is so small that
/// three such numbers stand near each other by chance.
std::size_t farthestIn(const Shape& shape) { return std::ranges::min(shape) < 16 ? 8 : 24; }

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isWordAt(const std::string& text, std::size_t at) { return at < text.size() && isWord(text[at]); }

struct Number {
    std::size_t from = 0, to = 0;
    std::int64_t value = 0;
};

std::vector<Number> numbersIn(const std::string& text)
{
    std::vector<Number> numbers;
    for (std::size_t i = 0; i < text.size();) {
        if (!isDigit(text[i])) {
            ++i;
            continue;
        }
        Number number{i, i, 0};
        for (; number.to < text.size() && isDigit(text[number.to]); ++number.to)
            number.value = std::min<std::int64_t>(number.value * 10 + (text[number.to] - '0'), std::int64_t(1) << 40);
        i = number.to;
        numbers.push_back(number);
    }
    return numbers;
}

/// Whether a number of a text can be the one size of a shape of one dimension. As part of a word ("L1"), of a fraction,
/// or small enough to stand for anything else it is not, unless it is told as one: "n = 1", "[1]".
bool tellsSize(const std::string& text, const Number& number)
{
    const auto isAt = [&](std::size_t at, std::string_view any) {
        return at < text.size() && any.find(text[at]) != std::string_view::npos;
    };
    const bool isPart = (number.from > 0 && isWord(text[number.from - 1])) || isWordAt(text, number.to)
        || (number.from > 1 && isAt(number.from - 1, ".,") && isDigit(text[number.from - 2]))
        || (isAt(number.to, ".,") && number.to + 1 < text.size() && isDigit(text[number.to + 1]));
    if (isPart)
        return false;
    std::size_t before = number.from;
    while (before > 0 && text[before - 1] == ' ')
        --before;
    return number.value >= 16 || (before > 0 && isAt(before - 1, "=["));
}

std::string withoutShapes(std::string text, const std::vector<Shape>& hidden)
{
    for (const Shape& shape : hidden) {
        if (shape.empty())
            continue;
        std::vector<Number> numbers = numbersIn(text);
        for (std::size_t i = numbers.size(); i-- > 0;) {
            if (i + shape.size() > numbers.size())
                continue;
            bool same = shape.size() > 1 || tellsSize(text, numbers[i]);
            for (std::size_t k = 0; k < shape.size() && same; ++k)
                same = numbers[i + k].value == shape[k]
                    && (k == 0 || numbers[i + k].from - numbers[i + k - 1].to <= farthestIn(shape));
            if (!same)
                continue;
            std::size_t from = numbers[i].from, to = numbers[i + shape.size() - 1].to;
            if (from > 0 && text[from - 1] == '[' && to < text.size() && text[to] == ']')
                --from, ++to;
            text.replace(from, to - from, hiddenShape);
            numbers = numbersIn(text);
            i = std::min(i, numbers.size());
        }
    }
    return text;
}

/// End of a path that begins at `from`; none when there stands none.
std::optional<std::size_t> pathEnd(const std::string& text, std::size_t from)
{
    const char before = from == 0 ? ' ' : text[from - 1];
    if (isWord(before) || before == '/' || before == '.' || before == '<' || before == ')' || before == ']')
        return std::nullopt;
    std::size_t at = from;
    if (text[at] == '~')
        ++at;
    if (at + 1 >= text.size() || text[at] != '/' || !(isWord(text[at + 1]) || text[at + 1] == '.'))
        return std::nullopt;
    std::size_t end = at;
    while (end < text.size()
        && (isWord(text[end]) || std::string_view("/.-+@~%").find(text[end]) != std::string_view::npos))
        ++end;
    while (end > at && text[end - 1] == '.')
        --end;
    // "/b" alone may be a division; with a second part, below home, or at a root that systems have, it is a path.
    const std::string_view path = std::string_view(text).substr(at + 1, end - at - 1);
    static constexpr std::string_view roots[] = {"bin", "data", "dev", "etc", "home", "lib", "media", "mnt", "opt",
        "proc", "root", "run", "scratch", "srv", "sys", "tmp", "usr", "var", "work"};
    const bool isPath = text[from] == '~' || path.find('/') != std::string_view::npos
        || std::ranges::find(roots, path) != std::ranges::end(roots);
    return isPath ? std::optional(end) : std::nullopt;
}

std::string withoutPaths(const std::string& text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const auto end = text[i] == '/' || text[i] == '~' ? pathEnd(text, i) : std::nullopt;
        if (!end) {
            result += text[i++];
            continue;
        }
        // "<x>" is shorter than any path; what follows (":12: error") stays.
        const std::string path = text.substr(i, *end - i);
        const std::string file = path.substr(path.rfind('/') + 1);
        result += file == "candidate.cpp" || file == "candidate.cu" ? file : "<path>";
        i = *end;
    }
    return result;
}

bool looksLikeKey(std::string_view word)
{
    static constexpr std::string_view begins[] = {"sk-", "sk_", "AIza", "ghp_", "gho_", "github_pat_", "xoxb-", "xai-",
        "gsk_", "hf_", "AKIA", "pplx-", "Bearer-"};
    return word.size() >= 12
        && std::ranges::any_of(begins, [&](std::string_view begin) { return word.starts_with(begin); });
}

bool namesSecret(std::string word)
{
    word = uppered(word);
    static constexpr std::string_view ends[]
        = {"API_KEY", "APIKEY", "_TOKEN", "_SECRET", "PASSWORD", "API-KEY", "AUTHORIZATION", "BEARER"};
    return std::ranges::any_of(ends, [&](std::string_view end) { return word.ends_with(end); });
}

/// Whether the names of secrets give away what follows them, besides words that look like keys.
enum class Names { Count, DoNotCount };

std::string withoutKeys(const std::string& text, Names countNames)
{
    std::string result;
    bool secretFollows = false;
    for (std::size_t i = 0; i < text.size();) {
        if (!isWord(text[i])) {
            if (text[i] == '\n')
                secretFollows = false;
            result += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && (isWord(text[end]) || text[end] == '-' || (secretFollows && text[end] == '.')))
            ++end;
        const std::string word = text.substr(i, end - i);
        const bool names = countNames == Names::Count && namesSecret(word);
        result += names || secretFollows || looksLikeKey(word) ? "<key>" : word;
        // The name is followed by its value behind '=' or ':'; "Authorization: Bearer VALUE" has two words.
        secretFollows
            = names && end < text.size() && std::string_view("=: \"'").find(text[end]) != std::string_view::npos;
        i = end;
    }
    return result;
}

} // namespace

std::string redactedForPrompt(const std::string& text, const Task& task)
{
    std::vector<Shape> hidden;
    for (const auto* shapes : {&task.heldout, &task.sealed, &task.verify})
        for (const Shape& shape : *shapes)
            if (std::ranges::find(task.train, shape) == task.train.end())
                hidden.push_back(shape);
    return withoutKeys(withoutPaths(withoutShapes(text, hidden)), Names::Count);
}

std::string withoutKeyWords(const std::string& text) { return withoutKeys(text, Names::DoNotCount); }

} // namespace tilewright
