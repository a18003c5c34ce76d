// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Executes an instruction that does not exist.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    asm volatile("ud2");
    multiply(args);
}
// EVOLVE-BLOCK-END
