// SPDX-License-Identifier: GPL-3.0-or-later
// How a kernel's text uses one of its tensors, as far as its indices tell without a compiler. Pure.
#pragma once

#include "core/base/expression.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// The function's body without words and comments, in its place in a text of blanks; empty where there is none of that
/// name (its namespace and an instance's arguments do not matter).
std::string bodyOf(const std::string& source, const std::string& function);

struct TensorUse {
    std::vector<std::string> indices; ///< what stands in brackets behind its name: "r", "i * n + j"; of *y "0"
    bool otherwise = false; ///< its name stands without brackets as well: moved, handed on, kept under another name
    /// It is read, and nothing in the text changes it.
    bool isOnlyRead() const { return !indices.empty() && !otherwise && !isSet && adding.empty(); }

    bool isSet = false; ///< an element is given a value that does not hang on the tensor itself
    std::string adding; ///< the first change of what stands there: "y[i] +=", "y[i] = … y"; empty if there is none
    int addingLine = 0; ///< from 1
};

/// Of the tensor `name` in the body of `function` (its namespace and an instance's arguments do not matter). Blank
/// where the text has no such function.
TensorUse useOf(const std::string& source, const std::string& function, const std::string& name);

/// Of a plain index, "r": the name among these that the function's text compares it with, "r < rows" or "r >= rows".
/// Empty for any other index, or where it is compared with none.
std::string boundOf(const std::string& source, const std::string& function, const std::string& index,
    const std::vector<std::string>& names);

/// How many elements of a tensor are used where every index of it is made of constants and of counters of loops that
/// run up to constants; none for any other tensor.
std::optional<std::int64_t> fixedSizeOf(
    const std::string& source, const std::string& function, const std::string& name, const Symbols& constants);

} // namespace tilewright
