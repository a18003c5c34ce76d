// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a task pack, made from the description of a user's kernel. Pure; for descriptions without findings.
#pragma once

#include "core/pack/kernel_description.h"

#include <map>

namespace tilewright {

/// File name → text: task.json, seed.cpp, reference.cpp (.cu for a GPU), README.md, moves/NAME.patch.
std::map<std::string, std::string> packTexts(const KernelDescription& description);

/// Each of them alone.
std::string taskJsonOf(const KernelDescription& description);
/// The user's file as it is, inside an evolve block, and the contract's entry that hands the tensors to the function.
std::string seedOf(const KernelDescription& description);
std::string referenceOf(const KernelDescription& description);
/// A complaint about seed.cpp or reference.cpp with the lines of the user's own file in place of the pack's:
/// "candidate.cpp:12:5: error" → "softmax.c:9:5: error". Lines that were written around it stay; so does the text of a
/// task for the GPU, whose kernel is taken out of its file.
std::string inOwnLines(const KernelDescription& description, const std::string& complaint);
/// What "right" means for this task, in a sentence for a user.
std::string truthSentence(const KernelDescription& description);
/// "grid (ceil_div(n, 256)), block (256), 1024 bytes of dynamic shared memory".
std::string launchInWords(const KernelLaunch& launch);
/// Around what is generated in a file that holds a user's own text as well: that text keeps its own licence.
constexpr const char* snippetBegin = "// SPDX-SnippetBegin\n// SPDX-License-Identifier: Apache-2.0\n";
constexpr const char* snippetEnd = "// SPDX-SnippetEnd\n";
/// How a README begins that was written here: such a pack may be written over.
constexpr const char* packMark = "<!-- written by Tilewright";

} // namespace tilewright
