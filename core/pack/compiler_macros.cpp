// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pack/compiler_macros.h"

#include "core/base/text.h"
#include "core/pack/kernel_description.h"
#include "core/source/text_scan.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright {
namespace {

/// "#include <NAME>" lines of the code, each only if the compiler has that header; `conditions`: it has any "#if".
struct Asked {
    std::string includes;
    bool conditions = false;
};

Asked askedOf(std::string_view source)
{
    Asked asked;
    for (const ScannedLine& line : scanLines(source)) {
        std::string_view code = trimmed(line.code);
        if (!code.starts_with('#'))
            continue;
        code = trimmed(code.substr(1));
        asked.conditions = asked.conditions || code.starts_with("if");
        if (!code.starts_with("include"))
            continue;
        const std::size_t open = code.find('<'), close = code.find('>');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open)
            continue;
        const std::string name(code.substr(open + 1, close - open - 1));
        constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+";
        if (name.empty() || name.front() == '/' || name.contains("..")
            || name.find_first_not_of(plain) != std::string::npos)
            continue;
        asked.includes += "#if __has_include(<" + name + ">)\n#include <" + name + ">\n#endif\n";
    }
    return asked;
}

/// What the preprocessor prints for this text; empty where it cannot be had.
std::string printedFor(const std::string& text)
{
    constexpr auto patience = std::chrono::seconds(10);
    // A pipe would end this process with SIGPIPE where the compiler ends without reading it.
    const int in = memfd_create("macros", MFD_CLOEXEC);
    int out[2];
    if (in < 0)
        return {};
    if (write(in, text.data(), text.size()) != static_cast<ssize_t>(text.size()) || lseek(in, 0, SEEK_SET) != 0
        || pipe2(out, O_CLOEXEC) != 0) {
        close(in);
        return {};
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // As core/node/builder.cpp compiles a program for the CPU.
    std::array arguments{"g++", "-std=c++20", "-O3", "-march=native", "-fno-exceptions", "-fno-rtti", "-fPIC", "-dM",
        "-E", "-x", "c++", "-", static_cast<const char*>(nullptr)};
    pid_t child = 0;
    const int problem
        = posix_spawnp(&child, "g++", &actions, nullptr, const_cast<char* const*>(arguments.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in);
    close(out[1]);
    std::string printed;
    if (problem == 0) {
        const auto end = std::chrono::steady_clock::now() + patience;
        char buffer[65536];
        bool over = false;
        while (!over) {
            const auto left
                = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            pollfd ready{out[0], POLLIN, 0};
            const int polled = left.count() > 0 ? poll(&ready, 1, static_cast<int>(left.count())) : 0;
            const ssize_t got = polled > 0 ? read(out[0], buffer, sizeof buffer) : polled;
            if (got < 0 && errno == EINTR)
                continue;
            if (got > 0)
                printed.append(buffer, static_cast<std::size_t>(got));
            over = got <= 0;
            if (polled == 0) {
                kill(child, SIGKILL);
                printed.clear();
            }
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            printed.clear();
    }
    close(out[0]);
    return printed;
}

} // namespace

Macros compilerMacros(const std::string& fileName, std::string_view source)
{
    const Asked asked = askedOf(source);
    if (isCudaFile(fileName) || !asked.conditions)
        return builtinMacros(isCudaFile(fileName));
    static std::mutex mutex;
    static std::map<std::string, Macros> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find(asked.includes);
    if (found != known.end())
        return found->second;
    Macros macros = macrosOf(printedFor(asked.includes));
    if (macros.empty())
        macros = builtinMacros(false);
    return known[asked.includes] = std::move(macros);
}

} // namespace tilewright
