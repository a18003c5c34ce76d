// SPDX-License-Identifier: GPL-3.0-or-later
// What a file says of a scheme, before it is known whether it is right and how its C is written. Pure.
#pragma once

#include "core/tensor/scheme.h"

namespace tilewright::tensor {

/// How the rows of W count the entries of C.
enum class OutputLayout {
    Plain, ///< C row by row, as in Scheme
    Transposed ///< the transpose of C row by row, as in the trace of A B Cᵀ: AlphaTensor and other collections
};
inline constexpr NameTable<OutputLayout, 2> outputLayouts{
    {{OutputLayout::Plain, "C"}, {OutputLayout::Transposed, "C-transposed"}}};

struct SchemeDraft {
    Format format;
    Factor u, v, w; ///< w in the layout of the file
    std::optional<Ring> ring; ///< where the file says one
    std::optional<OutputLayout> layout; ///< the same
    std::string name, origin;
};

struct ImportedScheme {
    Scheme scheme; ///< exact over its ring
    OutputLayout layout = OutputLayout::Plain; ///< in which the file's C makes it right
    bool isOnlyMod2 = false; ///< the file says no ring, and its numbers are right modulo 2 alone
};

/// Tries both layouts, the file's own first, over the file's ring, else over the smallest that has its numbers, then
/// over Z2; takes the first that is exact. Errors: those of checkScheme(); tensor/wrong with the first wrong entry of
/// each layout.
Result<ImportedScheme> importedScheme(const SchemeDraft& draft);

/// W with the entries of C counted in the other way: from one layout to the other and back.
Factor withOtherLayout(const Factor& w, int rowsOfC, OutputLayout from);

} // namespace tilewright::tensor
