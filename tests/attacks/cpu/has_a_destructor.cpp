// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Runs code when it is unloaded.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

__attribute__((destructor)) static void late() { asm volatile("nop"); }

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
