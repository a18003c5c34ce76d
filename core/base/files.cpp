// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

fs::path xdgFolder(const char* variable, const char* underHome)
{
    const char* set = std::getenv(variable);
    if (set && *set == '/')
        return fs::path(set) / "tilewright";
    const char* home = std::getenv("HOME");
    return (home && *home ? fs::path(home) / underHome : fs::temp_directory_path()) / "tilewright";
}

/// The node loads what lies in its cache: what another user may have put there is not taken.
bool isOursAlone(const fs::path& folder)
{
    struct stat facts;
    return lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == getuid()
        && (facts.st_mode & 077) == 0;
}

} // namespace

Result<std::string> readFile(const fs::path& path, std::size_t largest)
{
    std::error_code problem;
    if (!fs::exists(path, problem))
        return fail("file/missing", path.string() + " does not exist");
    if (!fs::is_regular_file(path, problem))
        return fail("file/unreadable", path.string() + " is not a regular file");
    const auto size = fs::file_size(path, problem);
    if (!problem && size > largest)
        return fail("file/too-large",
            path.string() + " has " + std::to_string(size) + " bytes, at most " + std::to_string(largest)
                + " are read");
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.good() && !file.eof())
        return fail("file/unreadable", path.string() + " cannot be read");
    return text;
}

fs::path sessionsFolder() { return dataFolder() / "sessions"; }

fs::path dataFolder() { return xdgFolder("XDG_DATA_HOME", ".local/share"); }

fs::path cacheFolder()
{
    const fs::path folder = xdgFolder("XDG_CACHE_HOME", ".cache");
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (access(folder.c_str(), W_OK | X_OK) == 0)
        return folder;
    const fs::path own = fs::temp_directory_path(problem) / ("tilewright-" + std::to_string(getuid()));
    mkdir(own.c_str(), 0700);
    return isOursAlone(own) ? own : folder;
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
