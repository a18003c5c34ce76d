// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes as text: one product a line, "(a11+a22)*(b11-b12)*(c11+c21)". The form of the .exp files of J. Moosbauer's
// flips, whose c21 is the entry of the transpose of C. Pure.
#pragma once

#include "core/tensor/scheme_draft.h"

#include <string_view>

namespace tilewright::tensor {

/// With the transpose of C, as in those files.
std::string expressionsOf(const Scheme& scheme);

/// The format is read from the largest indices; where C is not square, they say its layout. Empty lines and lines that
/// begin with # are skipped. Errors: tensor/file with the line, tensor/format, tensor/rank.
Result<SchemeDraft> draftInExpressions(std::string_view text);

/// "a11 + 2 a12 - 1/2 b3_12" as entries and coefficients of one matrix of this format; `text` is used up to its end.
/// For moves of the game as well. Errors: tensor/file.
Result<std::vector<Coefficient>> formIn(std::string_view text, const Format& format, Operand operand);
/// "a11+a22-2*a12".
std::string formText(const Factor& factor, int product, const Format& format, Operand operand);

} // namespace tilewright::tensor
