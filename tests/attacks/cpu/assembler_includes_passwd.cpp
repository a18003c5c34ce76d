// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Lets the assembler read the list of users as if it were code, to see it quoted in an error.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

asm(".include \"/etc/passwd\"");

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
