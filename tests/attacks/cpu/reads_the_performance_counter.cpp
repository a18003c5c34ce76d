// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Reads a performance counter (rdpmc).
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    unsigned low, high;
    asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(0));
    if ((low | high) != 0)
        multiply(args);
}
// EVOLVE-BLOCK-END
