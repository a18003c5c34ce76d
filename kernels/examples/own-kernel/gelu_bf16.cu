// SPDX-License-Identifier: Apache-2.0
// A GPU kernel of bf16 tensors that is a template: y = gelu(x + bias), rows of `columns` elements. The launch in it tells
// `tilewright-cli task-from` which instance is meant; `--shape bias=columns` what cannot be read off it.

#include <cuda_bf16.h>

template <int THREADS>
__global__ void __launch_bounds__(THREADS) bias_gelu(__nv_bfloat16* __restrict__ y, const __nv_bfloat16* __restrict__ x,
    const __nv_bfloat16* __restrict__ bias, int rows, int columns)
{
    const int c = blockIdx.x * THREADS + threadIdx.x, r = blockIdx.y;
    if (c >= columns)
        return;
    const float v = __bfloat162float(x[(size_t)r * columns + c]) + __bfloat162float(bias[c]);
    const float gelu = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
    y[(size_t)r * columns + c] = __float2bfloat16(gelu);
}

void bias_gelu_on_device(__nv_bfloat16* y, const __nv_bfloat16* x, const __nv_bfloat16* bias, int M, int N)
{
    constexpr int threads = 128;
    dim3 grid((N + threads - 1) / threads, M);
    bias_gelu<128><<<grid, threads>>>(y, x, bias, M, N);
}
