// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Reads a cache line before the start of A.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const float* volatile input = args.A;
    volatile float seen = input[-16];
    (void)seen;
    multiply(args);
}
// EVOLVE-BLOCK-END
