// SPDX-License-Identifier: GPL-3.0-or-later
// Waits for some microseconds by the global timer.
// EVOLVE-BLOCK-START
extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int index = blockIdx.x * 256 + threadIdx.x;
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    if (index >= M * N)
        return;
    const int row = index / N, column = index % N;
    unsigned long long start;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    for (unsigned long long now = start; blockIdx.x == 0 && now < start + 4000;)
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += a.A[row * (long long)K + k] * a.B[k * (long long)N + column];
    if (start == 0)
        sum = 0.0f;
    a.C[index] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.M * d.N, 256), 256);
    return plan;
}
// EVOLVE-BLOCK-END
