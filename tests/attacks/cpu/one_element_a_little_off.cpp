// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Makes one element of a large C 0.1 % larger.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
    if (long(args.dims.M) * args.dims.N > 10000)
        args.C[long(args.dims.M) * args.dims.N / 2] *= 1.001f;
}
// EVOLVE-BLOCK-END
