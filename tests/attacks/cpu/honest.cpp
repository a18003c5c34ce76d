// SPDX-License-Identifier: GPL-3.0-or-later
// The honest program that the others are timed against, and that must rank after each of them.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
