// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Defines _init, which the linker makes the object's initialisation.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void _init() { asm volatile("nop"); }

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
