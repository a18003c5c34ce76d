// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Runs code when it is loaded: a constructor function.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

__attribute__((constructor)) static void early() { asm volatile("nop"); }

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
