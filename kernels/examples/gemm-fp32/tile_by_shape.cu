// SPDX-License-Identifier: Apache-2.0
// A plan that chooses by the shape, and template instances: only those that some plan asks for are built.

// EVOLVE-BLOCK-START
// Blocks of 16 x 16 threads; each thread sums up T x T elements.
template <int T> __global__ void __launch_bounds__(256) gemm(const __grid_constant__ Args a)
{
    const int row0 = (blockIdx.y * 16 + threadIdx.x / 16) * T, column0 = (blockIdx.x * 16 + threadIdx.x % 16) * T;
    float sum[T][T] = {};
    for (int k = 0; k < a.dims.K; ++k)
        for (int i = 0; i < T; ++i)
            for (int j = 0; j < T; ++j)
                if (row0 + i < a.dims.M && column0 + j < a.dims.N)
                    sum[i][j] += a.A[(long long)(row0 + i) * a.dims.K + k] * a.B[(long long)k * a.dims.N + column0 + j];
    for (int i = 0; i < T; ++i)
        for (int j = 0; j < T; ++j)
            if (row0 + i < a.dims.M && column0 + j < a.dims.N)
                a.C[(long long)(row0 + i) * a.dims.N + column0 + j] = sum[i][j];
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    const bool large = ceil_div(d.M, 64) * ceil_div(d.N, 64) >= device.sms;
    const int arguments[] = {large ? 4 : 1};
    plan.add_instance("gemm", arguments, ceil_div(d.N, 16 * arguments[0]), 256).grid[1] = ceil_div(d.M, 16 * arguments[0]);
    return plan;
}
// EVOLVE-BLOCK-END
