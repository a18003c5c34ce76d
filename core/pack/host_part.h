// SPDX-License-Identifier: GPL-3.0-or-later
// A user's C++ file without the code of its host: main(), timing, input and output that the kernel does not call. What
// the kernel needs, and all plain code, stays. Pure.
#pragma once

#include "core/pack/preprocessor.h"

#include <string>
#include <vector>

namespace tilewright {

struct HostPart {
    std::string text; ///< what stays; the file itself where nothing is left out
    std::vector<int> lines; ///< of each line of the text its line in the file, from 1
    std::vector<std::string> leftOut; ///< "main() in line 40"
};

/// Functions that `function` reaches stay. Of the others go main(), those that use what a kernel cannot have (streams,
/// files, clocks, the heap, threads), and those that call one that goes; with them variables and headers that only they
/// use.
HostPart hostPartOf(const std::string& source, const std::string& function, const Macros& macros);

// Which macros the compiler of a program has for a text: its built-in ones for this machine, and those of the standard
// headers that the text includes. Starts the compiler's preprocessor as a child process: for a thread that may wait.

/// Asked once for each list of headers. Without a compiler, without a condition in the text, and for a CUDA file (whose
/// device compiler reads no host headers): builtinMacros().
Macros compilerMacros(const std::string& fileName, std::string_view source);

} // namespace tilewright
