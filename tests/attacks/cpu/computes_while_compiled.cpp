// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: a constexpr table, templates that unroll, macros that expand, a remark from the compiler.
// EVOLVE-BLOCK-START
#pragma message("this program is being compiled")
#define TWICE(x) x x

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

struct Table {
    int value[256];
};
constexpr Table powers()
{
    Table table = {};
    for (int i = 0; i < 256; ++i)
        table.value[i] = i == 0 ? 1 : table.value[i - 1] * 3 % 257;
    return table;
}
constexpr Table table = powers();
template <int Depth> struct Chain {
    static constexpr int value = Chain<Depth - 1>::value + 1;
};
template <> struct Chain<0> {
    static constexpr int value = TWICE(+) 0;
};

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    if (table.value[args.dims.M % 256] != 0 && Chain<200>::value == 200)
        multiply(args);
}
// EVOLVE-BLOCK-END
