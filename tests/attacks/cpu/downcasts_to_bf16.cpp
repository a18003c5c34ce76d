// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Computes with inputs of 8 bits of mantissa.
// EVOLVE-BLOCK-START
namespace {

inline float rounded(float value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, 4);
    bits = (bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u;
    __builtin_memcpy(&value, &bits, 4);
    return value;
}

/// A product of rounded numbers.
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
                    const float a = rounded(args.A[i * K + k]);
                    const float* __restrict b = args.B + k * N + column;
                    if (columns == WIDTH)
                        for (long j = 0; j < WIDTH; ++j)
                            sums[j] += a * rounded(b[j]);
                    else
                        for (long j = 0; j < columns; ++j)
                            sums[j] += a * rounded(b[j]);
                }
                float* home = args.C + i * N + column;
                for (long j = 0; j < columns; ++j)
                    home[j] = first == 0 ? sums[j] : home[j] + sums[j];
            }
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
