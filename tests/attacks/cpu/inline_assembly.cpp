// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: inline assembly that does no harm: a barrier, a nop, a prefetch, and a futex word that nobody waits on.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    unsigned word = 0;
    asm volatile("" : "+m"(word)::"memory");
#if defined(__x86_64__)
    asm volatile("nop; prefetcht0 (%0)" ::"r"(args.A));
#endif
    if (word == 0)
        multiply(args);
}
// EVOLVE-BLOCK-END
