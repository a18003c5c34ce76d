// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Includes a file whose name a macro makes.
// EVOLVE-BLOCK-START
#define PART(x) #x
#define NAME(x) PART(/etc/x)
#include NAME(passwd)

namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    multiply(args);
}
// EVOLVE-BLOCK-END
