// SPDX-License-Identifier: Apache-2.0
// tilewright-cuda-worker: compiles GPU programs, or runs them on one GPU; inside the sandbox, started by the node only.
#include "core/worker/cuda/gpu_service.h"

#include <cstdio>
#include <cstring>

int main(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], "compile") == 0)
        return tilewright::runCompileService(argc - 1, argv + 1);
    if (argc > 1 && std::strcmp(argv[1], "gpu") == 0)
        return tilewright::runGpuService(argc - 1, argv + 1);
    if (argc > 1 && std::strcmp(argv[1], "once") == 0)
        return tilewright::runOnce(argc - 1, argv + 1);
    if (argc > 1 && std::strcmp(argv[1], "devices") == 0)
        return tilewright::runDeviceListing(argc - 1, argv + 1);
    std::fputs("tilewright-cuda-worker is started by tilewright-node and has no options.\n", stderr);
    return 2;
}
