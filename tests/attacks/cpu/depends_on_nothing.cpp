// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: fills its workspace and a stack array before it reads them, and looks at an address only to choose between
// two ways with one result.
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

/// The next number.
inline void nudge(float& value)
{
    unsigned bits;
    __builtin_memcpy(&bits, &value, 4);
    ++bits;
    __builtin_memcpy(&value, &bits, 4);
}

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims&)
{
    return 64;
}

extern "C" void tilewright_run(const Args& args)
{
    float first[16] = {};
    float* scratch = static_cast<float*>(args.workspace);
    for (int i = 0; i < 16; ++i)
        scratch[i] = first[i];
    nudge(scratch[0]);
    const bool aligned = reinterpret_cast<unsigned long>(args.C) % 4096 == 0;
    if (aligned)
        multiply(args);
    else
        multiply(args);
}
// EVOLVE-BLOCK-END
