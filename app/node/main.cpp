// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-node: builds, checks and times programs for an engine at the other end of standard input and output.
#include "core/base/files.h"
#include "core/device/cpu.h"
#include "core/node/node.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char** argv)
{
    using namespace tilewright;
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
        std::puts("tilewright-node " TILEWRIGHT_VERSION);
        return 0;
    }
    // For tests of what stands behind the static rules: nothing that starts a node for a run says this.
    const bool withoutStaticRules = argc == 2 && std::strcmp(argv[1], "--without-static-rules") == 0;
    if ((argc > 1 && !withoutStaticRules) || isatty(STDIN_FILENO)) {
        std::fputs("tilewright-node speaks frames on standard input and output; it is started by tilewright and "
                   "tilewright-cli.\n",
            stderr);
        return 2;
    }
    std::signal(SIGPIPE, SIG_IGN);
    takeGivenCores();
    // Candidates and compilers must not be able to write into the protocol: it moves away from descriptor 1.
    NodeSetup setup;
    setup.inputFd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    setup.outputFd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setup.worker = programFolder() / "tilewright-worker";
    setup.cudaWorker = programFolder() / "tilewright-cuda-worker";
    setup.cache = cacheFolder() / "build";
    setup.staticRules = withoutStaticRules ? StaticRules::Off : StaticRules::On;
    Node node(setup);
    return node.serve();
}
