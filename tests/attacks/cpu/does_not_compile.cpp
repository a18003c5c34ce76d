// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Is no program.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args)
    nonsense
}
// EVOLVE-BLOCK-END
