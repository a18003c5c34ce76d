// SPDX-License-Identifier: Apache-2.0
// One cooperative launch in two phases: all blocks turn B around, wait for each other, then multiply rows by rows. The
// workspace arrives poisoned, so a first launch clears the counter at which blocks meet.

// EVOLVE-BLOCK-START
extern "C" __global__ void clear_counter(const __grid_constant__ Args a) { *(u32*)a.workspace = 0; }

// Until all blocks are here. Without a cooperative launch some of them might never start.
__device__ void meet(u32* counter)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(counter, 1);
        while (*(volatile u32*)counter < gridDim.x) { }
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(256) gemm(const __grid_constant__ Args a)
{
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K, warps = gridDim.x * 8;
    const int warp = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float* turned = (float*)(a.workspace + 256); // N x K, where there is room
    if (a.user[0])
        for (int k = warp; k < K; k += warps)
            for (int n = lane; n < N; n += 32)
                turned[(long long)n * K + k] = a.B[(long long)k * N + n];
    meet((u32*)a.workspace);
    for (long long index = (long long)blockIdx.x * 256 + threadIdx.x; index < (long long)M * N; index += gridDim.x * 256) {
        const long long row = index / N, column = index % N;
        float sum = 0.0f;
        for (int k = 0; k < K; ++k)
            sum += a.A[row * K + k] * (a.user[0] ? turned[column * K + k] : a.B[k * (long long)N + column]);
        a.C[index] = sum;
    }
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    const u64 bytes = u64(d.K) * d.N * 4;
    const bool room = bytes <= (1u << 20);
    plan.workspace_bytes = 256 + (room ? bytes : 0);
    plan.add("clear_counter", 1, 1);
    Launch& launch = plan.add("gemm", device.sms, 256); // a block a multiprocessor: all are there at once
    launch.flags = COOPERATIVE;
    launch.user[0] = room;
    return plan;
}
// EVOLVE-BLOCK-END
