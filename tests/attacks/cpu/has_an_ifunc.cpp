// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Runs code when it is loaded: the resolver of an indirect function.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void (*choose())(const Args&) { return multiply; }
extern "C" void chosen(const Args&) __attribute__((ifunc("choose")));

extern "C" void tilewright_run(const Args& args)
{
    chosen(args);
}
// EVOLVE-BLOCK-END
