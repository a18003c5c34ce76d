// SPDX-License-Identifier: GPL-3.0-or-later
// What must not leave the house: texts that come from checks, compilers, people and models are cleaned of shapes that
// are not train shapes, of paths and of what looks like a key before they go into a prompt. Pure.
#pragma once

#include "core/model/task/task.h"

#include <string>

namespace tilewright {

/// The text with
///  - held-out, sealed and verify shapes, in whatever notation (257×263×251, [257, 263, 251], M=257 N=263 K=251), as "a
///    shape that is not shown";
///  - absolute and home paths as "<path>"; a path's file name stays where it is the program itself (candidate.cpp:12);
///  - keys, tokens and assignments to variables named …KEY, …TOKEN, …SECRET, …PASSWORD as "<key>".
/// Not for program texts and diffs: their bytes are what a patch is applied to.
std::string redactedForPrompt(const std::string& text, const Task& task);

/// The text with words that begin as the keys of known services do ("sk-…", "ghp_…") as "<key>", and nothing else
/// touched.
std::string withoutKeyWords(const std::string& text);

} // namespace tilewright
