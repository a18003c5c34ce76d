// SPDX-License-Identifier: GPL-3.0-or-later
// How long does a reply of 40 hunks take on a program of 5 000 lines? Clean, and with what the applier must mend.
//   bench-patch [--hunks N] [--lines N]
#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/patch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

using namespace tilewright;

namespace {

/// Functions of ten lines that are much alike, as kernels are.
std::string program(int lines, int hunks, bool edited)
{
    std::string text = "// EVOLVE-BLOCK-START\n";
    const int each = std::max(1, lines / 10 / hunks);
    for (int i = 0; i < lines / 10; ++i) {
        const std::string n = std::to_string(i);
        const std::string step = edited && i % each == 0 && i / each < hunks ? "2 * k" : "k";
        text += "__device__ float part_" + n + "(const float* a, int n)\n{\n    float acc = 0.0f;\n"
            + "    for (int k = 0; k < n; ++k) {\n        acc += a[" + step + "] * " + n + ".0f; // \"part\" - " + n
            + "\n        acc *= 0.5f;\n    }\n    return acc;\n}\n\n";
    }
    return text + "// EVOLVE-BLOCK-END\n";
}

std::string changed(std::string text, const std::string& old, const std::string& fresh)
{
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + fresh.size()))
        text.replace(at, old.size(), fresh);
    return text;
}

/// Indentation in tabs, behind each line's sign.
std::string withTabs(const std::string& diff)
{
    std::string text;
    for (const std::string_view line : splitLines(diff)) {
        const bool content = !line.starts_with("@@") && !line.starts_with("---") && !line.starts_with("+++");
        text += content ? line.substr(0, 1) : line;
        text += content ? changed(std::string(line.substr(1)), "    ", "\t") : "";
        text += '\n';
    }
    return text;
}

void measure(
    const char* name, const std::string& source, const std::string& diff, std::optional<std::string_view> wanted)
{
    std::vector<double> times;
    bool right = true;
    for (int i = 0; i < 21; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const auto result = applyReply(source, "part.cu", "<diff>\n" + diff + "</diff>\n");
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        right &= wanted ? result && result->text == *wanted : !result;
    }
    std::ranges::sort(times);
    std::printf("%-22s median %7.2f ms  worst %7.2f ms  %s\n", name, times[times.size() / 2], times.back(),
        !right       ? "WRONG"
            : wanted ? "text right"
                     : "rightly refused");
}

} // namespace

int main(int argc, char** argv)
{
    int hunks = 40, lines = 5000;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--hunks") == 0)
            hunks = std::max(1, std::atoi(argv[i + 1]));
        if (std::strcmp(argv[i], "--lines") == 0)
            lines = std::max(10, std::atoi(argv[i + 1]));
    }
    const std::string source = program(lines, hunks, false), wanted = program(lines, hunks, true);
    const std::string diff = unifiedDiff(source, wanted, "part.cu", 4);
    std::printf("%d hunks, %d lines\n", hunks, lines);
    measure("clean", source, diff, wanted);
    measure("tabs instead of blanks", source, withTabs(diff), wanted);
    measure("typographic", source, changed(diff, " - ", " \u2013 "), changed(wanted, "\u2013", "-"));
    measure("escaped", source, changed(changed(diff, "<", "&lt;"), ">", "&gt;"), wanted);
    measure("misquoted context", source, changed(diff, "float acc", "double acc"), wanted);
    measure("signs lost to tabs", source, changed(diff, "    ", "\t"), std::nullopt);
    return 0;
}
