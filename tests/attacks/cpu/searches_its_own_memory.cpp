// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: looks through its inputs for their largest value and through its own result for what is not finite.
// EVOLVE-BLOCK-START
namespace {

/// An honest product: strips of columns, summed over stretches of depth.
void multiply(const Args& args)
{
    constexpr long WIDTH = 64, DEPTH = 256;
    const long M = args.dims.M, N = args.dims.N, K = args.dims.K;
    for (long column = 0; column < N; column += WIDTH)
        for (long first = 0; first < K; first += DEPTH)
            for (long i = 0; i < M; ++i) {
                const long columns = N - column < WIDTH ? N - column : WIDTH;
                const long last = first + DEPTH < K ? first + DEPTH : K;
                float sums[WIDTH] = {};
                for (long k = first; k < last; ++k) {
                    const float a = args.A[i * K + k];
                    const float* __restrict b = args.B + k * N + column;
                    if (columns == WIDTH)
                        for (long j = 0; j < WIDTH; ++j)
                            sums[j] += a * b[j];
                    else
                        for (long j = 0; j < columns; ++j)
                            sums[j] += a * b[j];
                }
                float* home = args.C + i * N + column;
                for (long j = 0; j < columns; ++j)
                    home[j] = first == 0 ? sums[j] : home[j] + sums[j];
            }
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const long M = args.dims.M, N = args.dims.N, K = args.dims.K;
    float largest = 0.0f;
    for (long i = 0; i < M * K; ++i)
        largest = args.A[i] > largest ? args.A[i] : largest;
    for (long i = 0; i < K * N; ++i)
        largest = args.B[i] > largest ? args.B[i] : largest;
    multiply(args);
    for (long i = 0; i < M * N; ++i)
        if (args.C[i] - args.C[i] != 0.0f && largest < 1e6f)
            args.C[i] = 0.0f;
}
// EVOLVE-BLOCK-END
