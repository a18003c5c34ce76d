// SPDX-License-Identifier: Apache-2.0
// The files of an export as values, its manifest, and the one place that writes them: into a temporary folder beside
// the wanted one, which is renamed at the end, so that it is there whole or not at all and nothing is overwritten.
#pragma once

#include "core/base/result.h"

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct BundleFile {
    std::string text;
    bool isExecutable = false;
};

/// By path inside the bundle: "source/seed.cpp".
using Bundle = std::map<std::string, BundleFile>;

inline constexpr const char* manifestFile = "MANIFEST.sha256";
/// What `ssh-keygen -Y sign` made of the manifest; not in the manifest itself.
inline constexpr const char* signatureFile = "MANIFEST.sha256.sig";
/// The purpose that a signature is for: `ssh-keygen -Y verify -n`.
inline constexpr const char* signatureNamespace = "tilewright-export";
/// What is made where a bundle is built and run; no part of it.
inline constexpr std::array builtFolders{"harness/out/", "interface/out/"};

/// Lines "HASH  PATH" of every file, as `sha256sum -c` reads them.
std::string manifestOf(const Bundle& bundle);

/// Whether a bundle can be written there: nothing is there but an empty folder, and the folder above it can be written.
/// Errors: export/exists, file/missing (the folder above), file/unwritable.
Result<void> checkDestination(const std::filesystem::path& folder);

/// Writes all files and the manifest. Errors: those of checkDestination(), file/unwritable (a full disk, rights),
/// export/name (a path that would leave the folder).
Result<void> writeBundle(Bundle bundle, const std::filesystem::path& folder);

/// Paths that differ from the folder's manifest, are missing, or are not in it; what is built of it aside. Errors:
/// file/missing (no manifest), file/unreadable.
Result<std::vector<std::string>> damagedFilesIn(const std::filesystem::path& folder);

} // namespace tilewright
