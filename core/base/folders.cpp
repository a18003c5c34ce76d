// SPDX-License-Identifier: Apache-2.0
#include "core/base/folders.h"

#include <cstdlib>
#include <pwd.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

/// As the account says; empty where there is none.
fs::path homeOfAccount()
{
    passwd entry{};
    passwd* found = nullptr;
    std::vector<char> buffer(16 << 10);
    if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found || !found->pw_dir)
        return {};
    return found->pw_dir;
}

/// A folder of this user's under the temporary one: the same for all its processes, or, where somebody else has taken
/// that name, one of this process alone.
fs::path privateTemporaryFolder()
{
    const fs::path usual = temporaryFolder() / ("tilewright-" + std::to_string(geteuid()));
    mkdir(usual.c_str(), 0700);
    if (isPrivateFolder(usual))
        return usual;
    static const fs::path own = [&] {
        std::string pattern = usual.string() + "-XXXXXX";
        return fs::path(mkdtemp(pattern.data()) ? pattern : "/nonexistent/tilewright");
    }();
    return own;
}

/// The places that may hold a kind of things, the first choice first: the one that the variable names, and those of
/// HOME and of the account. Where the first is safe, no other is meant.
std::vector<fs::path> placesFor(const char* variable, const char* underHome)
{
    std::vector<fs::path> places;
    if (const char* set = std::getenv(variable); set && *set == '/') {
        const fs::path named = fs::path(set) / "tilewright";
        if (isSafeFolder(named))
            return {named};
        places.emplace_back(set);
    }
    const char* home = std::getenv("HOME");
    if (home && *home == '/')
        places.push_back(fs::path(home) / underHome);
    if (const fs::path account = homeOfAccount(); account.is_absolute() && account != "/")
        places.push_back(account / underHome);
    for (fs::path& place : places)
        place /= "tilewright";
    return places;
}

/// Whether something that is no folder stands where it or one above it has to be.
bool cannotBeFolder(fs::path folder)
{
    std::error_code problem;
    while (!fs::exists(folder, problem) && folder.has_relative_path())
        folder = folder.parent_path();
    return !fs::is_directory(folder, problem);
}

bool canBeWritten(const fs::path& folder)
{
    std::error_code problem;
    fs::create_directories(folder, problem);
    return access(folder.c_str(), W_OK | X_OK) == 0;
}

} // namespace

bool isSafeFolder(const fs::path& folder)
{
    std::error_code problem;
    const fs::path real = fs::weakly_canonical(folder, problem);
    if (problem || real.empty())
        return false;
    const uid_t user = geteuid();
    for (fs::path at = real;; at = at.parent_path()) {
        struct stat facts {
        };
        if (lstat(at.c_str(), &facts) == 0) {
            const bool isOurs = facts.st_uid == user || facts.st_uid == 0;
            const bool ownGroup = facts.st_gid == getegid() && facts.st_gid == user; // a group of this user's alone
            const mode_t others = ownGroup ? S_IWOTH : S_IWGRP | S_IWOTH;
            // The sticky bit keeps others from exchanging what stands there, not from adding to it.
            const bool isSticky = at != real && (facts.st_mode & S_ISVTX) != 0;
            if (!S_ISDIR(facts.st_mode) || !isOurs || ((facts.st_mode & others) != 0 && !isSticky))
                return false;
        }
        if (at == at.parent_path())
            return true;
    }
}

bool isPrivateFolder(const fs::path& folder)
{
    struct stat facts {
    };
    return lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid()
        && (facts.st_mode & 077) == 0 && isSafeFolder(folder);
}

fs::path temporaryFolder()
{
    const char* set = std::getenv("TMPDIR");
    if (!set || *set != '/')
        return "/tmp";
    // A sticky folder that everybody writes to is what temporary folders are; what is made there has a name of its own.
    struct stat facts {
    };
    const bool isSticky = stat(set, &facts) == 0 && facts.st_uid == 0 && (facts.st_mode & S_ISVTX) != 0;
    return isSticky || isSafeFolder(set) ? fs::path(set) : fs::path("/tmp");
}

fs::path dataFolder()
{
    for (const fs::path& place : placesFor("XDG_DATA_HOME", ".local/share"))
        if (isSafeFolder(place) || cannotBeFolder(place))
            return place;
    return privateTemporaryFolder() / "data";
}

std::string dataFolderNotice()
{
    const std::vector<fs::path> places = placesFor("XDG_DATA_HOME", ".local/share");
    const fs::path folder = dataFolder();
    if (!places.empty() && folder == places.front())
        return {};
    return (places.empty() ? "there is no home folder"
                           : places.front().string() + " is not used: other users can change it")
        + "; sessions and task packs are stored in " + folder.string();
}

fs::path sessionsFolder() { return dataFolder() / "sessions"; }

fs::path cacheFolder()
{
    for (const fs::path& place : placesFor("XDG_CACHE_HOME", ".cache"))
        if (isSafeFolder(place) && canBeWritten(place) && isSafeFolder(place)) // and once more: it may be new
            return place;
    return privateTemporaryFolder();
}

fs::path programFolder()
{
    std::error_code problem;
    const fs::path self = fs::read_symlink("/proc/self/exe", problem);
    return problem ? fs::current_path() : self.parent_path();
}

fs::path sharedFolder()
{
    if (const char* set = std::getenv("TILEWRIGHT_SHARE"); set && *set)
        return set;
    std::error_code problem;
    const fs::path here = programFolder();
    for (fs::path up = here; up.has_relative_path(); up = up.parent_path()) {
        if (fs::exists(up / "share/tilewright/kernels", problem))
            return up / "share/tilewright";
        if (fs::exists(up / "kernels", problem) && fs::exists(up / "resources", problem))
            return up;
    }
    return here;
}

} // namespace tilewright
