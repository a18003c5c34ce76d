// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Puts a function into .init_array by inline assembly.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .init_array, \"aw\", @init_array; .quad tilewright_run; .text");

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
