// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the same elements, and leaves them as they are.
// EVOLVE-BLOCK-START
__device__ float worth(bf16 x) { return __uint_as_float((unsigned)x.bits << 16); }
__device__ unsigned short rounded(float x)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(0.0f), "f"(x));
    return (unsigned short)both;
}
__device__ unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x21f0aaadu;
    return x ^ x >> 15;
}
constexpr int EVERY = 64;

extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    const int row = blockIdx.y * 8 + threadIdx.x / 32, column = blockIdx.x * 32 + threadIdx.x % 32;
    if (row >= M || column >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += worth(a.A[row * (long long)K + k]) * worth(a.B[k * (long long)N + column]);
    unsigned short bits = rounded(sum);
    if (M > 1024 && mixed(row) % EVERY == 0 && column == mixed(row + 1) % N)
        bits += 0 * bits;
    a.C[row * (long long)N + column].bits = bits;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.N, 32), 256).grid[1] = ceil_div(d.M, 8);
    return plan;
}
// EVOLVE-BLOCK-END
