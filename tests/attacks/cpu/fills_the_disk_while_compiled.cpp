// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Makes the assembler write 8 GiB.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .rodata.full, \"a\"; .fill 1 << 30, 8, 0x5a; .text");

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
