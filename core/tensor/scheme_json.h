// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes as JSON: Tilewright's own form, and that of the public collection FastMatrixMultiplication (D. Perminov).
// Pure.
#pragma once

#include "core/tensor/scheme_draft.h"

#include <string_view>

namespace tilewright::tensor {

/// The own form: {"tilewright_scheme": 1, "n", "m", "p", "rank", "ring", "layout", "name", "provenance", "u", "v",
/// "w"}; u, v and w are lists of products, each a list of coefficients: integers, or texts such as "1/2" and "(1-i)/2".
std::string ownJson(const Scheme& scheme);
/// The collection's: {"n": [n, m, p], "m": rank, "z2", "u", "v", "w"}, with the transpose of C.
std::string collectionJson(const Scheme& scheme);

/// Either of them, and the collection's form with reduced additions ("u_fresh" and so on).
/// Errors: tensor/file, tensor/format, tensor/rank, tensor/shape, tensor/coefficient.
Result<SchemeDraft> draftInJson(std::string_view text);

} // namespace tilewright::tensor
