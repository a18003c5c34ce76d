// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a reply holds, the applier answers: a text that differs in the lines of its own diff only, that the diff
// leads to and, turned round, back from; or a code. The first byte chooses source and options; with its top bit set the
// input carries the source as well, up to a unit separator.
#include "core/base/text.h"
#include "core/patch/guards.h"
#include "core/patch/patch.h"
#include "core/patch/source_text.h"
#include "core/patch/strict.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace tilewright;

namespace {

const std::string kernel
    = "#include <x>\n// EVOLVE-BLOCK-START\nconstexpr int BM = 64; // tune: 32 64\n\n__global__ void f(float* c)\n{\n"
      "    for (int i = 0; i < 4; ++i) {\n        c[i] = \"a - b\"[i];\n    }\n\n\tc[0] = 1;\n}\n// EVOLVE-BLOCK-END\n"
      "int main() { }\n";
const std::string script = "import x\r\n# EVOLVE-BLOCK-START\r\ndef f(n):\r\n    if n:\r\n        return ...\r\n\r\n"
                           "# EVOLVE-BLOCK-END\r\nf(1)";

void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

/// The lines of a text as its bytes, each with its end; a byte-order mark stands apart, first.
std::vector<std::string_view> bytesOfLines(std::string_view text)
{
    std::vector<std::string_view> lines;
    const std::size_t mark = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    lines.push_back(text.substr(0, mark));
    for (std::size_t at = mark; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        lines.push_back(text.substr(at, end - at));
        at = end;
    }
    return lines;
}

/// "@@ -3,4 +5,6 @@" as {"-3,4", "+5,6"}.
struct Ranges {
    std::string_view old, fresh;
};

Ranges rangesOf(std::string_view header)
{
    const std::size_t first = header.find('-'), second = header.find(" +"), end = header.find(" @@");
    require(first == 3 && second != header.npos && end != header.npos && end > second, "the header of a hunk");
    return {header.substr(4, second - 4), header.substr(second + 2, end - second - 2)};
}

/// The diff that leads back.
std::string turnedRound(std::string_view diff)
{
    std::string back;
    const auto lines = splitLines(diff);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        if (i >= 2 && line.starts_with("@@")) {
            const Ranges ranges = rangesOf(line);
            back.append("@@ -").append(ranges.fresh).append(" +").append(ranges.old).append(" @@");
        } else if (i >= 2 && (line.starts_with('+') || line.starts_with('-'))) {
            back.append(line.starts_with('+') ? "-" : "+").append(line.substr(1));
        } else {
            back.append(line);
        }
        back += '\n';
    }
    return back;
}

/// Every line that the diff does not add or remove has the same bytes in both texts.
void requireTheOtherLines(std::string_view source, std::string_view result, std::string_view diff)
{
    const auto before = bytesOfLines(source), after = bytesOfLines(result);
    require(before[0] == after[0], "the byte-order mark stays");
    std::size_t old = 1, fresh = 1;
    const auto same = [&](std::size_t count) {
        for (; count > 0; --count, ++old, ++fresh)
            require(old < before.size() && fresh < after.size() && before[old] == after[fresh],
                "a line outside the diff keeps its bytes");
    };
    const auto lines = splitLines(diff);
    for (std::size_t i = 2; i < lines.size(); ++i) {
        if (lines[i].starts_with("@@")) {
            const Ranges ranges = rangesOf(lines[i]);
            std::size_t first = 0;
            std::from_chars(ranges.old.data(), ranges.old.data() + ranges.old.size(), first);
            const bool isEmpty = ranges.old.ends_with(",0");
            require(first + (isEmpty ? 1 : 0) >= old, "hunks stand in order");
            same(first + (isEmpty ? 1 : 0) - old);
        } else if (lines[i].starts_with('+')) {
            ++fresh;
        } else if (lines[i].starts_with('-')) {
            ++old;
        } else {
            same(1);
        }
    }
    require(before.size() - old == after.size() - fresh, "as many lines are left behind the last hunk");
    same(before.size() - old);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 1)
        return 0;
    const unsigned choice = data[0];
    std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::string source = choice & 1 ? script : kernel;
    if (choice & 0x80) {
        const std::size_t cut = rest.find('\x1f');
        source = rest.substr(0, cut);
        rest = cut == std::string_view::npos ? std::string_view() : rest.substr(cut + 1);
    }
    PatchOptions options;
    options.finishReason = choice & 2 ? "length" : choice & 8 ? "stop" : "";
    options.prompt = choice & 4 ? Prompt::Rewrite : Prompt::Edit;
    const auto result = applyReply(source, "x.cu", rest, options);
    if (!result) {
        require(!result.error().code.empty() && !result.error().text.empty(), "a refusal says why");
        require(!result.error().repairPrompt.empty(), "a refusal says what to do");
        return 0;
    }
    require(result->text != source && !result->diff.empty(), "something changed");
    const auto decodes = [](std::string_view text) { return printable(text).find("\ufffd") == std::string::npos; };
    require(!decodes(source) || !decodes(rest) || decodes(result->text), "what was UTF-8 stays UTF-8");
    require(patch::blocksIn(result->text).size() == patch::blocksIn(source).size(), "the blocks stay");
    const std::string before = patch::SourceText(source).text(), after = patch::SourceText(result->text).text();
    require(patch::appliedStrictly(before, result->diff) == after, "the diff leads to the text");
    require(patch::appliedStrictly(after, turnedRound(result->diff)) == before, "the diff turned round leads back");
    requireTheOtherLines(source, result->text, result->diff);
    return 0;
}
