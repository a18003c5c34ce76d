// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Reads the clock by the C library.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" int clock_gettime(int, void*);

extern "C" void tilewright_run(const Args& args)
{
    long now[2];
    clock_gettime(1, now);
    multiply(args);
}
// EVOLVE-BLOCK-END
