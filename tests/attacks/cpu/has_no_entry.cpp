// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Defines everything but the function that is called.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_runs(const Args& args) { multiply(args); }
// EVOLVE-BLOCK-END
