// SPDX-License-Identifier: GPL-3.0-or-later
// An honest program of the middle of the ladder: shared-memory tiles, register tiles, edges by bounds checks, tile by
// shape in the plan, instances on demand.

// EVOLVE-BLOCK-START
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN)) gemm(const __grid_constant__ Args a)
{
    constexpr int THREADS = (BM / TM) * (BN / TN);
    __shared__ float tile_a[BK][BM + 4], tile_b[BK][BN];
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    const int row0 = blockIdx.y * BM, column0 = blockIdx.x * BN;
    const int row = threadIdx.x / (BN / TN) * TM, column = threadIdx.x % (BN / TN) * TN;
    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            const int r = i / BK, k = i % BK;
            tile_a[k][r] = row0 + r < M && k0 + k < K ? a.A[(long long)(row0 + r) * K + k0 + k] : 0.0f;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            const int k = i / BN, c = i % BN;
            tile_b[k][c] = column0 + c < N && k0 + k < K ? a.B[(long long)(k0 + k) * N + column0 + c] : 0.0f;
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float left[TM], right[TN];
            #pragma unroll
            for (int i = 0; i < TM; ++i)
                left[i] = tile_a[k][row + i];
            #pragma unroll
            for (int j = 0; j < TN; ++j)
                right[j] = tile_b[k][column + j];
            #pragma unroll
            for (int i = 0; i < TM; ++i)
                #pragma unroll
                for (int j = 0; j < TN; ++j)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            if (row0 + row + i < M && column0 + column + j < N)
                a.C[(long long)(row0 + row + i) * N + column0 + column + j] = sum[i][j];
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    const bool large = ceil_div(d.M, 64) * ceil_div(d.N, 128) >= device.sms;
    const int tiles[] = {large ? 64 : 32, large ? 128 : 64, 16, large ? 8 : 4, large ? 8 : 4};
    Launch& launch = plan.add_instance("gemm", tiles, ceil_div(d.N, tiles[1]), 128);
    launch.grid[1] = ceil_div(d.M, tiles[0]);
    return plan;
}
// EVOLVE-BLOCK-END
