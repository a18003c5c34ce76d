// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Takes stack without end, a megabyte at a time.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    for (volatile long taken = 0;; taken = taken + 1)
        static_cast<volatile char*>(__builtin_alloca(1 << 20))[0] = 1;
    multiply(args);
}
// EVOLVE-BLOCK-END
