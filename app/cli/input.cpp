// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/text_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <unistd.h>

namespace tilewright::cli {
namespace {

constexpr int worthMentioningMs = 1000; ///< a wait that is longer is told

Result<std::string> readToEnd(int file, const std::string& name)
{
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(file, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail("file/unreadable", name + " cannot be read: " + std::strerror(errno));
        if (got == 0)
            return text;
        text.append(buffer, static_cast<std::size_t>(got));
        if (text.size() > largestInput)
            return fail("file/too-large", name + " has more than " + std::to_string(largestInput) + " bytes");
    }
}

/// A pipe that nobody writes yet would be waited for without a word: opened so, it is told.
Result<std::string> readPipe(const std::string& path)
{
    const int pipe = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0)
        return fail("file/unreadable", path + " cannot be read: " + std::strerror(errno));
    pollfd wanted{pipe, POLLIN, 0};
    if (::poll(&wanted, 1, worthMentioningMs) == 0) {
        std::fprintf(stderr,
            "tilewright-cli: waiting for another program to write to the pipe %s; Ctrl+C ends the wait\n",
            path.c_str());
        while (::poll(&wanted, 1, -1) < 0 && errno == EINTR) { }
    }
    ::fcntl(pipe, F_SETFL, 0); // from here on it is read as any file
    auto text = readToEnd(pipe, path);
    ::close(pipe);
    return text;
}

/// The bytes of a file, of a pipe to its end, or of standard input.
Result<std::string> readBytes(const std::string& path)
{
    if (path == "-")
        return readToEnd(STDIN_FILENO, "standard input");
    std::error_code problem;
    if (!std::filesystem::is_fifo(path, problem))
        return readFile(path, largestInput);
    return readPipe(path);
}

std::string nameOf(const std::string& path) { return path == "-" ? "standard input" : path; }

} // namespace

Result<std::string> readTextBytes(const std::string& path, std::size_t most)
{
    auto bytes = readBytes(path);
    if (!bytes)
        return bytes;
    const std::string name = nameOf(path);
    if (bytes->size() > most)
        return fail("file/too-large",
            printable(name) + " has " + std::to_string(bytes->size()) + " bytes, at most " + std::to_string(most)
                + " are read",
            "check that it is the right file");
    if (const auto checked = checkText(*bytes, name); !checked)
        return std::unexpected(checked.error());
    return bytes;
}

Result<std::string> readText(const std::string& path, std::size_t most)
{
    const auto bytes = readTextBytes(path, most);
    return bytes ? textOf(*bytes, nameOf(path)) : bytes;
}

} // namespace tilewright::cli
