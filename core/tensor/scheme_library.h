// SPDX-License-Identifier: GPL-3.0-or-later
// Schemes that are kept with where they are from: built in, found here, or imported. One file each, so that a damaged
// one takes no other with it.
#pragma once

#include "core/tensor/scheme.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tilewright::tensor {

struct Provenance {
    enum class Kind { BuiltIn, Found, Imported };

    Kind kind = Kind::BuiltIn;
    std::string date; ///< UTC, ISO 8601: when it was found or imported
    // Found.
    std::uint64_t seed = 0;
    int threads = 0;
    double seconds = 0; ///< of searching
    std::string version; ///< of the program that found it
    // Imported.
    std::string file, sha256; ///< name without its folder; of the file's bytes

    bool operator==(const Provenance&) const = default;
};

struct LibraryScheme {
    Scheme scheme;
    Provenance from;
    std::filesystem::path file; ///< that keeps it; empty: built in

    bool operator==(const LibraryScheme&) const = default;
};

std::vector<LibraryScheme> builtInSchemes();

struct SchemeLibrary {
    std::vector<LibraryScheme> schemes; ///< by format, rank and date
    std::vector<Error> damaged; ///< tensor/library: files that hold no scheme; they are left as they are
};
/// What the folder holds; nothing where there is none.
SchemeLibrary schemesIn(const std::filesystem::path& folder);
/// Keeps a scheme there, which is made; one that is there already from the same place is kept once. Errors:
/// tensor/library (the folder cannot be made), those of saveFile().
Result<LibraryScheme> keepScheme(const std::filesystem::path& folder, const Scheme& scheme, const Provenance& from);
/// Errors: tensor/library.
Result<void> removeScheme(const LibraryScheme& scheme);

} // namespace tilewright::tensor
