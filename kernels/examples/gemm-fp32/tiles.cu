// SPDX-License-Identifier: Apache-2.0
// C = A B with the sizes of the tiling explorer as tunables: a block of THREADS computes BM x BN elements in steps of BK
// along K, with STAGES slabs of A and B in shared memory, fetched by cp.async while the one before is multiplied. Each
// thread sums up TM x TN elements, as nearly a square as the tile allows.

// EVOLVE-BLOCK-START
constexpr int BM = 128; // tune: 16 32 64 128 256
constexpr int BN = 128; // tune: 16 32 64 128 256
constexpr int BK = 16; // tune: 4 8 16 32 64
constexpr int STAGES = 3; // tune: 1 2 3 4 5 6
constexpr int THREADS = 256; // tune: 32 64 128 256 512 1024
// require: BM * BN % THREADS == 0 && BM * BN / THREADS <= 256

enum : int { SUMS = BM * BN / THREADS, SLAB = BK * (BM + BN), SHARED_BYTES = 4 * STAGES * SLAB };

TW_FN int rows_of_thread()
{
    int best = 0;
    for (int rows = 1; rows * rows <= SUMS; ++rows)
        if (SUMS % rows == 0 && BM % rows == 0 && BN % (SUMS / rows) == 0)
            best = rows;
    return best;
}
enum : int { TM = rows_of_thread(), TN = SUMS / TM, COLUMNS_OF_THREADS = BN / TN, ROWS_OF_THREADS = BM / TM };

// Which of T rows or columns is a thread's i-th: groups of four stand together, so that they are one load.
template <int T, int OF> __device__ int place(int thread, int i)
{
    return T % 4 == 0 ? (i / 4 * OF + thread) * 4 + i % 4 : i * OF + thread;
}

// A slab holds A by depth, its rows exchanged in groups of four so that copies spread over the banks; then B.
__device__ int place_a(int k, int row)
{
    return k * BM + (row ^ (k & (BM / 4 - 1) & 7) * 4);
}

__device__ void fetch_one(float* to, const float* from, bool inside)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((u32)__cvta_generic_to_shared(to)), "l"(from), "r"(inside ? 4 : 0) : "memory");
}

// One slab, zeros outside of the matrices.
__device__ void fetch(const Args& a, float* slab, int row0, int column0, int k0)
{
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
        const int row = row0 + i / BK, k = k0 + i % BK;
        const bool inside = row < M && k < K;
        fetch_one(slab + place_a(i % BK, i / BK), inside ? a.A + (long long)row * K + k : a.A, inside);
    }
    for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
        const int k = k0 + i / BN, column = column0 + i % BN;
        const bool inside = k < K && column < N;
        fetch_one(slab + BK * BM + i, inside ? a.B + (long long)k * N + column : a.B, inside);
    }
}

template <int GROUPS> __device__ void wait_for_all_but()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
}
__device__ void end_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ void multiply(const float* slab, int ty, int tx, float (&sum)[TM][TN])
{
    #pragma unroll
    for (int k = 0; k < BK; ++k) {
        float left[TM], right[TN];
        if constexpr (TM % 4 == 0)
            #pragma unroll
            for (int i = 0; i < TM; i += 4)
                *(float4*)(left + i) = *(const float4*)(slab + place_a(k, place<TM, ROWS_OF_THREADS>(ty, i)));
        else
            #pragma unroll
            for (int i = 0; i < TM; ++i)
                left[i] = slab[place_a(k, place<TM, ROWS_OF_THREADS>(ty, i))];
        const float* b = slab + BK * BM + k * BN;
        if constexpr (TN % 4 == 0)
            #pragma unroll
            for (int j = 0; j < TN; j += 4)
                *(float4*)(right + j) = *(const float4*)(b + place<TN, COLUMNS_OF_THREADS>(tx, j));
        else
            #pragma unroll
            for (int j = 0; j < TN; ++j)
                right[j] = b[place<TN, COLUMNS_OF_THREADS>(tx, j)];
        #pragma unroll
        for (int i = 0; i < TM; ++i)
            #pragma unroll
            for (int j = 0; j < TN; ++j)
                sum[i][j] += left[i] * right[j];
    }
}

__global__ void __launch_bounds__(THREADS) gemm(const __grid_constant__ Args a)
{
    extern __shared__ float4 memory[];
    float* const slabs = (float*)memory;
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    const int row0 = blockIdx.y * BM, column0 = blockIdx.x * BN;
    const int ty = threadIdx.x / COLUMNS_OF_THREADS, tx = threadIdx.x % COLUMNS_OF_THREADS;
    float sum[TM][TN] = {};
    for (int s = 0; s < STAGES - 1; ++s) {
        fetch(a, slabs + s * SLAB, row0, column0, s * BK);
        end_group();
    }
    int slot = 0;
    for (int k0 = 0; k0 < K; k0 += BK, slot = slot + 1 < STAGES ? slot + 1 : 0) {
        if constexpr (STAGES == 1) {
            __syncthreads(); // all have multiplied what is written over
            fetch(a, slabs, row0, column0, k0);
            end_group();
            wait_for_all_but<0>();
            __syncthreads();
        } else {
            wait_for_all_but<STAGES - 2>();
            __syncthreads(); // the slab is there for all, and the one before it has been multiplied by all
            const int ahead = slot == 0 ? STAGES - 1 : slot - 1;
            fetch(a, slabs + ahead * SLAB, row0, column0, k0 + (STAGES - 1) * BK);
            end_group();
        }
        multiply(slabs + slot * SLAB, ty, tx, sum);
    }
    #pragma unroll
    for (int i = 0; i < TM; ++i)
        #pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int row = row0 + place<TM, ROWS_OF_THREADS>(ty, i);
            const int column = column0 + place<TN, COLUMNS_OF_THREADS>(tx, j);
            if (row < M && column < N)
                a.C[(long long)row * N + column] = sum[i][j];
        }
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.N, BN), THREADS, SHARED_BYTES).grid[1] = ceil_div(d.M, BM);
    return plan;
}
// EVOLVE-BLOCK-END
