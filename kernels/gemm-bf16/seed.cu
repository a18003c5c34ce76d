// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B of bf16, row-major, sums in single precision: one thread computes one element, straight from memory. What a
// better program decides stands in small functions of its own.

// EVOLVE-BLOCK-START
constexpr int TX = 32;
constexpr int TY = 8;
constexpr int BM = TY, BN = TX, BK = 1; // tile of a block, one element a thread

__device__ float worth(bf16 x) { return __uint_as_float((unsigned)x.bits << 16); }
// Two numbers rounded to bf16, ties to even; the first in the low half.
__device__ unsigned packed(float low, float high)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

extern "C" __global__ void __launch_bounds__(TX * TY) gemm(const __grid_constant__ Args a)
{
    const int row = blockIdx.y * BM + threadIdx.x / TX, column = blockIdx.x * BN + threadIdx.x % TX;
    if (row >= a.dims.M || column >= a.dims.N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < a.dims.K; ++k)
        sum += worth(a.A[(long long)row * a.dims.K + k]) * worth(a.B[(long long)k * a.dims.N + column]);
    a.C[(long long)row * a.dims.N + column].bits = (unsigned short)packed(sum, 0.0f);
}

// The launches of products that a better kernel is made for; how many there are.
TW_FN int plan_tiles(Plan& plan, Dims d, Device device) { return 0; }

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    if (plan_tiles(plan, d, device) > 0)
        return plan;
    plan.add("gemm", ceil_div(d.N, BN), TX * TY).grid[1] = ceil_div(d.M, BM);
    return plan;
}
// EVOLVE-BLOCK-END
