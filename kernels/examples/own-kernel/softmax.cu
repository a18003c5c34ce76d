// SPDX-License-Identifier: Apache-2.0
// A GPU kernel as somebody has it, with the host's code around it: one block a row, plain, right, not fast.
// `tilewright-cli task-from` makes a task of it.

#include <cfloat>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 256

/// The largest of all threads' values, or their sum.
template <bool SUM> __device__ float over_block(float value)
{
    __shared__ float parts[BLOCK];
    parts[threadIdx.x] = value;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            const float other = parts[threadIdx.x + half];
            parts[threadIdx.x] = SUM ? parts[threadIdx.x] + other : fmaxf(parts[threadIdx.x], other);
        }
    }
    __syncthreads();
    const float result = parts[0];
    __syncthreads();
    return result;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int columns)
{
    const float* from = x + (size_t)blockIdx.x * columns;
    float* to = y + (size_t)blockIdx.x * columns;
    float top = -FLT_MAX, sum = 0;
    for (int c = threadIdx.x; c < columns; c += BLOCK)
        top = fmaxf(top, from[c]);
    top = over_block<false>(top);
    for (int c = threadIdx.x; c < columns; c += BLOCK)
        sum += expf(from[c] - top);
    sum = over_block<true>(sum);
    for (int c = threadIdx.x; c < columns; c += BLOCK)
        to[c] = expf(from[c] - top) / sum;
}

// The same by the host, slowly: what is right.
void softmax_plain(const float* x, double* y, int rows, int columns)
{
    for (int r = 0; r < rows; ++r) {
        const float* from = x + (size_t)r * columns;
        double* to = y + (size_t)r * columns;
        double top = from[0], sum = 0;
        for (int c = 1; c < columns; ++c)
            top = from[c] > top ? from[c] : top;
        for (int c = 0; c < columns; ++c)
            sum += to[c] = exp(from[c] - top);
        for (int c = 0; c < columns; ++c)
            to[c] /= sum;
    }
}

int main()
{
    const int rows = 1000, columns = 777;
    std::vector<float> host(size_t(rows) * columns, 1.0f);
    float *x = nullptr, *y = nullptr;
    cudaMalloc(&x, host.size() * sizeof(float));
    cudaMalloc(&y, host.size() * sizeof(float));
    cudaMemcpy(x, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    const dim3 grid(rows), block(BLOCK);
    softmax<<<grid, block>>>(x, y, rows, columns);
    cudaMemcpy(host.data(), y, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[0]);
}
