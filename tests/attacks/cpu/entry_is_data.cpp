// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Defines the function that is called as a table of bytes, which nobody may execute.
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

asm(".section .rodata; .globl tilewright_run; tilewright_run: .short 0xc3c3; .text");
// EVOLVE-BLOCK-END
