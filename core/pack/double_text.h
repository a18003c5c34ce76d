// SPDX-License-Identifier: GPL-3.0-or-later
// A user's kernel as a text that computes in double precision: the truth that every honest order of its sums comes
// close to. Its own single precision is no such truth: it holds the rounding of one order. Pure.
#pragma once

#include "core/pack/preprocessor.h"

#include <string>

namespace tilewright {

struct DoubleText {
    std::string text; ///< empty where it cannot be had
    std::string obstacle; ///< then what stands in the way, with its line: "'_mm256_add_ps' in line 7"
};

/// Types, literals and mathematical functions of single precision become those of double; literals keep the values that
/// they have as floats. Not where the text depends on how a float is stored, or jumps where one rounds.
DoubleText inDouble(const std::string& source, const Macros& macros = builtinMacros(false));

} // namespace tilewright
