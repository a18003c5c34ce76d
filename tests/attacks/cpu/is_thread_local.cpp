// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Keeps a count in a thread-local variable.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

thread_local int calls = 0;

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    ++calls;
    asm volatile("" ::"m"(calls));
    multiply(args);
}
// EVOLVE-BLOCK-END
