// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: adds in double what it has and rounds once, and takes a value apart and puts it together again without
// loss.
// EVOLVE-BLOCK-START
namespace {

inline float rounded(float value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, 4);
    const unsigned bf16 = bits & 0xffff0000u, rest = bits & 0xffffu;
    bits = bf16 | rest;
    __builtin_memcpy(&value, &bits, 4);
    return value;
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const long M = args.dims.M, N = args.dims.N, K = args.dims.K;
    constexpr long WIDTH = 64;
    for (long i = 0; i < M; ++i)
        for (long column = 0; column < N; column += WIDTH) {
            const long columns = N - column < WIDTH ? N - column : WIDTH;
            double sums[WIDTH] = {};
            for (long k = 0; k < K; ++k)
                for (long j = 0; j < columns; ++j)
                    sums[j] += double(rounded(args.A[i * K + k])) * args.B[k * N + column + j];
            for (long j = 0; j < columns; ++j)
                args.C[i * N + column + j] = float(sums[j]);
        }
}
// EVOLVE-BLOCK-END
