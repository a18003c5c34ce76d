// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Never returns from the first call.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    for (volatile long turn = 0;; turn = turn + 1) { }
    multiply(args);
}
// EVOLVE-BLOCK-END
