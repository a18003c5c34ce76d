// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B in single precision, row-major: one thread computes one element, straight from memory.

// EVOLVE-BLOCK-START
constexpr int THREADS_X = 32, THREADS_Y = 8;

extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int row = blockIdx.y * THREADS_Y + threadIdx.y;
    const int column = blockIdx.x * THREADS_X + threadIdx.x;
    if (row >= a.dims.M || column >= a.dims.N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < a.dims.K; ++k)
        sum += a.A[(long long)row * a.dims.K + k] * a.B[(long long)k * a.dims.N + column];
    a.C[(long long)row * a.dims.N + column] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    Launch& launch = plan.add("gemm", ceil_div(d.N, THREADS_X), THREADS_X);
    launch.grid[1] = ceil_div(d.M, THREADS_Y);
    launch.block[1] = THREADS_Y;
    return plan;
}
// EVOLVE-BLOCK-END
