// SPDX-License-Identifier: GPL-3.0-or-later
// The file packed-refs of a git repository (gitrepository-layout(5)): all names in one text. One rename replaces all of
// them at once, where ten thousand files of one name each would take as many, and 40 MB. Pure.
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace tilewright {

/// "refs/heads/best" → object id in hexadecimal.
using RefNames = std::map<std::string, std::string>;

/// Lines that say where an annotated tag leads are left out: they follow from the tag. Errors: lineage/damaged.
Result<RefNames> parsedRefs(std::string_view text);
/// As git writes it, sorted by name.
std::string packedRefsText(const RefNames& refs);

} // namespace tilewright
