// SPDX-License-Identifier: GPL-3.0-or-later
// refused: verify/poison
// The first element of each row is never written.

// A row's largest element, then its sum of exponentials, by all threads; `seen` is what is made of an input first.
template <typename Seen> __device__ void softmax_row(const float* x, float* y, int from, int n, Seen seen)
{
    __shared__ float parts[256];
    const auto over_all = [&](float value, auto join) {
        parts[threadIdx.x] = value;
        for (int half = 128; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half)
                parts[threadIdx.x] = join(parts[threadIdx.x], parts[threadIdx.x + half]);
        }
        __syncthreads();
        const float all = parts[0];
        __syncthreads();
        return all;
    };
    float top = __int_as_float(0xff800000), sum = 0;
    for (int c = threadIdx.x; c < n; c += 256)
        top = fmaxf(top, seen(x[c]));
    top = over_all(top, [](float p, float q) { return fmaxf(p, q); });
    for (int c = threadIdx.x; c < n; c += 256)
        sum += expf(seen(x[c]) - top);
    sum = over_all(sum, [](float p, float q) { return p + q; });
    for (int c = from + threadIdx.x; c < n; c += 256)
        y[c] = expf(seen(x[c]) - top) / sum;
}

extern "C" __global__ void rows(const __grid_constant__ Args a)
{
    const int n = a.dims.columns;
    const float* x = a.x + (size_t)blockIdx.x * n;
    float* y = a.y + (size_t)blockIdx.x * n;
    softmax_row(x, y, 1, n, [](float v) { return v; });
}

TW_FN Plan tilewright_plan(Dims d, Device device)
{
    Plan plan{};
    plan.add("rows", d.rows, 256);
    return plan;
}
