// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Stops at a breakpoint that no debugger waits for.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    asm volatile("int3");
    multiply(args);
}
// EVOLVE-BLOCK-END
