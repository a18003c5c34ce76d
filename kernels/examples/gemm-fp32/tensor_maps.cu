// SPDX-License-Identifier: Apache-2.0
// Tensor maps: the copy engine of Hopper (TMA) brings tiles of A and B to shared memory and tells an mbarrier when they
// are there; what lies outside of a matrix comes as zero. Rows have to begin at multiples of 16 bytes.

// EVOLVE-BLOCK-START
__device__ u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void fetch(void* to, const TensorMap* map, u32 barrier, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 ::"r"(shared_address(to)), "l"(map), "r"(barrier), "r"(x), "r"(y) : "memory");
}
__device__ void await(u32 barrier, u32 phase)
{
    u32 done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done) : "r"(barrier), "r"(phase) : "memory");
    while (!done);
}

// A block computes 64 x 64 elements, a thread 4 x 4.
extern "C" __global__ void __launch_bounds__(256) gemm_tiles(const __grid_constant__ Args a)
{
    __shared__ __align__(128) float left[64][16], right[16][64];
    __shared__ __align__(8) u64 arrived;
    const u32 barrier = shared_address(&arrived);
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64, ty = threadIdx.x / 16, tx = threadIdx.x % 16;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(barrier) : "memory");
    __syncthreads();
    float sum[4][4] = {};
    u32 phase = 0;
    for (int k0 = 0; k0 < a.dims.K; k0 += 16, phase ^= 1) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                         ::"r"(barrier), "r"((u32)(sizeof left + sizeof right)) : "memory");
            fetch(left, &a.map[0], barrier, k0, row0);
            fetch(right, &a.map[1], barrier, column0, k0);
        }
        await(barrier, phase);
        for (int k = 0; k < 16; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += left[ty + 16 * i][k] * right[k][tx + 16 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (const int row = row0 + ty + 16 * i, column = column0 + tx + 16 * j; row < a.dims.M && column < a.dims.N)
                a.C[(long long)row * a.dims.N + column] = sum[i][j];
}

extern "C" __global__ void __launch_bounds__(256) gemm(const __grid_constant__ Args a)
{
    const int row = blockIdx.y * 8 + threadIdx.x / 32, column = blockIdx.x * 32 + threadIdx.x % 32;
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
    if (d.K % 4 != 0 || d.N % 4 != 0 || device.cc < 90) {
        plan.add("gemm", ceil_div(d.N, 32), 256).grid[1] = ceil_div(d.M, 8);
        return plan;
    }
    plan.map2d(BUF_A, DType::F32, d.K, d.M, 4ull * d.K, 16, 64);
    plan.map2d(BUF_B, DType::F32, d.N, d.K, 4ull * d.N, 64, 16);
    plan.add("gemm_tiles", ceil_div(d.N, 64), 256).grid[1] = ceil_div(d.M, 64);
    return plan;
}
// EVOLVE-BLOCK-END
