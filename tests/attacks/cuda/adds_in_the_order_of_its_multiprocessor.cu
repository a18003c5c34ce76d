// SPDX-License-Identifier: GPL-3.0-or-later
// Sums forwards or backwards, as the multiprocessor says that it happens to run on.
// EVOLVE-BLOCK-START
extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int index = blockIdx.x * 256 + threadIdx.x;
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    if (index >= M * N)
        return;
    const int row = index / N, column = index % N;
    int multiprocessor;
    asm volatile("mov.u32 %0, %smid;" : "=r"(multiprocessor));
    const bool turned = multiprocessor & 1;
    float sum = 0.0f;
    for (int i = 0; i < K; ++i) {
        const int k = turned ? K - 1 - i : i;
        sum += a.A[row * (long long)K + k] * a.B[k * (long long)N + column];
    }
    a.C[index] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.M * d.N, 256), 256);
    return plan;
}
// EVOLVE-BLOCK-END
