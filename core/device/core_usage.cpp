// SPDX-License-Identifier: Apache-2.0
#include "core/device/core_usage.h"

#include "core/base/text.h"
#include "core/device/cpu_quota.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr int readings = 10;
constexpr double leastShare = 0.01;
constexpr std::size_t mostNamed = 3;

struct Thread {
    std::int64_t ranNs = 0;
    int core = -1;
};

std::optional<pid_t> numberOf(const fs::path& folder)
{
    const std::string name = folder.filename();
    pid_t number = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    return read.ec == std::errc() && read.ptr == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

/// Core is the 39th word of `stat` (proc(5)); a name in brackets before may hold blanks.
std::optional<Thread> threadIn(const fs::path& folder)
{
    Thread thread;
    const auto ran = numberIn(folder / "schedstat");
    if (!ran)
        return {};
    thread.ranNs = *ran;
    const std::string text = contentOf(folder / "stat");
    const std::size_t behindName = text.rfind(')');
    if (behindName == std::string::npos)
        return {};
    std::istringstream words(text.substr(behindName + 1));
    std::string word;
    for (int i = 3; i <= 39 && words >> word; ++i) { }
    const auto read = std::from_chars(word.data(), word.data() + word.size(), thread.core);
    return read.ec == std::errc() ? std::optional(thread) : std::nullopt;
}

/// By process and thread.
std::map<std::pair<pid_t, pid_t>, Thread> readThreads(const fs::path& proc, const std::vector<pid_t>& ignored)
{
    std::map<std::pair<pid_t, pid_t>, Thread> found;
    std::error_code problem;
    for (fs::directory_iterator process(proc, problem), end; !problem && process != end; process.increment(problem)) {
        const auto id = numberOf(process->path());
        if (!id || std::ranges::find(ignored, *id) != ignored.end())
            continue;
        std::error_code gone; // a process may end while it is read
        for (fs::directory_iterator thread(process->path() / "task", gone), last; !gone && thread != last;
             thread.increment(gone))
            if (const auto number = numberOf(thread->path()))
                if (const auto read = threadIn(thread->path()))
                    found[{*id, *number}] = *read;
    }
    return found;
}

std::string programOf(const fs::path& proc, pid_t process)
{
    std::ifstream file(proc / std::to_string(process) / "comm");
    std::string name;
    std::getline(file, name);
    return name.empty() ? "a program that has ended" : name;
}

} // namespace

std::vector<CoreUser> watchCores(const std::vector<int>& cores, const std::vector<pid_t>& ignored,
    std::chrono::milliseconds duration, const fs::path& proc)
{
    std::map<std::pair<pid_t, int>, std::int64_t> ranNs; // by process and core
    std::map<pid_t, std::string> programs;
    const auto begun = std::chrono::steady_clock::now();
    auto before = readThreads(proc, ignored);
    for (int reading = 0; reading < readings; ++reading) {
        std::this_thread::sleep_for(duration / readings);
        auto after = readThreads(proc, ignored);
        for (const auto& [who, thread] : after) {
            const auto known = before.find(who);
            // A thread that began between the readings ran all of its time since.
            const std::int64_t ran = thread.ranNs - (known == before.end() ? 0 : known->second.ranNs);
            if (ran <= 0 || std::ranges::find(cores, thread.core) == cores.end())
                continue;
            ranNs[{who.first, thread.core}] += ran;
            if (!programs.contains(who.first))
                programs[who.first] = programOf(proc, who.first);
        }
        before = std::move(after);
    }
    const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begun);
    std::vector<CoreUser> users;
    for (const auto& [where, ran] : ranNs) {
        const double share = std::min(1.0, static_cast<double>(ran) / static_cast<double>(elapsed.count()));
        if (share >= leastShare)
            users.push_back({programs[where.first], where.first, where.second, share});
    }
    std::ranges::sort(users, std::ranges::greater(), &CoreUser::share);
    return users;
}

std::string describeCoreUsers(const std::vector<CoreUser>& users)
{
    std::vector<std::string> words;
    for (const CoreUser& user : users) {
        if (words.size() == mostNamed)
            break;
        words.push_back(user.program + " (process " + std::to_string(user.process) + ") took "
            + std::to_string(std::lround(user.share * 100)) + " % of core " + std::to_string(user.core));
    }
    return joined(words, ", ");
}

} // namespace tilewright
