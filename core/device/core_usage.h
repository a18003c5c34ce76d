// SPDX-License-Identifier: Apache-2.0
// Which programs ran on which cores: read from /proc for every thread that this user may see, as run time in
// nanoseconds. Answers "who disturbs the measuring core" without any privilege.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tilewright {

struct CoreUser {
    std::string program; ///< name of the process
    pid_t process = 0;
    int core = 0;
    double share = 0; ///< of the core's time while it was watched, 0 … 1

    bool operator==(const CoreUser&) const = default;
};

/// Watches these cores for `duration`, reading every tenth of it, and returns who ran on them, the largest share first.
/// A thread's time between two readings counts for the core that it was on at the second. Left out: `ignored` processes
/// and whoever took less than a hundredth of a core. Blocks the calling thread. proc: where procfs is mounted.
std::vector<CoreUser> watchCores(const std::vector<int>& cores, const std::vector<pid_t>& ignored,
    std::chrono::milliseconds duration, const std::filesystem::path& proc = "/proc");

/// "firefox (process 4711) took 34 % of core 1, …", at most three; empty where there is none.
std::string describeCoreUsers(const std::vector<CoreUser>& users);

} // namespace tilewright
