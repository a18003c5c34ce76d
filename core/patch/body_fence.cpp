// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/body_fence.h"

#include "core/base/text.h"
#include "core/patch/successor.h"

#include <algorithm>
#include <array>

namespace tilewright::patch {
namespace {

/// Does a fence of this language hold a program with such comments?
bool isOurs(std::string_view language, Comments comments)
{
    constexpr std::array<std::string_view, 15> slashes{"cpp", "c++", "cxx", "cc", "c", "h", "hpp", "hxx", "cuda", "cu",
        "cuh", "cuda-cpp", "cuda-c++", "cudacpp", "hip"};
    constexpr std::array<std::string_view, 5> hash{"python", "py", "python3", "triton", "py3"};
    const std::string name = lowered(language);
    return comments == Comments::Slashes ? std::ranges::find(slashes, name) != slashes.end()
                                         : std::ranges::find(hash, name) != hash.end();
}

/// May it hold anything?
bool namesNone(std::string_view language)
{
    const std::string name = lowered(language);
    return name.empty() || name == "text" || name == "txt" || name == "plaintext" || name == "code";
}

bool beginsAsCpp(std::string_view line)
{
    constexpr std::array<std::string_view, 6> starts{"#", "//", "/*", "*", "}", "template"};
    return std::ranges::any_of(starts, [&](std::string_view start) { return line.starts_with(start); });
}

bool beginsAsPython(std::string_view line)
{
    constexpr std::array<std::string_view, 15> words{"def", "class", "import", "from", "return", "if", "elif", "for",
        "while", "with", "assert", "raise", "pass", "global", "else"};
    const std::string_view word = line.substr(0, std::min(line.find_first_of(" :("), line.size()));
    return line.starts_with('#') || line.starts_with('@') || std::ranges::find(words, word) != words.end();
}

/// "name = …", "name[…] += …".
bool assigns(std::string_view line)
{
    const std::size_t sign = line.find(" = ");
    const std::size_t at = sign == std::string_view::npos ? line.find("= ") : sign;
    return at != std::string_view::npos && at > 0 && line.substr(0, at).find_first_of("\"'?!") == std::string_view::npos
        && line.find(": ") == std::string_view::npos;
}

bool readsAsCode(std::string_view line, Comments comments)
{
    constexpr std::string_view cppEnds = ";{},(\\)>&|+?:", pythonEnds = ",([{\\)]}";
    if (comments == Comments::Slashes) {
        const std::size_t comment = line.find("//");
        const std::string_view code = trimmed(line.substr(0, comment));
        return beginsAsCpp(line) || (!code.empty() && cppEnds.find(code.back()) != std::string_view::npos);
    }
    return beginsAsPython(line) || assigns(line) || pythonEnds.find(line.back()) != std::string_view::npos;
}

} // namespace

bool readsAsProgram(std::string_view text, const ProgramKind& kind)
{
    const Comments comments = kind.comments;
    std::size_t lines = 0, code = 0;
    bool docstring = false;
    int open = 0;
    for (const std::string_view whole : splitLines(text)) {
        const std::string_view line = trimmed(whole);
        if (line.empty())
            continue;
        ++lines;
        const std::size_t quotes = line.find("\"\"\"");
        const bool opens
            = quotes != std::string_view::npos && line.find("\"\"\"", quotes + 3) == std::string_view::npos;
        const bool isDocumented = comments == Comments::Hash && (docstring || quotes != std::string_view::npos);
        docstring = docstring != opens;
        code += isDocumented || readsAsCode(line, comments);
        open += isDocumented ? 0 : openBrackets(line, comments);
    }
    const bool isEnough = !kind.hasBodies || hasBodies(splitLines(text), comments);
    return isEnough && open == 0 && code * 10 >= lines * 9;
}

BodyFence bodyFenceOf(const std::vector<Fence>& fences, const ProgramKind& kind)
{
    std::vector<const Fence*> named, unnamed;
    BodyFence found;
    for (const Fence& fence : fences) {
        if (trimmed(fence.text).empty())
            found.trouble = "the fence is empty: it must hold every line of the block";
        else if (isOurs(fence.language, kind.comments))
            named.push_back(&fence);
        else if (!namesNone(fence.language))
            found.trouble = "the fence holds '" + printable(fence.language) + "', not the program's language";
        else if (!readsAsProgram(fence.text, kind))
            found.trouble = "the fence names no language and does not read as a program";
        else
            unnamed.push_back(&fence);
    }
    const std::vector<const Fence*>& bodies = named.empty() ? unnamed : named;
    if (bodies.empty())
        return found;
    if (std::ranges::all_of(bodies, [&](const Fence* one) { return one->text == bodies[0]->text; }))
        return {bodies.back(), ""};
    return {nullptr, "several fences could be the block: the reply must hold one only"};
}

} // namespace tilewright::patch
