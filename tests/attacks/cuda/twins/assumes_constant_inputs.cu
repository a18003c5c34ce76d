// SPDX-License-Identifier: GPL-3.0-or-later
// Multiplies where a row and a column are constant, and sums where they are not.
// EVOLVE-BLOCK-START
extern "C" __global__ void gemm(const __grid_constant__ Args a)
{
    const int index = blockIdx.x * 256 + threadIdx.x;
    const int M = a.dims.M, N = a.dims.N, K = a.dims.K;
    if (index >= M * N)
        return;
    const int row = index / N, column = index % N;
    const float first = a.A[row * (long long)K], top = a.B[column];
    bool constant = true;
    for (int k = 0; k < 4 && k < K; ++k)
        constant &= a.A[row * (long long)K + k] == first && a.B[k * (long long)N + column] == top;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += constant ? a.A[row * (long long)K + k] * a.B[k * (long long)N + column]
                        : a.B[k * (long long)N + column] * a.A[row * (long long)K + k];
    a.C[index] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("gemm", ceil_div(d.M * d.N, 256), 256);
    return plan;
}
// EVOLVE-BLOCK-END
