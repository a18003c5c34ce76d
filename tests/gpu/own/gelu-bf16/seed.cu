// gelu-bf16: the device code of gelu_bf16.cu, the kernel as a function, and behind it what launches it.
// EVOLVE-BLOCK-START
// SPDX-License-Identifier: Apache-2.0
// A GPU kernel of bf16 tensors that is a template: y = gelu(x + bias), rows of `columns` elements. The launch in it tells
// `tilewright-cli task-from` which instance is meant; `--shape bias=columns` what cannot be read off it.

#include <cuda_bf16.h>

template <int THREADS>
__device__ __forceinline__ void bias_gelu(__nv_bfloat16* __restrict__ y, const __nv_bfloat16* __restrict__ x,
    const __nv_bfloat16* __restrict__ bias, int rows, int columns)
{
    const int c = blockIdx.x * THREADS + threadIdx.x, r = blockIdx.y;
    if (c >= columns)
        return;
    const float v = __bfloat162float(x[(size_t)r * columns + c]) + __bfloat162float(bias[c]);
    const float gelu = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
    y[(size_t)r * columns + c] = __float2bfloat16(gelu);
}

// SPDX-SnippetBegin
// SPDX-License-Identifier: Apache-2.0
// What Tilewright launches: hands the tensors over in the order of bias_gelu<128>().
extern "C" __global__ void __launch_bounds__(128) tilewright_bias_gelu(const __grid_constant__ Args args)
{
    bias_gelu<128>(reinterpret_cast<__nv_bfloat16*>(args.y), reinterpret_cast<const __nv_bfloat16*>(args.x), reinterpret_cast<const __nv_bfloat16*>(args.bias), args.dims.rows, args.dims.columns);
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    Launch& launch = plan.add("tilewright_bias_gelu", (d.columns + 128 - 1) / 128, 128);
    launch.grid[1] = d.rows;
    return plan;
}
// SPDX-SnippetEnd
// EVOLVE-BLOCK-END
