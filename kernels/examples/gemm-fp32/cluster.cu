// SPDX-License-Identifier: Apache-2.0
// Clusters of two blocks: each fetches half of the rows of A that both need and reads the other half from its
// neighbour's shared memory (PTX ISA: mapa, ld.shared::cluster, barrier.cluster).

// EVOLVE-BLOCK-START
__device__ void meet() { asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// What stands at the same place in the shared memory of block `rank` of the cluster.
__device__ float of_block(const float* place, int rank)
{
    u32 there;
    float value;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((u32)__cvta_generic_to_shared(place)), "r"(rank));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(there) : "memory");
    return value;
}

// A block computes 32 x 64 elements, a thread eight rows of one column.
extern "C" __global__ void __launch_bounds__(256) gemm(const __grid_constant__ Args a)
{
    __shared__ float left[16][16], right[16][64];
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K, t = threadIdx.x, rank = blockIdx.x % 2;
    const int row0 = blockIdx.y * 32, column0 = blockIdx.x * 64, column = t % 64;
    float sum[8] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        const int row = row0 + 16 * rank + t / 16, k = k0 + t % 16;
        left[t / 16][t % 16] = row < M && k < K ? a.A[(long long)row * K + k] : 0.0f;
        for (int i = t; i < 16 * 64; i += 256) {
            const int depth = k0 + i / 64, n = column0 + i % 64;
            right[i / 64][i % 64] = depth < K && n < N ? a.B[(long long)depth * N + n] : 0.0f;
        }
        meet();
        for (int k1 = 0; k1 < 16; ++k1)
            for (int i = 0; i < 8; ++i)
                sum[i] += of_block(&left[(t / 64 * 8 + i) % 16][k1], t / 64 / 2) * right[k1][column];
        meet();
    }
    for (int i = 0; i < 8; ++i)
        if (const int row = row0 + t / 64 * 8 + i; row < M && column0 + column < N)
            a.C[(long long)row * N + column0 + column] = sum[i];
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", 2 * ceil_div(d.N, 128), 256, 0, 2).grid[1] = ceil_div(d.M, 32);
    return plan;
}
// EVOLVE-BLOCK-END
