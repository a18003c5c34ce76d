// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: looks through its inputs for their largest value and through its own result for what is not finite.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

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
