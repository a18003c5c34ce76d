// SPDX-License-Identifier: GPL-3.0-or-later
// The schemes that are built in. Pure.
#pragma once

#include "core/tensor/scheme.h"

#include <string_view>
#include <vector>

namespace tilewright::tensor {

/// The definition: n·m·p products of two entries. The format is one that checkFormat() accepts.
Scheme schoolbook(const Format& format);
/// 2x2x2 with 7 products and 18 additions (Strassen 1969).
Scheme strassen();
/// 2x2x2 with 7 products and 15 additions where sums are reused (Winograd 1971).
Scheme winogradVariant();

/// "strassen", "winograd", "schoolbook:2x3x4", or a format alone, which is the schoolbook's.
/// Errors: tensor/unknown, tensor/format.
Result<Scheme> knownScheme(std::string_view name);
/// Whether knownScheme() would read this as a name rather than as a file.
bool isSchemeName(std::string_view name);

} // namespace tilewright::tensor
