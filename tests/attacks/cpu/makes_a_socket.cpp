// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Makes a socket by the C library.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" int socket(int, int, int);

extern "C" void tilewright_run(const Args& args)
{
    socket(2, 1, 0);
    multiply(args);
}
// EVOLVE-BLOCK-END
