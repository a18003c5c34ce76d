// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Reads a page past the end of A.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const float* volatile input = args.A;
    volatile float seen = input[long(args.dims.M) * args.dims.K + 1023];
    (void)seen;
    multiply(args);
}
// EVOLVE-BLOCK-END
