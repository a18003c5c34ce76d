// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes in files of any of the supported forms.
#pragma once

#include "core/tensor/scheme_draft.h"

#include <filesystem>

namespace tilewright::tensor {

enum class SchemeForm {
    Json, ///< Tilewright's own
    Collection, ///< that of FastMatrixMultiplication
    Npz, ///< AlphaTensor's
    Expressions ///< one product a line
};
inline constexpr NameTable<SchemeForm, 4> schemeForms{{{SchemeForm::Json, "json"},
    {SchemeForm::Collection, "collection"}, {SchemeForm::Npz, "npz"}, {SchemeForm::Expressions, "exp"}}};

inline constexpr std::size_t largestSchemeFile = std::size_t(16) << 20; ///< bytes

/// The scheme in these bytes, whatever form they have, verified. `format` chooses among the schemes of an archive.
/// Errors: those of the forms, tensor/wrong; tensor/file for what is none of them.
Result<ImportedScheme> schemeInBytes(std::string_view bytes, const std::optional<Format>& format);
/// The same of a file, or of a built-in scheme's name. Errors: file/missing and so on, and those of schemeInBytes().
Result<ImportedScheme> schemeAt(const std::string& nameOrPath, const std::optional<Format>& format);

/// The bytes of a file of this form. Errors: tensor/file, tensor/coefficient.
Result<std::string> bytesOf(const Scheme& scheme, SchemeForm form);
/// By the ending of a path: .npz, .exp or .txt, else Json.
SchemeForm formFor(const std::filesystem::path& path);

} // namespace tilewright::tensor
