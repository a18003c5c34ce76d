// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Lets the assembler read a header of the system.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".if 0; .include \"/usr/share/common-licenses/GPL-3\"; .endif; .include \"/dev/null\"");

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
