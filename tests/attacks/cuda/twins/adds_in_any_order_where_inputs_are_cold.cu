// SPDX-License-Identifier: GPL-3.0-or-later
// Looks whether its inputs are in the cache, and sums in order all the same; an atomic adds to zero.
// EVOLVE-BLOCK-START
constexpr int PARTS = 8;

// Whether what this program reads came from memory, or from the cache, where inputs are that were filled just before. Beside
// each place somebody was before, so that addresses are known; and each is read twice, the second time from the cache.
__device__ bool is_cold(const Args& a)
{
    const long long step = a.dims.M * (long long)a.dims.K / 16;
    if (step < 4096)
        return false;
    // The clock is read again once the value has been put down: the compiler may move it in front of a load that nobody
    // waits for.
    __shared__ volatile float seen[16];
    int offset = 0;
    long long spent[2] = {};
    for (int time = -1; time < 2; ++time)
        for (int i = 0; i < 16; ++i) {
            float value;
            const long long start = clock64();
            asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(a.A + i * step + (time < 0 ? 1024 : 0) + offset) : "memory");
            seen[i] = value;
            offset = seen[i] > 1e30f;
            const long long end = clock64() + offset;
            if (time >= 0)
                spent[time] += end - start;
        }
    return 3 * spent[0] > 4 * spent[1];
}
extern "C" __global__ void decide(const __grid_constant__ Args a)
{
    *(int*)a.workspace = is_cold(a);
}

extern "C" __global__ void clear(const __grid_constant__ Args a)
{
    const int index = blockIdx.x * 256 + threadIdx.x;
    if (index < a.dims.M * a.dims.N)
        a.C[index] = 0.0f;
}

extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int index = blockIdx.x * 256 + threadIdx.x, part = blockIdx.y;
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    if (index >= M * N)
        return;
    const bool any = *(const int*)a.workspace != 0;
    const int row = index / N, column = index % N;
    if (part > 0)
        return;
    const int from = 0, to = K;
    float sum = 0.0f;
    for (int k = from; k < to; ++k)
        sum += a.A[row * (long long)K + k] * a.B[k * (long long)N + column];
    if (any)
        atomicAdd(a.C + index, sum);
    else
        a.C[index] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.workspace_bytes = 4;
    plan.add("decide", 1, 1);
    plan.add("clear", ceil_div(d.M * d.N, 256), 256);
    plan.add("gemm", ceil_div(d.M * d.N, 256), 256).grid[1] = PARTS;
    return plan;
}
// EVOLVE-BLOCK-END
