// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Reads the time stamp counter (rdtscp).
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    unsigned low, high, core = 0;
    asm volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(core));
    if ((low | high | core) != 0)
        multiply(args);
}
// EVOLVE-BLOCK-END
