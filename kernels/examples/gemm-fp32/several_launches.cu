// SPDX-License-Identifier: Apache-2.0
// Several launches and a workspace: parts of the depth are summed up beside each other, a second launch adds them. The
// workspace arrives poisoned; whatever is read from it has to be written first.

// EVOLVE-BLOCK-START
extern "C" __global__ void __launch_bounds__(256) sum_parts(const __grid_constant__ Args a)
{
    const int row = blockIdx.y * 8 + threadIdx.x / 32, column = blockIdx.x * 32 + threadIdx.x % 32, part = blockIdx.z;
    if (row >= a.dims.M || column >= a.dims.N)
        return;
    const int first = part * a.user[0], last = min(a.dims.K, first + a.user[0]);
    float sum = 0.0f;
    for (int k = first; k < last; ++k)
        sum += a.A[(long long)row * a.dims.K + k] * a.B[(long long)k * a.dims.N + column];
    float* sums = gridDim.z == 1 ? a.C : (float*)a.workspace;
    sums[((long long)part * a.dims.M + row) * a.dims.N + column] = sum;
}
extern "C" __global__ void __launch_bounds__(256) add_parts(const __grid_constant__ Args a)
{
    const long long index = (long long)blockIdx.x * 256 + threadIdx.x, count = (long long)a.dims.M * a.dims.N;
    if (index >= count)
        return;
    float sum = 0.0f;
    for (int part = 0; part < a.user[0]; ++part)
        sum += ((const float*)a.workspace)[part * count + index];
    a.C[index] = sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    const u64 bytes = u64(d.M) * d.N * 4;
    int parts = 1;
    while (parts < 8 && d.K / (2 * parts) >= 64 && 2 * parts * bytes <= (64u << 20))
        parts *= 2;
    const int depth = ceil_div(d.K, parts);
    Launch& product = plan.add("sum_parts", ceil_div(d.N, 32), 256);
    product.grid[1] = ceil_div(d.M, 8);
    product.grid[2] = parts;
    product.user[0] = depth;
    if (parts == 1)
        return plan; // straight into C
    plan.workspace_bytes = parts * bytes;
    plan.add("add_parts", u32((bytes / 4 + 255) / 256), 256).user[0] = parts;
    return plan;
}
// EVOLVE-BLOCK-END
