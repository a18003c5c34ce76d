// SPDX-License-Identifier: Apache-2.0
// tilewright-worker: what runs inside the sandbox. Started by the node only.
#include "core/worker/guest.h"
#include "core/worker/seccomp_filter.h"
#include "core/worker/vendor_blas.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

/// confine READABLE… --writable DIR -- COMMAND…: Landlock, then the command.
int runConfined(int argc, char** argv)
{
    std::vector<std::string> readable, writable;
    int i = 1;
    for (bool write = false; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
        if (std::strcmp(argv[i], "--writable") == 0)
            write = true;
        else
            (write ? writable : readable).emplace_back(argv[i]);
    }
    if (i + 1 >= argc)
        return 2;
    tilewright::confineFiles(readable, writable); // where the kernel has no Landlock, limits and filters remain
    execvp(argv[i + 1], argv + i + 1);
    return 127;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], "guest") == 0)
        return tilewright::runGuest(argc - 1, argv + 1);
    if (argc > 1 && std::strcmp(argv[1], "confine") == 0)
        return runConfined(argc - 1, argv + 1);
    if (argc > 1 && std::strcmp(argv[1], "vendor-name") == 0)
        return std::puts(tilewright::vendorBlasName()) < 0;
    std::fputs("tilewright-worker is started by tilewright-node and has no options.\n", stderr);
    return 2;
}
