// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: goes eight steps of depth at a time, the rest in a tail; starts with zeros, and writes some elements twice.
// EVOLVE-BLOCK-START
namespace {

/// C += A B over a stretch of depth.
void add(const Args& args, long first, long last)
{
    const long M = args.dims.M, N = args.dims.N, K = args.dims.K;
    for (long i = 0; i < M; ++i) {
        float* __restrict row = args.C + i * N;
        for (long k = first; k < last; ++k) {
            const float a = args.A[i * K + k];
            const float* __restrict b = args.B + k * N;
            for (long j = 0; j < N; ++j)
                row[j] += a * b[j];
        }
    }
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const long K = args.dims.K, even = K / 8 * 8;
    for (long i = 0; i < long(args.dims.M) * args.dims.N; ++i)
        args.C[i] = 0.0f;
    for (long k = 0; k < even; k += 8)
        add(args, k, k + 8);
    add(args, even, K);
}
// EVOLVE-BLOCK-END
