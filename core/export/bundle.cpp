// SPDX-License-Identifier: Apache-2.0
#include "core/export/bundle.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

/// A relative path that stays inside the folder. Names of files come from task packs, and sessions from other people.
bool isInside(const std::string& path)
{
    const fs::path normal = fs::path(path).lexically_normal();
    return !path.empty() && !normal.is_absolute() && normal.begin() != normal.end() && *normal.begin() != ".."
        && normal.filename() != "" && normal.filename() != "." && path.find('\n') == std::string::npos;
}

/// The folder above the wanted one.
fs::path parentOf(const fs::path& folder)
{
    const fs::path parent = folder.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

/// "out/" names the same folder as "out".
fs::path withoutSlash(const fs::path& folder)
{
    fs::path plain = folder.lexically_normal();
    return plain.has_filename() ? plain : plain.parent_path();
}

Result<void> writeFiles(const Bundle& bundle, const fs::path& folder)
{
    for (const auto& [path, file] : bundle) {
        const fs::path target = folder / path;
        std::error_code problem;
        fs::create_directories(target.parent_path(), problem);
        if (problem)
            return fail("file/unwritable",
                printable(target.parent_path().string()) + " cannot be created: " + problem.message());
        if (auto written = saveFile(target, file.text); !written)
            return written;
        if (file.isExecutable)
            fs::permissions(target, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                fs::perm_options::add, problem);
        if (problem)
            return fail(
                "file/unwritable", printable(target.string()) + " cannot be made executable: " + problem.message());
    }
    return {};
}

} // namespace

std::string manifestOf(const Bundle& bundle)
{
    std::string text;
    for (const auto& [path, file] : bundle)
        if (path != manifestFile && path != signatureFile)
            text += sha256(file.text).hex() + "  " + path + "\n";
    return text;
}

Result<void> checkDestination(const fs::path& wanted)
{
    const fs::path folder = withoutSlash(wanted);
    const std::string name = printable(folder.string());
    std::error_code problem;
    if (!folder.has_filename() || folder.filename() == "." || folder.filename() == "..")
        return fail("export/exists", "'" + name + "' is an existing folder", "name a new folder: --to DIR");
    if (fs::symlink_status(folder, problem).type() != fs::file_type::not_found
        && !(fs::is_directory(fs::symlink_status(folder, problem)) && fs::is_empty(folder, problem)))
        return fail(
            "export/exists", name + " exists already", "existing folders are not overwritten: choose a new one");
    const fs::path parent = parentOf(folder);
    if (!fs::is_directory(parent, problem))
        return fail("file/missing", "there is no folder " + printable(parent.string()), "make it first");
    if (access(parent.c_str(), W_OK | X_OK) != 0)
        return fail("file/unwritable",
            "the folder " + printable(parent.string()) + " cannot be written: " + std::strerror(errno),
            "choose a folder of your own");
    return {};
}

Result<void> writeBundle(Bundle bundle, const fs::path& wanted)
{
    if (auto possible = checkDestination(wanted); !possible)
        return possible;
    for (const auto& [path, file] : bundle)
        if (!isInside(path))
            return fail("export/name", "'" + oneLine(path, 200) + "' is not a valid file name for an export");
    bundle[manifestFile] = {manifestOf(bundle)};
    const fs::path folder = withoutSlash(wanted);
    std::string beside = (parentOf(folder) / ("." + folder.filename().string() + ".XXXXXX")).string();
    if (!mkdtemp(beside.data()))
        return fail("file/unwritable", printable(folder.string()) + " cannot be created: " + std::strerror(errno));
    auto written = writeFiles(bundle, beside);
    const mode_t mask = umask(0);
    umask(mask);
    std::error_code problem;
    if (written && chmod(beside.c_str(), 0777 & ~mask) != 0)
        written = fail("file/unwritable", printable(folder.string()) + ": " + std::strerror(errno));
    // A folder that came in between is not replaced unless it is empty: rename() refuses.
    if (written && rename(beside.c_str(), folder.c_str()) != 0)
        written = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR
            ? fail("export/exists", printable(folder.string()) + " exists already",
                "existing folders are not overwritten: choose a new one")
            : fail("file/unwritable", printable(folder.string()) + " cannot be created: " + std::strerror(errno));
    if (!written)
        fs::remove_all(beside, problem);
    return written;
}

Result<std::vector<std::string>> damagedFilesIn(const fs::path& folder)
{
    const auto manifest = readFile(folder / manifestFile);
    if (!manifest)
        return std::unexpected(manifest.error());
    std::vector<std::string> damaged;
    std::set<std::string> known{manifestFile, signatureFile};
    constexpr std::size_t hashLength = 64;
    for (const std::string_view line : splitLines(*manifest)) {
        if (line.size() < hashLength + 3 || !isInside(std::string(line.substr(hashLength + 2)))) {
            damaged.push_back(manifestFile);
            continue;
        }
        const std::string path(line.substr(hashLength + 2));
        known.insert(path);
        const auto text = readFile(folder / path);
        if (!text || sha256(*text).hex() != line.substr(0, hashLength))
            damaged.push_back(path);
    }
    std::error_code problem;
    for (fs::recursive_directory_iterator at(folder, problem), end; at != end; at.increment(problem)) {
        if (problem)
            return fail("file/unreadable", printable(folder.string()) + ": " + problem.message());
        const std::string path = at->path().lexically_relative(folder).generic_string();
        const bool isBuilt
            = std::ranges::any_of(builtFolders, [&path](const char* built) { return path.starts_with(built); });
        if (!at->is_directory(problem) && !known.contains(path) && !isBuilt)
            damaged.push_back(path);
    }
    std::ranges::sort(damaged);
    damaged.erase(std::ranges::unique(damaged).begin(), damaged.end());
    return damaged;
}

} // namespace tilewright
