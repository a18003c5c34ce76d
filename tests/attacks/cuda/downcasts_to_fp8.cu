// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds its inputs to the three bits of e4m3.
// EVOLVE-BLOCK-START
extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int index = blockIdx.x * 256 + threadIdx.x;
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    if (index >= M * N)
        return;
    const int row = index / N, column = index % N;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += __uint_as_float(__float_as_uint(a.A[row * (long long)K + k]) + 0x80000u & 0xfff00000u) * a.B[k * (long long)N + column];
    a.C[index] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.M * d.N, 256), 256);
    return plan;
}
// EVOLVE-BLOCK-END
