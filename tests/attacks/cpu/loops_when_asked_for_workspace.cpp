// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Never says how much workspace it wants.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims&)
{
    for (volatile long turn = 0;; turn = turn + 1) { }
    return 0;
}

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
