// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Ends the process by the C library.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void exit(int);

extern "C" void tilewright_run(const Args& args)
{
    exit(0);
    multiply(args);
}
// EVOLVE-BLOCK-END
