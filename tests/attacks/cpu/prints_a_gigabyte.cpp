// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Prints a gigabyte by the C library.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" int printf(const char*, ...);

extern "C" void tilewright_run(const Args& args)
{
    for (long line = 0; line < (1 << 30) / 64; ++line)
        printf("%63d\n", 0);
    multiply(args);
}
// EVOLVE-BLOCK-END
