// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Defines the function that is called as a table of bytes, which nobody may execute.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .rodata; .globl tilewright_run; tilewright_run: .short 0xc3c3; .text");
// EVOLVE-BLOCK-END
