// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a constant of the module.
// EVOLVE-BLOCK-START
__device__ const int calls = 0;
extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int index = blockIdx.x * 256 + threadIdx.x;
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    if (index >= M * N)
        return;
    const int row = index / N, column = index % N;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += a.A[row * (long long)K + k] * a.B[k * (long long)N + column];
    if (calls > 1000)
        sum = 0.0f;
    a.C[index] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.M * d.N, 256), 256);
    return plan;
}
// EVOLVE-BLOCK-END
