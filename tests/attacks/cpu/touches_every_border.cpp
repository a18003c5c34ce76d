// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: reads the first and the last element of A and B, writes the first and the last byte of C and of its
// workspace, and not one more.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

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
