// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B in single precision, row-major: one thread computes one element, straight from memory. What a better program
// decides stands in small functions of its own.

// EVOLVE-BLOCK-START
constexpr int TX = 32;
constexpr int TY = 8;
constexpr int TM = 1;
constexpr int TN = 1;
constexpr int BK = 1;
constexpr int BM = TY * TM, BN = TX * TN; // tile of a block: TY x TX threads, TM x TN elements each

// Which rows and columns of its block's tile a thread computes.
__device__ int row_of(int i) { return int(threadIdx.x) / TX + i * TY; }
__device__ int column_of(int j) { return int(threadIdx.x) % TX + j * TX; }

// Elements of A and B, zero outside.
__device__ float element_a(const Args& a, int row, int k)
{
    return row < a.dims.M && k < a.dims.K ? a.A[(long long)row * a.dims.K + k] : 0.0f;
}
__device__ float element_b(const Args& a, int k, int column)
{
    return k < a.dims.K && column < a.dims.N ? a.B[(long long)k * a.dims.N + column] : 0.0f;
}

// Tiles of A and B that a block keeps in shared memory while it takes the step at k0.
constexpr int KEPT_A = 0;
constexpr int KEPT_B = 0;
constexpr int TILES = 1; // of each that are kept at a time
__device__ float* kept_a(int k0) { extern __shared__ float4 memory[]; return (float*)memory; }
__device__ float* kept_b(int k0) { return kept_a(k0) + KEPT_A; }
__device__ void fetch_a(const Args& a, int k0) { }
__device__ void fetch_b(const Args& a, int k0) { }
__device__ void settle()
{
    if (KEPT_A + KEPT_B > 0)
        __syncthreads();
}
__device__ float left(const Args& a, int k0, int k, int i) { return element_a(a, blockIdx.y * BM + row_of(i), k0 + k); }
__device__ float right(const Args& a, int k0, int k, int j) { return element_b(a, k0 + k, blockIdx.x * BN + column_of(j)); }

// The part of the depth that a block sums up, and where the sums go.
__device__ int first_depth(const Args& a) { return 0; }
__device__ int last_depth(const Args& a) { return a.dims.K; }
__device__ float* target(const Args& a) { return a.C; }

extern "C" __global__ void __launch_bounds__(TX * TY) gemm(const __grid_constant__ Args a)
{
    float sum[TM][TN] = {};
    const int last = last_depth(a);
    for (int k0 = first_depth(a); k0 < last; k0 += BK) {
        fetch_a(a, k0);
        fetch_b(a, k0);
        settle();
        for (int k = 0; k < BK; ++k) {
            float x[TM], y[TN];
            for (int i = 0; i < TM; ++i)
                x[i] = left(a, k0, k, i);
            for (int j = 0; j < TN; ++j)
                y[j] = right(a, k0, k, j);
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    sum[i][j] += x[i] * y[j];
        }
        settle();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int row = blockIdx.y * BM + row_of(i), column = blockIdx.x * BN + column_of(j);
            if (row < a.dims.M && column < a.dims.N)
                target(a)[(long long)row * a.dims.N + column] = sum[i][j];
        }
}

// What follows the product.
TW_FN void finish(Plan& plan, Dims d, Device device) { }

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    Launch& launch = plan.add("gemm", ceil_div(d.N, BN), TX * TY, 4 * TILES * (KEPT_A + KEPT_B));
    launch.grid[1] = ceil_div(d.M, BM);
    finish(plan, d, device);
    return plan;
}
// EVOLVE-BLOCK-END
