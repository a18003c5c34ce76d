// SPDX-License-Identifier: Apache-2.0
#include "core/device/cpu_quota.h"

#include <fstream>
#include <sstream>
#include <string>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

/// Value behind a key in a file of "KEY VALUE" lines; 0 where it is missing.
std::int64_t valueOf(const fs::path& file, const std::string& wanted)
{
    std::ifstream lines(file);
    std::string key;
    for (std::int64_t value = 0; lines >> key >> value;)
        if (key == wanted)
            return value;
    return 0;
}

/// Whether a list such as "cpu,cpuacct" names the controller.
bool names(const std::string& controllers, const std::string& wanted)
{
    std::istringstream words(controllers);
    for (std::string word; std::getline(words, word, ',');)
        if (word == wanted)
            return true;
    return false;
}

} // namespace

CpuQuotaGroups::CpuQuotaGroups(const fs::path& root, const fs::path& membership)
{
    // Lines are "NUMBER:CONTROLLERS:PATH"; version 2 has number 0 and no controllers.
    std::ifstream lines(membership);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool isSecond = controllers.empty();
        if (!isSecond && !names(controllers, "cpu"))
            continue;
        std::error_code problem;
        fs::path mounted = root;
        if (!isSecond)
            mounted = fs::exists(root / controllers, problem) ? root / controllers : root / "cpu";
        else if (!fs::exists(root / "cgroup.controllers", problem) && fs::exists(root / "unified", problem))
            mounted = root / "unified";
        // A container may see its own group as the root while the path names it as the host does.
        fs::path group = mounted / fs::path(line.substr(second + 1)).relative_path();
        if (!fs::exists(group, problem))
            group = mounted;
        for (;; group = group.parent_path()) {
            if (fs::exists(group / "cpu.max", problem) || fs::exists(group / "cpu.cfs_quota_us", problem))
                m_groups.push_back(group);
            if (group == mounted || group.empty() || group == group.parent_path())
                break;
        }
    }
}

CpuQuotaGroups::Limit CpuQuotaGroups::tightest() const
{
    Limit found;
    for (const fs::path& group : m_groups) {
        std::int64_t quota = -1, period = 0;
        std::string word;
        if (std::ifstream file(group / "cpu.max"); file >> word >> period)
            quota = word == "max" ? -1 : std::strtoll(word.c_str(), nullptr, 10);
        else {
            quota = numberIn(group / "cpu.cfs_quota_us").value_or(-1);
            period = numberIn(group / "cpu.cfs_period_us").value_or(0);
        }
        if (quota <= 0 || period <= 0)
            continue;
        const double cores = static_cast<double>(quota) / static_cast<double>(period);
        if (found.cores == 0 || cores < found.cores)
            found = {cores, std::chrono::microseconds(period)};
    }
    return found;
}

double CpuQuotaGroups::cores() const { return tightest().cores; }

std::chrono::microseconds CpuQuotaGroups::period() const { return tightest().period; }

std::chrono::nanoseconds CpuQuotaGroups::stopped() const
{
    std::int64_t sum = 0;
    for (const fs::path& group : m_groups)
        sum += valueOf(group / "cpu.stat", "throttled_usec") * 1000 + valueOf(group / "cpu.stat", "throttled_time");
    return std::chrono::nanoseconds(sum);
}

double cpuQuota() { return CpuQuotaGroups().cores(); }

} // namespace tilewright
