// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: compares with nullptr, divides where the divisor is not zero, and has a ud2 and an int3 that are never
// reached.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    if (args.A == nullptr || args.dims.K / args.dims.M < 0) {
#if defined(__x86_64__)
        asm volatile("ud2; int3");
#endif
        __builtin_trap();
    }
    multiply(args);
}
// EVOLVE-BLOCK-END
