// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Brings a section that is code and can be written to.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".section .scratch, \"awx\"; .zero 64; .text");

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
