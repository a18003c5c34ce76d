// SPDX-License-Identifier: Apache-2.0
// What C = A B means: the product in double precision, before it is rounded to bf16, and beside it the product of the
// absolute values, |A| |B|, which bounds how much rounding honest sums in single precision may show in each element.
// One thread an element, in blocks of any size along x.

__device__ double worth(bf16 x) { return __uint_as_float((unsigned)x.bits << 16); }

extern "C" __global__ void tilewright_reference(Dims dims, const bf16* A, const bf16* B, double* C, double* magnitude)
{
    const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= (long long)dims.M * dims.N)
        return;
    const long long row = index / dims.N, column = index % dims.N;
    double sum = 0.0, sum_of_magnitudes = 0.0;
    for (long long k = 0; k < dims.K; ++k) {
        const double term = worth(A[row * dims.K + k]) * worth(B[k * dims.N + column]);
        sum += term;
        sum_of_magnitudes += term < 0.0 ? -term : term;
    }
    C[index] = sum;
    magnitude[index] = sum_of_magnitudes;
}
