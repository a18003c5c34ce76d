// SPDX-License-Identifier: GPL-3.0-or-later
// ZIP archives in memory, by libzip.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tensor {

struct ZipEntry {
    std::string name;
    std::string bytes;
};

inline constexpr std::size_t mostZipEntries = 1000;
inline constexpr std::size_t largestZipEntry = std::size_t(16) << 20; ///< bytes, unpacked

/// Names of all entries, in their order. Errors: tensor/file.
Result<std::vector<std::string>> namesInZip(std::string_view archive);
/// One entry, unpacked. Errors: tensor/file, also where it is encrypted, damaged or larger than largestZipEntry.
Result<std::string> unpackedFromZip(std::string_view archive, const std::string& name);
/// An archive of these entries. Errors: tensor/file.
Result<std::string> zipOf(const std::vector<ZipEntry>& entries);

} // namespace tilewright::tensor
