// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/prompt_template.h"

#include "core/base/text.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tilewright {
namespace {

enum class Kind { Text, Value, Open, Close, Include, Remark, Broken };

struct Piece {
    Kind kind = Kind::Text;
    std::string_view text; ///< the literal text, or the tag's name
    std::size_t at = 0; ///< offset of its first byte
};

Piece tagOf(std::string_view inside, std::size_t at)
{
    const std::string_view content = trimmed(inside);
    if (content.empty())
        return {Kind::Broken, content, at};
    const auto rest = [&] { return trimmed(content.substr(1)); };
    switch (content.front()) {
    case '#':
        return {Kind::Open, rest(), at};
    case '/':
        return {Kind::Close, rest(), at};
    case '>':
        return {Kind::Include, rest(), at};
    case '!':
        return {Kind::Remark, rest(), at};
    default:
        return {Kind::Value, content, at};
    }
}

bool standsAlone(std::string_view text, std::size_t from, std::size_t to)
{
    while (from > 0 && text[from - 1] == ' ')
        --from;
    while (to < text.size() && text[to] == ' ')
        ++to;
    return (from == 0 || text[from - 1] == '\n') && (to == text.size() || text[to] == '\n');
}

std::vector<Piece> piecesOf(std::string_view text)
{
    std::vector<Piece> pieces;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = text.find("{{", at);
        if (open == std::string_view::npos) {
            pieces.push_back({Kind::Text, text.substr(at), at});
            break;
        }
        const std::size_t close = text.find("}}", open + 2);
        if (close == std::string_view::npos) {
            pieces.push_back({Kind::Broken, "", open});
            break;
        }
        const Piece tag = tagOf(text.substr(open + 2, close - open - 2), open);
        std::size_t before = open, after = close + 2;
        if (tag.kind != Kind::Value && standsAlone(text, open, close + 2)) {
            while (before > at && text[before - 1] == ' ')
                --before;
            while (after < text.size() && text[after] == ' ')
                ++after;
            after = std::min(after + 1, text.size());
        }
        if (before > at)
            pieces.push_back({Kind::Text, text.substr(at, before - at), at});
        pieces.push_back(tag);
        at = after;
    }
    return pieces;
}

std::size_t lineOf(std::string_view text, std::size_t at)
{
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::unexpected<Error> failAt(
    const std::string& code, const std::string& file, std::size_t line, const std::string& what)
{
    return fail(code, file + ", line " + std::to_string(line) + ": " + what, "prompts/README.md lists the placeholders",
        {{"file", file}, {"line", line}});
}

std::size_t distance(std::string_view one, std::string_view other)
{
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= one.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= other.size(); ++j)
            diagonal = std::exchange(
                row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (one[i - 1] != other[j - 1])}));
    }
    return row.back();
}

/// ", did you mean 'name'?" where one that is known is two letters off at most.
std::string meant(const std::string& tag, const std::set<std::string>& known)
{
    const auto nearest
        = std::ranges::min_element(known, {}, [&](const std::string& name) { return distance(tag, name); });
    return nearest != known.end() && distance(tag, *nearest) <= std::min<std::size_t>(2, tag.size() / 2)
        ? ", did you mean '" + *nearest + "'?"
        : "";
}

Result<std::string> includesOf(const std::string& name, const TemplateFiles& files, std::vector<std::string>& open)
{
    const TemplateFile& file = files.at(name);
    open.push_back(name);
    std::string text;
    const std::string_view source = file.text;
    for (std::size_t at = 0; at < source.size();) {
        const std::size_t tag = source.find("{{>", at);
        const std::size_t end = tag == std::string_view::npos ? tag : source.find("}}", tag);
        if (end == std::string_view::npos) {
            text.append(source.substr(at));
            break;
        }
        text.append(source.substr(at, tag - at));
        const std::string wanted(trimmed(source.substr(tag + 3, end - tag - 3)));
        if (!files.contains(wanted))
            return failAt("prompt/missing", file.origin, lineOf(source, tag),
                "there is no template " + wanted + ".md to include");
        if (std::ranges::find(open, wanted) != open.end())
            return failAt("prompt/section", file.origin, lineOf(source, tag),
                wanted == name
                    ? "the file includes itself"
                    : "a circular include: " + joined(open, ".md includes ") + ".md includes " + wanted + ".md");
        const auto inner = includesOf(wanted, files, open);
        if (!inner)
            return inner;
        text += *inner;
        at = end + 2;
        if (standsAlone(source, tag, at) && inner->ends_with('\n'))
            at = std::min(source.find('\n', at), source.size() - 1) + 1;
    }
    open.pop_back();
    return text;
}

} // namespace

Result<std::string> withIncludes(const std::string& name, const TemplateFiles& files)
{
    if (!files.contains(name))
        return fail("prompt/missing", "there is no template " + name + ".md", "prompts/README.md lists the files");
    std::vector<std::string> open;
    return includesOf(name, files, open);
}

Result<void> checkTemplate(std::string_view text, const std::string& file, const std::set<std::string>& known)
{
    std::vector<Piece> open;
    for (const Piece& piece : piecesOf(text)) {
        const std::size_t line = lineOf(text, piece.at);
        const std::string tag(piece.text);
        if (piece.kind == Kind::Broken)
            return failAt("prompt/section", file, line, "a '{{' without a name or without its '}}'");
        if ((piece.kind == Kind::Value || piece.kind == Kind::Open) && !known.contains(tag))
            return failAt("prompt/placeholder", file, line, "unknown placeholder '" + tag + "'" + meant(tag, known));
        if (piece.kind == Kind::Open)
            open.push_back(piece);
        if (piece.kind != Kind::Close)
            continue;
        if (open.empty() || open.back().text != piece.text)
            return failAt("prompt/section", file, line, "'{{/" + tag + "}}' closes no part of that name");
        open.pop_back();
    }
    if (!open.empty())
        return failAt("prompt/section", file, lineOf(text, open.back().at),
            "the part '" + std::string(open.back().text) + "' is never closed");
    return {};
}

FilledText filled(std::string_view text, const PromptValues& values)
{
    const auto valueOf = [&](std::string_view name) -> std::string_view {
        const auto found = values.find(std::string(name));
        return found == values.end() ? std::string_view() : std::string_view(found->second);
    };
    FilledText result;
    int hidden = 0; // depth of parts inside one that is left out
    bool lineEnded = false;
    for (const Piece& piece : piecesOf(text)) {
        if (piece.kind == Kind::Open && (hidden > 0 || valueOf(piece.text).empty()))
            ++hidden;
        else if (piece.kind == Kind::Close && hidden > 0)
            --hidden;
        else if (hidden == 0 && piece.kind == Kind::Text)
            result.text.append(piece.text.substr(lineEnded && piece.text.starts_with('\n') ? 1 : 0));
        else if (hidden == 0 && piece.kind == Kind::Value) {
            result.spans.push_back({result.text.size(), valueOf(piece.text).size(), std::string(piece.text)});
            result.text.append(valueOf(piece.text));
        }
        // A value's last line end and the template's behind it are one.
        lineEnded = hidden == 0 && piece.kind == Kind::Value && valueOf(piece.text).ends_with('\n');
    }
    return result;
}

std::set<std::string> placeholdersIn(std::string_view text)
{
    std::set<std::string> names;
    for (const Piece& piece : piecesOf(text))
        if (piece.kind == Kind::Value || piece.kind == Kind::Open)
            names.emplace(piece.text);
    return names;
}

} // namespace tilewright
