// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/patch/random_edits.h"

#include "core/base/text.h"
#include "core/patch/diff.h"

#include <algorithm>

namespace tilewright::testing {
namespace {

std::string codeLine(CounterRandom& random, Language language)
{
    const bool isPython = language == Language::Python;
    static const char* const names[] = {"acc", "tile", "row", "lane", "k", "offset"};
    const std::string a = names[random.below(6)], b = names[random.below(6)];
    const std::string number = std::to_string(random.below(40));
    switch (random.below(isPython ? 4 : 11)) {
    case 0:
        return a + " = " + b + " + " + number + (isPython ? "" : ";");
    case 1:
        return isPython ? "if " + a + " < " + number + ":" : "if (" + a + " < " + number + ") {";
    case 2:
        return a + "[" + number + "] = \"" + b + "  - " + number + "\"" + (isPython ? "" : ";");
    case 3:
        return "";
    case 4:
        return "// the " + a + " of \"" + b + "\"";
    case 5:
        return "}";
    case 6:
        return "template <typename T, int " + a + " = " + number + "> struct " + b + "_t;";
    case 7:
        return "auto " + a + "_of = [&](auto&& x) -> int { return x << " + number + " & ~x; };";
    case 8:
        return "#define " + a + "_" + number + "(x) (x)->" + b;
    case 9:
        return "const char* " + a + " = R\"(" + b + " " + number + ")\";";
    default:
        return "for (int i = 0; i < " + number + " && i != " + a + "; ++i) {";
    }
}

/// deep: blanks that every line has.
std::string line(CounterRandom& random, Language language, std::size_t deep)
{
    const std::string code = codeLine(random, language);
    return code.empty() ? code : std::string(deep + 4 * random.below(4), ' ') + code;
}

} // namespace

Edited randomEdit(CounterRandom& random, Language language)
{
    const bool python = language == Language::Python;
    const std::string sign = python ? "# " : "// ";
    Edited edited{{}, {}, language};
    edited.before = python ? "import triton\n" : "#include <x>\n";
    edited.before += sign + "EVOLVE-BLOCK-START\n";
    edited.after = edited.before;
    const std::size_t deep = random.below(4) == 0 ? 4 : 0;
    const std::uint64_t length = 4 + random.below(50);
    for (std::uint64_t i = 0; i < length; ++i) {
        const std::string old = line(random, language, deep) + "\n";
        const auto fate = random.below(14);
        edited.before += old;
        edited.after += fate == 0 ? "" : fate == 1 ? line(random, language, deep) + "\n" : old;
        if (fate == 2)
            edited.after += line(random, language, deep) + "\n";
    }
    const std::string end = sign + "EVOLVE-BLOCK-END\n" + (python ? "print(1)\n" : "int main() { }\n");
    edited.before += end;
    edited.after += end;
    return edited;
}

bool beginsHunk(const std::string& line) { return line.starts_with("@@"); }

int hunksIn(const Lines& diff) { return static_cast<int>(std::ranges::count_if(diff, beginsHunk)); }

Lines diffLinesOf(const Edited& edited, std::size_t context)
{
    Lines lines;
    const std::string diff = unifiedDiff(edited.before, edited.after, "x.cu", context);
    for (const std::string_view text : splitLines(diff))
        lines.emplace_back(text);
    return lines;
}

std::string joinedLines(const Lines& lines) { return joined(lines, "\n") + "\n"; }

std::string asUnified(const Lines& diff) { return "<diff>\n" + joinedLines(diff) + "</diff>\n"; }

std::string asEnvelope(const Lines& diff)
{
    std::string text = "*** Begin Patch\n*** Update File: x.cu\n";
    for (std::size_t i = 2; i < diff.size(); ++i)
        text += (beginsHunk(diff[i]) ? std::string("@@") : diff[i]) + "\n";
    return text + "*** End Patch\n";
}

std::optional<std::string> asBlocks(const Lines& diff)
{
    std::string text, search, replace;
    const auto flush = [&] {
        if (!search.empty() || !replace.empty())
            text += "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n";
        search.clear();
        replace.clear();
    };
    for (std::size_t i = 2; i < diff.size(); ++i) {
        if (beginsHunk(diff[i])) {
            flush();
            continue;
        }
        if (diff[i].empty() || std::string_view("+- ").find(diff[i][0]) == std::string_view::npos)
            return std::nullopt;
        if (diff[i][0] != '+')
            search += diff[i].substr(1) + "\n";
        if (diff[i][0] != '-')
            replace += diff[i].substr(1) + "\n";
    }
    flush();
    return text;
}

std::string replacedAll(std::string text, const std::string& old, const std::string& fresh)
{
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + fresh.size()))
        text.replace(at, old.size(), fresh);
    return text;
}

} // namespace tilewright::testing
