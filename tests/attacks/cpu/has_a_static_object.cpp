// SPDX-License-Identifier: GPL-3.0-or-later
// Attack: Runs code when it is loaded: a static object with a constructor.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

struct Early {
    Early() { asm volatile("nop" : "=m"(state)); }
    int state;
};
Early early;

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    asm volatile("" ::"m"(early.state));
    multiply(args);
}
// EVOLVE-BLOCK-END
