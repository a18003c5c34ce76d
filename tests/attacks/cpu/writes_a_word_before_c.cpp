// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes a word before the start of C.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
    float* volatile c = args.C;
    c[-1] = 1.0f;
}
// EVOLVE-BLOCK-END
