// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Lets the vendor library do the work.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void cblas_sgemm(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);

extern "C" void tilewright_run(const Args& args)
{
    cblas_sgemm(101, 111, 111, args.dims.M, args.dims.N, args.dims.K, 1, args.A, args.dims.K, args.B, args.dims.N, 0, args.C, args.dims.N);
    multiply(args);
}
// EVOLVE-BLOCK-END
