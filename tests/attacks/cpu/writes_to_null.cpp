// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Writes through a null pointer.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    volatile int* nowhere = nullptr;
    asm volatile("" : "+r"(nowhere));
    *nowhere = 1;
    multiply(args);
}
// EVOLVE-BLOCK-END
