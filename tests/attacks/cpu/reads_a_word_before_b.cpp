// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Reads a word before the start of B.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    const float* volatile input = args.B;
    volatile float seen = input[-1];
    (void)seen;
    multiply(args);
}
// EVOLVE-BLOCK-END
