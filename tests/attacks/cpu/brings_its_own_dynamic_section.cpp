// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes an entry of the dynamic section by inline assembly: a function to run when it is loaded.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .dynamic, \"aw\", @progbits; .quad 12; .quad tilewright_run; .text");

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
