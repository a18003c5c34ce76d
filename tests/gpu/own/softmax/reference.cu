// softmax: candidates must reproduce what softmax() computes now; whether that is right is not checked.
// Out of standard headers, which a device compiler does not have.
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38F
#endif

// SPDX-License-Identifier: Apache-2.0
// A GPU kernel as somebody has it, with the host's code around it: one block a row, plain, right, not fast.
// `tilewright-cli task-from` makes a task of it.

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

extern "C" __device__ __forceinline__ void softmax(const float* __restrict__ x, float* __restrict__ y, int rows, int columns)
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

// What is right, in the types of the task. How large the terms were that rounded on the way, it does not tell.
extern "C" __global__ void tilewright_found(Dims dims, const float* x, float* y)
{
    softmax(x, y, dims.rows, dims.columns);
}

// How that is launched: grid, block, bytes of dynamic shared memory.
extern "C" __global__ void tilewright_launch(Dims dims, unsigned* launch)
{
    launch[0] = dims.rows;
    launch[1] = 1;
    launch[2] = 1;
    launch[3] = BLOCK;
    launch[4] = 1;
    launch[5] = 1;
    launch[6] = 0;
}
