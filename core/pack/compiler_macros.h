// SPDX-License-Identifier: GPL-3.0-or-later
// Which macros the compiler of a program has for a text: its built-in ones for this machine, and those of the standard
// headers that the text includes. Starts the compiler's preprocessor as a child process: for a thread that may wait.
#pragma once

#include "core/pack/preprocessor.h"

namespace tilewright {

/// Asked once for each list of headers. Without a compiler, without a condition in the text, and for a CUDA file (whose
/// device compiler reads no host headers): builtinMacros().
Macros compilerMacros(const std::string& fileName, std::string_view source);

} // namespace tilewright
