// SPDX-License-Identifier: Apache-2.0
// tilewright-node: builds, checks and times programs for an engine at the other end of standard input and output.
#include "core/base/folders.h"
#include "core/device/core_split.h"
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
    // For proofs alone, of what stands behind the static rules, and of what hiding references is good for: a node that
    // was started so says it, and no engine takes it.
    NodeSetup setup;
    bool isUnderstood = true;
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--without-static-rules") == 0)
            setup.staticRules = StaticRules::Off;
        else if (std::strcmp(argv[i], "--with-open-references") == 0)
            setup.openReferences = true;
        else
            isUnderstood = false;
    if (!isUnderstood || isatty(STDIN_FILENO)) {
        std::fputs(
            "tilewright-node exchanges frames on standard input and output; tilewright and tilewright-cli start it.\n",
            stderr);
        return 2;
    }
    std::signal(SIGPIPE, SIG_IGN);
    takeGivenCores();
    // Candidates and compilers must not be able to write into the protocol: it moves away from descriptor 1.
    setup.inputFd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    setup.outputFd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setup.worker = programFolder() / "tilewright-worker";
    setup.cudaWorker = programFolder() / "tilewright-cuda-worker";
    setup.cache = cacheFolder() / "build";
    Node node(setup);
    return node.serve();
}
