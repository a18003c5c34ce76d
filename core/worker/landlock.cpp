// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/landlock.h"

#include <cstdint>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tilewright {
namespace {

constexpr std::uint64_t reading
    = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t onFiles
    = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr std::uint64_t everything = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; // all rights of ABI 1

bool allow(int ruleset, const std::string& path, std::uint64_t access)
{
    landlock_path_beneath_attr rule{};
    rule.allowed_access = access;
    rule.parent_fd = open(path.c_str(), O_PATH | O_CLOEXEC);
    struct stat status {
    };
    if (rule.parent_fd < 0 || fstat(rule.parent_fd, &status) != 0)
        return false;
    if (!S_ISDIR(status.st_mode)) // rights on folders are an error for a file
        rule.allowed_access &= onFiles;
    const bool added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return added;
}

} // namespace

bool confineFiles(const std::vector<std::string>& readable, const std::vector<std::string>& writable)
{
    landlock_ruleset_attr attributes{};
    attributes.handled_access_fs = everything;
    const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
    if (ruleset < 0)
        return false;
    for (const std::string& path : readable)
        allow(ruleset, path, reading);
    for (const std::string& path : writable)
        allow(ruleset, path, everything);
    const bool confined
        = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return confined;
}

} // namespace tilewright
