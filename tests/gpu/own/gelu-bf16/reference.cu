// gelu-bf16: candidates must reproduce what bias_gelu<128>() computes now; whether that is right is not checked.

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

// What is right, in the types of the task. How large the terms were that rounded on the way, it does not tell.
extern "C" __global__ void tilewright_found(Dims dims, const bf16* x, const bf16* bias, bf16* y)
{
    bias_gelu<128>(reinterpret_cast<__nv_bfloat16*>(y), reinterpret_cast<const __nv_bfloat16*>(x), reinterpret_cast<const __nv_bfloat16*>(bias), dims.rows, dims.columns);
}

// How that is launched: grid, block, bytes of dynamic shared memory.
extern "C" __global__ void tilewright_launch(Dims dims, unsigned* launch)
{
    launch[0] = (dims.columns + 128 - 1) / 128;
    launch[1] = dims.rows;
    launch[2] = 1;
    launch[3] = 128;
    launch[4] = 1;
    launch[5] = 1;
    launch[6] = 0;
}
