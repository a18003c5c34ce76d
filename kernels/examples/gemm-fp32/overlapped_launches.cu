// SPDX-License-Identifier: Apache-2.0
// A programmatic launch: the second kernel starts while the first still runs, and waits for it only where it needs what
// the first has written (PTX ISA: griddepcontrol).

// EVOLVE-BLOCK-START
extern "C" __global__ void __launch_bounds__(256) clear(const __grid_constant__ Args a)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    const long long index = (long long)blockIdx.x * 256 + threadIdx.x;
    if (index < (long long)a.dims.M * a.dims.N)
        a.C[index] = 0.0f;
}
extern "C" __global__ void __launch_bounds__(256) add_product(const __grid_constant__ Args a)
{
    const int row = blockIdx.y * 8 + threadIdx.x / 32, column = blockIdx.x * 32 + threadIdx.x % 32;
    float sum = 0.0f;
    if (row < a.dims.M && column < a.dims.N)
        for (int k = 0; k < a.dims.K; ++k)
            sum += a.A[(long long)row * a.dims.K + k] * a.B[(long long)k * a.dims.N + column];
    asm volatile("griddepcontrol.wait;" ::: "memory");
    if (row < a.dims.M && column < a.dims.N)
        a.C[(long long)row * a.dims.N + column] += sum;
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("clear", u32((u64(d.M) * d.N + 255) / 256), 256);
    Launch& product = plan.add("add_product", ceil_div(d.N, 32), 256);
    product.grid[1] = ceil_div(d.M, 8);
    product.flags = PROGRAMMATIC;
    return plan;
}
// EVOLVE-BLOCK-END
