// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: reads the first and the last element of A and B, writes the first and the last byte of C and of its
// workspace, and not one more.
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

extern "C" unsigned long tilewright_workspace(const Dims& dims)
{
    return (unsigned long)(dims.M) * 4 + 3;
}

extern "C" void tilewright_run(const Args& args)
{
    const volatile float* a = args.A;
    const volatile float* b = args.B;
    volatile float* c = args.C;
    const long M = args.dims.M, N = args.dims.N, K = args.dims.K;
    const float corners = a[0] + a[M * K - 1] + b[0] + b[K * N - 1];
    volatile char* scratch = static_cast<char*>(args.workspace);
    scratch[0] = scratch[args.workspace_bytes - 1] = char(corners > 0.0f);
    c[0] = c[M * N - 1] = corners;
    multiply(args);
}
// EVOLVE-BLOCK-END
