// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Includes a file by a path that begins in an allowed folder.
// EVOLVE-BLOCK-START
#include "/usr/include/../share/common-licenses/GPL-3"

namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
