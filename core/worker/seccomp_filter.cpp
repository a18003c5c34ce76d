// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/seccomp_filter.h"

#include <cstddef>
#include <cstdint>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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

} // namespace

bool allowOnly(const std::vector<int>& syscalls)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    std::vector<sock_filter> program;
    program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
    program.push_back(jumpIfEqual(architecture, 1, 0));
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    for (std::size_t i = 0; i < syscalls.size(); ++i)
        program.push_back(jumpIfEqual(static_cast<unsigned>(syscalls[i]), syscalls.size() - i, 0));
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

bool allowOnlyTimelessFutexes()
{
    constexpr std::size_t argument = sizeof(std::uint64_t);
    const auto low = static_cast<unsigned>(offsetof(seccomp_data, args)); // little endian
    const std::vector<sock_filter> program{statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        jumpIfEqual(SYS_futex, 0, 7), statement(BPF_LD | BPF_W | BPF_ABS, low + argument),
        jumpIfEqual(FUTEX_WAKE, 5, 0), jumpIfEqual(FUTEX_WAIT, 0, 5),
        statement(BPF_LD | BPF_W | BPF_ABS, low + 3 * argument), jumpIfEqual(0, 0, 3),
        statement(BPF_LD | BPF_W | BPF_ABS, low + 3 * argument + 4), jumpIfEqual(0, 0, 1),
        statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), statement(BPF_RET | BPF_K, SECCOMP_RET_TRAP)};
    const sock_fprog filter{static_cast<unsigned short>(program.size()), const_cast<sock_filter*>(program.data())};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
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

const std::vector<int>& guestSyscalls()
{
    static const std::vector<int> calls{SYS_futex, SYS_exit_group, SYS_rt_sigreturn, SYS_restart_syscall};
    return calls;
}

} // namespace tilewright
