// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Puts code into .init by inline assembly.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .init, \"ax\"; nop; ret; .text");

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
