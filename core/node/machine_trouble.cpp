// SPDX-License-Identifier: Apache-2.0
#include "core/node/machine_trouble.h"

#include "core/base/folders.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t roomForAnObject = 16 << 20;

/// Figure of a line "NAME: 123 kB" or "NAME 123"; −1 if there is none.
long figureOf(const char* file, std::string_view name)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name) && line.size() > name.size()
            && (line[name.size()] == ':' || line[name.size()] == ' '))
            return std::strtol(line.c_str() + name.size() + 1, nullptr, 10);
    return -1;
}

} // namespace

bool isMachineTrouble(std::string_view code) { return code.starts_with("machine/"); }

const char* remedyFor(std::string_view code)
{
    if (code == "machine/no-room")
        return "free some space there, then resume";
    if (code == "machine/memory")
        return "end other programs on this machine, then resume";
    if (code == killedFromOutside)
        return killedRemedy;
    return "make the folder writable, then resume";
}

Error cannotWrite(const std::string& what, const fs::path& place, int errorNumber)
{
    const bool full = errorNumber == ENOSPC || errorNumber == EDQUOT;
    const char* code = full ? "machine/no-room" : "machine/folder";
    return {code, what + " " + place.string() + " cannot be written: " + std::strerror(errorNumber), remedyFor(code),
        {{"place", place.string()}, {"errno", errorNumber}}};
}

std::size_t availableMemory()
{
    const long kilobytes = figureOf("/proc/meminfo", "MemAvailable");
    return kilobytes > 0 ? static_cast<std::size_t>(kilobytes) << 10 : 0;
}

long endedForMemory() { return figureOf("/proc/vmstat", "oom_kill"); }

Error noMemory(const std::string& what, int errorNumber)
{
    constexpr const char* code = "machine/memory";
    return {code, what + ": " + std::strerror(errorNumber), remedyFor(code), {{"errno", errorNumber}}};
}

Error endedFromOutside(const std::string& what, int signal)
{
    return {killedFromOutside,
        what + " was killed by signal " + std::to_string(signal) + " (" + strsignal(signal)
            + "), which Tilewright did not send",
        killedRemedy, {{"signal", signal}}};
}

Result<void> writeText(const std::string& what, const fs::path& file, std::string_view text)
{
    const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        return std::unexpected(cannotWrite(what, file, errno));
    int problem = 0;
    for (std::size_t at = 0; at < text.size() && problem == 0;) {
        const ssize_t done = ::write(fd, text.data() + at, text.size() - at);
        if (done >= 0)
            at += static_cast<std::size_t>(done);
        else if (errno != EINTR)
            problem = errno;
    }
    if (close(fd) != 0 && problem == 0)
        problem = errno;
    if (problem == 0)
        return {};
    std::error_code ignored;
    fs::remove(file, ignored);
    return std::unexpected(cannotWrite(what, file, problem));
}

namespace {

/// The folder, locked: its lock goes with the process, however that ends. −1 where somebody has it.
int lockedFolder(const fs::path& folder)
{
    const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    close(file);
    return -1;
}

constexpr auto quiteNew = std::chrono::minutes(1); ///< somebody may be about to lock it

} // namespace

void ScratchFolder::removeLeft(const std::string& name)
{
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(temporaryFolder(), problem)) {
        struct stat facts {
        };
        if (!entry.path().filename().string().starts_with(name + "-") || lstat(entry.path().c_str(), &facts) != 0
            || !S_ISDIR(facts.st_mode) || facts.st_uid != geteuid())
            continue;
        const auto changed = fs::last_write_time(entry.path(), problem);
        if (problem || fs::file_time_type::clock::now() - changed < quiteNew)
            continue;
        if (const int lock = lockedFolder(entry.path()); lock >= 0) {
            fs::remove_all(entry.path(), problem);
            close(lock);
        }
    }
}

Result<ScratchFolder> ScratchFolder::make(const std::string& name)
{
    const fs::path root = temporaryFolder();
    std::string pattern = (root / (name + "-XXXXXX")).string();
    if (!mkdtemp(pattern.data()))
        return std::unexpected(cannotWrite("the temporary folder", root, errno));
    ScratchFolder folder;
    folder.m_path = pattern;
    folder.m_lock = lockedFolder(folder.m_path);
    return folder;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
    if (m_lock >= 0)
        close(m_lock);
}

Result<void> ScratchFolder::checkRoom() const
{
    const fs::path probe = m_path / "room";
    auto written = writeText("the temporary folder", probe, std::string(roomForAnObject, 'x'));
    std::error_code ignored;
    fs::remove(probe, ignored);
    return written;
}

} // namespace tilewright
