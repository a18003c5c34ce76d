// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles in shared memory that no thread waits for.
// EVOLVE-BLOCK-START
constexpr int T = 16;
extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    const int x = threadIdx.x % T, y = threadIdx.x / T;
    const int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    __shared__ float tile_a[T][T], tile_b[T][T];
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += T) {
        tile_a[y][x] = row < M && k0 + x < K ? a.A[row * (long long)K + k0 + x] : 0.0f;
        tile_b[y][x] = k0 + y < K && column < N ? a.B[(k0 + y) * (long long)N + column] : 0.0f;
        for (int k = 0; k < T; ++k)
            sum += tile_a[y][k] * tile_b[k][x];
    }
    if (row < M && column < N)
        a.C[row * (long long)N + column] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.N, T), 256).grid[1] = ceil_div(d.M, T);
    return plan;
}
// EVOLVE-BLOCK-END
