// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Allocates and touches memory until there is none.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void* malloc(unsigned long);

extern "C" void tilewright_run(const Args& args)
{
    while (volatile char* more = static_cast<char*>(malloc(1 << 20)))
        more[0] = 1;
    multiply(args);
}
// EVOLVE-BLOCK-END
