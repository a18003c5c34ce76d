// SPDX-License-Identifier: Apache-2.0
// System-call filters (seccomp-bpf) as allow-lists: whatever is not listed raises SIGSYS, whose handler reports it.
#pragma once

#include <string>
#include <vector>

namespace tilewright {

/// Only these system calls of this architecture from here on; stacks on earlier filters. False with errno set on
/// failure.
bool allowOnly(const std::vector<int>& syscalls);

/// What the dynamic loader needs to map one shared object; nothing that makes, connects or changes anything.
const std::vector<int>& loaderSyscalls();
/// What a guest needs while candidate code runs: futex wake, futex wait without a timeout (a timed wait would be a
/// clock, and a way to run before the bell), exit_group. Nothing else.
bool allowWaitingAndLeaving();

// The fallback where bubblewrap cannot run: file access by Landlock. Honest about being less than a sandbox.

/// Reading below `readable`, everything below `writable`, nothing else of the file system. False if the kernel has
/// none.
bool confineFiles(const std::vector<std::string>& readable, const std::vector<std::string>& writable);

} // namespace tilewright
