// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-highlight: reads frames with texts on standard input, answers with the spans to colour on standard output.
// It knows no session and no file but the definitions of languages; it ends with the stream, and with who started it.
#include "app/highlight/colours.h"
#include "core/base/folders.h"
#include "core/protocol/frames.h"

#include <QCoreApplication>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace tilewright;

namespace {

enum ExitCode { Done = 0, Failed = 1, Usage = 2 };

constexpr rlim_t mostMemory = rlim_t(2) << 30; // a text of a megabyte takes a tenth of it

/// False at the end of the stream.
bool readMore(FrameReader& frames)
{
    std::array<char, 65536> bytes;
    ssize_t got = 0;
    do
        got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    while (got < 0 && errno == EINTR);
    if (got > 0)
        frames.append({bytes.data(), static_cast<std::size_t>(got)});
    return got > 0;
}

bool write(const std::string& bytes)
{
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t put = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
        if (put < 0 && errno != EINTR)
            return false;
        at += static_cast<std::size_t>(std::max<ssize_t>(put, 0));
    }
    return true;
}

ExitCode complain(const Error& error)
{
    std::fprintf(stderr, "tilewright-highlight: %s\n", error.line().c_str());
    return Usage;
}

ExitCode serve(Colours& colours)
{
    FrameReader frames(largestColourFrame);
    for (;;) {
        const auto frame = frames.next();
        if (!frame)
            return complain(frame.error());
        if (!*frame) {
            if (!readMore(frames))
                return Done;
            continue;
        }
        const auto request = colourRequestFrom((*frame)->json);
        if (!request)
            return complain(request.error());
        if (!write(encode(colours.of(*request))))
            return Failed;
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
        std::puts("tilewright-highlight " TILEWRIGHT_VERSION);
        return Done;
    }
    if (argc > 1 || ::isatty(STDIN_FILENO)) {
        std::fputs(
            "tilewright-highlight exchanges frames on standard input and output; tilewright starts it.\n", stderr);
        return Usage;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifndef __SANITIZE_ADDRESS__
    const rlimit memory{mostMemory, mostMemory};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    QCoreApplication app(argc, argv);
    Colours colours((sharedFolder() / "resources").string());
    return serve(colours);
}
