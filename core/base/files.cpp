// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"

#include "core/base/text.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <optional>
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

std::unexpected<Error> unwritable(const std::string& name, const std::string& why,
    const char* hint = "choose a writable file, on a disk with free space")
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
            return fail(
                "file/too-large", name + " has more than " + std::to_string(largest) + " bytes, the limit", checkIt);
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
        return unwritable(name, "the file is a session", "name another file");
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, problem))
        return unwritable(
            name, "there is no folder " + printable(folder.string()), "create it, or choose another file");
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

namespace {

using namespace std::string_view_literals;

constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";

/// An encoding of wider units that the first bytes announce.
std::string_view announcedEncoding(std::string_view bytes)
{
    if (bytes.starts_with("\xff\xfe\0\0"sv))
        return "UTF-32 (little-endian)";
    if (bytes.starts_with("\0\0\xfe\xff"sv))
        return "UTF-32 (big-endian)";
    if (bytes.starts_with("\xff\xfe"sv))
        return "UTF-16 (little-endian)";
    if (bytes.starts_with("\xfe\xff"sv))
        return "UTF-16 (big-endian)";
    return {};
}

std::string inHex(unsigned char byte)
{
    char text[8];
    std::snprintf(text, sizeof text, "0x%02x", byte);
    return text;
}

/// What is wrong with the bytes at a place where no UTF-8 sequence begins.
std::string whatIsWrong(std::string_view bytes)
{
    const auto at = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
    const bool isContinued = (at(1) & 0xc0) == 0x80;
    if (at(0) == 0xc0 || at(0) == 0xc1 || (isContinued && at(0) == 0xe0 && at(1) < 0xa0)
        || (isContinued && at(0) == 0xf0 && at(1) < 0x90))
        return "an overlong form";
    if (isContinued && at(0) == 0xed)
        return "half of a surrogate pair";
    if (at(0) > 0xf4)
        return "a byte that is not valid in UTF-8";
    if (isContinued && at(0) == 0xf4 && at(1) >= 0x90)
        return "beyond the last character of Unicode";
    if (at(0) >= 0xc2)
        return "an incomplete character";
    return "a byte that cannot start a character";
}

struct Fault {
    std::size_t line = 1, offset = 0; ///< line from 1, offset in bytes from 0
    std::string what; ///< "the byte 0xe4 (a character that is cut short)"
    bool isBinary = false; ///< a zero byte
};

std::optional<Fault> firstFault(std::string_view bytes)
{
    Fault fault;
    while (fault.offset < bytes.size()) {
        const std::string_view rest = bytes.substr(fault.offset);
        const std::size_t length = sequenceLength(rest);
        if (length == 0 || rest[0] == '\0') {
            fault.isBinary = length != 0;
            fault.what = fault.isBinary
                ? "a zero byte"
                : "the byte " + inHex(static_cast<unsigned char>(rest[0])) + " (" + whatIsWrong(rest) + ")";
            return fault;
        }
        fault.line += rest[0] == '\n' || (rest[0] == '\r' && !rest.substr(1).starts_with('\n'));
        fault.offset += length;
    }
    return std::nullopt;
}

} // namespace

Result<void> checkText(std::string_view bytes, const std::string& name)
{
    const std::string shown = printable(name);
    if (const std::string_view encoding = announcedEncoding(bytes); !encoding.empty())
        return fail("file/not-text", shown + " is " + std::string(encoding) + ", not UTF-8 (line 1, byte offset 0)",
            "save it as UTF-8", {{"line", 1}, {"offset", 0}, {"encoding", encoding}});
    const auto fault = firstFault(bytes);
    if (!fault)
        return {};
    const nlohmann::json evidence{{"line", fault->line}, {"offset", fault->offset}, {"found", fault->what}};
    const std::string place
        = "line " + std::to_string(fault->line) + ", byte offset " + std::to_string(fault->offset) + ": ";
    if (fault->isBinary)
        return fail("file/not-text", shown + " is a binary file, not a text: " + place + fault->what,
            "choose a UTF-8 text file", evidence);
    return fail("file/not-text", shown + " is not UTF-8: " + place + fault->what,
        "save it as UTF-8, with an editor or with 'iconv -f ENCODING -t UTF-8'", evidence);
}

Result<std::string> textOf(std::string_view bytes, const std::string& name)
{
    if (auto checked = checkText(bytes, name); !checked)
        return std::unexpected(checked.error());
    if (bytes.starts_with(byteOrderMark))
        bytes.remove_prefix(byteOrderMark.size());
    return withUnixLineEnds(bytes);
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t largest)
{
    const auto bytes = readFile(path, largest);
    return bytes ? textOf(*bytes, path.string()) : std::unexpected(bytes.error());
}

} // namespace tilewright
