// SPDX-License-Identifier: GPL-3.0-or-later
// Replies to mutate.
#include "tests/fuzz/fuzz_target.h"

const std::vector<std::string> builtInTexts = {
    "<reasoning>r</reasoning>\n<diff>\n--- a/x.cu\n+++ b/x.cu\n@@ -5,4 +5,4 @@ f\n {\n     for (int i = 0; i < 4; ++i) "
    "{\n"
    "-        c[i] = \"a - b\"[i];\n+        c[i] = 2;\n     }\n@@\n-\tc[0] = 1;\n+\tc[0] = "
    "3;\n</diff>\n<expected_impact>x"
    "</expected_impact>\n",
    "<<<<<<< SEARCH\n    for (int i = 0; i < 4; ++i) {\n...\n\tc[0] = 1;\n=======\n    for (int i = 0; i < 5; ++i) "
    "{\n...\n"
    "\tc[0] = 2;\n>>>>>>> REPLACE\n",
    "*** Begin Patch\n*** Update File: x.cu\n@@ __global__ void f(float* c)\n {\n+    int q;\n     for (int i = 0; i < "
    "4; ++i) {\n"
    "*** End Patch\n",
    "<think>a</think>```cpp\n#include <x>\n// EVOLVE-BLOCK-START\nint q;\n// EVOLVE-BLOCK-END\nint main() { }\n```\n",
    "<diff><![CDATA[\n@@\n     if n:\n-        return ...\n+        return 1\n]]></diff>",
};
const std::vector<std::string> insertedPieces
    = {"@@\n", "<diff>\n", "</diff>\n", "```\n", "=======\n", "--- ", "+++ b/x\n", "&lt;", "\u201c", "\u2013", "\u00a0",
        "...", " ", "\t", "\n", "\r\n", "-", "+", "// ... existing code ...\n", "<think>", "</think>", "12 | ",
        "// EVOLVE-BLOCK-END\n", "*** End Patch\n", ">>>>>>> REPLACE\n", std::string(1, '\0'), "\xff"};
