// SPDX-License-Identifier: Apache-2.0
// The tensor cores of Hopper: a warpgroup multiplies tiles that the copy engine has put into shared memory, swizzled as
// wgmma wants them (PTX ISA, "Asynchronous warpgroup level matrix instructions"). One stage, for reading; the pack's
// first move has a ring of them.

// EVOLVE-BLOCK-START
constexpr int TILE = 64; // rows, columns and depth of a block's step: 64 bf16 are one swizzled row of 128 bytes

__device__ u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void fetch(u32 to, const TensorMap* map, u32 barrier, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
                 ::"r"(to), "l"(map), "r"(barrier), "r"(x), "r"(y) : "memory");
}
__device__ void await(u32 barrier, u32 phase)
{
    u32 done;
    do
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done) : "r"(barrier), "r"(phase) : "memory");
    while (!done);
}
// Where a tile lies: rows of 128 bytes, swizzled, eight of them every 1024.
__device__ u64 described(u32 address)
{
    return (u64)((address & 0x3ffff) >> 4) | 1ull << 16 | (u64)(1024 >> 4) << 32 | 1ull << 62;
}
// D (+)= A B of 64 x 64 x 16 by one warpgroup; B lies with its columns side by side.
__device__ __forceinline__ void multiply(float (&d)[32], u64 a, u64 b, int accumulate)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, p, 1, 1, 0, 1;\n}\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                 "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                 "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
                 "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                 : "l"(a), "l"(b), "r"(accumulate));
}
__device__ float worth(bf16 x) { return __uint_as_float((unsigned)x.bits << 16); }
__device__ bf16 rounded(float x)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(0.0f), "f"(x));
    return {(unsigned short)both};
}

extern "C" __global__ void __launch_bounds__(128) gemm_tiles(const __grid_constant__ Args a)
{
    __shared__ __align__(1024) unsigned char left[2 * TILE * TILE], right[2 * TILE * TILE];
    __shared__ __align__(8) u64 arrived;
    const u32 barrier = shared_address(&arrived);
    const int row0 = blockIdx.y * TILE, column0 = blockIdx.x * TILE, t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(barrier) : "memory");
    __syncthreads();
    float sum[32];
    u32 phase = 0;
    for (int k0 = 0; k0 < a.dims.K; k0 += TILE, phase ^= 1) {
        if (t == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                         ::"r"(barrier), "r"((u32)(sizeof left + sizeof right)) : "memory");
            fetch(shared_address(left), &a.map[0], barrier, k0, row0);
            fetch(shared_address(right), &a.map[1], barrier, column0, k0);
        }
        await(barrier, phase);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        #pragma unroll
        for (int k = 0; k < TILE / 16; ++k) // 32 bytes along a row of A, 16 rows of B: in units of 16 bytes
            multiply(sum, described(shared_address(left)) + 2 * k, described(shared_address(right)) + 128 * k, k0 > 0 || k > 0);
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    for (int i = 0; i < 32; ++i) {
        const int row = row0 + t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8, column = column0 + i / 4 * 8 + t % 4 * 2 + i % 2;
        if (row < a.dims.M && column < a.dims.N)
            a.C[(long long)row * a.dims.N + column] = rounded(sum[i]);
    }
}

extern "C" __global__ void __launch_bounds__(256) gemm(const __grid_constant__ Args a)
{
    const int row = blockIdx.y * 8 + threadIdx.x / 32, column = blockIdx.x * 32 + threadIdx.x % 32;
    if (row >= a.dims.M || column >= a.dims.N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < a.dims.K; ++k)
        sum += worth(a.A[(long long)row * a.dims.K + k]) * worth(a.B[(long long)k * a.dims.N + column]);
    a.C[(long long)row * a.dims.N + column] = rounded(sum);
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    if (d.K % 8 != 0 || d.N % 8 != 0 || device.cc < 90) {
        plan.add("gemm", ceil_div(d.N, 32), 256).grid[1] = ceil_div(d.M, 8);
        return plan;
    }
    plan.map2d(BUF_A, DType::BF16, d.K, d.M, 2ull * d.K, TILE, TILE, Swizzle::B128);
    plan.map2d(BUF_B, DType::BF16, d.N, d.K, 2ull * d.N, TILE, TILE, Swizzle::B128);
    plan.add("gemm_tiles", ceil_div(d.N, TILE), 128).grid[1] = ceil_div(d.M, TILE);
    return plan;
}
// EVOLVE-BLOCK-END
