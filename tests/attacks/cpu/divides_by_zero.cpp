// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Divides an integer by zero.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    volatile int zero = 0;
    volatile int quotient = args.dims.M / zero;
    (void)quotient;
    multiply(args);
}
// EVOLVE-BLOCK-END
