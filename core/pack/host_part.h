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

} // namespace tilewright
