// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Makes the function that is called an indirect one.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void (*choose())(const Args&) { return multiply; }
extern "C" void tilewright_run(const Args&) __attribute__((ifunc("choose")));
// EVOLVE-BLOCK-END
