// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Includes what stands above its folder.
// EVOLVE-BLOCK-START
#include "../x"

namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
