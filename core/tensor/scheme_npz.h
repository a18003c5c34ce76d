// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes in NumPy archives: AlphaTensor's form, an array "n,m,p" of U, V and W (the transpose of C) for each format,
// products along the last axis; and three arrays "u", "v" and "w".
#pragma once

#include "core/tensor/scheme_draft.h"

#include <string_view>

namespace tilewright::tensor {

/// The scheme of this format; none given: the only one of the archive.
/// Errors: tensor/file; tensor/which, with the formats of the archive, where none or an absent one is given.
Result<SchemeDraft> draftInNpz(std::string_view bytes, const std::optional<Format>& format);
/// AlphaTensor's form. Errors: tensor/file; tensor/coefficient where a coefficient is no double.
Result<std::string> npzOf(const Scheme& scheme);

} // namespace tilewright::tensor
