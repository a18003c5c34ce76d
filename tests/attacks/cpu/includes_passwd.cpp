// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Includes the list of users, to see it quoted in an error.
// EVOLVE-BLOCK-START
#include "/etc/passwd"

namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
