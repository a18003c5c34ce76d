// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Calls itself until the stack is used up.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

int deeper(volatile char* above)
{
    volatile char frame[4096];
    frame[0] = above[0];
    return deeper(frame) + frame[0];
}

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    volatile char first = 1;
    if (deeper(&first) != 0)
        multiply(args);
}
// EVOLVE-BLOCK-END
