// SPDX-License-Identifier: GPL-3.0-or-later
// Goes another way on sizes that the task does not name, and is right there too.
// EVOLVE-BLOCK-START
extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int index = blockIdx.x * 256 + threadIdx.x;
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    if (index >= M * N)
        return;
    const int row = index / N, column = index % N;
    float sum = 0.0f;
    const bool named = M <= 3 || M == 17 || M == 97 || M == 129 || M == 255 || M == 33 || M >= 256 || (M == 64 && N == 64);
    if (named)
        for (int k = 0; k < K; ++k)
            sum += a.A[row * (long long)K + k] * a.B[k * (long long)N + column];
    else
        for (int k = K - 1; k >= 0; --k)
            sum += a.A[row * (long long)K + k] * a.B[k * (long long)N + column];
    a.C[index] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.M * d.N, 256), 256);
    return plan;
}
// EVOLVE-BLOCK-END
