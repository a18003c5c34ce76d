// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include "core/base/text.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {

namespace fs = std::filesystem;

namespace {

constexpr const char* checkIt = "check that it is the right file";

std::unexpected<Error> unreadable(const std::string& name, const std::string& why, const char* hint = "")
{
    return fail("file/unreadable", name + " cannot be read: " + why, hint);
}

std::unexpected<Error> unwritable(
    const std::string& name, const std::string& why, const char* hint = "choose a file that you may write, with room")
{
    return fail("file/unwritable", name + " cannot be written: " + why, hint);
}

/// Whether a database of SQLite stands there: sessions are.
bool isSession(const fs::path& path)
{
    constexpr std::string_view heading("SQLite format 3", 16); // with its zero byte
    char begin[heading.size()];
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
    return file && std::fread(begin, 1, sizeof begin, file.get()) == sizeof begin
        && std::string_view(begin, sizeof begin) == heading;
}

/// Writes all of it and closes the file.
Result<void> writeInto(const fs::path& path, int file, std::string_view bytes)
{
    const std::string name = printable(path.string());
    if (file < 0)
        return unwritable(name, std::strerror(errno));
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t wrote = write(file, bytes.data() + done, bytes.size() - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0) {
            const std::string why = std::strerror(errno);
            close(file);
            return unwritable(name, why);
        }
        done += static_cast<std::size_t>(wrote);
    }
    if (close(file) != 0)
        return unwritable(name, std::strerror(errno));
    return {};
}

} // namespace

Result<std::string> readFile(const fs::path& path, std::size_t largest)
{
    const std::string name = printable(path.string());
    struct stat facts;
    if (stat(path.c_str(), &facts) != 0)
        return errno == ENOENT || errno == ENOTDIR ? fail("file/missing", name + " does not exist")
                                                   : unreadable(name, std::strerror(errno));
    if (S_ISDIR(facts.st_mode))
        return unreadable(name, "it is a folder", "name a file in it");
    if (!S_ISREG(facts.st_mode))
        return unreadable(name, "it is not a regular file", "name a regular file");
    if (facts.st_size > 0 && static_cast<std::uintmax_t>(facts.st_size) > largest)
        return fail("file/too-large",
            name + " has " + std::to_string(facts.st_size) + " bytes, at most " + std::to_string(largest) + " are read",
            checkIt);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
    if (!file)
        return unreadable(name, std::strerror(errno));
    std::string text;
    char buffer[65536];
    for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) {
        text.append(buffer, got);
        if (text.size() > largest) // it grew, or its size was not known
            return fail("file/too-large",
                name + " has more than " + std::to_string(largest) + " bytes, which is all that is read", checkIt);
    }
    return std::ferror(file.get()) ? unreadable(name, std::strerror(errno)) : Result<std::string>(std::move(text));
}

Result<void> saveFile(const fs::path& path, std::string_view bytes)
{
    const std::string name = printable(path.string());
    struct stat facts {
    };
    const bool exists = stat(path.c_str(), &facts) == 0;
    if (exists && S_ISDIR(facts.st_mode))
        return unwritable(name, "it is a folder", "name a file in it");
    if (exists && !S_ISREG(facts.st_mode))
        return writeInto(path, open(path.c_str(), O_WRONLY | O_CLOEXEC), bytes);
    // A link stays a link: what it leads to is replaced.
    std::error_code problem;
    const fs::path target = fs::is_symlink(path, problem) ? fs::weakly_canonical(path, problem) : path;
    if (exists && isSession(target))
        return unwritable(name, "a session is kept there", "name another file");
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, problem))
        return unwritable(name, "there is no folder " + printable(folder.string()), "make it, or name another file");
    std::string beside = (folder / ("." + target.filename().string() + ".XXXXXX")).string();
    const int file = mkostemp(beside.data(), O_CLOEXEC);
    if (file < 0)
        return unwritable(name, std::strerror(errno));
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(file, exists ? facts.st_mode & 0777 : 0666 & ~mask);
    if (auto written = writeInto(target, file, bytes); !written) {
        unlink(beside.c_str());
        return written;
    }
    if (rename(beside.c_str(), target.c_str()) == 0)
        return {};
    const std::string why = std::strerror(errno);
    unlink(beside.c_str());
    return unwritable(name, why);
}

} // namespace tilewright
