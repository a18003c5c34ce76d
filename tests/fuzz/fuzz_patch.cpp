// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a reply holds, the applier answers: a text that differs inside the blocks only and that its own diff
// leads to, or a code. The first byte chooses source and options; with its top bit set the input carries the source as
// well.
#include "core/patch/guards.h"
#include "core/patch/patch.h"
#include "core/patch/source_text.h"
#include "core/patch/strict.h"

#include <cstdint>
#include <cstdlib>

using namespace tilewright;

namespace {

const std::string kernel
    = "#include <x>\n// EVOLVE-BLOCK-START\nconstexpr int BM = 64; // tune: 32 64\n\n__global__ void f(float* c)\n{\n"
      "    for (int i = 0; i < 4; ++i) {\n        c[i] = \"a - b\"[i];\n    }\n\n\tc[0] = 1;\n}\n// EVOLVE-BLOCK-END\n"
      "int main() { }\n";
const std::string script = "import x\r\n# EVOLVE-BLOCK-START\r\ndef f(n):\r\n    if n:\r\n        return ...\r\n\r\n"
                           "# EVOLVE-BLOCK-END\r\nf(1)";

void require(bool holds)
{
    if (!holds)
        std::abort();
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
    options.finishReason = choice & 2 ? "length" : "stop";
    options.prompt = choice & 4 ? Prompt::Rewrite : Prompt::Edit;
    const auto result = applyReply(source, "x.cu", rest, options);
    if (!result) {
        require(!result.error().code.empty() && !result.error().text.empty());
        return 0;
    }
    require(result->text != source && !result->diff.empty());
    require(patch::blocksIn(result->text).size() == patch::blocksIn(source).size());
    const auto again = patch::appliedStrictly(patch::SourceText(source).text(), result->diff);
    require(again && *again == patch::SourceText(result->text).text());
    return 0;
}
