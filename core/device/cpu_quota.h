// SPDX-License-Identifier: Apache-2.0
// Processor time that control groups grant: a container may see many cores and be allowed the time of one. Versions 1
// and 2 of control groups; both may be absent.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace tilewright {

/// The control groups of this process that may limit its processor time, the innermost first, up to the root that this
/// process sees. root: where cgroupfs is mounted; membership: /proc/self/cgroup.
class CpuQuotaGroups
{
public:
    explicit CpuQuotaGroups(const std::filesystem::path& root = "/sys/fs/cgroup",
        const std::filesystem::path& membership = "/proc/self/cgroup");

    /// The tightest limit, in cores; 0: none.
    double cores() const;
    /// The period of that limit; 0: none.
    std::chrono::microseconds period() const;
    /// How long all of them have kept this process's tasks from running so far.
    std::chrono::nanoseconds stopped() const;

private:
    struct Limit {
        double cores = 0;
        std::chrono::microseconds period{};
    };
    Limit tightest() const;
    std::vector<std::filesystem::path> m_groups;
};

/// Of this process, in cores; 0: no limit.
double cpuQuota();

// Small files of sysfs, procfs and cgroupfs: read whole, or as one number.

/// Up to where reading fails: a process may end between opening its file and reading it.
inline std::string contentOf(const std::filesystem::path& path)
{
    std::ostringstream content;
    content << std::ifstream(path).rdbuf(); // reports a failed read by its state; an istreambuf_iterator throws
    return content.str();
}

/// The whole number that a file begins with.
inline std::optional<std::int64_t> numberIn(const std::filesystem::path& path)
{
    std::int64_t number = 0;
    return std::ifstream(path) >> number ? std::optional(number) : std::nullopt;
}

} // namespace tilewright
