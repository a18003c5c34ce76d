// SPDX-License-Identifier: GPL-3.0-or-later
// What keeps a machine from building any program, until somebody has installed what is missing there. Pure.
#pragma once

#include <string_view>

namespace tilewright {

/// The code of an error of a build that says nothing about the program.
inline bool lacksCompiler(std::string_view code)
{
    return code == "build/no-compiler" || code == "build/no-nvrtc" || code == "build/no-headers";
}

} // namespace tilewright
