// SPDX-License-Identifier: Apache-2.0
// What C = A B means: the product in double precision, and beside it the product of the absolute values,
// |A| |B|, which bounds how much rounding an honest single precision result may show in each element.
// The order i, k, j keeps every access to B and C sequential, so that checking stays quick.

extern "C" void tilewright_reference(const Dims& dims, const float* A, const float* B, double* C, double* magnitude)
{
    const long M = dims.M, N = dims.N, K = dims.K;
    for (long i = 0; i < M; ++i) {
        double* row = C + i * N;
        double* row_magnitude = magnitude + i * N;
        for (long j = 0; j < N; ++j)
            row[j] = row_magnitude[j] = 0.0;
        for (long k = 0; k < K; ++k) {
            const double a = A[i * K + k];
            const double a_magnitude = a < 0.0 ? -a : a;
            const float* b_row = B + k * N;
            for (long j = 0; j < N; ++j) {
                const double b = b_row[j];
                row[j] += a * b;
                row_magnitude[j] += a_magnitude * (b < 0.0 ? -b : b);
            }
        }
    }
}
