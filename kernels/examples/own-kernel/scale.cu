// SPDX-License-Identifier: Apache-2.0
// The smallest GPU kernel that is worth a task: y = a x, one thread an element. With
// `tilewright-cli task-from scale.cu --constant a=3.0f`.

__global__ void scale(const float* x, float* y, int n, float a)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}

void scale_on_device(const float* x, float* y, int count, float factor)
{
    const int threads = 256;
    const int blocks = (count + threads - 1) / threads;
    scale<<<blocks, threads>>>(x, y, count, factor);
}
