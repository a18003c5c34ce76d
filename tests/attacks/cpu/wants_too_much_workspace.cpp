// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Asks for more workspace than the task allows.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" unsigned long tilewright_workspace(const Dims&)
{
    return 1ul << 40;
}

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
