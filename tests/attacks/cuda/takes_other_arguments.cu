// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a larger argument than it is given.
// EVOLVE-BLOCK-START
struct Large { Args args; char more[1024]; };
extern "C" __global__ void gemm(const __grid_constant__ Large large)
{
    const int index = blockIdx.x * 256 + threadIdx.x;
    const int M = large.args.dims.M, N = large.args.dims.N, K = large.args.dims.K;
    if (index >= M * N)
        return;
    const int row = index / N, column = index % N;
    (void)row;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", 1, 32);
    return plan;
}
// EVOLVE-BLOCK-END
