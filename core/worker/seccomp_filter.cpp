// SPDX-License-Identifier: Apache-2.0
#include "core/worker/seccomp_filter.h"

#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tilewright {
namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
#error "no seccomp filter for this architecture"
#endif

sock_filter statement(unsigned code, unsigned value) { return {static_cast<unsigned short>(code), 0, 0, value}; }

sock_filter jumpIfEqual(unsigned value, std::size_t ifTrue, std::size_t ifFalse)
{
    return {BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned char>(ifTrue), static_cast<unsigned char>(ifFalse), value};
}

bool install(const std::vector<sock_filter>& program)
{
    const sock_fprog filter{static_cast<unsigned short>(program.size()), const_cast<sock_filter*>(program.data())};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

} // namespace

bool allowOnly(const std::vector<int>& syscalls)
{
    std::vector<sock_filter> program;
    program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
    program.push_back(jumpIfEqual(architecture, 1, 0));
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    for (std::size_t i = 0; i < syscalls.size(); ++i)
        program.push_back(jumpIfEqual(static_cast<unsigned>(syscalls[i]), syscalls.size() - i, 0));
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    return install(program);
}

const std::vector<int>& loaderSyscalls()
{
    static const std::vector<int> calls{SYS_openat, SYS_read, SYS_pread64, SYS_close, SYS_fstat, SYS_newfstatat,
        SYS_mmap, SYS_munmap, SYS_mprotect, SYS_brk, SYS_futex, SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask,
        SYS_getpid, SYS_prctl, SYS_seccomp, SYS_restart_syscall, SYS_lseek, SYS_readlinkat,
#ifdef SYS_readlink
        SYS_readlink, SYS_access, SYS_stat,
#endif
        SYS_faccessat};
    return calls;
}

bool allowWaitingAndLeaving()
{
    constexpr unsigned low = 0, high = 4; // halves of a 64-bit argument, little endian
    const auto argument = [](unsigned index, unsigned half) {
        return statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args) + 8 * index + half);
    };
    // Jumps count instructions to skip; "allow" is the last one, "trap" the one before.
    const std::vector<sock_filter> program{
        statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        jumpIfEqual(architecture, 1, 0),
        statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        jumpIfEqual(SYS_exit_group, 9, 0),
        jumpIfEqual(SYS_futex, 0, 7),
        argument(1, low),
        jumpIfEqual(FUTEX_WAKE, 6, 0),
        jumpIfEqual(FUTEX_WAIT, 0, 4),
        argument(3, low),
        jumpIfEqual(0, 0, 2),
        argument(3, high),
        jumpIfEqual(0, 1, 0),
        statement(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return install(program);
}

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
