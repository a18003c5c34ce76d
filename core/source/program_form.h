// SPDX-License-Identifier: GPL-3.0-or-later
// A program's text without what does not change what it does: names of its own, layout, functions that nothing calls.
// Works on tokens, knows no types and no scopes. Pure.
#pragma once

#include "core/base/hash.h"

#include <string>
#include <string_view>

namespace tilewright {

/// SHA-256 of the program's tokens with every name that the program declares replaced by its number in the order of
/// first use. Two texts of one form are the same program under other names or with other white space; names that are
/// not declared in the text (types of the language, intrinsics, library functions) and all constants count as they are.
Hash formOf(std::string_view text);

/// normalised() without the functions that begin in the first column and whose name stands nowhere else in the text.
/// Those that begin with "tilewright_" stay: the harness calls them.
std::string withoutUncalledFunctions(std::string_view text);

} // namespace tilewright
