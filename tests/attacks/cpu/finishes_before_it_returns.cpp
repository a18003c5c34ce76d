// SPDX-License-Identifier: GPL-3.0-or-later
// Honest: has words named done and doorbell of its own, sets them, and returns when the work is finished.
// EVOLVE-BLOCK-START
namespace {

//@ product.inc

struct Control {
    unsigned doorbell = 1, done = 0;
};

} // namespace

extern "C" void tilewright_run(const Args& args)
{
    volatile Control control;
    control.done = control.doorbell;
    multiply(args);
    if (control.done != control.doorbell)
        __builtin_unreachable();
}
// EVOLVE-BLOCK-END
