// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Includes a device.
// EVOLVE-BLOCK-START
#include "/dev/null"

namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
