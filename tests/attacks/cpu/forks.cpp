// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Forks by the C library.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" int fork();

extern "C" void tilewright_run(const Args& args)
{
    fork();
    multiply(args);
}
// EVOLVE-BLOCK-END
